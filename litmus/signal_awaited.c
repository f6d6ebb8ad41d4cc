/* A daemon that waits for signals: whichever comes, its handler has run when the wait is over. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop, reloads;

static void handle(int number) {
    if (number == SIGHUP)
        reloads = 1;
    else
        stop = 1;
}

int main(void) {
    struct sigaction action = { .sa_handler = handle };
    sigset_t none;
    sigemptyset(&none);
    sigaction(SIGTERM, &action, 0);
    sigaction(SIGHUP, &action, 0);
    while (!stop) {
        reloads = 0;
        sigsuspend(&none);
        assert(stop || reloads);
    }
    return 0;
}
