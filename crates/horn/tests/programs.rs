//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_LIMIT_MS` how long each check may take.

use horn::{Config, Index};
use std::time::Duration;
use testkit::{
    Expectations, Profile, Program, from_environment, generate, preprocess, shrink, translate,
};
use verdict::{Budget, Property, Reason, Task, Verdict};
use xcfa::{ErrorKind, SourceFile};

fn task(file: SourceFile) -> Result<Task, String> {
    let property = Property::Reach;
    let xcfa = translate(file, property)?;
    let options = passes::Options {
        checked: Some(ErrorKind::Reached),
        ..passes::Options::default()
    };
    let xcfa = passes::prepare(xcfa, &options).map_err(|error| error.what)?;
    Ok(Task { xcfa, property })
}

fn by_clauses(task: &Task, config: &Config) -> Verdict {
    let limit = Duration::from_millis(from_environment("MAZURKA_LIMIT_MS", 1000));
    let budget = Budget::unlimited().with_timeout(limit);
    horn::check(task, config, &budget).verdict
}

fn by_exploration(task: &Task) -> Verdict {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
    explore::check(task, &explore::Config::default(), &budget, &mut |_| {}).verdict
}

fn config(reduction: bool, index: Index) -> Config {
    Config {
        reduction,
        index,
        ..Config::default()
    }
}

fn is_fault(reason: &Reason) -> bool {
    match reason {
        Reason::NotReplayed(_) | Reason::NotProved(_) => true,
        Reason::Beyond(what) => what.contains("error of its own"),
        _ => false,
    }
}

#[test]
fn litmus() {
    let folder = testkit::workspace_dir().join("litmus");
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let expectations = Expectations::parse(&text).expect("a valid expect.toml");
    let mut wrong = String::new();
    let mut solved = 0;
    for program in &expectations.programs {
        let mut verdicts = program.verdicts.iter();
        let Some((_, expected)) = verdicts.find(|(property, _)| property == "reach") else {
            continue;
        };
        let path = folder.join(&program.name).with_extension("c");
        let Ok(task) = task(preprocess(&path).expect("readable C")) else {
            continue;
        };
        match by_clauses(&task, &Config::default()) {
            Verdict::Unknown(reason) if is_fault(&reason) => {
                wrong += &format!("{}: {reason}\n", program.name);
            }
            Verdict::Unknown(_) => {}
            verdict if verdict.name() == expected || expected == "unknown" => solved += 1,
            verdict => wrong += &format!("{}: {}\n", program.name, verdict.name()),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    println!("{solved} of {} solved", expectations.programs.len());
    assert!(solved >= 40);
}

/// What the engine gets wrong about a program, if anything.
fn fault(text: &str, explored: &Verdict, config: &Config) -> Option<String> {
    let task = task(SourceFile::new("random.i", text)).ok()?;
    match (by_clauses(&task, config), explored) {
        (Verdict::Unknown(reason), _) if is_fault(&reason) => Some(reason.to_string()),
        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => None,
        (found, explored) => {
            let (found, explored) = (found.name(), explored.name());
            (found != explored).then(|| format!("{found}, but exploration says {explored}"))
        }
    }
}

fn explored(text: &str) -> Option<Verdict> {
    let task = task(SourceFile::new("random.i", text)).ok()?;
    Some(by_exploration(&task))
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 60) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let configs = [
        config(true, Index::Auto),
        config(true, Index::Threads(1)),
        config(true, Index::Threads(2)),
        config(false, Index::Auto),
    ];
    for seed in first..first + count {
        let program = generate(seed, profile);
        let text = program.to_string();
        let Some(verdict) = explored(&text) else {
            continue;
        };
        let config = &configs[(seed % 4) as usize];
        let Some(found) = fault(&text, &verdict, config) else {
            continue;
        };
        let mut fails = |program: &Program| {
            let text = program.to_string();
            explored(&text).is_some_and(|verdict| fault(&text, &verdict, config).is_some())
        };
        let small = shrink(&program, &mut fails);
        panic!("seed {seed} of {profile:?}: {found}\n{config:?}\n{small}");
    }
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
