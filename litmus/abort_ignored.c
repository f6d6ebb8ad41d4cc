/* A handler of another signal does not run; `abort` ends the process also if its signal is ignored. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static void handler(int number)
{
    assert(number == SIGUSR1);
}

int main(void)
{
    signal(SIGUSR1, handler);
    signal(SIGABRT, SIG_IGN);
    raise(SIGUSR1);
    raise(SIGABRT);
    abort();
    assert(0);
}
