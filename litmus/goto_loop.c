/* Jumps into and out of blocks. */
#include <assert.h>

int main(void)
{
    int i = 0, sum = 0;
again:
    if (i < 4) {
        sum += i;
        i++;
        if (i == 3)
            goto inside;
        goto again;
    }
    goto out;
    while (i < 100) {
    inside:
        sum += 10;
        break;
    }
    goto again;
out:
    assert(i == 4 && sum == 16);
    return 0;
}
