// `#pragma pack` limits what `aligned` asks for as well.
#include <assert.h>

#pragma pack(1)
struct packed {
    char first;
    int second __attribute__((aligned(8)));
};
#pragma pack()

int main(void)
{
    assert(sizeof(struct packed) == 5);
    return 0;
}
