/* Peterson's algorithm: mutual exclusion of two threads with reads and writes alone.
 *
 * Each raises its flag, then gives way to the other. The turn variable settles who goes first when
 * both want to. Waiting is a loop without bound; exploration closes nevertheless, because the states
 * of the loop repeat.
 *
 *     mazurka check examples/peterson.c                    safe
 *     mazurka check --property race examples/peterson.c    safe: `inside` is protected
 *
 * peterson_without_turn.c shows what the turn variable is for.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int inside = 0;

static void *process(void *arg)
{
    int me = arg != NULL;
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;

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
