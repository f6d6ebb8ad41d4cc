//! What locks prove, exploration does not refute.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start.

use std::time::Duration;
use testkit::{Expectations, Profile, crew, from_environment, generate, preprocess, translate};
use verdict::{Budget, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(file: SourceFile) -> Option<Task> {
    let property = Property::Race;
    let xcfa = translate(file, property).ok()?;
    let options = passes::Options {
        keep_loads: true,
        checked: None,
        ..passes::Options::default()
    };
    let xcfa = passes::prepare(xcfa, &options).ok()?;
    Some(Task { xcfa, property })
}

#[test]
fn litmus() {
    let folder = testkit::workspace_dir().join("litmus");
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let mut proved = 0;
    for program in &Expectations::parse(&text)
        .expect("a valid expect.toml")
        .programs
    {
        let mut verdicts = program.verdicts.iter();
        let Some((_, expected)) = verdicts.find(|(property, _)| property == "race") else {
            continue;
        };
        let path = folder.join(&program.name).with_extension("c");
        let Some(task) = task(preprocess(&path).expect("readable C")) else {
            continue;
        };
        let verdict = lockset::check(&task, &Budget::unlimited()).verdict;
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

#[test]
fn random_programs() {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300);
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let profiles = [
        Profile::standard(),
        Profile::blocking(),
        Profile::with_inputs(),
    ];
    let mut proved = 0;
    for seed in first..first + count {
        let program = generate(seed, &profiles[(seed % 3) as usize]).to_string();
        let Some(task) = task(SourceFile::new("random.i", &program)) else {
            continue;
        };
        if let Verdict::Safe(_) = lockset::check(&task, &Budget::unlimited()).verdict {
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
            let config = explore::Config::default();
            let explored = explore::check(&task, &config, &budget, &mut |_| {}).verdict;
            assert_ne!(explored.name(), "unsafe", "seed {seed}:\n{program}");
            proved += 1;
        }
    }
    println!("{proved} of {count} proved");
    assert!(proved * 20 >= count, "only {proved} of {count} were proved");
}

#[test]
fn random_crews() {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300);
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let (mut proved, mut refuted) = (0, 0);
    for seed in first..first + count {
        let program = crew(seed);
        let Some(task) = task(SourceFile::new("crew.i", &program)) else {
            continue;
        };
        let verdict = lockset::check(&task, &Budget::unlimited()).verdict;
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
        let config = explore::Config::default();
        let explored = explore::check(&task, &config, &budget, &mut |_| {}).verdict;
        if let Verdict::Safe(_) = verdict {
            assert_ne!(explored.name(), "unsafe", "seed {seed}:\n{program}");
            proved += 1;
        }
        if explored.name() == "unsafe" {
            refuted += 1;
        }
    }
    println!("{proved} of {count} proved, {refuted} race");
    assert!(proved * 10 >= count, "only {proved} of {count} were proved");
    assert!(refuted * 10 >= count, "only {refuted} of {count} race");
}
