//! Stateless exploration runs every class of equivalent executions, and `optimal` runs it once.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where the
//! seeds start.

mod classes;
mod counts;
mod litmus;
mod numbers;
mod prediction;
mod pruning;
mod verdicts;

use fusion::{Config, Dpor};
use generator::Profile;
use std::time::Duration;
use verdict::{Answer, Budget, Property, Task};
use xcfa::SourceFile;

const TIMEOUT: Duration = Duration::from_secs(60);

fn task(text: &str, property: Property) -> Task {
    task_of(SourceFile::new("random.i", text), property)
}

fn task_of(file: SourceFile, property: Property) -> Task {
    testkit::task(file, property).expect("a program that is supported")
}

fn explore(task: &Task, dpor: Dpor) -> Answer {
    explore_together(task, dpor, 1)
}

/// How many executions are run, with how many that were redundant, by this many workers.
fn count(task: &Task, dpor: Dpor, jobs: usize) -> (&'static str, u64, u64) {
    let budget = Budget::unlimited().with_timeout(TIMEOUT);
    let config = Config {
        dpor,
        jobs,
        check: false,
        ..Config::default()
    };
    let answer = fusion::check(task, &config, &budget)
        .confirm(task)
        .into_answer();
    let figure = |name| answer.stats.get(name).unwrap_or_default();
    let blocked = figure("blocked executions");
    (answer.verdict.name(), figure("executions"), blocked)
}

fn explore_together(task: &Task, dpor: Dpor, jobs: usize) -> Answer {
    let budget = Budget::unlimited().with_timeout(TIMEOUT);
    let config = Config {
        dpor,
        jobs,
        ..Config::default()
    };
    fusion::check(task, &config, &budget)
        .confirm(task)
        .into_answer()
}

/// Programs small enough that their prefixes can be listed.
fn small() -> Profile {
    Profile {
        statements: 2,
        ..Profile::standard()
    }
}
