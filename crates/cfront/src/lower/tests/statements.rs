//! Control flow and the lifetimes of locals.

use super::check;
use expect_test::expect;

#[test]
fn loops() {
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { if (i == 1) continue; s += i; }
         do { s--; } while (s > 0); while (1) { if (s) break; } return s; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: s := 0
              L6 -> L7: i := 0
              L7 -> L8: assume (i < 3)
              L7 -> L11: assume !(i < 3)
              L8 -> L9: assume (i == 1)
              L8 -> L10: assume (i != 1)
              L9 -> L7: i := (i + 1)
              L10 -> L9: s := (i + s)
              L11 -> L12: s := (s + -1)
              L12 -> L11: assume (0 < s)
              L12 -> L13: assume !(0 < s)
              L13 -> L14: assume (s != 0)
              L13 -> L13: assume (s == 0)
              L14 -> L1: result := s
        "#]],
    );
}

#[test]
fn endless_loops_stay() {
    check(
        "int main(void) { while (1) ; }",
        expect![[r#"
        proc main() -> result: bv32 init L5 exit L1
          L5 -> L5: skip
    "#]],
    );
}

#[test]
fn switch_with_fall_through_and_ranges() {
    check(
        "int main(void) { int x = 5, r = 0; switch (x) { case 1: r = 1; case 2: r += 2; break;
         case 4 ... 6: r = 3; break; default: r = 9; } return r; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: x := 5
              L6 -> L7: r := 0
              L7 -> L9: assume (x == 1)
              L7 -> L10: assume (x == 2)
              L7 -> L11: assume ((4 <= x) && (x <= 6))
              L7 -> L12: assume !(((4 <= x) && (x <= 6)) || ((x == 1) || (x == 2)))
              L8 -> L1: result := r
              L9 -> L10: r := 1
              L10 -> L8: r := (r + 2)
              L11 -> L8: r := 3
              L12 -> L8: r := 9
        "#]],
    );
}

#[test]
fn a_switch_into_a_loop() {
    check(
        "int main(void) { int n = 3, c = 2; switch (c) { case 0: do { n--; case 2: n--; case 1: n--; }
         while (n > 0); } return n; }",
        expect![[r#"
            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: n := 3
              L6 -> L7: c := 2
              L7 -> L9: assume (c == 0)
              L7 -> L11: assume (c == 2)
              L7 -> L12: assume (c == 1)
              L7 -> L8: assume !((c == 1) || ((c == 0) || (c == 2)))
              L8 -> L1: result := n
              L9 -> L11: n := (n + -1)
              L10 -> L9: assume (0 < n)
              L10 -> L8: assume !(0 < n)
              L11 -> L12: n := (n + -1)
              L12 -> L10: n := (n + -1)
        "#]],
    );
}

#[test]
fn objects_live_in_their_block() {
    check(
        "void use(int *p) { *p = 1; }
         int main(void) { for (int i = 0; i < 2; i++) { int x; use(&x); if (x) break; } return 0; }",
        expect![[r#"
            stack x[4]

            proc use(p: bv64) init L6 exit L1
              L6 -> L1: *p :=4 1

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: i := 0
              L8 -> L9: assume (i < 2)
              L8 -> L11: assume !(i < 2)
              L9 -> L12: &x := alloc x[4]
              L10 -> L8: i := (i + 1)
              L11 -> L2: result := 0
              L12 -> L13: call use(&x)
              L13 -> L16: t5 := *&x
              L14 -> L11: dealloc x
              L15 -> L10: dealloc x
              L16 -> L14: assume (t5 != 0)
              L16 -> L15: assume (t5 == 0)
        "#]],
    );
}

#[test]
fn a_jump_past_a_declaration_does_not_skip_the_allocation() {
    check(
        "void use(int *p) { *p = 1; }
         int main(int argc, char **argv) { if (argc) goto out; int x = 7; use(&x); out: return 0; }",
        expect![[r#"
            stack x[4]

            proc use(p: bv64) init L8 exit L1
              L8 -> L1: *p :=4 1

            proc main(argc: bv32, argv: bv64) -> result: bv32 init L9 exit L2
              L9 -> L11: assume (argc != 0)
              L9 -> L12: assume (argc == 0)
              L10 -> L15: result := 0
              L11 -> L10: &x := alloc x[4]
              L12 -> L13: &x := alloc x[4]
              L13 -> L14: *&x :=4 7
              L14 -> L10: call use(&x)
              L15 -> L2: dealloc x
        "#]],
    );
}

#[test]
fn a_block_that_is_entered_by_goto_renews_its_objects() {
    check(
        "void use(int *p) { *p = 1; }
         int main(void) { int n = 0; { int x; use(&x); in: n++; } if (n < 3) goto in; return n; }",
        expect![[r#"
            stack x[4]

            proc use(p: bv64) init L6 exit L1
              L6 -> L1: *p :=4 1

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L9: n := 0
              L8 -> L11: n := (n + 1)
              L9 -> L10: &x := alloc x[4]
              L10 -> L8: call use(&x)
              L11 -> L12: dealloc x
              L12 -> L13: assume (n < 3)
              L12 -> L14: assume !(n < 3)
              L13 -> L8: &x := alloc x[4]
              L14 -> L2: result := n
        "#]],
    );
}
