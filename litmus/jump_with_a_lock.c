/* The jump leaves a function that holds a lock: the other thread waits for it for ever. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int broken;

static void use(jmp_buf place) {
    pthread_mutex_lock(&lock);
    if (broken)
        longjmp(place, 1);
    broken = 1;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    jmp_buf place;
    if (setjmp(place) == 0)
        use(place);
    return unused;
}

int main(void) {
    pthread_t thread, other;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_join(other, 0);
    return 0;
}
