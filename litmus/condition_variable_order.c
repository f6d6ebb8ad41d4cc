/* Ping-pong: two threads alternate by condition variables. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void play(int me)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (turn % 2 != me)
            pthread_cond_wait(&changed, &lock);
        assert(turn == 2 * i + me);
        turn++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
}

static void *first(void *arg) { play(0); return arg; }
static void *second(void *arg) { play(1); return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(turn == 4);
    return 0;
}
