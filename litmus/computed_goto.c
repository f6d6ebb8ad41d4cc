/* An interpreter that jumps by a table of labels. */
#include <assert.h>

enum { PUSH, ADD, STORE, HALT };

static int stored;

static int run(const int *code) {
    static const void *const labels[] = { &&push, &&add, &&store, &&halt };
    int stack[4], top = 0;
    goto *labels[*code++];
push:
    stack[top++] = *code++;
    goto *labels[*code++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *labels[*code++];
store:
    stored = stack[--top];
    goto *labels[*code++];
halt:
    return top;
}

int main(void) {
    static const int code[] = { PUSH, 3, PUSH, 4, ADD, STORE, HALT };
    assert(run(code) == 0);
    assert(stored == 7);
    return 0;
}
