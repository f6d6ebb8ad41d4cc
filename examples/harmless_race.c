/* A race that never bites: both threads write the same value.
 *
 * Whoever writes last, `found` is 1: no assertion can fail on a machine that executes one access
 * after the other. It is a data race all the same, and C gives such a program no meaning: a compiler
 * may keep the value in a register or tear the write.
 *
 *     mazurka check --property reach examples/harmless_race.c    safe
 *     mazurka check --property race examples/harmless_race.c     unsafe
 *
 * harmless_race_fixed.c makes the variable atomic, at no cost on common machines.
 */
#include <assert.h>
#include <pthread.h>

static const int haystack[4] = {3, 7, 1, 7};
static int found = 0;

static void *search(void *arg)
{
    const int *half = arg;
    for (int i = 0; i < 2; i++)
        if (half[i] == 7)
            found = 1;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, search, (void *)&haystack[0]);
    pthread_create(&second, NULL, search, (void *)&haystack[2]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(found == 1);
    return 0;
}
