/* Two threads follow the same links of an array of any size equally often, one of them two links in each
   round. In lockstep by links they are always at the same place. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

int *next;
int size, rounds, first, second;

void *walk(void *arg)
{
    for (int i = 0; i < 2 * rounds; i++) {
        if (first < 0 || first >= size)
            abort();
        first = next[first];
    }
    return NULL;
}

void *run(void *arg)
{
    for (int j = 0; j < 2 * rounds; j++) {
        if (second < 0 || second >= size)
            abort();
        second = next[second];
        j++;
        if (second < 0 || second >= size)
            abort();
        second = next[second];
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    size = __VERIFIER_nondet_int();
    rounds = __VERIFIER_nondet_int();
    if (size < 0 || size > 1000000 || rounds < 0 || rounds > 1000000)
        abort();
    next = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++)
        next[i] = __VERIFIER_nondet_int();
    pthread_create(&one, NULL, walk, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first == second);
    return 0;
}
