//! Threads, calls, and how they end.

use crate::run::{run, run_for};
use expect_test::expect;
use semantics::{MemoryParts, Property};

#[test]
fn start_gives_the_new_thread_its_argument_and_the_old_one_a_handle() {
    let program = "
        global p
        global pgiven
        proc other(parg)
          in -> out: pgiven := parg
        proc main()
          in -> out: p := start other(9)";
    expect![[r#"
        start                        p=0 pgiven=0
        0: moves                     p=2 pgiven=0
        1: moves                     p=2 pgiven=9
    "#]]
    .assert_eq(&run(program, "0 1"));
}

#[test]
fn join_waits_for_the_end_of_a_thread_and_takes_its_result() {
    let program = "
        global p
        global pr
        proc other(parg)
          in -> out: thread_exit 7
        proc main()
          in -> 1: p := start other()
          1 -> 2: pr := join p
          2 -> out: pr := join p";
    expect![[r#"
        start                        p=0 pr=0
        0: moves                     p=2 pr=0
        0: waits                     p=2 pr=0
        1: moves                     p=2 pr=0
        0: moves                     p=2 pr=7
        0: cannot be followed: a join of a thread that was joined before p=2 pr=7
    "#]]
    .assert_eq(&run(program, "0 0 1 0 0"));
}

#[test]
fn join_of_what_is_no_thread_is_undefined() {
    let program = "
        proc main()
          in -> out: join 5";
    expect![[r#"
        start
        0: cannot be followed: a join of what is no thread
    "#]]
    .assert_eq(&run(program, "0"));
}

#[test]
fn exit_ends_all_threads() {
    let program = "
        global p
        proc other(parg)
          in -> out: p := 0
        proc main()
          in -> 1: p := start other()
          1 -> out: exit";
    expect![[r#"
        start                        p=0
        0: moves                     p=2
        0: moves                     p=2 ended
        1: waits                     p=2 ended
    "#]]
    .assert_eq(&run(program, "0 0 1"));
}

#[test]
fn memory_that_nothing_points_to_is_lost_at_the_end() {
    let program = "
        heap h[4]
        proc main()
          in -> 1: p := alloc h
          1 -> 2: p := 0
          2 -> out: exit";
    expect![[r#"
        start
        0: moves
        0: moves
        0: violates: memory is lost (valid-memtrack)
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0 0 0"));
}

/// The process ends with its last thread, whose variables are gone then.
#[test]
fn memory_is_lost_when_the_last_thread_ends() {
    let program = "
        global p
        heap h[4]
        proc other(parg)
          in -> out: thread_exit 0
        proc main()
          in -> 1: m := alloc h
          1 -> 2: p := start other()
          2 -> out: thread_exit 0";
    expect![[r#"
        start                        p=0
        0: moves                     p=0
        0: moves                     p=2
        0: moves                     p=2
        1: violates: memory is lost (valid-memtrack) p=2
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0 0 0 1"));
}

/// What is undefined ends the run where it is not checked; what is lost does not.
#[test]
fn parts_of_memory_safety() {
    let program = "
        heap h[4]
        proc main()
          in -> 1: p := alloc h
          1 -> 2: p := 0
          2 -> 3: free 8
          3 -> out: exit";
    let run = |part| run_for(Property::MemSafety(part), program, "0 0 0 0");
    let last = |part| run(part).lines().last().unwrap().trim_end().to_owned();
    assert_eq!(
        last(MemoryParts::FREE),
        "0: violates: invalid free (valid-free)"
    );
    assert_eq!(last(MemoryParts::DEREF), "0: is cut off");
    assert_eq!(last(MemoryParts::MEMTRACK), "0: is cut off");
    let lost = program.replace("free 8", "p := 1");
    let last = |part| {
        let told = run_for(Property::MemSafety(part), &lost, "0 0 0 0");
        told.lines().last().unwrap().trim_end().to_owned()
    };
    assert!(last(MemoryParts::DEREF).ends_with(" ended"));
    let said = "0: violates: memory is lost (valid-memtrack)";
    assert_eq!(last(MemoryParts::MEMTRACK), said);
}

#[test]
fn call_runs_the_procedure_and_brings_its_result_back() {
    let program = "
        global x
        proc twice(a) -> r
          in -> out: r := a + a
        proc main()
          in -> 1: x := call twice(4)
          1 -> out: x := x + 1";
    expect![[r#"
        start                        x=0
        0: moves                     x=0
        0: moves                     x=8
        0: moves                     x=9
    "#]]
    .assert_eq(&run(program, "0 0 0"));
}
