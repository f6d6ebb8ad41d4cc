/* Threads without number take places of an array, each one of its own, as long as there are some. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

static int places[100], next;

static void *worker(void *arg)
{
    int mine = -1;
    __VERIFIER_atomic_begin();
    if (next < 100) {
        mine = next;
        next++;
    }
    __VERIFIER_atomic_end();
    if (mine >= 0)
        places[mine] = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
