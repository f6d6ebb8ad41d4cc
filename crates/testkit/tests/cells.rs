//! Unrolling and turning memory into variables keep verdicts: random programs are explored before
//! and after, and counterexamples of an unrolled program are ones of the program itself.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use generator::{Profile, Program};
use passes::{Limits, OnInvalid, Unrolled, cells, unroll};
use std::time::Duration;
use testkit::{agrees, judge_random, seeds};
use verdict::{Property, Task, Verdict, confirm};
use xcfa::{SourceFile, Xcfa};

const PROPERTIES: [Property; 3] = [Property::Reach, Property::Deadlock, Property::Termination];
const TIMEOUT: Duration = Duration::from_secs(20);

fn prepared(text: &str, property: Property) -> Result<Xcfa, String> {
    let task = testkit::task(SourceFile::new("random.i", text), property)?;
    Ok(Xcfa::clone(&task.xcfa))
}

fn explored(xcfa: Xcfa, property: Property) -> (Task, Verdict) {
    let program = verdict::Program::from_automaton(xcfa);
    let task = Task::prepare(&program, property).expect("an automaton");
    let verdict = testkit::explored(&task, TIMEOUT).verdict;
    (task, verdict)
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

const WAYS: [&str; 3] = ["cells", "unrolled", "cells of the unrolled"];

/// How many definite answers each of the [`WAYS`] has; an error if one of them is wrong.
fn judge(program: &Program) -> Result<[u64; 3], String> {
    let text = program.to_string();
    let mut definite = [0; 3];
    for property in PROPERTIES {
        let (task, expected) = explored(prepared(&text, property)?, property);
        agrees(&expected, &expected)?;
        let limits = Limits {
            rounds: 5,
            ..Limits::default()
        };
        let unrolled = unroll(&task.xcfa, &limits).map_err(|refusal| refusal.what)?;
        let turned = cells(&task.xcfa, OnInvalid::EndRun);
        let (_, in_cells) = explored(turned.xcfa, property);
        let both = cells(&unrolled.xcfa, OnInvalid::EndRun);
        let (_, in_both) = explored(both.xcfa, property);
        let (_, in_unrolled) = explored(unrolled.xcfa.clone(), property);
        let in_unrolled = translated(&unrolled, &task, in_unrolled);
        for (at, found) in [in_cells, in_unrolled, in_both].iter().enumerate() {
            let agreed = agrees(&expected, found);
            let agreed = agreed.map_err(|why| format!("{property}, {}: {why}", WAYS[at]))?;
            definite[at] += u64::from(agreed);
        }
    }
    Ok(definite)
}

fn compare(profile: &Profile, share: u64) {
    let answers = judge_random(seeds(share), profile, |_, program| judge(program));
    let count = answers.len() as u64;
    let definite = [0, 1, 2].map(|at| answers.iter().map(|answer| answer[at]).sum::<u64>());
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
