/* One thread pays in as often as the other pays out, the same amount each time: in the end nothing is left,
   whatever wraps. Payments commute, so it is enough to look at them in turns. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned rounds, amount;
atomic_uint balance;

void *pay_in(void *arg)
{
    for (unsigned i = 0; i < rounds; i++)
        balance += amount;
    return NULL;
}

void *pay_out(void *arg)
{
    for (unsigned i = 0; i < rounds; i++)
        balance -= amount;
    return NULL;
}

int main(void)
{
    pthread_t in, out;
    rounds = __VERIFIER_nondet_uint();
    amount = __VERIFIER_nondet_uint();
    pthread_create(&in, NULL, pay_in, NULL);
    pthread_create(&out, NULL, pay_out, NULL);
    pthread_join(in, NULL);
    pthread_join(out, NULL);
    assert(balance == 0);
    return 0;
}
