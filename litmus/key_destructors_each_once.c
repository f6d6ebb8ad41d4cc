/* Each destructor runs once, whatever the order. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;
static int count;

static void one(void *value) { count += 1; }
static void two(void *value) { count += 2; }

static void *set(void *arg)
{
    pthread_setspecific(first, &first);
    pthread_setspecific(second, &second);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&first, one);
    pthread_key_create(&second, two);
    pthread_create(&thread, 0, set, 0);
    pthread_join(thread, 0);
    assert(count == 3);
    return 0;
}
