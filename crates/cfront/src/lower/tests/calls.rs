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

            proc main() -> result: bv32 init L11 exit L1
              L11 -> L13: t8 := input __VERIFIER_nondet_bool()
              L12 -> L14: t9 := input __VERIFIER_nondet_double()
              L13 -> L12: assume t8
              L13 -> L12: assume !t8
              L14 -> L15: t10 := e
              L15 -> L1: result := ((double_of_int(t10) < t9) ? 1 : 0)

            proc __mazurka_write_bytes(to: bv64, size: bv64) init L16 exit L2
              L16 -> L17: at := 0
              L17 -> L18: assume (at <u size)
              L17 -> L2: assume !(at <u size)
              L18 -> L19: *(at + to) :=1 120
              L19 -> L17: at := (at + 1)

            proc __mazurka_write_static(which: bv32) init L20 exit L3
              L20 -> L3: *(&__mazurka_write_static::memory + sext64(which)) :=1 0

            proc __mazurka_read_environment() init L21 exit L4
              L21 -> L22: t13 := environment
              L22 -> L4: now := t13

            proc __mazurka_change_environment() init L23 exit L5
              L23 -> L5: atomic environment := 0
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
fn the_order_of_operands_is_an_assumption_where_it_matters() {
    const GLOBALS: &str = "int g, r, *q = &r, a[3], *p = a; _Atomic int x, y;
        int set(void) { g = 1; return 1; } int next(void) { return ++g; } int get(void) { return g; }
        int twice(int n) { int k = n; k += n; return k; } void take(int m, int n) { }
        int __VERIFIER_atomic_get(void) { return g; }
        int deep(void) { return next(); } int point(void) { p = a; return 0; } int store(void) { *p = 1; return 0; }";
    let open = [
        "set() + next()",
        "get() + deep()",
        "g + next()",
        "g += next()",
        "take(next(), next())",
        "i = i++",
        "a[i] = i++",
        "i = a[i++] = 0",
        "*p = point()",
        "a[g] = next()",
        "a[0] + store()",
        "x + y",
        "int b[2] = { next(), next() }",
        "take(1, (g + set()))",
        "__atomic_load_n(&i, 5) + __atomic_load_n(&j, 5)",
        "__sync_fetch_and_add(&g, 1) + g",
        "__builtin_add_overflow(i, 1, &j) + j",
        "take(__sync_fetch_and_add(&i, 1), x)",
        "__VERIFIER_atomic_get() + __VERIFIER_atomic_get()",
    ];
    let closed = [
        "get() + get()",
        "g = next()",
        "i = i + 1",
        "a[i++] = j++",
        "twice(i) + twice(j)",
        "next() && next()",
        "(next(), next())",
        "next() ? next() : get()",
        "a[i] = a[j]",
        "p[0] = p[1] = i",
        "*p = twice(i)",
        "x = x + 1",
        "next(); next()",
        "int b[2] = { get(), i }",
        "take(i, j)",
        "r = __atomic_load_n(q, 5)",
        "r = ({ int *s = q, t; __atomic_load(s, &t, 5); t; })",
        "*q = __atomic_load_n(&g, 5) + 1",
        "i = twice(i++)",
        "i = __builtin_add_overflow(i, 1, &i)",
        "a[j] = __sync_fetch_and_add(&i, 1)",
    ];
    for expression in open {
        let found = assumed(GLOBALS, expression);
        assert_eq!(found.len(), 1, "{expression}: {found:?}");
        assert!(
            found[0].contains("evaluated from left to right"),
            "{found:?}"
        );
    }
    for expression in closed {
        let found = assumed(GLOBALS, expression);
        assert_eq!(found, [""; 0], "{expression}");
    }
}

#[test]
fn the_order_of_destructors_is_an_assumption_where_there_may_be_two() {
    const GLOBALS: &str = "unsigned k, l; int once; void d(void *v) { }
        int pthread_key_create(unsigned *, void (*)(void *)); int pthread_once(int *, void (*)(void));
        void make(void) { pthread_key_create(&k, d); } void again(void) { make(); }";
    let open = [
        "pthread_key_create(&k, d); pthread_key_create(&l, d)",
        "while (i < 2) { pthread_key_create(&k, d); i++; }",
        "make(); make()",
        "again(); again()",
        "void (*f)(void) = make; f()",
        "pthread_once(&i, make)",
        "int (*f)(unsigned *, void (*)(void *)) = pthread_key_create; f(&k, d)",
    ];
    let closed = [
        "pthread_key_create(&k, d)",
        "pthread_key_create(&k, 0); pthread_key_create(&l, d)",
        "make()",
        "again()",
        "pthread_once(&once, make)",
        "while (i < 2) { pthread_once(&once, make); i++; }",
    ];
    for statements in open {
        let found = assumed(GLOBALS, statements);
        assert_eq!(
            found,
            ["destructors of thread-specific values run in the order of their keys"],
            "{statements}"
        );
    }
    for statements in closed {
        assert_eq!(assumed(GLOBALS, statements), [""; 0], "{statements}");
    }
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

#[test]
fn the_order_of_comparisons_is_an_assumption_where_it_shows() {
    const GLOBALS: &str = "int a[2], n, strcmp(const char *, const char *);
        void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        int less(const void *x, const void *y) { return *(int *)x < *(int *)y; }
        int count(const void *x, const void *y) { n++; return 0; }
        int text(const void *x, const void *y) { return strcmp(x, y); }
        int wait(const void *x, const void *y) { while (*(int *)x) { } return 0; }";
    let order = ["`qsort` compares in the order of sorting by insertion"];
    let values = crate::LowerOptions {
        reads: false,
        ..Default::default()
    };
    let found = |statements: &str, options: &crate::LowerOptions| {
        let text = format!("{GLOBALS}\nint main(void) {{ {statements}; return 0; }}");
        super::lowered(&text, options)
            .expect("a program")
            .assumptions
    };
    for shown in ["count", "wait"] {
        assert_eq!(found(&format!("qsort(a, 2, 4, {shown})"), &values), order);
    }
    for hidden in ["less", "text"] {
        let call = format!("qsort(a, 2, 4, {hidden})");
        assert_eq!(found(&call, &values), [""; 0], "{hidden}");
        // Races and memory safety see which elements meet.
        assert_eq!(found(&call, &Default::default()), order, "{hidden}");
    }
    let by_pointer = "void (*f)(void *, unsigned long, unsigned long, int (*)(const void *, const void *)) = qsort;
        f(a, 2, 4, count)";
    assert_eq!(found(by_pointer, &values), order);
}

#[test]
fn formats_made_of_characters_are_an_assumption() {
    const GLOBALS: &str = "int vprintf(const char *, __builtin_va_list); char g[3];
        void say(const char *f, ...) { __builtin_va_list a; __builtin_va_start(a, f); vprintf(f, a); }";
    let values = crate::LowerOptions {
        reads: false,
        ..Default::default()
    };
    let found = |statements: &str| {
        let text = format!("{GLOBALS}\nint main(void) {{ {statements}; return 0; }}");
        super::lowered(&text, &values)
            .expect("a program")
            .assumptions
    };
    let made = ["formats that the program makes out of characters do not ask for `%n`"];
    assert_eq!(found("g[0] = 36; g[0]++; say(g)"), made);
    assert_eq!(found("say(\"%d\", 1)"), [""; 0]);
}
