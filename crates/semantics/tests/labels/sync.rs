//! Locks, condition variables and atomic sections.

use crate::run::{run, run_for};
use expect_test::expect;
use semantics::{Machine, Property, Step, Trace, Violation, Wait, replay};

#[test]
fn a_lock_has_one_owner() {
    let program = "
        global p
        global x
        static m[8]
        proc other(parg)
          in -> 1: lock &m
          1 -> out: x := 2
        proc main()
          in -> 1: p := start other()
          1 -> 2: lock &m
          2 -> 3: x := 1
          3 -> out: unlock &m";
    expect![[r#"
        start                        p=0 x=0
        0: moves                     p=2 x=0
        0: moves                     p=2 x=0
        1: waits                     p=2 x=0
        0: moves                     p=2 x=1
        0: moves                     p=2 x=1
        1: moves                     p=2 x=1
        1: moves                     p=2 x=2
    "#]]
    .assert_eq(&run(program, "0 0 1 0 0 1 1"));
}

#[test]
fn the_owner_waits_for_itself() {
    let program = "
        static m[8]
        proc main()
          in -> 1: lock &m
          1 -> out: lock &m";
    expect![[r#"
        start
        0: moves
        0: waits
    "#]]
    .assert_eq(&run(program, "0 0"));
}

#[test]
fn whoever_unlocks_frees_the_lock() {
    let program = "
        global p
        global x
        static m[8]
        proc other(parg)
          in -> 1: unlock &m
          1 -> 2: lock &m
          2 -> out: x := 2
        proc main()
          in -> 1: lock &m
          1 -> 2: p := start other()
          2 -> out: x := 1";
    expect![[r#"
        start                        p=0 x=0
        0: moves                     p=0 x=0
        0: moves                     p=2 x=0
        1: moves                     p=2 x=0
        1: moves                     p=2 x=0
        1: moves                     p=2 x=2
    "#]]
    .assert_eq(&run(program, "0 0 1 1 1"));
}

#[test]
fn readers_share_and_a_writer_waits_for_all_of_them() {
    let program = "
        global p
        static m[8]
        proc writer(parg)
          in -> out: lock_write &m
        proc main()
          in -> 1: p := start writer()
          1 -> 2: lock_read &m
          2 -> 3: lock_read &m
          3 -> 4: unlock_shared &m
          4 -> out: unlock_shared &m";
    expect![[r#"
        start                        p=0
        0: moves                     p=2
        0: moves                     p=2
        0: moves                     p=2
        1: waits                     p=2
        0: moves                     p=2
        1: waits                     p=2
        0: moves                     p=2
        1: moves                     p=2
    "#]]
    .assert_eq(&run(program, "0 0 0 1 0 1 0 1"));
}

#[test]
fn a_signal_wakes_one_waiting_thread_which_the_host_chooses() {
    let program = "
        global p
        global x
        static c[8]
        proc waiter(parg)
          in -> 1: wait &c
          1 -> 2: await_signal
          2 -> out: x := x + 1
        proc main()
          in -> 1: p := start waiter()
          1 -> 2: p := start waiter()
          2 -> out: signal &c";
    // The second of the two was chosen: the first wakes up only spuriously.
    expect![[r#"
        start                        p=0 x=0
        0: moves                     p=2 x=0
        0: moves                     p=3 x=0
        1: moves                     p=3 x=0
        2: moves                     p=3 x=0
        0?1: moves                   p=3 x=0
        2: moves                     p=3 x=0
        1: wakes up by itself        p=3 x=0
    "#]]
    .assert_eq(&run(program, "0 0 1 2 0?1 2 1"));
}

#[test]
fn a_broadcast_wakes_all() {
    let program = "
        global p
        static c[8]
        proc waiter(parg)
          in -> 1: wait &c
          1 -> out: await_signal
        proc main()
          in -> 1: p := start waiter()
          1 -> 2: p := start waiter()
          2 -> out: broadcast &c";
    expect![[r#"
        start                        p=0
        0: moves                     p=2
        0: moves                     p=3
        1: moves                     p=3
        2: moves                     p=3
        0: moves                     p=3
        1: moves                     p=3
        2: moves                     p=3
    "#]]
    .assert_eq(&run(program, "0 0 1 2 0 1 2"));
}

#[test]
fn a_signal_before_the_wait_is_lost() {
    let program = "
        static c[8]
        proc main()
          in -> 1: signal &c
          1 -> 2: wait &c
          2 -> out: await_signal";
    expect![[r#"
        start
        0: moves
        0: moves
        0: wakes up by itself
    "#]]
    .assert_eq(&run(program, "0 0 0"));
}

#[test]
fn a_timed_wait_ends_without_a_signal() {
    let program = "
        static c[8]
        proc main()
          in -> 1: wait &c
          1 -> out: await_signal_timed";
    expect![[r#"
        start
        0: moves
        0: moves
    "#]]
    .assert_eq(&run(program, "0 0"));
}

#[test]
fn a_condition_variable_must_exist() {
    let program = "
        proc main()
          in -> out: signal 5";
    expect![[r#"
        start
        0: violates: invalid memory access (valid-deref)
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0"));
}

#[test]
fn atomic_sections_keep_others_from_moving_and_nest() {
    let program = "
        global p
        global x
        proc other(parg)
          in -> out: x := 9
        proc main()
          in -> 1: p := start other()
          1 -> 2: atomic_begin
          2 -> 3: atomic_begin
          3 -> 4: x := 1; atomic_end
          4 -> out: atomic_end";
    expect![[r#"
        start                        p=0 x=0
        0: moves                     p=2 x=0
        0: moves                     p=2 x=0
        0: moves                     p=2 x=0
        0: moves                     p=2 x=1
        1: waits                     p=2 x=1
        0: moves                     p=2 x=1
        1: moves                     p=2 x=9
    "#]]
    .assert_eq(&run(program, "0 0 0 0 1 0 1"));
}

/// The address of a lock may be computed in the step that takes it.
#[test]
fn a_replay_names_the_locks_that_are_held() {
    let text = "
        static m[8]
        static n[8]
        proc main()
          in -> 1: a := &n; lock a
          1 -> 2: a := &m; lock a
          2 -> out: a := &n; lock a";
    let mut xcfa = automata::parse(text);
    xcfa.sources.add(xcfa::SourceFile::new("text", text));
    let machine = Machine::new(&xcfa, Property::Deadlock);
    let steps = (0..2).map(|edge| Step::new(0, edge, Vec::new()));
    let trace = Trace::new(Violation::Deadlock, steps.collect());
    let replayed = replay(&machine, &trace).expect("a deadlock");
    let stuck = &replayed.stuck[0];
    assert_eq!(stuck.held, ["n", "m"]);
    assert_eq!(stuck.waits, Some(Wait::Lock("n".into())));
}
