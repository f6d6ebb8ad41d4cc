/* Both threads may write the same element of an array whose length is not a constant. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int *slots;
static int next;

static void *take(void *arg)
{
    int mine = next;
    next = mine + 1;
    slots[mine] = 1;
    return 0;
}

int main(int argc, char **argv)
{
    int count = 2;
    if (argc > 1 && sscanf(argv[1], "%d", &count) != 1)
        return 1;
    int taken[count];
    pthread_t threads[count];
    slots = taken;
    for (int i = 0; i < count; i++)
        taken[i] = 0;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], 0, take, 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    assert(taken[count - 1] == 1);
    return 0;
}
