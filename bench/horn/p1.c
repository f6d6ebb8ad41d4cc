/* Three threads whose accesses are protected by locks, after the first example of the paper on
   reduction for compositional verification: N statements in each reducible block. With RACE the third
   thread also looks at `y` without its lock, so each write to `y` is an event: more and smaller blocks.
   With LOOP the first thread works several times, as in the paper's second example. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

#define TIMES_1(s) s
#define TIMES_5(s) s s s s s
#define TIMES_10(s) TIMES_5(s) TIMES_5(s)
#define TIMES_50(s) TIMES_10(s) TIMES_10(s) TIMES_10(s) TIMES_10(s) TIMES_10(s)
#define PASTE(n, s) TIMES_##n(s)
#define TIMES(n, s) PASTE(n, s)

int x = 2, y = 2;
pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t my = PTHREAD_MUTEX_INITIALIZER;

void *thread1(void *arg)
{
    int a;
    pthread_mutex_lock(&mx);
    a = x;
#ifdef LOOP
    while (a <= 4) {
#endif
    pthread_mutex_lock(&my);
    TIMES(N, y = y + a;)
    pthread_mutex_unlock(&my);
    a = a + 1;
    pthread_mutex_lock(&my);
    TIMES(N, y = y + a;)
    pthread_mutex_unlock(&my);
#ifdef LOOP
    }
#endif
    x = 2 * x + a;
    pthread_mutex_unlock(&mx);
    return 0;
}

void *thread2(void *arg)
{
    pthread_mutex_lock(&mx);
    TIMES(N, x = x + 2;)
    pthread_mutex_unlock(&mx);
    return 0;
}

void *thread3(void *arg)
{
    pthread_mutex_lock(&my);
    TIMES(N, y = y + 2;)
    pthread_mutex_unlock(&my);
#ifdef RACE
    assert(y >= 2);
#endif
    return 0;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_create(&t3, 0, thread3, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    /* What `x` would be if the second thread came in the middle of the first. */
    assert(x != 7 + 4 * N);
    return 0;
}
