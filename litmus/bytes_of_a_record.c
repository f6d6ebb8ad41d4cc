/* A checksum over all bytes of a record depends on the pointer in it, though other members are characters. */
#include <assert.h>

static int target;
static struct {
    char name[4];
    int *pointer;
} record = { "abc", &target };

int main(void)
{
    const unsigned char *bytes = (const unsigned char *)&record;
    unsigned char sum = 0;
    for (unsigned i = 0; i < sizeof record; i++)
        sum ^= bytes[i];
    assert(sum < 0x80);
    return 0;
}
