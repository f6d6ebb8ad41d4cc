/* Bit-fields hold as many bits as they say, with or without sign. */
#include <assert.h>

struct bits {
    unsigned low : 3;
    int mid : 4;
    unsigned high : 25;
};

int main(void)
{
    struct bits bits = {7, -8, 1};
    bits.low++;
    assert(bits.low == 0);
    bits.mid--;
    assert(bits.mid == 7);
    assert(bits.high == 1);
    assert(sizeof bits == 4);
    return 0;
}
