//! The verdicts on random programs are those of the exploration of all states.

use crate::{TIMEOUT, explore_together, small, task};
use fusion::Dpor;
use testkit::{Preparation, Profile, Program, check, from_environment, generate, shrink};
use verdict::Property;
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
            let (is, wanted) = (&answer.verdict, &expected.verdict);
            let definite = is.name() != "unknown" && wanted.name() != "unknown";
            let mistake = matches!(
                is,
                verdict::Verdict::Unknown(verdict::Reason::NotReplayed(_))
            );
            if mistake || (definite && is.name() != wanted.name()) {
                return Err(format!(
                    "{property}, {dpor:?}, {jobs} jobs: {is:?}, not {}",
                    wanted.name()
                ));
            }
        }
    }
    Ok(())
}

fn verdicts(profile: &Profile, share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    for seed in first..first + count {
        let program = generate(seed, profile);
        if let Err(found) = same_verdicts(&program) {
            let small = shrink(&program, &mut |program| same_verdicts(program).is_err());
            let now = same_verdicts(&small).err().unwrap_or_default();
            panic!("seed {seed}: {found}\nafter shrinking {now}\n{small}");
        }
    }
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

#[test]
fn verdicts_of_programs_with_inputs() {
    let profile = Profile {
        statements: 2,
        ..Profile::with_inputs()
    };
    verdicts(&profile, 20);
}
