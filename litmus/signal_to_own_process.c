/* A signal to the own process, and one to another one. */
#include <assert.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handler(int number) {
    count += number == SIGUSR1;
}

int main(void) {
    signal(SIGUSR1, handler);
    pid_t other = getpid() == 2 ? 3 : 2;
    kill(other, SIGUSR1);
    assert(count == 0);
    kill(getpid(), SIGUSR1);
    assert(count == 1);
    return 0;
}
