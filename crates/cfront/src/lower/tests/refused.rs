//! What is refused, with place and reason.

use super::{check, lowered};
use crate::LowerOptions;
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
fn requests_to_devices() {
    check(
        "int ioctl(int, unsigned long, ...); int main(void) { ioctl(0, 0x5451); return ioctl(0, 0x8912, 0); }",
        expect![[r#"
            test.c:1:79: `ioctl`: a request that is not modelled; define it to say what it does
        "#]],
    );
}

#[test]
fn jumps_that_are_not_followed() {
    check(
        "int setjmp(long *); void longjmp(long *, int); long place[8]; void f(void) { longjmp(place, 1); }
         int main(void) { for (;;) { f(); if (setjmp(place)) return 1; } }",
        expect![[r#"
            test.c:2:47: `setjmp`: behind a call in the same loop that may jump to it; put it at the start of the loop
        "#]],
    );
    check(
        "int setjmp(long *); void longjmp(long *, int); long place[8];
         int main(void) { int (*set)(long *) = setjmp; if (set(place)) return 1; longjmp(place, 1); }",
        expect![[r#"
            test.c:1:5: `setjmp`: through a pointer
        "#]],
    );
}

#[test]
fn computed_goto_out_of_what_is_cleaned_up() {
    check(
        "void end(int *); int main(void) { void *to = &&out; { __attribute__((cleanup(end))) int x = 1; goto *to; } out: return 0; }",
        expect![[r#"
            test.c:1:96: computed goto out of a block with variables that are cleaned up
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
        "int on_exit(void (*)(int, void *), void *); void f(int a, void *b) {} int main(void) { return on_exit(f, 0); }",
        expect![[r#"
            test.c:1:95: `on_exit`: calls functions of the program, which is not modelled; define it to say what it does
        "#]],
    );
}

#[test]
fn what_writes() {
    check(
        "int getgroups(int, unsigned *); int main(void) { unsigned g[2]; return getgroups(2, g); }",
        expect![[r#"
            test.c:1:72: `getgroups`: writes to memory, which is not modelled; define it to say what it does
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
fn formats_that_are_not_followed() {
    check(
        "int sscanf(const char *, const char *, ...);
         int main(void) { int x; sscanf(\"5\", \"%n\", &x); return x; }",
        expect![[r#"
            test.c:2:34: `sscanf`: writes to memory, which is not modelled
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

/// An unknown function of the system may write through what it is given; one of the program is
/// assumed not to.
#[test]
fn what_a_header_of_the_system_declares() {
    let program = |declared: &str, call: &str| {
        format!(
            "# 1 \"/usr/include/x.h\" 1 3\n{declared}\n# 1 \"test.c\" 2\nint x; int main(void) {{ return {call}; }}"
        )
    };
    check(
        &program("int unheard(int *);", "unheard(&x)"),
        expect![[r#"
            test.c:1:32: `unheard`: a function of the system that is not modelled; define it to say what it does
        "#]],
    );
    check(
        &program("int unheard(void (*)(void));", "unheard(0)"),
        expect![[r#"
            test.c:1:32: `unheard`: a function of the system that is not modelled; define it to say what it does
        "#]],
    );
}

#[test]
fn what_is_printed_by_an_unknown_format() {
    check(
        "int printf(const char *, ...); int main(int n, char **text) { return printf(text[0], text[1]); }",
        expect![[r#"
            test.c:1:70: `printf`: a format that is not constant, with pointers to print
        "#]],
    );
}

#[test]
fn a_buffer_that_a_stream_writes_to_later() {
    check(
        "void setbuf(void *, char *); char b[99]; int main(void) { setbuf(0, b); }",
        expect![[r#"
            test.c:1:59: `setbuf`: writes to memory later on; define it to say what it does
        "#]],
    );
}

#[test]
fn bit_field_that_no_scalar_holds_alone() {
    check(
        "struct { unsigned a : 24; unsigned char b; } s; int main(void) { s.a = 1; }",
        expect![[r#"
            test.c:1:66: a bit-field this wide
        "#]],
    );
}

#[test]
fn functions_of_the_compilers_library() {
    check(
        "int x; void __atomic_store_4(void *, int, int); int main(void) { __atomic_store_4(&x, 1, 5); }",
        expect![[r#"
            test.c:1:66: the built-in function `__atomic_store_4`
        "#]],
    );
}

#[test]
fn a_constructor_that_is_an_error() {
    check(
        "__attribute__((constructor)) void reach_error(void) {} int main(void) {}",
        expect![[r#"
            test.c:1:35: `reach_error` as what runs before or after `main`
        "#]],
    );
}

#[test]
fn an_attribute_that_changes_arithmetic() {
    check(
        "__attribute__((optimize(\"trapv\"))) int main(void) {}",
        expect![[r#"
            test.c:1:16: attribute `optimize`
        "#]],
    );
}

#[test]
fn the_size_of_a_named_object() {
    check(
        "char a[3]; int main(void) { return __builtin_object_size(a, 0); }",
        expect![[r#"
            test.c:1:36: the size of an object that is named
        "#]],
    );
}

#[test]
fn values_of_a_flexible_array_on_the_stack() {
    check(
        "struct s { int n; int a[]; }; int main(void) { struct s s = {1, {2}}; return s.n; }",
        expect![[r#"
            test.c:1:66: a flexible array with values here
        "#]],
    );
}

#[test]
fn functions_with_variable_arguments_as_others() {
    check(
        "int f(int n, ...) { return n; } int main(void) { int (*p)(int, long) = (int (*)(int, long))f; return p(1, 0); }",
        expect![[r#"
            test.c:1:72: a function with variable arguments as one without, or the other way round
        "#]],
    );
    check(
        "int f(int n, int m) { return n; } int main(void) { int (*p)(int, ...) = (int (*)(int, ...))f; return p(1, 0); }",
        expect![[r#"
            test.c:1:73: a function with variable arguments as one without, or the other way round
        "#]],
    );
}

#[test]
fn assembly_that_loses_what_was_there() {
    check(
        "int x, y; int main(void) { asm(\"lock; incl %0\" : \"=m\"(x) : \"m\"(y)); return 0; }",
        expect![[r#"
            test.c:1:28: `asm` that does not say that it changes memory
        "#]],
    );
    check(
        "int x; int main(void) { asm(\"lock; incl %0\" : \"=m\"(x) :: \"memory\"); return 0; }",
        expect![[r#"
            test.c:1:25: `asm` that does not say that it changes memory
        "#]],
    );
}

#[test]
fn large_objects_that_are_not_defined() {
    check(
        "extern _Bool flags[100]; int main(void) { return flags[1]; }",
        expect![[r#"
            test.c:1:14: a large object that is not defined, with members of type `_Bool`
        "#]],
    );
}

#[test]
fn texts_of_locals_that_are_odd_formats() {
    check(
        "int snprintf(char *, unsigned long, const char *, ...);\n\
         int main(void) { char b[9], f[] = \"%2$d\"; return snprintf(b, 9, f, 5, 6); }",
        expect![[r#"
            test.c:2:29: a text that may be a format with wide text or numbered arguments
        "#]],
    );
}

#[test]
fn fences_that_order_a_part() {
    let text = "int main(void) { asm volatile(\"sfence\" ::: \"memory\"); return 0; }";
    let options = LowerOptions {
        fences: true,
        ..LowerOptions::default()
    };
    let refusal = lowered(text, &options).expect_err("a weak memory model");
    assert_eq!(
        refusal,
        "test.c:1:18: a fence that orders some accesses only, under a weak memory model"
    );
    lowered(text, &LowerOptions::default()).expect("nothing under sequential consistency");
}
