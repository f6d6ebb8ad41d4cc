/* A jump out of the handler of a signal, back to where the mask was kept: the signal is not held back any more, and one
   that waited for that comes before the jump. Kept without the mask, it stays held back. */

#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf before;
static volatile int handled, late;

static void jump(int number) {
    (void)number;
    handled++;
    int already = late;
    raise(SIGUSR2);
    assert(late == already);
    siglongjmp(before, 1);
}

static void count(int number) {
    (void)number;
    late++;
}

int main(void) {
    struct sigaction action = { .sa_handler = jump };
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &action, 0);
    signal(SIGUSR2, count);
    if (sigsetjmp(before, 1) == 0) {
        raise(SIGUSR1);
    }
    assert(handled == 1 && late == 1);
    if (handled < 2 && sigsetjmp(before, 0) == 0) {
        raise(SIGUSR1);
    }
    assert(handled == 2 && late == 1);
    raise(SIGUSR1);
    raise(SIGUSR2);
    assert(handled == 2 && late == 1);
    return 0;
}
