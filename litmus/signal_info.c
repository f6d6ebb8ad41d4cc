/* A handler with SA_SIGINFO learns which signal came, and that this process has sent it. */
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int count;

static void handler(int number, siginfo_t *info, void *context)
{
    (void)context;
    assert(info->si_signo == number && info->si_errno == 0);
    int process = getpid();
    assert(info->si_code <= 0 && info->si_pid == process);
    count++;
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    assert(count == 1);
    return 0;
}
