//! Calls of the program's own functions, of unknown ones, and through pointers.

use super::check;
use expect_test::expect;

#[test]
fn only_what_is_reached_is_lowered() {
    check(
        "int unused(void) { return 1; } static int used(int a) { return a; } int g, h;
         int main(void) { return used(g); }",
        expect![[""]],
    );
}

#[test]
fn calls_through_pointers() {
    check(
        "int one(int a) { return a; } int (*f)(int) = one;
         int main(void) { f(2); return (*f)(1); }",
        expect![[""]],
    );
}

#[test]
fn unknown_functions_are_assumptions() {
    check(
        "int mystery(int); void hush(void); int main(void) { hush(); return mystery(1); }",
        expect![[""]],
    );
}

#[test]
fn declarations_that_disagree() {
    check(
        "int f(); int main(void) { return f(1, 2L); } int f(long a) { return a; }",
        expect![[""]],
    );
}

#[test]
fn the_end_of_a_function_without_return() {
    check(
        "int f(void) { } int main(void) { return f(); }",
        expect![[""]],
    );
}

#[test]
fn inputs_and_external_globals() {
    check(
        "_Bool __VERIFIER_nondet_bool(void); double __VERIFIER_nondet_double(void);
         extern int e; int printf(const char *, ...);
         int main(void) { if (__VERIFIER_nondet_bool()) printf(\"x\"); return __VERIFIER_nondet_double() > e; }",
        expect![[""]],
    );
}

#[test]
fn errors_assumptions_and_ends() {
    check(
        "void reach_error(void) { } void __VERIFIER_assume(int); void abort(void); void exit(int);
         int main(void) { int x; __VERIFIER_assume(x > 0); if (x == 1) reach_error();
         if (x == 2) abort(); exit(0); }",
        expect![[""]],
    );
}

#[test]
fn atomic_sections() {
    check(
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;
         int __VERIFIER_atomic_inc(void) { if (x) return 0; x++; return 1; }
         int main(void) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); \
         return __VERIFIER_atomic_inc(); }",
        expect![[""]],
    );
}
