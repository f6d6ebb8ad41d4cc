//! Exploration, which looks most of its steps up, finds as many states and steps as a plain search that takes each.

use generator::{Profile, Program};
use std::time::Duration;
use testkit::{budget, explored, judge_random, seeds, task};
use verdict::{Objection, Proof, Property, Verdict};
use xcfa::SourceFile;

/// How many of the programs were compared; one that is not safe, or too large, is not.
fn compare(percent: u64, profile: &Profile, property: Property) -> usize {
    let judge = |_, program: &Program| {
        let file = SourceFile::new("random.i", program.to_string());
        let Ok(task) = task(file, property) else {
            return Ok(false);
        };
        let verdict = explored(&task, Duration::from_secs(5)).verdict;
        let Verdict::Safe(Proof::ClosedExploration {
            states,
            transitions,
        }) = verdict
        else {
            return Ok(false);
        };
        match evidence::visited(&task, states, transitions, &budget(10_000)) {
            Ok(()) => Ok(true),
            Err(Objection::Open(_)) => Ok(false),
            Err(Objection::Wrong(why)) => Err(format!("{property}: {why}")),
        }
    };
    let compared = judge_random(seeds(percent), profile, judge);
    compared.into_iter().filter(|&compared| compared).count()
}

#[test]
fn random_programs_have_as_many_states() {
    let mut compared = 0;
    for profile in [Profile::standard(), Profile::blocking()] {
        for property in [Property::Reach, Property::Race, Property::Deadlock] {
            compared += compare(20, &profile, property);
        }
        compared += compare(10, &profile, Property::MEMSAFETY);
        compared += compare(10, &profile, Property::Termination);
    }
    println!("{compared} programs compared");
    assert!(compared > 20, "only {compared} programs could be compared");
}
