//! Variable arguments, arguments of `main`, atomic instructions and memory of variable size.

use super::{check, dump, lowered};
use crate::LowerOptions;
use crate::lower::Environment;
use expect_test::expect;

#[test]
fn variable_arguments() {
    check(
        "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int x = __builtin_va_arg(a, int); \
         double d = __builtin_va_arg(a, double); __builtin_va_end(a); return x; }\n\
         int main(void) { return f(2, 7, 1.5f); }",
        expect![[r#"
            stack a[24]
            stack arguments[64]

            proc f(n: bv32, arguments: bv64) -> result: bv32 init L6 exit L1
              L6 -> L7: &a := alloc a[24]
              L7 -> L8: *&a :=8 arguments
              L8 -> L9: t7 := *&a
              L9 -> L10: *&a :=8 (t7 + 32)
              L10 -> L11: t8 := *t7
              L11 -> L12: x := t8
              L12 -> L13: t10 := *&a
              L13 -> L14: *&a :=8 (t10 + 32)
              L14 -> L15: t11 := *(t10 + 8)
              L15 -> L16: d := t11
              L16 -> L17: t12 := *&a
              L17 -> L18: result := x
              L18 -> L1: dealloc a

            proc main() -> result: bv32 init L19 exit L2
              L19 -> L20: &arguments := alloc arguments[64]
              L20 -> L21: *&arguments :=4 7
              L21 -> L22: *(&arguments + 40) :=8 1.5
              L22 -> L23: t14 := call f(2, &arguments)
              L23 -> L24: dealloc arguments
              L24 -> L2: result := t14
        "#]],
    );
}

#[test]
fn no_variable_arguments_are_passed_to_those_who_do_not_look() {
    check(
        "int f(int n, ...) { return n; } int main(void) { return f(2, 7); }",
        expect![[r#"
            proc f(n: bv32, arguments: bv64) -> result: bv32 init L6 exit L1
              L6 -> L1: result := n

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t5 := call f(2, 0)
              L8 -> L2: result := t5
        "#]],
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
    expect![[r#"
        static *argv[0][5] +0=112 +1=114 +2=111 +3=103 +4=0
        static *argv[1][2] +0=97 +1=0
        static *argv[24] +0=&*argv[0] +8=&*argv[1] +16=0

        proc main(argc: bv32, argv: bv64) -> result: bv32 init L5 exit L1
          L5 -> L6: t4 := *(argv + (sext64((argc + -1)) * 8))
          L6 -> L7: t5 := *t4
          L7 -> L1: result := sext32(t5)
        assumed: the program is run as `prog a`
    "#]]
    .assert_eq(&dump(text, &options));
}

#[test]
fn arguments_of_main_that_are_not_known() {
    let text = "int main(int argc, char **argv) { return argv[argc - 1][0]; }";
    let shown = dump(text, &LowerOptions::default());
    for line in [
        "static *argv[1][8]",
        "static *argv[16] +0=&*argv[0] +8=0",
        "static *argv[24] +0=&*argv[0] +8=&*argv[1] +16=0",
        "static *argv[32] +0=&*argv[0] +8=&*argv[1] +16=&*argv[2] +24=0",
        "assumed: the program is run as `a.out` with at most 2 arguments of at most 7 characters",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    let compares = text.replace("return", "if (argc != 5) return 1; return");
    let shown = dump(&compares, &LowerOptions::default());
    assert!(shown.contains("with at most 4 arguments"), "{shown}");
    let arbitrary = LowerOptions {
        environment: Environment::Arbitrary,
        ..LowerOptions::default()
    };
    let shown = dump(text, &arbitrary);
    assert!(
        shown.contains("`argv` of `main` is an arbitrary address"),
        "{shown}"
    );
}

#[test]
fn atomic_instructions() {
    check(
        "int m; int main(void) { int v = 1; asm(\"xchgl %0, %1\" : \"+r\"(v), \"+m\"(m) :: \"memory\"); return v; }",
        expect![[r#"
            global m: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: v := 1
              L6 -> L7: asm := v
              L7 -> L8: atomic t6 := m; m := asm
              L8 -> L9: asm := t6
              L9 -> L10: v := asm
              L10 -> L1: result := v
        "#]],
    );
    check(
        "int m; int main(void) { int old = 1; char is; asm(\"lock; cmpxchgl %3, %1; sete %0\" \
         : \"=q\"(is), \"+m\"(m), \"+a\"(old) : \"r\"(5) : \"memory\"); return is; }",
        expect![[r#"
            global m: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: old := 1
              L6 -> L7: is := uninitialised
              L7 -> L8: asm := 5
              L8 -> L9: asm := old
              L9 -> L10: atomic t8 := m; assume (asm != t8)
              L9 -> L12: atomic t8 := m; assume (asm == t8); m := asm
              L10 -> L11: t9 := 0
              L11 -> L13: asm := t8
              L12 -> L11: t9 := 1
              L13 -> L14: old := asm
              L14 -> L15: is := ((asm == asm) ? 1 : 0)
              L15 -> L1: result := sext32(is)
        "#]],
    );
}

#[test]
fn memory_of_variable_size() {
    let text = "int main(void) { int n = 2; int a[n]; int *p = __builtin_alloca(n); a[0] = *p; return 0; }";
    let options = LowerOptions {
        bounds_checks: true,
        ..LowerOptions::default()
    };
    expect![[r#"
        stack a
        stack alloca

        proc main() -> result: bv32 init L5 exit L1
          L5 -> L7: n := 2
          L6 -> L1: dealloc alloca
          L7 -> L8: a.length := sext64(n)
          L8 -> L9: &a := alloc a[((a.length <u 2305843009213693952) ? (a.length * 4) : 0)]
          L9 -> L10: &alloca := alloc alloca[((sext64(n) <u -9223372036854775808) ? sext64(n) : 0)]
          L10 -> L11: p := &alloca
          L11 -> L12: t7 := *p
          L12 -> L13: *&a :=4 t7
          L13 -> L14: result := 0
          L14 -> L6: dealloc a
    "#]]
    .assert_eq(&dump(text, &options));
}
