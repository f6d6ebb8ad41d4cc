use super::{Limits, unroll};
use automata::parse;
use expect_test::{Expect, expect};

fn check(text: &str, rounds: u32, expected: Expect) {
    let limits = Limits {
        rounds,
        ..Limits::default()
    };
    let unrolled = unroll(&parse(text).into(), &limits).unwrap();
    assert_eq!(unrolled.origin.len(), unrolled.xcfa.edges.len());
    expected.assert_eq(&unrolled.xcfa.dump());
}

#[test]
fn a_loop_that_may_go_on_ends_unwound() {
    check(
        "global x
         heap h
         proc main()
           in -> 1: p := alloc h
           1 -> in: t := x; assume t == 0
           1 -> out: exit",
        1,
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0
            heap h
            heap h#2

            proc main() init L0 exit L1
              L0 -> L2: p := alloc h[8]
              L2 -> L3: t := x; assume (t == 0)
              L2 -> L1: exit
              L3 -> L4: p := alloc h#2[8]
              L4 -> L5: t := x; assume (t == 0)
              L4 -> L1: exit
              L5 is an error: Unwound
        "#]],
    );
}

#[test]
fn a_proven_bound_needs_no_check() {
    check(
        "global x
         proc main()
           in -> 1: i := 0
           1 -> 2: assume i < 2
           2 -> 1: x := i; i := i + 1
           1 -> out: assume !(i < 2); exit",
        5,
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: i := 0
              L2 -> L3: assume (i < 2)
              L2 -> L1: assume !(i < 2); exit
              L3 -> L4: x := i; i := (i + 1)
              L4 -> L5: assume (i < 2)
              L4 -> L1: assume !(i < 2); exit
              L5 -> L6: x := i; i := (i + 1)
              L6 -> L7: assume (i < 2)
              L6 -> L1: assume !(i < 2); exit
        "#]],
    );
}

#[test]
fn every_start_has_a_copy_and_self_starting_threads_end() {
    check(
        "global x
         stack s[4]
         proc worker(pa)
           in -> 1: p := alloc s
           1 -> 2: *p := 1; x := 1
           2 -> out: h := start worker(pa)
         proc main()
           in -> 1: h := start worker(1)
           1 -> 2: h := start worker(2)
           2 -> out: exit",
        0,
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0
            stack s[4]
            stack s#2[4]

            proc main() init L0 exit L1
              L0 -> L4: h := start worker(1)
              L4 -> L8: h := start worker#2(2)
              L8 -> L1: exit

            proc worker(pa: bv64) init L2 exit L3
              L2 -> L5: p := alloc s[4]
              L5 -> L9: *p :=4 1; x := 1
              L9 -> L11: skip
              L11 is an error: Unwound

            proc worker#2(pa: bv64) init L6 exit L7
              L6 -> L10: p := alloc s#2[4]
              L10 -> L12: *p :=4 1; x := 1
              L12 -> L13: skip
              L13 is an error: Unwound
        "#]],
    );
}

#[test]
fn recursion_is_unrolled_with_its_results() {
    check(
        "stack s[4]
         proc down(n) -> r
           in -> out: assume n == 0; r := 7
           in -> 1: assume n != 0; p := alloc s
           1 -> out: r := call down(n - 1)
         proc main()
           in -> 1: a := call down(1)
           1 -> out: exit",
        2,
        expect![[r#"
            thread_local self: bv64
            stack s[4]
            stack s#2[4]

            proc main() init L0 exit L1
              L0 -> L2: down#1.n := 1
              L2 -> L3: assume (down#1.n == 0); down#1.r := 7; a := down#1.r; dealloc s
              L2 -> L4: assume (down#1.n != 0); down#1.p := alloc s[4]
              L3 -> L1: exit
              L4 -> L5: down#2.n := (down#1.n + -1)
              L5 -> L3: assume (down#2.n == 0); down#2.r := 7; down#1.r := down#2.r; dealloc s#2; a := down#1.r; dealloc s
              L5 -> L6: assume (down#2.n != 0); down#2.p := alloc s#2[4]
              L6 -> L7: skip
              L7 is an error: Unwound

            proc down() init L8 exit L9
        "#]],
    );
}

#[test]
fn a_loop_with_two_entries() {
    check(
        "global x
         proc main()
           in -> 1: t := x; assume t == 0
           in -> 2: t := x; assume t != 0
           1 -> 2: x := 1
           2 -> 1: x := 2
           2 -> out: exit",
        1,
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: t := x; assume (t == 0)
              L0 -> L3: t := x; assume (t != 0)
              L2 -> L3: x := 1
              L3 -> L4: x := 2
              L3 -> L1: exit
              L4 -> L5: x := 1
              L5 -> L6: x := 2
              L5 -> L1: exit
              L6 is an error: Unwound
        "#]],
    );
}

#[test]
fn too_large_is_refused() {
    let text = "global x
         proc main()
           in -> in: x := 1
           in -> out: exit";
    let limits = Limits {
        rounds: 1000,
        edges: 100,
        ..Limits::default()
    };
    let error = unroll(&parse(text).into(), &limits).unwrap_err();
    expect!["unrolling loops 1000 times makes more than 100 edges"].assert_eq(&error.to_string());
}
