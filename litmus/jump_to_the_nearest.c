/* Handlers inside each other, in two threads: each jump leads to the innermost one of its own thread. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

struct handler {
    jmp_buf place;
    struct handler *outer;
};

static __thread struct handler *innermost;
static int inner_caught, outer_caught;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fail(int code) {
    longjmp(innermost->place, code);
}

static void count(int *counter) {
    pthread_mutex_lock(&lock);
    ++*counter;
    pthread_mutex_unlock(&lock);
}

static void inner(void) {
    struct handler own = { .outer = innermost };
    innermost = &own;
    if (setjmp(own.place) == 0) {
        fail(0);
    } else {
        innermost = own.outer;
        count(&inner_caught);
    }
}

static void *worker(void *unused) {
    struct handler own = { .outer = innermost };
    innermost = &own;
    switch (setjmp(own.place)) {
    case 0:
        inner();
        fail(2);
        break;
    case 2:
        innermost = own.outer;
        count(&outer_caught);
        break;
    default:
        assert(0);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(inner_caught == 2 && outer_caught == 2);
    return 0;
}
