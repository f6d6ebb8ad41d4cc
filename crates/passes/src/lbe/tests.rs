use super::large_blocks;
use crate::Options;
use automata::parse;
use expect_test::{Expect, expect};

/// Another thread that shares `x` and `y`.
const OTHER: &str = "
    global x
    global y
    proc other(pa)
      in -> 1: x := 1
      1 -> 2: y := 1
      2 -> out: thread_exit 0
    ";

fn check(text: &str, expected: Expect) {
    let mut xcfa = parse(&format!("{OTHER}{text}"));
    large_blocks(&mut xcfa, &Options::default());
    let dump = xcfa.dump();
    let main = dump.find("proc main").unwrap();
    expected.assert_eq(&dump[main..]);
}

#[test]
fn local_steps_follow_a_shared_one() {
    check(
        "proc main()
           in -> 1: h := start other()
           1 -> 2: t := x
           2 -> 3: a := t + 1
           3 -> 4: assume a == 0
           3 -> 5: assume a != 0
           4 -> bad!: skip
           5 -> 6: y := a
           6 -> 7: a := 0
           7 -> out: thread_exit 0",
        expect![[r#"
            proc main() init L2 exit L3
              L2 -> L6: h := start other(0)
              L6 -> L7: t := x; a := (t + 1); assume (a != 0)
              L6 -> L8: t := x; a := (t + 1); assume (a == 0)
              L7 -> L9: y := a; a := 0
              L8 is an error: Reached
              L9 -> L3: thread_exit 0
        "#]],
    );
}

#[test]
fn an_effect_is_not_lost_behind_a_false_assumption() {
    check(
        "proc main()
           in -> 1: h := start other()
           1 -> 2: x := 2
           2 -> 3: assume h == 7
           3 -> 4: t := x
           4 -> 5: assume t == 1
           5 -> out: thread_exit 0",
        expect![[r#"
            proc main() init L2 exit L3
              L2 -> L5: h := start other(0)
              L5 -> L6: x := 2
              L6 -> L7: assume (h == 7)
              L7 -> L8: t := x; assume (t == 1)
              L8 -> L3: thread_exit 0
        "#]],
    );
}

#[test]
fn an_access_that_may_fault_is_not_folded_behind_an_effect() {
    check(
        "heap h
         static s[4]
         proc main()
           in -> 1: p := alloc h; h := start other()
           1 -> 2: x := 2
           2 -> 3: *&s := 1
           3 -> 4: x := 3
           4 -> 5: *p := 1
           5 -> out: thread_exit 0",
        expect![[r#"
            proc main() init L2 exit L3
              L2 -> L5: p := alloc h[8]; h := start other(0)
              L5 -> L6: x := 2; *&s :=4 1
              L6 -> L7: x := 3
              L7 -> L8: *p :=4 1
              L8 -> L3: thread_exit 0
        "#]],
    );
}

#[test]
fn loop_heads_and_blocking_steps_stay() {
    check(
        "static m[8]
         proc main()
           in -> 1: h := start other()
           1 -> 2: i := 0
           2 -> 3: assume i < 3
           3 -> 4: lock &m
           4 -> 5: i := i + 1
           5 -> 2: unlock &m
           2 -> 6: assume !(i < 3)
           6 -> 7: join zext64(h)
           7 -> out: thread_exit 0",
        expect![[r#"
            proc main() init L2 exit L3
              L2 -> L5: h := start other(0); i := 0
              L5 -> L6: assume (i < 3)
              L5 -> L8: assume !(i < 3)
              L6 -> L7: lock &m; i := (i + 1)
              L7 -> L5: unlock &m
              L8 -> L9: join zext64(h)
              L9 -> L3: thread_exit 0
        "#]],
    );
}

#[test]
fn an_atomic_section_is_one_step_for_each_path() {
    check(
        "proc main()
           in -> 1: h := start other()
           1 -> 2: atomic_begin
           2 -> 3: t := x
           3 -> 4: assume t == 0
           3 -> 5: assume t != 0
           4 -> 5: y := 2
           5 -> 6: x := t + 1
           6 -> 7: atomic_end
           7 -> 8: t := 0
           8 -> out: thread_exit 0",
        expect![[r#"
            proc main() init L2 exit L3
              L2 -> L6: h := start other(0)
              L6 -> L7: atomic t := x; assume (t == 0); y := 2; x := (t + 1); t := 0
              L6 -> L7: atomic t := x; assume (t != 0); x := (t + 1); t := 0
              L7 -> L3: thread_exit 0
        "#]],
    );
}

#[test]
fn an_atomic_section_that_blocks_or_loops_stays() {
    check(
        "proc main()
           in -> 1: h := start other()
           1 -> 2: atomic_begin
           2 -> 3: await x == 0
           3 -> 4: y := 2
           4 -> 5: atomic_end
           5 -> 6: atomic_begin
           6 -> 6: assume y == 0
           6 -> 7: assume y != 0
           7 -> 8: atomic_end
           8 -> out: thread_exit 0",
        expect![[r#"
            proc main() init L2 exit L3
              L2 -> L6: h := start other(0)
              L6 -> L7: atomic_begin
              L7 -> L8: await (x == 0)
              L8 -> L9: y := 2
              L9 -> L10: atomic_end
              L10 -> L11: atomic_begin
              L11 -> L11: assume (y == 0)
              L11 -> L12: assume (y != 0)
              L12 -> L13: atomic_end
              L13 -> L3: thread_exit 0
        "#]],
    );
}

#[test]
fn an_error_that_is_not_checked_ends_the_process_visibly() {
    let text = "proc main()
           in -> 1: h := start other()
           1 -> 2: x := 2
           2 -> bad!: assume h == 0
           2 -> out: assume h != 0";
    let mut xcfa = parse(&format!("{OTHER}{text}"));
    large_blocks(
        &mut xcfa,
        &Options {
            checked: None,
            ..Options::default()
        },
    );
    assert!(xcfa.dump().contains("x := 2\n"));
    let mut xcfa = parse(&format!("{OTHER}{text}"));
    large_blocks(&mut xcfa, &Options::default());
    assert!(xcfa.dump().contains("x := 2; assume"));
}
