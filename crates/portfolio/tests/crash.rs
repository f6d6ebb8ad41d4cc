//! A crash is no last word: the engine has its long turn all the same.

use portfolio::Portfolio;
use std::time::Duration;
use verdict::{Answer, Budget, Program, Proof, Property, Reason, Stats, Task, Verdict};

/// The first turn of exploration is the only one that is this short.
const SHORT: Duration = Duration::from_secs(5);

#[test]
fn a_crash_in_a_short_turn_does_not_cancel_the_long_one() {
    let xcfa = automata::parse("proc main()\n in -> out: x := 1");
    let task = Task::prepare(&Program::from_automaton(xcfa), Property::Deadlock).unwrap();
    let run = |engine: &str, budget: &Budget| match engine {
        "explore" if budget.remaining().is_some_and(|left| left < SHORT) => panic!("a fault"),
        "explore" => {
            let proof = Proof::ClosedExploration {
                states: 1,
                transitions: 0,
            };
            Answer::new(Verdict::Safe(proof), Stats::default())
        }
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
