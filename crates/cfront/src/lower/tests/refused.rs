//! What is refused, with place and reason.

use super::check;
use expect_test::expect;

#[test]
fn long_double() {
    check(
        "int main(void) { long double x = 1; return x > 2; }",
        expect![[r#"
            test.c:1:34: arithmetic in `long double`
        "#]],
    );
}

#[test]
fn cancellation() {
    check(
        "int pthread_cancel(unsigned long); int main(void) { return pthread_cancel(1); }",
        expect![[r#"
            test.c:1:60: `pthread_cancel`: there is no model of this function
        "#]],
    );
}

#[test]
fn realloc() {
    check(
        "void *realloc(void *, unsigned long); void *p; int main(void) { p = realloc(p, 3); }",
        expect![[r#"
            test.c:1:69: `realloc`: the size of the old memory is not known
        "#]],
    );
}

#[test]
fn alloca_in_a_loop() {
    check(
        "int main(void) { while (1) { char *p = __builtin_alloca(3); *p = 1; } }",
        expect![[r#"
            test.c:1:40: `alloca` that may run more than once in a call
        "#]],
    );
}

#[test]
fn no_main() {
    check(
        "int f(void) { return 0; }",
        expect![[r#"
        test.c:1:1: there is no function `main` to start with
    "#]],
    );
}

#[test]
fn our_own_primitives() {
    check(
        "void __mazurka_await(int); int main(void) { __mazurka_await(1); }",
        expect![[r#"
            test.c:1:45: `__mazurka_await`: a name that only the library's model may use
        "#]],
    );
}

#[test]
fn what_calls_back() {
    check(
        "int atexit(void (*)(void)); void f(void) {} int main(void) { return atexit(f); }",
        expect![[r#"
            test.c:1:69: `atexit`: calls functions of the program, which is not modelled
        "#]],
    );
}

#[test]
fn what_writes() {
    check(
        "int pipe(int *); int main(void) { int ends[2]; return pipe(ends); }",
        expect![[r#"
            test.c:1:55: `pipe`: writes to memory, which is not modelled
        "#]],
    );
}

#[test]
fn a_thread_that_ends_in_a_routine_that_runs_once() {
    check(
        "int pthread_once(int *, void (*)(void)); void pthread_exit(void *); int o;
         void leave(void) { pthread_exit(0); } void once(void) { leave(); }
         int main(void) { pthread_once(&o, once); return 0; }",
        expect![[r#"
            test.c:3:27: `pthread_exit` inside a routine that runs once
        "#]],
    );
}

#[test]
fn a_thread_that_may_end_there_through_a_pointer() {
    check(
        "int pthread_once(int *, void (*)(void)); void pthread_exit(void *); int o; void (*last)(void);
         void leave(void) { pthread_exit(0); } void once(void) { last(); }
         int main(void) { last = leave; pthread_once(&o, once); return 0; }",
        expect![[r#"
            test.c:3:41: `pthread_exit` inside a routine that runs once
        "#]],
    );
}

#[test]
fn text_that_is_read_from_the_program_itself() {
    check(
        "int sscanf(const char *, const char *, ...);
         int main(int argc, char **argv) { int x; sscanf(\"5\", \"%d\", &x); return x; }",
        expect![[r#"
            test.c:2:51: `sscanf`: writes to memory, which is not modelled
        "#]],
    );
    check(
        "int sscanf(const char *, const char *, ...);
         int main(void) { int x; char **texts; sscanf(texts[0], \"%d\", &x); return x; }",
        expect![[r#"
            test.c:2:48: `sscanf`: writes to memory, which is not modelled
        "#]],
    );
}

#[test]
fn globals_that_are_initialised_by_themselves() {
    check(
        "extern int b; int a = b + 1; int b = a; int main(void) { return a + b; }",
        expect![[r#"
            test.c:1:38: an initialiser of static storage that is not a constant
        "#]],
    );
}
