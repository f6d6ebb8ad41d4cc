//! Random programs: every strategy of abstract matching agrees with exploration.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use matching::{Config, Strategy};
use std::time::Duration;
use testkit::{Profile, Program, from_environment, generate, shrink, translate};
use verdict::{Answer, Budget, Property, Reason, Task, Verdict};
use xcfa::{ErrorKind, SourceFile};

/// Strategies, and whether they tell all concrete states apart in the end. Those that need not are
/// slow, so that only some programs are tried with them.
const STRATEGIES: [(Strategy, bool); 7] = [
    (Strategy::MinOnly, true),
    (Strategy::MinSet, true),
    (Strategy::MaxOverlap, true),
    (Strategy::RandomDfs, true),
    (Strategy::Amcs, false),
    (Strategy::AddAll, false),
    (Strategy::NoProver, false),
];
const EVERY: u64 = 6;

/// By strategy: how many programs it was asked about that exploration settles, and how many of them
/// it settles.
type Tally = [(u64, u64); 7];

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

/// What is wrong with an answer, given that of exploration.
fn wrong(explored: &Answer, answer: &Answer, exact: bool) -> Option<String> {
    match (&explored.verdict, &answer.verdict) {
        (_, Verdict::Unknown(Reason::NotReplayed(what))) => Some(what.clone()),
        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => None,
        (theirs, ours) if theirs.name() != ours.name() => {
            Some(format!("{} and not {}", ours.name(), theirs.name()))
        }
        // Each abstract state is one concrete state, and all of these are there.
        (Verdict::Safe(_), _) if exact => {
            let all = explored.stats.get("states");
            let found = answer.stats.get("abstract states");
            let found = found.or(answer.stats.get("concrete states"));
            (all != found).then(|| format!("{found:?} of {all:?} states"))
        }
        _ => None,
    }
}

fn disagreement(
    program: &Program,
    property: Property,
    seed: u64,
    tally: &mut Tally,
) -> Option<String> {
    let task = task(program, property);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
    let explored = explore::check(&task, &explore::Config::default(), &budget, &mut |_| {});
    if explored.stats.get("states") > Some(3000) {
        return None;
    }
    for (at, &(strategy, exact)) in STRATEGIES.iter().enumerate() {
        // Of races they can only find some, not that there are none.
        if !exact && (!seed.is_multiple_of(EVERY) || property == Property::Race) {
            continue;
        }
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(300));
        let answer = matching::check(&task, &Config { strategy, seed }, &budget);
        if let Some(wrong) = wrong(&explored, &answer, exact) {
            return Some(format!("{property} by {strategy:?}: {wrong}"));
        }
        let settled = |answer: &Answer| u64::from(answer.verdict.name() != "unknown");
        tally[at].0 += settled(&explored);
        tally[at].1 += settled(&explored) * settled(&answer);
    }
    None
}

fn compare(profile: &Profile, properties: &[Property], share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let program = generate(seed, profile);
        for &property in properties {
            let Some(found) = disagreement(&program, property, seed, &mut tally) else {
                continue;
            };
            let mut fails = |program: &Program| {
                disagreement(program, property, seed, &mut Tally::default()).is_some()
            };
            let small = shrink(&program, &mut fails);
            panic!("seed {seed} of {profile:?}\n{found}\nafter shrinking\n{small}");
        }
    }
    for ((strategy, exact), (asked, settled)) in STRATEGIES.into_iter().zip(tally) {
        println!("{strategy:?}: {settled} of {asked}");
        // Agreement means little if nothing is answered.
        let enough = if exact {
            4 * settled >= 3 * asked
        } else {
            asked == 0 || settled > 0
        };
        assert!(enough, "{strategy:?} settles too little");
    }
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), &[Property::Reach], 40);
}

#[test]
fn of_programs_that_block() {
    let properties = [Property::Reach, Property::Deadlock];
    compare(&Profile::blocking(), &properties, 20);
}

#[test]
fn of_programs_with_races() {
    compare(&Profile::standard(), &[Property::Race], 20);
}

#[test]
fn of_programs_without_threads() {
    compare(&Profile::sequential(), &[Property::Reach], 20);
}
