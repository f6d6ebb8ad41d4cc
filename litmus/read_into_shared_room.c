/* One thread reads into a buffer while the other one looks at its middle. */
#include <pthread.h>
#include <unistd.h>

static char buffer[32];
static int seen;

static void *reader(void *unused) {
    read(0, buffer, sizeof buffer);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    seen = buffer[16];
    pthread_join(thread, 0);
    return seen == 1;
}
