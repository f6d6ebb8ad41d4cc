//! Atomic objects and built-ins: one edge each.

use super::check;
use expect_test::expect;

#[test]
fn atomic_objects() {
    check(
        "_Atomic int x; int main(void) { x = 1; x += 2; int y = x++; return x + y; }",
        expect![[r#"
            global x: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: atomic x := 1
              L6 -> L7: atomic t3 := x; x := (t3 + 2)
              L7 -> L8: atomic t5 := x; x := (t5 + 1)
              L8 -> L9: y := t5
              L9 -> L10: atomic t6 := x
              L10 -> L1: result := (t6 + y)
        "#]],
    );
}

#[test]
fn fetch_and_exchange() {
    check(
        "int x; int main(void) { int *p = &x; __sync_fetch_and_add(&x, 1);
         __atomic_store_n(&x, 2, 5); return __atomic_exchange_n(p, 3, 5) + __atomic_add_fetch(p, 1, 5); }",
        expect![[r#"
            static x[4]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: p := &x
              L6 -> L7: atomic t3 := *&x; *&x :=4 (t3 + 1)
              L7 -> L8: atomic *&x :=4 2
              L8 -> L9: atomic t4 := *p; *p :=4 3
              L9 -> L10: atomic t5 := *p; *p :=4 (t5 + 1)
              L10 -> L1: result := (t4 + (t5 + 1))
            assumed: test.c:2: operands are evaluated from left to right, though their order is open
        "#]],
    );
}

#[test]
fn a_variable_that_only_atomics_touch_stays_one() {
    check(
        "int x; int main(void) { __sync_synchronize(); return __sync_or_and_fetch(&x, 4); }",
        expect![[r#"
            global x: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: atomic t3 := x; x := (t3 | 4)
              L6 -> L1: result := (t3 | 4)
        "#]],
    );
}

#[test]
fn compare_and_swap_fails_without_writing() {
    check(
        "int x; int main(void) { int e = 0; return __sync_bool_compare_and_swap(&x, 1, 2)
         + __atomic_compare_exchange_n(&x, &e, 5, 0, 5, 5); }",
        expect![[r#"
            global x: bv32 = 0
            stack e[4]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: &e := alloc e[4]
              L6 -> L7: *&e :=4 0
              L7 -> L8: atomic t4 := x; assume (t4 != 1)
              L7 -> L10: atomic t4 := x; assume (t4 == 1); x := 2
              L8 -> L9: t5 := 0
              L9 -> L11: t6 := *&e
              L10 -> L9: t5 := 1
              L11 -> L12: atomic t7 := x; assume (t6 != t7)
              L11 -> L14: atomic t7 := x; assume (t6 == t7); x := 5
              L12 -> L15: *&e :=4 t7
              L13 -> L16: result := (zext32(t5) + zext32(t8))
              L14 -> L13: t8 := 1
              L15 -> L13: t8 := 0
              L16 -> L1: dealloc e
            assumed: test.c:1: operands are evaluated from left to right, though their order is open
        "#]],
    );
}
