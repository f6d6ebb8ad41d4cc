/* Two threads report through one atomic variable: no race, and the same answer.
 *
 *     mazurka check examples/harmless_race_fixed.c                    safe
 *     mazurka check --property race examples/harmless_race_fixed.c    safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static const int haystack[4] = {3, 7, 1, 7};
static atomic_int found = 0;

static void *search(void *arg)
{
    const int *half = arg;
    for (int i = 0; i < 2; i++)
        if (half[i] == 7)
            atomic_store(&found, 1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, search, (void *)&haystack[0]);
    pthread_create(&second, NULL, search, (void *)&haystack[2]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&found) == 1);
    return 0;
}
