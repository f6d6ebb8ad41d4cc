/* Different elements of an array do not race. */
#include <assert.h>
#include <pthread.h>

static int cells[2];

static void *first(void *arg) { cells[0] = 1; return arg; }
static void *second(void *arg) { cells[1] = 1; return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cells[0] + cells[1] == 2);
    return 0;
}
