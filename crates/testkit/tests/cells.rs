//! Unrolling and turning memory into variables keep verdicts: random programs are explored before
//! and after, and counterexamples of an unrolled program are ones of the program itself.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use explore::Config;
use passes::{Limits, OnInvalid, Unrolled, cells, unroll};
use std::time::Duration;
use testkit::{Profile, Program, from_environment, generate, shrink, translate};
use verdict::{Budget, Property, Reason, Task, Verdict, confirm};
use xcfa::{ErrorKind, SourceFile, Xcfa};

const PROPERTIES: [Property; 3] = [Property::Reach, Property::Deadlock, Property::Termination];
const TIMEOUT: Duration = Duration::from_secs(20);

fn prepared(text: &str, property: Property) -> Result<Xcfa, String> {
    let options = passes::Options {
        checked: (property == Property::Reach).then_some(ErrorKind::Reached),
        ..passes::Options::default()
    };
    let xcfa = translate(SourceFile::new("random.i", text), property)?;
    passes::prepare(xcfa, &options).map_err(|error| error.what)
}

fn explored(xcfa: Xcfa, property: Property) -> (Task, Verdict) {
    let budget = Budget::unlimited().with_timeout(TIMEOUT);
    let task = Task { xcfa, property };
    let answer = explore::check(&task, &Config::default(), &budget, &mut |_| {});
    (task, answer.verdict)
}

/// Do the two verdicts contradict each other? What is beyond an unrolling says nothing, and a
/// trace that does not replay is always wrong.
fn contradict(a: &Verdict, b: &Verdict) -> bool {
    match (a, b) {
        (Verdict::Unknown(Reason::NotReplayed(_)), _) => true,
        (_, Verdict::Unknown(Reason::NotReplayed(_))) => true,
        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => false,
        _ => a.name() != b.name(),
    }
}

/// The verdict on the unrolled program, as one on the program itself.
fn translated(unrolled: &Unrolled, original: &Task, verdict: Verdict) -> Verdict {
    let Verdict::Unsafe(mut trace) = verdict else {
        return verdict;
    };
    for step in &mut trace.steps {
        step.edge = unrolled.origin[step.edge as usize].0;
    }
    confirm(original, Verdict::Unsafe(trace))
}

/// What the ways to explore disagree about, if they do.
fn disagreement(program: &Program, definite: &mut [u64; 3]) -> Option<String> {
    let text = program.to_string();
    for property in PROPERTIES {
        let xcfa = match prepared(&text, property) {
            Ok(xcfa) => xcfa,
            Err(refusal) => return Some(refusal),
        };
        let (task, expected) = explored(xcfa, property);
        let limits = Limits {
            rounds: 5,
            ..Limits::default()
        };
        let unrolled = match unroll(&task.xcfa, &limits) {
            Ok(unrolled) => unrolled,
            Err(refusal) => return Some(refusal.what),
        };
        let turned = cells(&task.xcfa, OnInvalid::EndRun);
        let (_, in_cells) = explored(turned.xcfa, property);
        let both = cells(&unrolled.xcfa, OnInvalid::EndRun);
        let (_, in_both) = explored(both.xcfa, property);
        let (_, in_unrolled) = explored(unrolled.xcfa.clone(), property);
        let in_unrolled = translated(&unrolled, &task, in_unrolled);
        for (at, found) in [in_cells, in_unrolled, in_both].iter().enumerate() {
            if contradict(&expected, found) {
                let way = ["cells", "unrolled", "cells of the unrolled"][at];
                return Some(format!("{property}: {expected:?}, but {way}: {found:?}"));
            }
            definite[at] += u64::from(!matches!(found, Verdict::Unknown(_)));
        }
    }
    None
}

fn compare(profile: &Profile, share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut definite = [0; 3];
    for seed in first..first + count {
        let program = generate(seed, profile);
        if let Some(found) = disagreement(&program, &mut definite) {
            let fails = |program: &Program| disagreement(program, &mut [0; 3]).is_some();
            let small = shrink(&program, &mut { fails });
            let now = disagreement(&small, &mut [0; 3]).unwrap_or_default();
            panic!("seed {seed} of {profile:?}\n{found}\nafter shrinking {now}\n{small}");
        }
    }
    println!("definite answers of {}: {definite:?}", 3 * count);
    // Most programs end, within a few rounds: a pass that says nothing about them is broken.
    assert!(
        definite.iter().all(|&definite| definite > 2 * count),
        "{definite:?}"
    );
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), 50);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), 30);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), 20);
}
