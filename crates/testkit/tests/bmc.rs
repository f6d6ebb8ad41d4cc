//! Random programs: both encodings of bounded model checking, and both solvers of the first one,
//! agree with exploration.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use bmc::{Backend, Config, Encoding, Reduction};
use std::time::Duration;
use testkit::{Profile, Program, from_environment, generate, shrink, translate};
use verdict::{Budget, Property, Reason, Task, Verdict};
use xcfa::{ErrorKind, SourceFile};

fn task(program: &Program, property: Property) -> Task {
    let file = SourceFile::new("random.i", program.to_string());
    let xcfa = translate(file, property).expect("random programs are supported");
    let options = passes::Options {
        keep_loads: property == Property::Race,
        checked: Some(ErrorKind::Reached).filter(|_| property == Property::Reach),
        ..passes::Options::default()
    };
    let xcfa = passes::prepare(xcfa, &options).expect("random programs are supported");
    Task { xcfa, property }
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

/// How the definite answers about a program differ from that of exploration, if they do; and how
/// many of them there were by each way.
fn disagreement(
    program: &Program,
    property: Property,
    seed: u64,
    ways: &[Way],
    definite: &mut [u64],
) -> Option<String> {
    let task = task(program, property);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
    let config = explore::Config::default();
    let explored = explore::check(&task, &config, &budget, &mut |_| {}).verdict;
    for (way, definite) in ways.iter().zip(definite) {
        if !seed.is_multiple_of(way.every) {
            continue;
        }
        let budget = Budget::unlimited().with_timeout(way.timeout);
        let verdict = bmc::check(&task, &way.config, &budget).verdict;
        match &verdict {
            Verdict::Unknown(Reason::NotReplayed(what)) => {
                return Some(format!("{}: {what}", way.name));
            }
            Verdict::Unknown(_) => continue,
            _ => *definite += 1,
        }
        let open = matches!(explored, Verdict::Unknown(_));
        if !open && explored.name() != verdict.name() {
            let (theirs, ours) = (explored.name(), verdict.name());
            return Some(format!("{property} is {theirs}, {} says {ours}", way.name));
        }
    }
    None
}

fn compare(profile: &Profile, properties: &[Property], ways: &[Way], share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut definite = vec![0; ways.len()];
    for seed in first..first + count {
        let program = generate(seed, profile);
        for &property in properties {
            let found = disagreement(&program, property, seed, ways, &mut definite);
            if let Some(found) = found {
                let mut ignored = vec![0; ways.len()];
                let mut fails = |program: &Program| {
                    disagreement(program, property, seed, ways, &mut ignored).is_some()
                };
                let small = shrink(&program, &mut fails);
                panic!("seed {seed} of {profile:?}\n{found}\nafter shrinking\n{small}");
            }
        }
    }
    for (way, &definite) in ways.iter().zip(&definite) {
        let all = count / way.every * properties.len() as u64;
        println!("{}: {definite} of {all} definite", way.name);
        // Agreement means little if nothing is answered.
        assert!(4 * definite >= all, "{} answers too little", way.name);
    }
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), &[Property::Reach], &ways(), 40);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), &[Property::Reach], &ways(), 20);
}

#[test]
fn of_programs_that_deadlock() {
    let ordering = &ways()[..2];
    compare(&Profile::blocking(), &[Property::Deadlock], ordering, 40);
    compare(&Profile::standard(), &[Property::Deadlock], ordering, 20);
}

#[test]
fn of_programs_with_races() {
    let ordering = &ways()[..1];
    compare(&Profile::standard(), &[Property::Race], ordering, 40);
    compare(&Profile::blocking(), &[Property::Race], ordering, 20);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), &[Property::Reach], &ways(), 20);
}

#[test]
fn of_programs_without_threads() {
    compare(&Profile::sequential(), &[Property::Reach], &ways(), 20);
}
