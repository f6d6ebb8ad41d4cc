/* Two threads look for the first zero of an array of any size and any contents. In lockstep they are
   always at the same place; of all interleavings there is no simple invariant. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

int *data;
int size, first, second;

void *scan_first(void *arg)
{
    while (first < size && data[first] != 0)
        first++;
    return NULL;
}

void *scan_second(void *arg)
{
    while (second < size && data[second] != 0)
        second++;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    size = __VERIFIER_nondet_int();
    if (size < 0 || size > 1000000)
        abort();
    data = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++)
        data[i] = __VERIFIER_nondet_int();
    pthread_create(&one, NULL, scan_first, NULL);
    pthread_create(&two, NULL, scan_second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first == second);
    return 0;
}
