//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_LIMIT_MS` how long each check may take.

use horn::{Config, Index, Inference};
use std::time::Duration;
use testkit::{
    Expectations, Profile, Program, from_environment, generate, preprocess, shrink, translate,
};
use verdict::{Budget, Property, Reason, Task, Verdict};
use xcfa::{ErrorKind, SourceFile};

fn task(file: SourceFile, property: Property) -> Result<Task, String> {
    let xcfa = translate(file, property)?;
    let options = passes::Options {
        checked: (property == Property::Reach).then_some(ErrorKind::Reached),
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
    check_litmus(Property::Reach, 40);
}

#[test]
fn litmus_that_end() {
    check_litmus(Property::Termination, 25);
}

/// No litmus program gets a wrong verdict, and at least so many get the right one.
fn check_litmus(property: Property, least: usize) {
    let folder = testkit::workspace_dir().join("litmus");
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let expectations = Expectations::parse(&text).expect("a valid expect.toml");
    let mut wrong = String::new();
    let mut solved = 0;
    for program in &expectations.programs {
        let mut verdicts = program.verdicts.iter();
        let Some((_, expected)) = verdicts.find(|(of, _)| *of == property.to_string()) else {
            continue;
        };
        let path = folder.join(&program.name).with_extension("c");
        let Ok(task) = task(preprocess(&path).expect("readable C"), property) else {
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
    assert!(solved >= least);
}

/// Does the engine have an answer about a program? What it gets wrong is an error.
fn answered(
    text: &str,
    property: Property,
    explored: &Verdict,
    config: &Config,
) -> Result<bool, String> {
    let Ok(task) = task(SourceFile::new("random.i", text), property) else {
        return Ok(false);
    };
    match (by_clauses(&task, config), explored) {
        (Verdict::Unknown(reason), _) if is_fault(&reason) => Err(reason.to_string()),
        (Verdict::Unknown(_), _) => Ok(false),
        (_, Verdict::Unknown(_)) => Ok(true),
        (found, explored) => {
            let (found, explored) = (found.name(), explored.name());
            match found == explored {
                true => Ok(true),
                false => Err(format!("{found}, but exploration says {explored}")),
            }
        }
    }
}

fn explored(text: &str, property: Property) -> Option<Verdict> {
    let task = task(SourceFile::new("random.i", text), property).ok()?;
    Some(by_exploration(&task))
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, property: Property, share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 60) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let clauses = Config {
        inference: Inference::Clauses,
        ..Config::default()
    };
    let configs = [
        clauses,
        config(true, Index::Auto),
        config(true, Index::Threads(1)),
        config(true, Index::Threads(2)),
        config(false, Index::Auto),
    ];
    let (mut tried, mut solved) = (0, 0);
    for seed in first..first + count {
        let program = generate(seed, profile);
        let text = program.to_string();
        let Some(verdict) = explored(&text, property) else {
            continue;
        };
        let config = &configs[(seed % 5) as usize];
        let found = match answered(&text, property, &verdict, config) {
            Ok(answer) => {
                tried += 1;
                solved += u64::from(answer);
                continue;
            }
            Err(found) => found,
        };
        let mut fails = |program: &Program| {
            let text = program.to_string();
            explored(&text, property)
                .is_some_and(|verdict| answered(&text, property, &verdict, config).is_err())
        };
        let small = shrink(&program, &mut fails);
        panic!("seed {seed} of {profile:?}: {found}\n{config:?}\n{small}");
    }
    println!("{solved} of {tried} solved");
    // A comparison with an engine that never answers would be worth nothing.
    assert!(solved * 4 >= tried, "{solved} of {tried} solved");
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), Property::Reach, 50);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), Property::Reach, 30);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), Property::Reach, 20);
}

#[test]
fn of_programs_that_may_not_end() {
    compare(&Profile::blocking(), Property::Termination, 60);
}

#[test]
fn of_programs_that_end() {
    compare(&Profile::standard(), Property::Termination, 20);
}

/// The same program with reader-writer locks: every second lock is taken for reading.
fn with_readers(text: &str) -> String {
    let text = text.replace("pthread_mutex_t", "pthread_rwlock_t");
    let text = text.replace("pthread_mutex_unlock", "pthread_rwlock_unlock");
    let text = text.replace("PTHREAD_MUTEX_INITIALIZER", "PTHREAD_RWLOCK_INITIALIZER");
    let parts = text.split("pthread_mutex_lock").enumerate();
    let parts = parts.map(|(at, part)| match (at, at % 2) {
        (0, _) => part.to_owned(),
        (_, 0) => format!("pthread_rwlock_rdlock{part}"),
        _ => format!("pthread_rwlock_wrlock{part}"),
    });
    parts.collect()
}

#[test]
fn of_programs_with_readers() {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 60) * 30 / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let profile = Profile {
        deadlock_prone: true,
        ..Profile::standard()
    };
    let (mut compared, mut solved) = (0, 0);
    for seed in first..first + count {
        let text = with_readers(&generate(seed, &profile).to_string());
        for property in [Property::Reach, Property::Termination] {
            let Some(verdict) = explored(&text, property) else {
                continue;
            };
            match answered(&text, property, &verdict, &Config::default()) {
                Ok(answer) => solved += u64::from(answer),
                Err(found) => panic!("seed {seed}, {property}: {found}\n{text}"),
            }
            compared += 1;
        }
    }
    println!("{solved} of {compared} solved");
    assert!(solved * 2 >= compared, "{solved} of {compared} solved");
}
