/* One call of `alloca` in a loop makes two blocks, each with the handle of another thread. */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

int late;

void *first(void *unused) { return 0; }

void *second(void *unused) {
    assert(late == 0);
    return 0;
}

int main(void) {
    pthread_t *handles[2];
    for (int i = 0; i < 2; i++)
        handles[i] = alloca(sizeof(pthread_t));
    pthread_create(handles[0], 0, first, 0);
    pthread_create(handles[1], 0, second, 0);
    pthread_join(*handles[0], 0);
    late = 1;
    pthread_join(*handles[1], 0);
}
