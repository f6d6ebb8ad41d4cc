// What a local was in the last turn is gone when a `case` enters its block again.
#include <assert.h>

int main(void)
{
    for (int turn = 0; turn < 2; turn++)
        switch (turn) {
            int inner;
        case 0:
            inner = 3;
            break;
        case 1:
            assert(inner == 3);
        }
    return 0;
}
