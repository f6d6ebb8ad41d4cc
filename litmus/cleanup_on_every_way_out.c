/* `cleanup` runs once for each way out of a block, the youngest first, and after the result is known. */
#include <assert.h>

static int count, last;

static void leave(int *p)
{
    count++;
    last = *p;
}

static int result(void)
{
    int x __attribute__((cleanup(leave))) = 3;
    return x++;
}

static void back(int n)
{
again:;
    __attribute__((cleanup(leave))) int x = n;
    if (n-- > 0)
        goto again;
}

static void jump(int into)
{
    if (into)
        goto inside;
    {
        int x __attribute__((cleanup(leave)));
        x = 5;
inside:
        x = 6;
    }
}

int main(void)
{
    assert(result() == 3 && count == 1 && last == 4);
    back(2);
    assert(count == 4 && last == 0);
    jump(0);
    jump(1);
    assert(count == 6 && last == 6);
    for (int i __attribute__((cleanup(leave))) = 0; i < 4; i++) {
        int inner __attribute__((cleanup(leave))) = 10 + i;
        if (i == 0)
            continue;
        break;
    }
    assert(count == 9 && last == 1);
    int value = ({ int x __attribute__((cleanup(leave))) = 7; x + count; });
    assert(value == 16 && count == 10 && last == 7);
    {
        int a __attribute__((cleanup(leave))) = 1, __attribute__((cleanup(leave))) b = 2;
    }
    assert(count == 12 && last == 1);
    switch (count) {
        int x __attribute__((cleanup(leave)));
    case 12:
        x = 20;
        break;
    }
    assert(count == 13 && last == 20);
    return 0;
}
