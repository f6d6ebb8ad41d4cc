//! The verdicts on random programs are those of the exploration of all states.

use crate::{TIMEOUT, explore_together, small, task};
use fusion::Dpor;
use generator::{Extra, Profile, Program};
use testkit::{agrees, check, judge_random, seeds};
use verdict::{Preparation, Property};
use xcfa::SourceFile;

/// The verdicts of all reductions agree with the exploration of all states.
fn same_verdicts(program: &Program) -> Result<(), String> {
    let text = program.to_string();
    for property in [Property::Reach, Property::Race, Property::Deadlock] {
        let file = SourceFile::new("random.i", text.clone());
        let expected = check(file, property, Preparation::Full, TIMEOUT)?;
        let task = task(&text, property);
        let alone = [Dpor::Optimal, Dpor::Source, Dpor::Classic].map(|dpor| (dpor, 1));
        for (dpor, jobs) in alone.into_iter().chain([(Dpor::Optimal, 2)]) {
            let answer = explore_together(&task, dpor, jobs);
            agrees(&expected.verdict, &answer.verdict)
                .map_err(|why| format!("{property}, {dpor:?}, {jobs} jobs: {why}"))?;
        }
    }
    Ok(())
}

fn verdicts(profile: &Profile, share: u64) {
    judge_random(seeds(share), profile, |_, program| same_verdicts(program));
}

#[test]
fn verdicts_of_ordinary_programs() {
    verdicts(&small(), 30);
}

#[test]
fn verdicts_of_programs_that_block() {
    let profile = Profile {
        statements: 2,
        ..Profile::blocking()
    };
    verdicts(&profile, 30);
}

/// A thread that spins, or is cut off, has made its last access all the same.
#[test]
fn verdicts_of_programs_that_stand_still() {
    let profile = Profile {
        extras: vec![Extra::Standstill, Extra::Sizes],
        ..small()
    };
    verdicts(&profile, 30);
}

#[test]
fn verdicts_of_programs_with_inputs() {
    let profile = Profile {
        statements: 2,
        ..Profile::with_inputs()
    };
    verdicts(&profile, 20);
}
