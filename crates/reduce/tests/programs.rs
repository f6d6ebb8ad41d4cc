//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_LIMIT_MS` how long each check may take.

use generator::Profile;
use reduce::{Commutativity, Config, OrderChoice};
use testkit::{budget, compare_with_exploration, seeds, solved};
use verdict::{Budget, Proof, Property, Task, Verdict};

/// The verdict; the evidence of a proof must pass its check.
fn by_reduction(task: &Task, config: &Config) -> Verdict {
    let answer = reduce::check(task, config, &budget(700));
    if let Verdict::Safe(Proof::ReducedProduct { certificate, .. }) = &answer.verdict {
        let checked = reduce::recheck(task, certificate, &Budget::unlimited());
        assert!(checked.is_ok(), "the evidence is refused: {checked:?}");
    }
    answer.confirm(task).into_verdict()
}

fn configs() -> Vec<Config> {
    let mut configs = vec![Config::default()];
    let orders = [
        OrderChoice::Sequential,
        OrderChoice::Reversed,
        OrderChoice::Lockstep,
        OrderChoice::Outer,
        OrderChoice::Groups,
        OrderChoice::Pipes,
        OrderChoice::Accesses,
    ];
    let levels = [
        Commutativity::Conditional,
        Commutativity::Semantic,
        Commutativity::Syntactic,
        Commutativity::Off,
    ];
    for (number, order) in orders.into_iter().enumerate() {
        for (other, level) in levels.into_iter().enumerate() {
            configs.push(Config {
                order,
                commutativity: Some(level),
                membranes: (number + other) % 3 != 0,
            });
        }
    }
    configs
}

/// No litmus program gets a wrong verdict, and some get the right one.
#[test]
fn litmus() {
    let solved = solved("litmus", Property::Reach, |task| {
        by_reduction(task, &Config::default())
    });
    assert!(solved >= 20, "{solved} solved");
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, property: Property, share: u64) {
    let (programs, configs) = ((profile, property), configs());
    let (solved, tried) = compare_with_exploration(seeds(share), programs, &configs, by_reduction);
    // A comparison with an engine that never answers would be worth nothing.
    assert!(solved * 20 >= tried, "{solved} of {tried} solved");
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), Property::Reach, 10);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), Property::Reach, 5);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), Property::Reach, 5);
}

#[test]
fn of_overflows() {
    compare(&Profile::with_inputs(), Property::Overflow, 3);
}
