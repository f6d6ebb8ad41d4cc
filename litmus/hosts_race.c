/* Two threads look for a machine: what is found is kept in one place. */
#include <netdb.h>
#include <pthread.h>

static void *worker(void *unused) {
    gethostbyname("a");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    gethostbyname("b");
    pthread_join(thread, 0);
    return 0;
}
