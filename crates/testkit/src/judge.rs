//! The loop of every test over random programs: generate, judge, and shrink what fails.

use crate::from_environment;
use generator::{Profile, Program, generate, shrink};
use std::ops::Range;
use verdict::Verdict;

/// The seeds that a test tries: this percentage of `MAZURKA_RANDOM_PROGRAMS` (300 if it is not set),
/// from `MAZURKA_RANDOM_SEED` on.
pub fn seeds(percent: u64) -> Range<u64> {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * percent / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    first..first + count
}

/// Generates a program for each seed and returns what `judge` says about them.
///
/// The first program that `judge` rejects is shrunk for as long as `judge` rejects it, and the test
/// fails with what is left.
pub fn judge_random<T>(
    seeds: impl IntoIterator<Item = u64>,
    profile: &Profile,
    judge: impl Fn(u64, &Program) -> Result<T, String>,
) -> Vec<T> {
    let judged = seeds.into_iter().map(|seed| {
        let program = generate(seed, profile);
        judge(seed, &program).unwrap_or_else(|found| {
            let small = shrink(&program, &mut |program| judge(seed, program).is_err());
            let now = judge(seed, &small).err().unwrap_or_default();
            panic!("seed {seed} of {profile:?}: {found}\nafter shrinking: {now}\n{small}");
        })
    });
    judged.collect()
}

/// Compares a verdict with that of the reference: is it definite, and does it not contradict?
///
/// A verdict that shows a fault of the engine is an error, whatever the reference says.
pub fn agrees(reference: &Verdict, found: &Verdict) -> Result<bool, String> {
    match (reference, found) {
        (_, Verdict::Unknown(reason)) if reason.is_fault() => Err(reason.to_string()),
        (_, Verdict::Unknown(_)) => Ok(false),
        (Verdict::Unknown(_), _) => Ok(true),
        _ if reference.name() == found.name() => Ok(true),
        _ => {
            let (expected, found) = (reference.name(), found.name());
            Err(format!("{found}, but the reference says {expected}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use verdict::{Proof, Reason};

    fn safe() -> Verdict {
        Verdict::Safe(Proof::ClosedExploration {
            states: 1,
            transitions: 0,
        })
    }

    #[test]
    fn a_rejected_program_is_shrunk_and_shown() {
        let locks = |_, program: &Program| match program.to_string().contains("pthread_mutex_lock(")
        {
            true => Err("it locks".to_owned()),
            false => Ok(()),
        };
        let judged = || judge_random(0..100, &Profile::standard(), locks);
        let failure = catch_unwind(AssertUnwindSafe(judged)).expect_err("some program locks");
        let message = failure.downcast::<String>().expect("a message");
        let code = message.lines().filter(|line| !line.starts_with("extern"));
        assert!(message.contains("it locks") && message.contains("pthread_mutex_lock("));
        assert!(code.count() <= 30, "not small:\n{message}");
    }

    #[test]
    fn only_definite_verdicts_contradict() {
        let unknown = |reason| Verdict::Unknown(reason);
        let crash = || unknown(Reason::EngineFault("crash".into()));
        assert_eq!(agrees(&safe(), &safe()), Ok(true));
        assert_eq!(agrees(&unknown(Reason::OutOfTime), &safe()), Ok(true));
        assert_eq!(agrees(&safe(), &unknown(Reason::OutOfTime)), Ok(false));
        assert_eq!(agrees(&safe(), &crash()), Err("crash".to_owned()));
    }
}
