/* Two locks without deadlock: every transfer locks Alice's account first, whoever pays.
 *
 *     mazurka check --property deadlock examples/two_locks_fixed.c    safe
 *     mazurka check examples/two_locks_fixed.c                        safe
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
    pthread_mutex_lock(&alice.lock);
    pthread_mutex_lock(&bob.lock);
    from->money -= amount;
    to->money += amount;
    pthread_mutex_unlock(&bob.lock);
    pthread_mutex_unlock(&alice.lock);
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
