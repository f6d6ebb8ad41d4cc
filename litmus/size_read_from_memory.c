/* How much is allocated is read just before: the two orders of `first` and `second` still matter behind it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int count = 2, first, second;

static void *grow(void *arg) { count = 3; return arg; }
static void *set(void *arg) { first = 1; second = 1; return arg; }

static void *look(void *arg)
{
    int a = first, b = second;
    assert(!(a == 1 && b == 0));
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, grow, 0);
    int *numbers = malloc(count * sizeof(int));
    numbers[1] = 5;
    pthread_create(&b, 0, set, 0);
    pthread_create(&c, 0, look, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return numbers[1] - 5;
}
