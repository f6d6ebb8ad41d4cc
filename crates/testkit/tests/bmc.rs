//! Random programs: both encodings of bounded model checking, and both solvers of the first one,
//! agree with exploration.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use bmc::{Backend, Config, Encoding, Reduction};
use generator::{Extra, Profile, Program};
use std::time::Duration;
use testkit::{agrees, explored, judge_random, seeds};
use verdict::{Budget, Property, Task};
use xcfa::SourceFile;

fn task(program: &Program, property: Property) -> Task {
    let file = SourceFile::new("random.i", program.to_string());
    testkit::task(file, property).expect("random programs are supported")
}

/// A way to check, with its time limit.
struct Way {
    name: &'static str,
    config: Config,
    timeout: Duration,
    /// Only every so many programs are checked in this way.
    every: u64,
}

fn ways() -> Vec<Way> {
    let way = |name, config, millis, every| Way {
        name,
        config,
        timeout: Duration::from_millis(millis),
        every,
    };
    let scheduler = |reduction| Config {
        encoding: Encoding::Scheduler,
        reduction,
        ..Config::default()
    };
    let z3 = Config {
        backend: Backend::Z3,
        ..Config::default()
    };
    vec![
        way("ordering", Config::default(), 2000, 1),
        way("z3", z3, 300, 1),
        way("full", scheduler(Reduction::Full), 200, 2),
        way("simple", scheduler(Reduction::Simple), 200, 4),
        way("none", scheduler(Reduction::None), 200, 4),
    ]
}

/// How many definite answers each way has about a program; an error if one contradicts exploration.
fn judge(
    program: &Program,
    property: Property,
    seed: u64,
    ways: &[Way],
) -> Result<Vec<u64>, String> {
    let task = task(program, property);
    let reference = explored(&task, Duration::from_secs(10)).verdict;
    let answer = |way: &Way| {
        if !seed.is_multiple_of(way.every) {
            return Ok(0);
        }
        let budget = Budget::unlimited().with_timeout(way.timeout);
        let answer = bmc::check(&task, &way.config, &budget);
        let verdict = answer.confirm(&task).into_verdict();
        let definite = agrees(&reference, &verdict);
        definite.map_or_else(
            |why| Err(format!("{}: {why}", way.name)),
            |it| Ok(it.into()),
        )
    };
    ways.iter().map(answer).collect()
}

fn compare(profile: &Profile, property: Property, ways: &[Way], share: u64) {
    let judge = |seed, program: &Program| judge(program, property, seed, ways);
    let answers = judge_random(seeds(share), profile, judge);
    for (at, way) in ways.iter().enumerate() {
        let definite: u64 = answers.iter().map(|answers| answers[at]).sum();
        let all = answers.len() as u64 / way.every;
        println!("{}: {definite} of {all} definite", way.name);
        // Agreement means little if nothing is answered.
        assert!(4 * definite >= all, "{} answers too little", way.name);
    }
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), Property::Reach, &ways(), 40);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), Property::Reach, &ways(), 20);
}

#[test]
fn of_programs_whose_threads_meet_in_a_frame() {
    let profile = Profile {
        extras: vec![Extra::Frame],
        ..Profile::standard()
    };
    compare(&profile, Property::Reach, &ways(), 20);
}

#[test]
fn of_programs_that_deadlock() {
    let ordering = &ways()[..2];
    compare(&Profile::blocking(), Property::Deadlock, ordering, 40);
    compare(&Profile::standard(), Property::Deadlock, ordering, 20);
}

#[test]
fn of_programs_with_races() {
    let ordering = &ways()[..1];
    compare(&Profile::standard(), Property::Race, ordering, 40);
    compare(&Profile::blocking(), Property::Race, ordering, 20);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), Property::Reach, &ways(), 20);
}

#[test]
fn of_programs_without_threads() {
    compare(&Profile::sequential(), Property::Reach, &ways(), 20);
}
