/* One writer, and readers that do not disturb each other. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

int x;

void *writer(void *arg) {
    x = 1;
    return arg;
}

void *reader(void *arg) {
    int seen = x;
    assert(seen == 0 || seen == 1);
    return arg;
}

int main(void) {
    pthread_t w, t[N];
    pthread_create(&w, 0, writer, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, reader, 0);
    pthread_join(w, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
