/* Peterson's algorithm without its turn variable: look at the other's flag, then raise your own.
 *
 * Both threads can look before either raises its flag, and both enter.
 *
 *     mazurka check examples/peterson_without_turn.c    unsafe
 *
 * peterson.c is the whole algorithm.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int inside = 0;

static void *process(void *arg)
{
    int me = arg != NULL;
    int other = 1 - me;
    while (atomic_load(&wants[other]))
        ;
    atomic_store(&wants[me], 1);

    inside++;
    assert(inside == 1);
    inside--;

    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, process, NULL);
    pthread_create(&second, NULL, process, &inside);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
