//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_LIMIT_MS` how long each check may take.

use bench::Expectations;
use generator::{Profile, Program};
use horn::{Config, Index, Inference};
use std::time::Duration;
use testkit::{agrees, from_environment, judge_random, preprocess, seeds, task};
use verdict::{Budget, Property, Task, Verdict};
use xcfa::SourceFile;

fn by_clauses(task: &Task, config: &Config) -> Verdict {
    let limit = Duration::from_millis(from_environment("MAZURKA_LIMIT_MS", 1000));
    let budget = Budget::unlimited().with_timeout(limit);
    horn::check(task, config, &budget)
        .confirm(task)
        .into_verdict()
}

fn config(reduction: bool, index: Index) -> Config {
    Config {
        reduction,
        index,
        ..Config::default()
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

/// No litmus program gets a wrong verdict, and at least this many get the right one.
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
            Verdict::Unknown(reason) if reason.is_fault() => {
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

/// Is the engine's answer about a program definite? `None` if the program is refused; an error if
/// the answer contradicts exploration.
fn answered(text: &str, property: Property, config: &Config) -> Result<Option<bool>, String> {
    let Ok(task) = task(SourceFile::new("random.i", text), property) else {
        return Ok(None);
    };
    let explored = testkit::explored(&task, Duration::from_secs(10));
    let answer = agrees(&explored.verdict, &by_clauses(&task, config));
    let shown = |why| format!("{property}, {config:?}: {why}\n{text}");
    answer.map(Some).map_err(shown)
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, property: Property, share: u64) {
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
    let judge = |seed: u64, program: &Program| {
        let config = &configs[(seed % 5) as usize];
        answered(&program.to_string(), property, config)
    };
    let answers = judge_random(seeds(share), profile, judge);
    let tried = answers.iter().flatten().count();
    let solved = answers.iter().flatten().filter(|&&solved| solved).count();
    println!("{solved} of {tried} solved");
    // A comparison with an engine that never answers would be worth nothing.
    assert!(solved * 4 >= tried, "{solved} of {tried} solved");
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), Property::Reach, 10);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), Property::Reach, 6);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), Property::Reach, 4);
}

#[test]
fn of_programs_that_may_not_end() {
    compare(&Profile::blocking(), Property::Termination, 12);
}

#[test]
fn of_programs_that_end() {
    compare(&Profile::standard(), Property::Termination, 4);
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
    let profile = Profile {
        deadlock_prone: true,
        ..Profile::standard()
    };
    let (mut compared, mut solved) = (0, 0);
    for property in [Property::Reach, Property::Termination] {
        let judge = |_, program: &Program| {
            let text = with_readers(&program.to_string());
            answered(&text, property, &Config::default())
        };
        for answer in judge_random(seeds(6), &profile, judge)
            .into_iter()
            .flatten()
        {
            compared += 1;
            solved += u32::from(answer);
        }
    }
    println!("{solved} of {compared} solved");
    assert!(solved * 2 >= compared, "{solved} of {compared} solved");
}
