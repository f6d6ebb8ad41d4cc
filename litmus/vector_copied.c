// An assignment copies a vector, of which only the size is known.
#include <assert.h>

typedef int quad __attribute__((vector_size(16)));

union words {
    quad all;
    int each[4];
};

int main(void)
{
    union words a = {.each = {1, 2, 3, 4}}, b = {.each = {0}};
    b.all = a.all;
    assert(b.each[3] == 0);
    return 0;
}
