//! What locks prove, exploration does not refute.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start.

use generator::{Profile, Program, crew};
use std::time::Duration;
use testkit::{agrees, explored, judge_random, listed, seeds};
use verdict::{Budget, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(file: SourceFile) -> Option<Task> {
    testkit::task(file, Property::Race).ok()
}

fn by_locks(task: &Task) -> Verdict {
    let answer = lockset::check(task, &Budget::unlimited());
    answer.confirm(task).into_verdict()
}

#[test]
fn litmus() {
    let mut proved = 0;
    for program in listed("litmus", Property::Race) {
        let (task, expected) = (program.task, program.expected);
        let verdict = by_locks(&task);
        if let Verdict::Safe(_) = verdict {
            assert_ne!(expected, "unsafe", "{}", program.name);
            // Behind an address from outside there may be anything.
            assert_eq!(task.xcfa.foreign, None, "{}", program.name);
            proved += 1;
        } else if program.name.starts_with("crew_") {
            // Each of these is there for a reason that this engine knows, beside a twin that races.
            assert_eq!(expected, "unsafe", "{}: {verdict:?}", program.name);
        }
    }
    assert!(proved >= 10, "only {proved} proved");
}

/// Is a program proved? Then exploration finds no race.
fn is_proved(_: u64, program: &Program) -> Result<bool, String> {
    let Some(task) = task(SourceFile::new("random.i", program.to_string())) else {
        return Ok(false);
    };
    let verdict = by_locks(&task);
    let is_safe = matches!(verdict, Verdict::Safe(_));
    if is_safe {
        agrees(&explored(&task, Duration::from_secs(2)).verdict, &verdict)?;
    }
    Ok(is_safe)
}

#[test]
fn random_programs() {
    let profiles = [
        Profile::standard(),
        Profile::blocking(),
        Profile::with_inputs(),
    ];
    let (mut count, mut proved) = (0, 0);
    for (turn, profile) in (0..).zip(profiles) {
        let seeds = seeds(100).filter(|seed| seed % 3 == turn);
        let judged = judge_random(seeds, &profile, is_proved);
        count += judged.len();
        proved += judged.into_iter().filter(|&proved| proved).count();
    }
    println!("{proved} of {count} proved");
    assert!(proved * 20 >= count, "only {proved} of {count} were proved");
}

#[test]
fn random_crews() {
    let seeds = seeds(100);
    let count = seeds.end - seeds.start;
    let (mut proved, mut refuted) = (0, 0);
    for seed in seeds {
        let program = crew(seed);
        let Some(task) = task(SourceFile::new("crew.i", &program)) else {
            continue;
        };
        let explored = explored(&task, Duration::from_secs(2)).verdict;
        if let Verdict::Safe(_) = by_locks(&task) {
            assert_ne!(explored.name(), "unsafe", "seed {seed}:\n{program}");
            proved += 1;
        }
        refuted += u64::from(explored.name() == "unsafe");
    }
    println!("{proved} of {count} proved, {refuted} race");
    assert!(proved * 10 >= count, "only {proved} of {count} were proved");
    assert!(refuted * 10 >= count, "only {refuted} of {count} race");
}
