//! Loops are followed, and no verdict changes.

use super::follow;
use crate::differential::explore::violated;
use crate::differential::generate::random_program;
use crate::propagate_constants;
use automata::parse;
use expect_test::{Expect, expect};
use semantics::Property;

const MOST_STATES: usize = 20_000;

fn check(text: &str, expected: Expect) {
    let mut xcfa = parse(text);
    follow(&mut xcfa, &|_, _| true);
    expected.assert_eq(&xcfa.dump());
}

#[test]
fn a_loop_that_counts_to_a_constant_is_a_line() {
    check(
        "global x
         proc main()
           in -> 1: i := 0
           1 -> 2: assume i != 2
           2 -> 1: x := i; i := i + 1
           1 -> out: assume i == 2",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: i := 0
              L2 -> L3: skip
              L3 -> L4: x := 0; i := 1
              L4 -> L5: skip
              L5 -> L6: x := 1; i := 2
              L6 -> L1: skip
        "#]],
    );
}

#[test]
fn a_loop_stays_if_it_is_not_clear_when_it_ends() {
    check(
        "global x
         proc main()
           in -> 1: i := input
           1 -> 2: assume i != 0
           2 -> 1: x := i; i := i - 1
           1 -> out: assume i == 0",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: i := input input()
              L2 -> L3: assume (i != 0)
              L2 -> L1: assume (i == 0)
              L3 -> L2: x := i; i := (i + -1)
        "#]],
    );
}

#[test]
fn a_loop_inside_stays_a_loop() {
    check(
        "global x
         proc main()
           in -> 1: i := 0
           1 -> 2: assume i != 2
           2 -> 3: j := input
           3 -> 3: assume j != 0; j := j - 1
           3 -> 1: assume j == 0; i := i + 1
           1 -> out: assume i == 2",
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0

            proc main() init L0 exit L1
              L0 -> L2: i := 0
              L2 -> L3: skip
              L3 -> L4: j := input input()
              L4 -> L4: assume (j != 0); j := (j + -1)
              L4 -> L5: assume (j == 0); i := 1
              L5 -> L6: skip
              L6 -> L7: j := input input()
              L7 -> L7: assume (j != 0); j := (j + -1)
              L7 -> L8: assume (j == 0); i := 2
              L8 -> L1: skip
        "#]],
    );
}

#[test]
fn no_verdict_changes() {
    let properties = [Property::Reach, Property::Race, Property::Deadlock];
    let (mut followed, mut compared) = (0, 0);
    for seed in 0..150 {
        let text = random_program(seed);
        let mut copy = parse(&text);
        propagate_constants(&mut copy);
        followed += usize::from(follow(&mut copy, &|_, _| true));
        for property in properties {
            let plain = violated(&parse(&text), property, MOST_STATES);
            let after = violated(&copy, property, MOST_STATES);
            if let (Some(plain), Some(after)) = (plain, after) {
                assert_eq!(
                    plain,
                    after,
                    "seed {seed}, {property}\n{text}\n{}",
                    copy.dump()
                );
                compared += 1;
            }
        }
    }
    assert!(
        followed > 20 && compared > 100,
        "{followed} programs, {compared} verdicts"
    );
}
