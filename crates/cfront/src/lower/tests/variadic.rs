//! Variable arguments, arguments of `main`, atomic instructions and memory of variable size.

use super::{check, dump, lowered};
use crate::LowerOptions;
use expect_test::expect;

#[test]
fn variable_arguments() {
    check(
        "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int x = __builtin_va_arg(a, int); \
         double d = __builtin_va_arg(a, double); __builtin_va_end(a); return x; }\n\
         int main(void) { return f(2, 7, 1.5f); }",
        expect![[""]],
    );
}

#[test]
fn no_variable_arguments_are_passed_to_those_who_do_not_look() {
    check(
        "int f(int n, ...) { return n; } int main(void) { return f(2, 7); }",
        expect![[""]],
    );
}

#[test]
fn what_is_no_variable_argument() {
    for text in [
        "int f(int n) { __builtin_va_list a; __builtin_va_start(a, n); } int main(void) { f(1); }",
        "struct s { int x; }; int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); \
         return __builtin_va_arg(a, struct s).x; } int main(void) { f(1); }",
        "struct s { int x; } s; int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); } \
         int main(void) { f(1, s); }",
        "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); return __builtin_va_arg(a, char); } \
         int main(void) { f(1); }",
    ] {
        assert!(lowered(text, &LowerOptions::default()).is_err(), "{text}");
    }
}

#[test]
fn arguments_of_main() {
    let options = LowerOptions {
        arguments: Some(vec!["prog".into(), "a".into()]),
        ..LowerOptions::default()
    };
    let text = "int main(int argc, char **argv) { return argv[argc - 1][0]; }";
    expect![[""]].assert_eq(&dump(text, &options));
}

#[test]
fn atomic_instructions() {
    check(
        "int m; int main(void) { int v = 1; asm(\"xchgl %0, %1\" : \"+r\"(v), \"+m\"(m) :: \"memory\"); return v; }",
        expect![[""]],
    );
    check(
        "int m; int main(void) { int old = 1, is; asm(\"lock; cmpxchgl %3, %1; sete %0\" \
         : \"=q\"(is), \"+m\"(m), \"+a\"(old) : \"r\"(5) : \"memory\"); return is; }",
        expect![[""]],
    );
}

#[test]
fn memory_of_variable_size() {
    let text = "int main(void) { int n = 2; int a[n]; int *p = __builtin_alloca(n); a[0] = *p; return 0; }";
    let options = LowerOptions {
        bounds_checks: true,
        ..LowerOptions::default()
    };
    expect![[""]].assert_eq(&dump(text, &options));
}
