/* A compound literal lives as long as its block. */
#include <assert.h>

int main(void)
{
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        p = (int[]){ i, 2 };
        p[1]++;
        assert(p[0] == i && p[1] == 3);
    }
    return 0;
}
