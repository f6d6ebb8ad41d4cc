// `__atomic_test_and_set` sets one byte, however large what it is given is.
#include <assert.h>

int main(void)
{
    int word = 0x0500;
    int was = __atomic_test_and_set(&word, __ATOMIC_SEQ_CST);
    assert(!was && word == 0x0501);
    __atomic_clear(&word, __ATOMIC_SEQ_CST);
    assert(word == 0x0500);
    return 0;
}
