//! Overflow checks.

use super::check_overflow;
use expect_test::expect;

#[test]
fn signed_arithmetic_is_checked() {
    check_overflow(
        "int main(void) { int a = 1, b = 2; a = a + b; a *= b; a = -a; a++; unsigned u = a; u++; \
         return (short)a; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: a := 1
              L6 -> L7: b := 2
              L7 -> L8: assume sadd_overflow(a, b)
              L7 -> L9: assume !sadd_overflow(a, b)
              L8 is an error: Overflow
              L9 -> L10: a := (a + b)
              L10 -> L8: assume smul_overflow(a, b)
              L10 -> L11: assume !smul_overflow(a, b)
              L11 -> L12: a := (a * b)
              L12 -> L8: assume (a == -2147483648)
              L12 -> L13: assume (a != -2147483648)
              L13 -> L14: a := -a
              L14 -> L8: assume sadd_overflow(a, 1)
              L14 -> L15: assume !sadd_overflow(a, 1)
              L15 -> L16: a := (a + 1)
              L16 -> L17: u := a
              L17 -> L18: u := (u + 1)
              L18 -> L1: result := sext32(bits15_0(a))
        "#]],
    );
}

#[test]
fn division_and_shifts() {
    check_overflow(
        "int main(void) { int a = 1, b = 2; a = a / b; a <<= b; short s = 1; s++; return a >> b; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: a := 1
              L6 -> L7: b := 2
              L7 -> L8: assume (b != 0)
              L8 -> L9: assume ((a == -2147483648) && (b == -1))
              L8 -> L10: assume !((a == -2147483648) && (b == -1))
              L9 is an error: Overflow
              L10 -> L11: a := (a / b)
              L11 -> L12: assume (b <u 32)
              L12 -> L9: assume ((2147483647 >>u b) <u a)
              L12 -> L13: assume !((2147483647 >>u b) <u a)
              L13 -> L14: a := (a << b)
              L14 -> L15: s := 1
              L15 -> L9: assume sadd_overflow(sext32(s), 1)
              L15 -> L16: assume !sadd_overflow(sext32(s), 1)
              L16 -> L17: s := bits15_0((sext32(s) + 1))
              L17 -> L18: assume (b <u 32)
              L18 -> L1: result := (a >> b)
        "#]],
    );
}

#[test]
fn atomic_arithmetic() {
    check_overflow(
        "_Atomic int x; int main(void) { x += 2; return 0; }",
        expect![[r#"
            global x: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: atomic t3 := x; assume sadd_overflow(t3, 2)
              L5 -> L7: atomic t3 := x; assume !sadd_overflow(t3, 2); x := (t3 + 2)
              L6 is an error: Overflow
              L7 -> L1: result := 0
        "#]],
    );
}
