//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_LIMIT_MS` how long each check may take.

use generator::{Profile, Program};
use horn::{Config, Index, Inference};
use testkit::{answered, budget, compare_with_exploration, judge_random, seeds, solved};
use verdict::{Property, Task, Verdict};

fn by_clauses(task: &Task, config: &Config) -> Verdict {
    horn::check(task, config, &budget(500))
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

fn solved_litmus(property: Property) -> usize {
    solved("litmus", property, |task| {
        by_clauses(task, &Config::default())
    })
}

#[test]
fn litmus() {
    assert!(solved_litmus(Property::Reach) >= 40);
}

#[test]
fn litmus_that_end() {
    assert!(solved_litmus(Property::Termination) >= 25);
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
    let programs = (profile, property);
    let (solved, tried) = compare_with_exploration(seeds(share), programs, &configs, by_clauses);
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
            let by_default = |task: &Task| by_clauses(task, &Config::default());
            answered(&text, property, by_default).map_err(|why| format!("{why}\n{text}"))
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
