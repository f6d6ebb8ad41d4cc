/* Another signal than the one that the program thinks of ends the wait. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void handle(int number) {
    stop = number == SIGTERM;
}

int main(void) {
    signal(SIGTERM, handle);
    signal(SIGUSR1, handle);
    pause();
    assert(stop);
    return 0;
}
