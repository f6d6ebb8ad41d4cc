//! Atomic objects and built-ins: one edge each.

use super::check;
use expect_test::expect;

#[test]
fn atomic_objects() {
    check(
        "_Atomic int x; int main(void) { x = 1; x += 2; int y = x++; return x + y; }",
        expect![[""]],
    );
}

#[test]
fn fetch_and_exchange() {
    check(
        "int x; int main(void) { int *p = &x; __sync_fetch_and_add(&x, 1);
         __atomic_store_n(&x, 2, 5); return __atomic_exchange_n(p, 3, 5) + __atomic_add_fetch(p, 1, 5); }",
        expect![[""]],
    );
}

#[test]
fn a_variable_that_only_atomics_touch_stays_one() {
    check(
        "int x; int main(void) { __sync_synchronize(); return __sync_or_and_fetch(&x, 4); }",
        expect![[""]],
    );
}

#[test]
fn compare_and_swap_fails_without_writing() {
    check(
        "int x; int main(void) { int e = 0; return __sync_bool_compare_and_swap(&x, 1, 2)
         + __atomic_compare_exchange_n(&x, &e, 5, 0, 5, 5); }",
        expect![[""]],
    );
}
