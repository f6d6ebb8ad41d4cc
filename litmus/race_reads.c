/* Two reads do not race. */
#include <assert.h>
#include <pthread.h>

static int x = 4;

static void *first(void *arg) { assert(x == 4); return arg; }
static void *second(void *arg) { assert(x == 4); return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
