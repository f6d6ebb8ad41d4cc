/* A worker finishes the N parts of a batch and then writes N marks. A checker looks how far the
   batch is and then reads N marks. Without OK, a checker that came too early to see the whole batch
   must not see the last mark, which it may. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif
#ifdef OK
#define HIGHEST (N + 1)
#else
#define HIGHEST N
#endif

int done, mark;

void *worker(void *arg) {
    for (int i = 1; i <= N; i++)
        done = i;
    for (int i = 1; i <= N; i++)
        mark = i;
    return arg;
}

void *checker(void *arg) {
    int early = 0;
    int parts = done;
    if (parts < N)
        early = 1;
    for (int i = 0; i < N; i++) {
        int seen = mark;
        assert(seen + early <= HIGHEST);
    }
    return arg;
}

int main(void) {
    pthread_t w, c;
    pthread_create(&w, 0, worker, 0);
    pthread_create(&c, 0, checker, 0);
    pthread_join(w, 0);
    pthread_join(c, 0);
    return 0;
}
