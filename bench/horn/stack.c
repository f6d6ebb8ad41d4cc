/* One thread pushes onto a stack of N elements, another pops. With BUG the second one does not
   look whether there is anything to pop. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif

int stack[N];
int top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *pusher(void *arg)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        assert(top < N);
        stack[top] = i;
        top = top + 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *popper(void *arg)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
#ifndef BUG
        if (top > 0)
#endif
        {
            assert(top > 0);
            top = top - 1;
            int popped = stack[top];
            (void)popped;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, pusher, 0);
    pthread_create(&t2, 0, popper, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
