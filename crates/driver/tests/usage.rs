//! Every engine that answers `usage` agrees with exploration: on litmus programs, and on hostile and random ones.

use driver::{Budget, Plan, Property, Registry, SourceFile};
use generator::{Class, Extra, Profile, generate, hostile};
use std::time::Duration;
use testkit::{agrees, expectations, preprocess, seeds, workspace_dir};

fn budget(seconds: u64) -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(seconds))
}

fn engines() -> Vec<&'static str> {
    let all = Registry::standard();
    let answers = |name: &&str| {
        all.find(name)
            .is_some_and(|it| it.about().properties.contains(&Property::Usage))
    };
    all.names().into_iter().filter(answers).collect()
}

/// How many definite answers there are; two that differ are an error.
fn compare(file: SourceFile, expected: Option<&str>) -> Result<usize, String> {
    let Ok(task) = testkit::task(file, Property::Usage) else {
        return Ok(0);
    };
    let ask = |engine: &str| {
        let plan = Plan::default().with_engine(engine).with_budget(budget(3));
        driver::check(&task, &plan).expect("an engine without options")
    };
    let reference = ask("explore");
    if let Some(expected) = expected {
        let found = reference.verdict().name();
        if found != expected {
            return Err(format!(
                "{found}, not {expected}: {:?}",
                reference.verdict()
            ));
        }
    }
    let mut definite = 0;
    for engine in engines() {
        let outcome = ask(engine);
        let agreed = agrees(reference.verdict(), outcome.verdict());
        definite += usize::from(agreed.map_err(|why| format!("{engine}: {why}"))?);
    }
    Ok(definite)
}

#[test]
fn litmus_programs() {
    assert!(engines().len() >= 8, "{:?}", engines());
    let mut definite = 0;
    for program in expectations("litmus").programs {
        let Some(expected) = program.verdicts.iter().find(|it| it.0 == "usage") else {
            continue;
        };
        let path = workspace_dir()
            .join("litmus")
            .join(&program.name)
            .with_extension("c");
        let file = preprocess(&path).expect("a program");
        let found = compare(file, Some(&expected.1));
        definite += found.unwrap_or_else(|why| panic!("{}: {why}", program.name));
    }
    assert!(definite >= 120, "only {definite} definite answers");
}

#[test]
fn hostile_unlocks() {
    for seed in seeds(4) {
        let program = hostile(Class::Unlocks, seed);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("program.c");
        let text = program.source.texts().concat();
        std::fs::write(&path, &text).expect("a file");
        let file = preprocess(&path).expect("a program");
        if let Err(why) = compare(file, None) {
            panic!("seed {seed}: {why}\n{text}");
        }
    }
}

#[test]
fn random_programs() {
    for seed in seeds(6) {
        let extras = [
            Extra::Semaphores,
            Extra::Barrier,
            Extra::RwLock,
            Extra::SpinLock,
            Extra::RecursiveMutex,
        ];
        let extra = extras[seed as usize % extras.len()];
        let profile = Profile {
            extras: vec![extra],
            ..Profile::blocking()
        };
        let text = generate(seed, &profile).to_string();
        let file = SourceFile::new("random.i", text.clone());
        if let Err(why) = compare(file, None) {
            panic!("seed {seed}: {why}\n{text}");
        }
    }
}
