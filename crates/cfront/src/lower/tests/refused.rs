//! What is refused, with place and reason.

use super::check;
use expect_test::expect;

#[test]
fn long_double() {
    check(
        "int main(void) { long double x = 1; return x > 2; }",
        expect![[""]],
    );
}

#[test]
fn cancellation() {
    check(
        "int pthread_cancel(unsigned long); int main(void) { return pthread_cancel(1); }",
        expect![[""]],
    );
}

#[test]
fn realloc() {
    check(
        "void *realloc(void *, unsigned long); void *p; int main(void) { p = realloc(p, 3); }",
        expect![[""]],
    );
}

#[test]
fn alloca_in_a_loop() {
    check(
        "int main(void) { while (1) { char *p = __builtin_alloca(3); *p = 1; } }",
        expect![[""]],
    );
}

#[test]
fn no_main() {
    check("int f(void) { return 0; }", expect![[""]]);
}

#[test]
fn our_own_primitives() {
    check(
        "void __mazurka_await(int); int main(void) { __mazurka_await(1); }",
        expect![[""]],
    );
}
