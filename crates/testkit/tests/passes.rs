//! The passes keep verdicts: every random program is explored as it is, with the passes, with large
//! blocks, and with both, and all answers are the same.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use std::time::Duration;
use testkit::{Preparation, Profile, Program, check, from_environment, generate, shrink};
use verdict::Property;
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
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut errors = 0;
    for seed in first..first + count {
        let program = generate(seed, profile);
        match agreed(&program) {
            Ok([reach, ..]) => errors += u64::from(reach == "unsafe"),
            Err(found) => {
                let small = shrink(&program, &mut |program| agreed(program).is_err());
                let now = agreed(&small).err().unwrap_or_default();
                panic!("seed {seed} of {profile:?}\n{found}\nafter shrinking {now}\n{small}");
            }
        }
    }
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
