//! Control flow and the lifetimes of locals.

use super::check;
use expect_test::expect;

#[test]
fn loops() {
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { if (i == 1) continue; s += i; }
         do { s--; } while (s > 0); while (1) { if (s) break; } return s; }",
        expect![[""]],
    );
}

#[test]
fn endless_loops_stay() {
    check("int main(void) { while (1) ; }", expect![[""]]);
}

#[test]
fn switch_with_fall_through_and_ranges() {
    check(
        "int main(void) { int x = 5, r = 0; switch (x) { case 1: r = 1; case 2: r += 2; break;
         case 4 ... 6: r = 3; break; default: r = 9; } return r; }",
        expect![[""]],
    );
}

#[test]
fn a_switch_into_a_loop() {
    check(
        "int main(void) { int n = 3, c = 2; switch (c) { case 0: do { n--; case 2: n--; case 1: n--; }
         while (n > 0); } return n; }",
        expect![[""]],
    );
}

#[test]
fn objects_live_in_their_block() {
    check(
        "void use(int *p) { *p = 1; }
         int main(void) { for (int i = 0; i < 2; i++) { int x; use(&x); if (x) break; } return 0; }",
        expect![[""]],
    );
}

#[test]
fn a_jump_past_a_declaration_does_not_skip_the_allocation() {
    check(
        "void use(int *p) { *p = 1; }
         int main(int argc, char **argv) { if (argc) goto out; int x = 7; use(&x); out: return 0; }",
        expect![[""]],
    );
}

#[test]
fn a_block_that_is_entered_by_goto_renews_its_objects() {
    check(
        "void use(int *p) { *p = 1; }
         int main(void) { int n = 0; { int x; use(&x); in: n++; } if (n < 3) goto in; return n; }",
        expect![[""]],
    );
}
