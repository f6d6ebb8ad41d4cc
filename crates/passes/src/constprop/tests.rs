use super::propagate_constants;
use automata::parse;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let mut xcfa = parse(text);
    propagate_constants(&mut xcfa);
    expected.assert_eq(&xcfa.dump());
}

#[test]
fn a_decided_branch_goes() {
    check(
        "global x
         proc main()
           in -> 1: flag := 0
           1 -> 2: assume flag != 0
           1 -> 3: assume flag == 0
           2 -> bad!: skip
           3 -> out: x := flag + 1",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: flag := 0
              L2 -> L3: skip
              L3 -> L1: x := 1
        "#]],
    );
}

#[test]
fn what_a_loop_changes_is_not_constant() {
    check(
        "global x
         proc main()
           in -> 1: i := 0; k := 7
           1 -> 2: assume i < 3
           2 -> 1: i := i + 1; x := k
           1 -> out: assume !(i < 3)",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: i := 0; k := 7
              L2 -> L3: assume (i < 3)
              L2 -> L1: assume !(i < 3)
              L3 -> L2: i := (i + 1); x := 7
        "#]],
    );
}

#[test]
fn temporaries_give_way_until_their_source_changes() {
    check(
        "global x
         proc main()
           in -> 1: a := input
           1 -> 2: t := a + 1
           2 -> 3: x := t
           3 -> 4: a := 5
           4 -> 5: x := t
           5 -> out: x := a",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: a := input input()
              L2 -> L3: t := (a + 1)
              L3 -> L4: x := (a + 1)
              L4 -> L5: a := 5
              L5 -> L6: x := t
              L6 -> L1: x := 5
        "#]],
    );
}

#[test]
fn globals_are_read_where_they_were_unless_nobody_writes_them() {
    check(
        "global x
         global limit = 3
         proc main()
           in -> 1: t := x
           1 -> 2: x := 5
           2 -> 3: assume t < limit
           3 -> out: x := t",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0
            global limit: bv32 = 3

            proc main() init L0 exit L1
              L0 -> L2: t := x
              L2 -> L3: x := 5
              L3 -> L4: assume (t < 3)
              L4 -> L1: x := t
        "#]],
    );
}

#[test]
fn a_test_teaches_and_a_false_assumption_stays_as_a_dead_end() {
    check(
        "global x
         proc main()
           in -> 1: a := input
           1 -> 2: assume a == 4
           2 -> 3: x := a
           3 -> out: assume a == 5",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: a := input input()
              L2 -> L3: assume (a == 4)
              L3 -> L4: x := 4
              L4 -> L1: assume false
        "#]],
    );
}
