//! Variables, inputs, conditions.

use crate::run::run;
use expect_test::expect;

#[test]
fn assign_sets_a_variable_to_what_the_term_is_worth() {
    let program = "
        global x = 1
        proc main()
          in -> out: x := x + 4; x := x + x";
    expect![[r#"
        start                        x=1
        0: moves                     x=10
    "#]]
    .assert_eq(&run(program, "0"));
}

#[test]
fn havoc_takes_what_the_host_chooses_cut_to_the_sort() {
    let program = "
        global x
        proc main()
          in -> 1: x := input
          1 -> out: x := input";
    expect![[r#"
        start                        x=0
        0?7: moves                   x=7
        0?4294967298: moves          x=2
    "#]]
    .assert_eq(&run(program, "0?7 0?4294967298"));
}

#[test]
fn assume_cuts_the_run_where_it_does_not_hold() {
    let program = "
        global x = 1
        proc main()
          in -> 1: assume x == 1
          1 -> out: assume x == 2";
    expect![[r#"
        start                        x=1
        0: moves                     x=1
        0: is cut off                x=1
    "#]]
    .assert_eq(&run(program, "0 0"));
}

#[test]
fn labels_before_a_failed_assumption_leave_no_trace() {
    let program = "
        global x
        proc main()
          in -> out: x := 5; assume x == 1";
    expect![[r#"
        start                        x=0
        0: is cut off                x=0
    "#]]
    .assert_eq(&run(program, "0"));
}

#[test]
fn await_makes_the_thread_wait_where_it_does_not_hold() {
    let program = "
        global x
        global p
        proc other(p1)
          in -> out: x := 1
        proc main()
          in -> 1: p := start other()
          1 -> out: await x == 1";
    expect![[r#"
        start                        x=0 p=0
        0: moves                     x=0 p=2
        0: waits                     x=0 p=2
        1: moves                     x=1 p=2
        0: moves                     x=1 p=2
    "#]]
    .assert_eq(&run(program, "0 0 1 0"));
}

#[test]
fn reaching_an_error_location_is_a_violation() {
    let program = "
        global x
        proc main()
          in -> bad!: x := 1";
    expect![[r#"
        start                        x=0
        0: violates: an error is reached x=0
    "#]]
    .assert_eq(&run(program, "0"));
}
