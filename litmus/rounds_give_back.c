/* Rounds of a loop that lock and unlock a mutex are not idle rounds if others unlock it in
   between. The error needs two rounds in which the mutex of another thread is unlocked. */
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, seen;

static void *rounds(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *enter_first(void *arg)
{
    (void)arg;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    first = 1;
    first = 0;
    return 0;
}

static void *look_first(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    seen = first;
    return 0;
}

static void *enter_second(void *arg)
{
    (void)arg;
    __VERIFIER_assume(seen);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    second = 1;
    second = 0;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, rounds, 0);
    pthread_create(&thread, 0, enter_first, 0);
    pthread_create(&thread, 0, look_first, 0);
    pthread_create(&thread, 0, enter_second, 0);
    __VERIFIER_assume(seen);
    pthread_mutex_lock(&lock);
    if (second)
        reach_error();
    return 0;
}
