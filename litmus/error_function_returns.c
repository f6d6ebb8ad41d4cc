/* The program's own `reach_error` comes back. Only who asks about the call itself sees an error there. */
#include <limits.h>
#include <pthread.h>

int total = INT_MAX, shared;

void reach_error(void) {}

void *other(void *unused) {
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    reach_error();
    pthread_create(&thread, 0, other, 0);
    shared = 2;
    total++;
    while (shared)
        ;
}
