/* The members of a union share their bytes, the low ones first. */
#include <assert.h>

int main(void)
{
    union {
        unsigned int word;
        unsigned char byte[4];
        unsigned short half[2];
    } u;
    u.word = 0x04030201;
    assert(u.byte[0] == 1 && u.byte[3] == 4);
    u.byte[1] = 0xff;
    assert(u.word == 0x0403ff01);
    assert(u.half[1] == 0x0403);
    return 0;
}
