//! Calls of the program's own functions, of unknown ones, and through pointers.

use super::check;
use expect_test::expect;

#[test]
fn only_what_is_reached_is_lowered() {
    check(
        "int unused(void) { return 1; } static int used(int a) { return a; } int g, h;
         int main(void) { return used(g); }",
        expect![[r#"
            global g: bv32 = 0

            proc used(a: bv32) -> result: bv32 init L6 exit L1
              L6 -> L1: result := a

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t5 := g
              L8 -> L9: t6 := call used(t5)
              L9 -> L2: result := t6
        "#]],
    );
}

#[test]
fn calls_through_pointers() {
    check(
        "int one(int a) { return a; } int (*f)(int) = one;
         int main(void) { f(2); return (*f)(1); }",
        expect![[r#"
            global f: bv64 = &one

            proc one(a: bv32) -> result: bv32 init L6 exit L1
              L6 -> L1: result := a

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t5 := f
              L8 -> L9: call (*t5)(2)
              L9 -> L10: t6 := f
              L10 -> L11: t7 := call (*t6)(1)
              L11 -> L2: result := t7
        "#]],
    );
}

#[test]
fn unknown_functions_are_assumptions() {
    check(
        "int mystery(int); void hush(void); int main(void) { hush(); return mystery(1); }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t2 := external mystery()
              L6 -> L1: result := t2
            assumed: `hush` is not defined: it is assumed to change nothing
            assumed: `mystery` is not defined: its result is arbitrary and it is assumed to change nothing
        "#]],
    );
}

#[test]
fn declarations_that_disagree() {
    check(
        "int f(); int main(void) { return f(1, 2L); } int f(long a) { return a; }",
        expect![[r#"
            proc f(a: bv64) -> result: bv32 init L6 exit L1
              L6 -> L1: result := bits31_0(a)

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t4 := call f(1)
              L8 -> L2: result := t4
        "#]],
    );
}

#[test]
fn the_end_of_a_function_without_return() {
    check(
        "int f(void) { } int main(void) { return f(); }",
        expect![[r#"
            proc f() -> result: bv32 init L6 exit L1
              L6 -> L1: result := uninitialised

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t3 := call f()
              L8 -> L2: result := t3
        "#]],
    );
}

#[test]
fn inputs_and_external_globals() {
    check(
        "_Bool __VERIFIER_nondet_bool(void); double __VERIFIER_nondet_double(void);
         extern int e; int printf(const char *, ...);
         int main(void) { if (__VERIFIER_nondet_bool()) printf(\"x\"); return __VERIFIER_nondet_double() > e; }",
        expect![[r#"
            global e: bv32 = 0
            global environment: bv8 = 0
            static "x"[2] +0=120
            static __mazurka_write_static::memory[8]

            proc main() -> result: bv32 init L10 exit L1
              L10 -> L12: t6 := input __VERIFIER_nondet_bool()
              L11 -> L13: t7 := input __VERIFIER_nondet_double()
              L12 -> L11: assume t6
              L12 -> L11: assume !t6
              L13 -> L14: t8 := e
              L14 -> L1: result := ((double_of_int(t8) < t7) ? 1 : 0)

            proc __mazurka_write_static(which: bv32) init L15 exit L2
              L15 -> L2: *(&__mazurka_write_static::memory + sext64(which)) :=1 0

            proc __mazurka_read_environment() init L16 exit L3
              L16 -> L17: t10 := environment
              L17 -> L3: now := t10

            proc __mazurka_change_environment() init L18 exit L4
              L18 -> L4: atomic environment := 0
            assumed: `e` is not defined: its initial value is arbitrary
        "#]],
    );
}

#[test]
fn errors_assumptions_and_ends() {
    check(
        "void reach_error(void) { } void __VERIFIER_assume(int); void abort(void); void exit(int);
         int main(void) { int x; __VERIFIER_assume(x > 0); if (x == 1) reach_error();
         if (x == 2) abort(); exit(0); }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: x := uninitialised
              L6 -> L7: assume (0 < x)
              L7 -> L8: assume (x == 1)
              L7 -> L9: assume (x != 1)
              L8 -> L10: skip
              L9 -> L11: assume (x == 2)
              L9 -> L12: assume (x != 2)
              L10 is an error: Reached
              L11 -> L13: exit now
              L12 -> L14: exit now
        "#]],
    );
}

#[test]
fn atomic_sections() {
    check(
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;
         int __VERIFIER_atomic_inc(void) { if (x) return 0; x++; return 1; }
         int main(void) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); \
         return __VERIFIER_atomic_inc(); }",
        expect![[r#"
            global x: bv32 = 0

            proc __VERIFIER_atomic_inc() -> result: bv32 init L1 exit L2
              L1 -> L7: atomic_begin
              L7 -> L11: t4 := x
              L8 -> L2: atomic_end
              L9 -> L8: result := 0
              L10 -> L12: t5 := x
              L11 -> L9: assume (t4 != 0)
              L11 -> L10: assume (t4 == 0)
              L12 -> L13: x := (t5 + 1)
              L13 -> L8: result := 1

            proc main() -> result: bv32 init L14 exit L3
              L14 -> L15: atomic_begin
              L15 -> L16: x := 1
              L16 -> L17: atomic_end
              L17 -> L18: t6 := call __VERIFIER_atomic_inc()
              L18 -> L3: result := t6
        "#]],
    );
}

/// The assumptions about a program in which `main` is followed by `expression` in its body.
fn assumed(globals: &str, expression: &str) -> Vec<String> {
    let text = format!("{globals}\nint main(void) {{ int i = 0, j = 0; {expression}; return 0; }}");
    let xcfa = super::lowered(&text, &crate::LowerOptions::default());
    xcfa.expect("a program").assumptions
}

#[test]
fn atomic_sections_that_the_program_defines_are_an_assumption() {
    const OWN: &str = "int lock; void __VERIFIER_atomic_begin(void) { lock = 1; }";
    let found = assumed(OWN, "__VERIFIER_atomic_begin()");
    assert_eq!(
        found,
        ["`__VERIFIER_atomic_begin` is that of the verifiers, not what the program defines"]
    );
    let declared = "void __VERIFIER_atomic_begin(void);";
    assert_eq!(assumed(declared, "__VERIFIER_atomic_begin()"), [""; 0]);
}
