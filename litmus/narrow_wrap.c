/* Narrow integers wrap, are promoted, and keep their sign. */
#include <assert.h>

int main(void)
{
    unsigned char u = 255;
    signed char s = 127;
    unsigned short h = 0;
    u++;
    s++;
    h--;
    assert(u == 0);
    assert(s == -128);
    assert(h == 65535);
    u = 200;
    assert(u + 100 == 300);
    assert((unsigned char)(u + 100) == 44);
    assert(-1 < 0);
    assert(!(-1 < 0u));
    assert((s >> 1) == -64);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    return 0;
}
