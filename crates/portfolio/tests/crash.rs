//! A crash is no last word: the engine has its long turn all the same.

use portfolio::{FirstTurns, Portfolio};
use std::sync::Arc;
use std::time::Duration;
use verdict::{Answer, Budget, Program, Proof, Property, Reason, Stats, Task, Verdict};

/// The first turn of exploration is the only one that is this short.
const SHORT: Duration = Duration::from_secs(5);

fn safe() -> Answer {
    let proof = Proof::ClosedExploration {
        states: 1,
        transitions: 0,
    };
    Answer::new(Verdict::Safe(proof), Stats::default())
}

#[test]
fn a_crash_in_a_short_turn_does_not_cancel_the_long_one() {
    let xcfa = automata::parse("proc main()\n in -> out: x := 1");
    let task = Task::prepare(&Program::from_automaton(xcfa), Property::Deadlock).unwrap();
    let run = |engine: &str, budget: &Budget| match engine {
        "explore" if budget.remaining().is_some_and(|left| left < SHORT) => panic!("a fault"),
        "explore" => safe(),
        _ => Answer::unknown(Reason::unsupported("nothing")),
    };
    let portfolio = Portfolio {
        task: &task,
        budget: &Budget::unlimited().with_timeout(Duration::from_secs(50)),
        cores: 1,
        memory: 1 << 30,
        paranoid: false,
        run_engine: &run,
    };
    let outcome = portfolio.run(&mut |_| ());
    assert_eq!(outcome.confirmed.verdict().name(), "safe");
    let tried = |attempt: &portfolio::Attempt| attempt.engine == "explore";
    assert_eq!(outcome.tried.iter().filter(|it| tried(it)).count(), 2);
}

/// Three questions, of which the engines answer the second as they like.
fn first_turns(second: &dyn Fn(&Budget) -> Answer) -> [bool; 3] {
    let xcfa = automata::parse("proc main()\n in -> out: x := 1");
    let program = Program::from_automaton(xcfa);
    let properties = [
        Property::Deadlock,
        Property::Overflow,
        Property::Termination,
    ];
    let tasks = properties.map(|it| Arc::new(Task::prepare(&program, it).expect("a task")));
    let turns = FirstTurns {
        tasks: &tasks,
        budget: &Budget::unlimited(),
        memory: 1 << 30,
        run_engine: &|at, _, budget| match at {
            1 => second(budget),
            _ => safe(),
        },
    };
    let found = turns.run();
    let found: Vec<bool> = found.iter().map(Option::is_some).collect();
    found.try_into().expect("one for each")
}

#[test]
fn first_turns_share_a_process_and_keep_what_was_found_before_a_crash() {
    assert_eq!(first_turns(&|_| safe()), [true, true, true]);
    assert_eq!(first_turns(&|_| panic!("a fault")), [true, false, false]);
    let unknown = |_: &Budget| Answer::unknown(Reason::OutOfTime);
    assert_eq!(first_turns(&unknown), [true, false, true]);
    let turn = std::cell::Cell::new(0);
    let second = |_: &Budget| {
        turn.set(turn.get() + 1);
        match turn.get() {
            1 => Answer::unknown(Reason::OutOfTime),
            _ => safe(),
        }
    };
    assert_eq!(first_turns(&second), [true, true, true]);
    let hangs = |budget: &Budget| {
        assert!(budget.remaining().is_some_and(|left| left < SHORT));
        std::thread::sleep(SHORT);
        safe()
    };
    assert_eq!(first_turns(&hangs), [true, false, false]);
}
