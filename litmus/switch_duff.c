/* Fall-through, a default in the middle, and Duff's device. */
#include <assert.h>

static int classify(int n)
{
    int result = 0;
    switch (n) {
    case 1:
        result += 1;
    default:
        result += 10;
        break;
    case 2:
        result += 100;
    }
    return result;
}

static int copies(int count)
{
    int done = 0;
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            done++;
        case 3:
            done++;
        case 2:
            done++;
        case 1:
            done++;
        } while (--rounds > 0);
    }
    return done;
}

int main(void)
{
    assert(classify(1) == 11);
    assert(classify(2) == 100);
    assert(classify(3) == 10);
    assert(copies(1) == 1);
    assert(copies(6) == 6);
    assert(copies(8) == 8);
    return 0;
}
