//! The passes keep verdicts: every random program is explored as it is, with the passes, with large
//! blocks, and with both, and all answers are the same.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use generator::{Profile, Program};
use std::time::Duration;
use testkit::{check, judge_random, seeds};
use verdict::{Preparation, Property};
use xcfa::SourceFile;

const PROPERTIES: [Property; 3] = [Property::Reach, Property::Race, Property::Deadlock];
const TIMEOUT: Duration = Duration::from_secs(20);

fn verdict(text: &str, property: Property, preparation: Preparation) -> Result<String, String> {
    let file = SourceFile::new("random.i", text);
    let answer = check(file, property, preparation, TIMEOUT)?;
    Ok(answer.verdict.name().to_owned())
}

/// The verdict by property that all ways to explore agree on, or what they disagree about. A refusal
/// is a disagreement as well: random programs use only what is supported.
fn agreed(program: &Program) -> Result<[String; 3], String> {
    let text = program.to_string();
    let mut agreed = [const { String::new() }; 3];
    for (property, agreed) in PROPERTIES.into_iter().zip(&mut agreed) {
        let verdicts = Preparation::ALL.map(|preparation| verdict(&text, property, preparation));
        match &verdicts[0] {
            Ok(first) if first != "unknown" && verdicts.iter().all(|v| *v == verdicts[0]) => {
                agreed.clone_from(first);
            }
            _ => {
                let pairs: Vec<_> = Preparation::ALL.iter().zip(&verdicts).collect();
                return Err(format!("{property}: {pairs:?}"));
            }
        }
    }
    Ok(agreed)
}

fn compare(profile: &Profile, share: u64) {
    let verdicts = judge_random(seeds(share), profile, |_, program| agreed(program));
    let count = verdicts.len();
    let is_unsafe = |[reach, ..]: &&[String; 3]| reach == "unsafe";
    let errors = verdicts.iter().filter(is_unsafe).count();
    // Agreement means little if all programs are alike.
    let balanced = (count / 10..=count - count / 10).contains(&errors);
    assert!(
        balanced,
        "{errors} of {count} random programs have an error"
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
