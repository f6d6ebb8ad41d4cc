/* Functions that do not return: whoever calls one of them does not get to the error. */
#include <err.h>
#include <error.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void reach_error(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    _Bool first = __VERIFIER_nondet_bool();
    _Bool second = __VERIFIER_nondet_bool();
    _Bool third = __VERIFIER_nondet_bool();
    if (first && second && third) {
        errx(1, "%s", "over");
    } else if (first && second) {
        err(1, "over %d", 3);
    } else if (first && third) {
        error(1, 0, "over");
    } else if (first) {
        raise(SIGABRT);
    } else if (second && third) {
        kill(0, SIGKILL);
    } else if (second) {
        _Exit(1);
    } else if (third) {
        _exit(1);
    } else {
        abort();
    }
    reach_error();
    return 0;
}
