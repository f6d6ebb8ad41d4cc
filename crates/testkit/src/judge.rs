//! The loop of every test over random programs: generate, judge, and shrink what fails.

use crate::{explored, from_environment, task};
use generator::{Profile, Program, generate, shrink};
use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;
use verdict::{Budget, Property, Task, Verdict};
use xcfa::SourceFile;

/// The seeds that a test tries: this percentage of `MAZURKA_RANDOM_PROGRAMS` (300 if it is not set),
/// from `MAZURKA_RANDOM_SEED` on.
pub fn seeds(percent: u64) -> Range<u64> {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * percent / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    first..first + count
}

/// A budget of `MAZURKA_LIMIT_MS` milliseconds, or of this many if that is not set.
pub fn budget(millis: u64) -> Budget {
    let limit = Duration::from_millis(from_environment("MAZURKA_LIMIT_MS", millis));
    Budget::unlimited().with_timeout(limit)
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

/// Is an engine's answer about a text definite? `None` if the text is refused; an error if the answer
/// contradicts exploration.
pub fn answered(
    text: &str,
    property: Property,
    ask: impl Fn(&Task) -> Verdict,
) -> Result<Option<bool>, String> {
    let Ok(task) = task(SourceFile::new("random.i", text), property) else {
        return Ok(None);
    };
    let expected = explored(&task, Duration::from_secs(10)).verdict;
    agrees(&expected, &ask(&task)).map(Some)
}

/// Compares an engine with exploration on random programs, each with one of its configurations in
/// turn. Gives how many programs the engine solved, and how many it was asked about; programs that are
/// refused are left out.
pub fn compare_with_exploration<C: Debug>(
    seeds: Range<u64>,
    (profile, property): (&Profile, Property),
    configs: &[C],
    ask: impl Fn(&Task, &C) -> Verdict,
) -> (usize, usize) {
    let judge = |seed: u64, program: &Program| {
        let config = &configs[seed as usize % configs.len()];
        let answer = answered(&program.to_string(), property, |task| ask(task, config));
        answer.map_err(|why| format!("{property}, {config:?}: {why}"))
    };
    let answers = judge_random(seeds, profile, judge);
    let tried = answers.iter().flatten().count();
    let solved = answers.iter().flatten().filter(|&&solved| solved).count();
    println!("{solved} of {tried} solved");
    (solved, tried)
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
