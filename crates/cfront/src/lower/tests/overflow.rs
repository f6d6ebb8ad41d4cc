//! Overflow checks.

use super::check_overflow;
use expect_test::expect;

#[test]
fn signed_arithmetic_is_checked() {
    check_overflow(
        "int main(void) { int a = 1, b = 2; a = a + b; a *= b; a = -a; a++; unsigned u = a; u++; \
         return (short)a; }",
        expect![[""]],
    );
}

#[test]
fn division_and_shifts() {
    check_overflow(
        "int main(void) { int a = 1, b = 2; a = a / b; a <<= b; short s = 1; s++; return a >> b; }",
        expect![[""]],
    );
}

#[test]
fn atomic_arithmetic() {
    check_overflow(
        "_Atomic int x; int main(void) { x += 2; return 0; }",
        expect![[""]],
    );
}
