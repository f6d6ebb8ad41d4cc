//! Values, order of evaluation, conditions.

use super::check;
use expect_test::expect;

#[test]
fn each_access_to_a_global_is_a_step() {
    check(
        "int x, y; int main(void) { x = x + y; return 0; }",
        expect![[""]],
    );
}

#[test]
fn a_compound_assignment_reads_the_place_last() {
    check(
        "int x, y; int main(void) { x += y; x++; return 0; }",
        expect![[""]],
    );
}

#[test]
fn an_operand_that_changes_later_is_copied() {
    check(
        "int f(int a, int b); int main(void) { int i = 1; int j = i + i++; return f(i, i = 3) + j; }
         int f(int a, int b) { return a - b; }",
        expect![[""]],
    );
}

#[test]
fn the_value_of_an_assignment_is_the_new_one() {
    check(
        "int main(void) { int x = 2, y; y = x = x + 1; return y + x--; }",
        expect![[""]],
    );
}

#[test]
fn pure_conditions_are_terms() {
    check(
        "int main(void) { int a = 1, b = 2; if (a && b > 1) a = a ? b : 3; return a || b; }",
        expect![[""]],
    );
}

#[test]
fn conditions_that_read_are_control_flow() {
    check(
        "int x, y; int main(void) { if (x && !y) return x ? y : 3; return x || y; }",
        expect![[""]],
    );
}

#[test]
fn conversions() {
    check(
        "int main(void) { signed char c = -1; unsigned u = c; long l = u; _Bool b = l; \
         double d = c; float f = d; int i = f; char *p = (char *)l; return b + i + (p == 0); }",
        expect![[""]],
    );
}

#[test]
fn undefined_division_and_shifts_end_the_run() {
    check(
        "int main(void) { int a = 1, b = 2; a = a / b; a = a % 3; a = a << b; return a >> 1; }",
        expect![[""]],
    );
}

#[test]
fn pointers_step_by_their_size() {
    check(
        "int a[4]; int main(void) { int *p = a, *q = &a[2]; p += 1; p++; return q - p + p[1]; }",
        expect![[""]],
    );
}

#[test]
fn statement_expressions_and_elvis() {
    check(
        "int x; int main(void) { int y = ({ int t = x; t + 1; }); return y ?: x; }",
        expect![[""]],
    );
}
