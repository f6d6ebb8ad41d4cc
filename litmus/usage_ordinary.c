/* A queue of one item with all that belongs to it: nothing is misused. */
#include <pthread.h>
#include <stdlib.h>

struct box { pthread_mutex_t lock; pthread_cond_t filled; int full; };

void *fills(void *arg)
{
    struct box *box = arg;
    pthread_mutex_lock(&box->lock);
    box->full = 1;
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->lock);
    return 0;
}

int main(void)
{
    struct box *box = malloc(sizeof *box);
    pthread_t t;
    if (!box)
        return 1;
    box->full = 0;
    pthread_mutex_init(&box->lock, 0);
    pthread_cond_init(&box->filled, 0);
    pthread_create(&t, 0, fills, box);
    pthread_mutex_lock(&box->lock);
    while (!box->full)
        pthread_cond_wait(&box->filled, &box->lock);
    pthread_mutex_unlock(&box->lock);
    pthread_join(t, 0);
    pthread_cond_destroy(&box->filled);
    pthread_mutex_destroy(&box->lock);
    free(box);
    return 0;
}
