/* Threads work on a local array of `main`. */
#include <assert.h>
#include <pthread.h>

static void *square(void *arg)
{
    int *cell = arg;
    *cell = *cell * *cell;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int cells[2] = {2, 3};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, square, &cells[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(cells[0] == 4 && cells[1] == 9);
    return 0;
}
