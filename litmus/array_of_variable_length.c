/* As many threads as an input says, in arrays whose length it tells. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static void *square(void *arg)
{
    int *cell = arg;
    cell[1] = cell[0] * cell[0];
    return 0;
}

static int sum_up_to(int count)
{
    pthread_t threads[count];
    int cells[count][2];
    int sum = 0;
    assert(sizeof cells == count * sizeof cells[0]);
    for (int i = 0; i < count; i++) {
        cells[i][0] = i + 1;
        pthread_create(&threads[i], 0, square, cells[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], 0);
        sum += cells[i][1];
    }
    return sum;
}

int main(void)
{
    int count = 1;
    if (__VERIFIER_nondet_bool())
        count = 2;
    assert(sum_up_to(count) == (count == 2 ? 5 : 1));
    return 0;
}
