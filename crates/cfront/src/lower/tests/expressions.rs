//! Values, order of evaluation, conditions.

use super::{check, lowered};
use crate::LowerOptions;
use expect_test::expect;

#[test]
fn each_access_to_a_global_is_a_step() {
    check(
        "int x, y; int main(void) { x = x + y; return 0; }",
        expect![[r#"
            global x: bv32 = 0
            global y: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t4 := x
              L6 -> L7: t5 := y
              L7 -> L8: x := (t4 + t5)
              L8 -> L1: result := 0
        "#]],
    );
}

#[test]
fn a_compound_assignment_reads_the_place_last() {
    check(
        "int x, y; int main(void) { x += y; x++; return 0; }",
        expect![[r#"
            global x: bv32 = 0
            global y: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t4 := y
              L6 -> L7: t5 := x
              L7 -> L8: x := (t4 + t5)
              L8 -> L9: t6 := x
              L9 -> L10: x := (t6 + 1)
              L10 -> L1: result := 0
        "#]],
    );
}

#[test]
fn an_operand_that_changes_later_is_copied() {
    check(
        "int f(int a, int b); int main(void) { int i = 1; int j = i + i++; return f(i, i = 3) + j; }
         int f(int a, int b) { return a - b; }",
        expect![[r#"
            proc f(a: bv32, b: bv32) -> result: bv32 init L6 exit L1
              L6 -> L1: result := (a - b)

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: i := 1
              L8 -> L9: t7 := i
              L9 -> L10: t8 := i
              L10 -> L11: i := (t8 + 1)
              L11 -> L12: j := (t7 + t8)
              L12 -> L13: t9 := i
              L13 -> L14: i := 3
              L14 -> L15: t10 := call f(t9, i)
              L15 -> L2: result := (t10 + j)
            assumed: test.c:1: operands are evaluated from left to right, though their order is open
        "#]],
    );
}

#[test]
fn the_value_of_an_assignment_is_the_new_one() {
    check(
        "int main(void) { int x = 2, y; y = x = x + 1; return y + x--; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: x := 2
              L6 -> L7: y := uninitialised
              L7 -> L8: x := (x + 1)
              L8 -> L9: y := x
              L9 -> L10: t4 := y
              L10 -> L11: t5 := x
              L11 -> L12: x := (t5 + -1)
              L12 -> L1: result := (t4 + t5)
        "#]],
    );
}

#[test]
fn pure_conditions_are_terms() {
    check(
        "int main(void) { int a = 1, b = 2; if (a && b > 1) a = a ? b : 3; return a || b; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: a := 1
              L6 -> L7: b := 2
              L7 -> L8: assume ((a != 0) && (1 < b))
              L7 -> L9: assume !((a != 0) && (1 < b))
              L8 -> L9: a := ((a == 0) ? 3 : b)
              L9 -> L1: result := (((a != 0) || (b != 0)) ? 1 : 0)
        "#]],
    );
}

#[test]
fn conditions_that_read_are_control_flow() {
    check(
        "int x, y; int main(void) { if (x && !y) return x ? y : 3; return x || y; }",
        expect![[r#"
            global x: bv32 = 0
            global y: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L9: t4 := x
              L6 -> L14: t7 := x
              L7 -> L20: t10 := x
              L8 -> L10: t5 := y
              L9 -> L8: assume (t4 != 0)
              L9 -> L7: assume (t4 == 0)
              L10 -> L7: assume (t5 != 0)
              L10 -> L6: assume (t5 == 0)
              L11 -> L15: t8 := y
              L12 -> L13: t6 := 3
              L13 -> L1: result := t6
              L14 -> L11: assume (t7 != 0)
              L14 -> L12: assume (t7 == 0)
              L15 -> L13: t6 := t8
              L16 -> L18: t9 := 1
              L17 -> L18: t9 := 0
              L18 -> L1: result := t9
              L19 -> L21: t11 := y
              L20 -> L16: assume (t10 != 0)
              L20 -> L19: assume (t10 == 0)
              L21 -> L16: assume (t11 != 0)
              L21 -> L17: assume (t11 == 0)
        "#]],
    );
}

#[test]
fn conversions() {
    check(
        "int main(void) { signed char c = -1; unsigned u = c; long l = u; _Bool b = l; \
         double d = c; float f = d; int i = f; char *p = (char *)l; return b + i + (p == 0); }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: c := -1
              L6 -> L7: u := sext32(c)
              L7 -> L8: l := zext64(u)
              L8 -> L9: b := ((l == 0) ? 0 : 1)
              L9 -> L10: d := double_of_int(c)
              L10 -> L11: f := float(d)
              L11 -> L12: i := int32(f)
              L12 -> L13: p := l
              L13 -> L1: result := ((zext32(b) + i) + ((p == 0) ? 1 : 0))
        "#]],
    );
}

#[test]
fn undefined_division_and_shifts_end_the_run() {
    check(
        "int main(void) { int a = 1, b = 2; a = a / b; a = a % 3; a = a << b; return a >> 1; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: a := 1
              L6 -> L7: b := 2
              L7 -> L8: assume (b != 0)
              L8 -> L9: assume !((a == -2147483648) && (b == -1))
              L9 -> L10: a := (a / b)
              L10 -> L11: a := (a % 3)
              L11 -> L12: assume (b <u 32)
              L12 -> L13: a := (a << b)
              L13 -> L1: result := (a >> 1)
        "#]],
    );
}

#[test]
fn pointers_step_by_their_size() {
    check(
        "int a[4]; int main(void) { int *p = a, *q = &a[2]; p += 1; p++; return q - p + p[1]; }",
        expect![[r#"
            static a[16]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: p := &a
              L6 -> L7: q := (&a + 8)
              L7 -> L8: p := (p + 4)
              L8 -> L9: p := (p + 4)
              L9 -> L10: t4 := *(p + 4)
              L10 -> L1: result := bits31_0((((q - p) / 4) + sext64(t4)))
        "#]],
    );
}

#[test]
fn statement_expressions_and_elvis() {
    check(
        "int x; int main(void) { int y = ({ int t = x; t + 1; }); return y ?: x; }",
        expect![[r#"
            global x: bv32 = 0

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t5 := x
              L6 -> L7: t := t5
              L7 -> L8: t6 := (t + 1)
              L8 -> L9: y := t6
              L9 -> L12: t7 := y
              L10 -> L13: t8 := x
              L11 -> L1: result := t7
              L12 -> L11: assume (t7 != 0)
              L12 -> L10: assume (t7 == 0)
              L13 -> L11: t7 := t8
        "#]],
    );
}

#[test]
fn deep_expressions_need_little_stack() {
    let sum = vec!["x"; 400].join(" + ");
    let chain = vec!["x"; 400].join(" && ");
    let nested = format!("{}x{}", "(1 + ".repeat(150), ")".repeat(150));
    let text = format!(
        "int x; int main(void) {{ int a = {sum}; if ({chain}) a++; return a + {nested}; }}"
    );
    let xcfa = lowered(&text, &LowerOptions::default()).expect("it is within the limits");
    assert!(xcfa.edges.len() > 1200);
}
