//! Random programs: every strategy of abstract matching agrees with exploration.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use matching::{Config, Search, Strategy};
use std::time::Duration;
use testkit::{Profile, Program, Start, from_environment, generate, shrink, translate};
use verdict::{Answer, Budget, Property, Reason, Task, Verdict};
use xcfa::{ErrorKind, ObjectKind, SourceFile};

/// Strategies, and whether they tell all concrete states apart in the end.
const STRATEGIES: [(Strategy, bool); 7] = [
    (Strategy::MinOnly, true),
    (Strategy::MinSet, true),
    (Strategy::MaxOverlap, true),
    (Strategy::RandomDfs, true),
    (Strategy::Amcs, false),
    (Strategy::AddAll, false),
    (Strategy::NoProver, false),
];

/// With and without reduction and symmetry, frugal or not, and in every order.
const WAYS: [(bool, bool, bool, Search); 4] = [
    (false, false, false, Search::Bfs),
    (true, false, true, Search::Dfs),
    (false, true, true, Search::Error),
    (true, true, false, Search::Bfs),
];

/// What was counted.
#[derive(Default)]
struct Tally {
    /// By strategy: how often it was asked about a program that exploration settles, and how often it
    /// settled it.
    settled: [(u64, u64); 7],
    /// By way: the states of safe programs, all strategies that compare values together.
    states: [u64; 4],
}

/// Larger programs are left out.
const MOST_STATES: u64 = 3000;

/// Weakest preconditions need not come to an end, and mostly do not soon.
const SLOW_MILLIS: u64 = 40;

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

fn states(answer: &Answer) -> Option<u64> {
    let found = answer.stats.get("abstract states");
    found.or(answer.stats.get("concrete states"))
}

/// What is wrong with an answer, given that of exploration. `same` says that every state of
/// exploration is one state here.
fn wrong(explored: &Answer, answer: &Answer, same: bool) -> Option<String> {
    match (&explored.verdict, &answer.verdict) {
        (_, Verdict::Unknown(Reason::NotReplayed(what))) => Some(what.clone()),
        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => None,
        (theirs, ours) if theirs.name() != ours.name() => {
            Some(format!("{} and not {}", ours.name(), theirs.name()))
        }
        (Verdict::Safe(_), _) => {
            let all = explored.stats.get("states");
            let found = states(answer);
            // Reduction, symmetry and names only leave states out.
            let fine = if same { all == found } else { found <= all };
            (!fine).then(|| format!("{found:?} of {all:?} states"))
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
    if explored.stats.get("states") > Some(MOST_STATES) {
        return None;
    }
    let ways = STRATEGIES.iter().enumerate();
    for (at, &(strategy, exact)) in ways {
        for (turn, (por, symmetry, frugal, search)) in WAYS.into_iter().enumerate() {
            // The slow ones go one way a program.
            if !exact && seed as usize % WAYS.len() != turn {
                continue;
            }
            let config = Config {
                strategy,
                seed,
                por,
                symmetry,
                frugal,
                search,
            };
            let millis = if exact { 300 } else { SLOW_MILLIS };
            let budget = Budget::unlimited().with_timeout(Duration::from_millis(millis));
            let answer = matching::check(&task, &config, &budget);
            let same = exact && !por && !symmetry && !has_names(&task);
            if let Some(wrong) = wrong(&explored, &answer, same) {
                return Some(format!("{property} by {config:?}: {wrong}"));
            }
            let settled = |answer: &Answer| u64::from(answer.verdict.name() != "unknown");
            tally.settled[at].0 += settled(&explored);
            tally.settled[at].1 += settled(&explored) * settled(&answer);
            if let (Some(states), "safe") = (states(&answer), answer.verdict.name()) {
                tally.states[turn] += states * u64::from(exact);
            }
        }
    }
    None
}

/// Can states differ only in the addresses of heap objects, or in what nobody reads?
fn has_names(task: &Task) -> bool {
    let mut objects = task.xcfa.objects.iter();
    objects.any(|object| !matches!(object.kind, ObjectKind::Function(_) | ObjectKind::Stack))
}

/// All threads run the same code with the same argument, and nobody waits for one of them.
fn twins(mut program: Program) -> Program {
    if let Some(first) = program.starts.first().cloned() {
        let alike = Start {
            joined: false,
            ..first
        };
        program.starts = vec![alike; program.starts.len().max(2)];
    }
    program
}

fn compare(profile: &Profile, properties: &[Property], share: u64) {
    compare_changed(profile, properties, share, |program| program);
}

fn compare_changed(
    profile: &Profile,
    properties: &[Property],
    share: u64,
    change: fn(Program) -> Program,
) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let program = change(generate(seed, profile));
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
    println!("states, by way: {:?}", tally.states);
    let [plain, reduced, renamed, both] = tally.states;
    // Agreement means little if nothing is left out.
    let threads = profile.max_threads > 0;
    assert!(!threads || (reduced < plain && both < plain && renamed <= plain));
    for ((strategy, exact), (asked, settled)) in STRATEGIES.into_iter().zip(tally.settled) {
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
    compare(&Profile::standard(), &[Property::Reach], 30);
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
    compare(&Profile::sequential(), &[Property::Reach], 10);
}

#[test]
fn of_programs_with_threads_that_are_alike() {
    let properties = [Property::Reach, Property::Race, Property::Deadlock];
    compare_changed(&Profile::standard(), &properties, 20, twins);
}
