#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *arg)
{
    int amount = *(int *)arg;
    pthread_mutex_lock(&lock);
    if (balance >= amount)
        balance -= amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    int rent = RENT, food = 50;
    pthread_t first, second;
    pthread_create(&first, NULL, withdraw, &rent);
    pthread_create(&second, NULL, withdraw, &food);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance >= 0);
    return 0;
}
