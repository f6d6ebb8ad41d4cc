/* Two threads share a ring whose ends are kept as pointers. Their distance says how full it is; the
   pointers are null until the ring is made, and nothing is subtracted before. */
#include <assert.h>
#include <pthread.h>

static int cells[3];
static int *first, *last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *after(int *cell)
{
    return cell + 1 == cells + 3 ? cells : cell + 1;
}

static void *put(void *arg)
{
    pthread_mutex_lock(&lock);
    if (after(last) != first) {
        *last = 1;
        last = after(last);
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    first = last = cells;
    pthread_create(&one, 0, put, 0);
    pthread_create(&two, 0, put, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(last - first == 2);
    return 0;
}
