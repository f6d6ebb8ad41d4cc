/* A deadlock of two locks: two transfers in opposite directions lock the accounts in opposite order.
 *
 * When each thread holds its first lock, neither gets its second one. Tests hardly ever see it; the
 * assertion is never wrong, because the program then never gets there.
 *
 *     mazurka check --property deadlock examples/two_locks.c    unsafe
 *     mazurka check --property reach examples/two_locks.c       safe: no assertion fails
 *
 * two_locks_fixed.c takes the locks in the same order everywhere.
 */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 10};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 10};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->money -= amount;
    to->money += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *alice_pays(void *arg)
{
    (void)arg;
    transfer(&alice, &bob, 3);
    return NULL;
}

static void *bob_pays(void *arg)
{
    (void)arg;
    transfer(&bob, &alice, 5);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, alice_pays, NULL);
    pthread_create(&second, NULL, bob_pays, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(alice.money + bob.money == 20);
    return 0;
}
