/* An error deep in a recursive function leads back to where it is handled. */
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf handler;
static int depth;

static void parse(int rest) {
    depth++;
    if (rest == 0)
        longjmp(handler, 7);
    parse(rest - 1);
    depth = 100;
}

int main(void) {
    volatile int tries = 0;
    int code = setjmp(handler);
    if (code == 0) {
        tries++;
        parse(2);
        abort();
    }
    assert(code == 7 && tries == 1 && depth == 3);
    return 0;
}
