//! Random programs: every strategy of abstract matching agrees with exploration.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use generator::{Profile, Program, Start};
use matching::{Config, Search, Strategy};
use std::time::Duration;
use testkit::{agrees, explored, judge_random, seeds};
use verdict::{Answer, Budget, Property, Task, Verdict};
use xcfa::{ObjectKind, SourceFile};

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

impl Tally {
    fn add(&mut self, other: &Tally) {
        for (mine, theirs) in self.settled.iter_mut().zip(other.settled) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        for (mine, theirs) in self.states.iter_mut().zip(other.states) {
            *mine += theirs;
        }
    }
}

/// Larger programs are left out.
const MOST_STATES: u64 = 3000;

/// Weakest preconditions need not come to an end, and mostly do not soon.
const SLOW_MILLIS: u64 = 40;

fn task(program: &Program, property: Property) -> Task {
    let file = SourceFile::new("random.i", program.to_string());
    testkit::task(file, property).expect("random programs are supported")
}

fn states(answer: &Answer) -> Option<u64> {
    let found = answer.stats.get("abstract states");
    found.or(answer.stats.get("concrete states"))
}

/// Is an answer definite? It is wrong if it contradicts exploration, or visits other states. `same`
/// says that every state of exploration is one state here.
fn settles(explored: &Answer, answer: &Answer, same: bool) -> Result<bool, String> {
    let definite = agrees(&explored.verdict, &answer.verdict)?;
    if let (Verdict::Safe(_), Verdict::Safe(_)) = (&explored.verdict, &answer.verdict) {
        let all = explored.stats.get("states");
        let found = states(answer);
        // Reduction, symmetry and names only leave states out.
        let fine = if same { all == found } else { found <= all };
        if !fine {
            return Err(format!("{found:?} of {all:?} states"));
        }
    }
    Ok(definite)
}

fn judge(program: &Program, property: Property, seed: u64) -> Result<Tally, String> {
    let task = task(program, property);
    let mut tally = Tally::default();
    let explored = explored(&task, Duration::from_secs(5));
    if explored.stats.get("states") > Some(MOST_STATES) {
        return Ok(tally);
    }
    let is_settled = u64::from(explored.verdict.name() != "unknown");
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
                threshold: 1 + seed % 3,
            };
            let millis = if exact { 300 } else { SLOW_MILLIS };
            let budget = Budget::unlimited().with_timeout(Duration::from_millis(millis));
            let answer = matching::check(&task, &config, &budget)
                .confirm(&task)
                .into_answer();
            let same = exact && !por && !symmetry && !has_names(&task);
            let settles = settles(&explored, &answer, same);
            let settles = settles.map_err(|why| format!("{property} by {config:?}: {why}"))?;
            tally.settled[at].0 += is_settled;
            tally.settled[at].1 += is_settled * u64::from(settles);
            if let (Some(states), "safe") = (states(&answer), answer.verdict.name()) {
                tally.states[turn] += states * u64::from(exact);
            }
        }
    }
    Ok(tally)
}

/// Can states differ only in the addresses of heap objects, or in what is never read?
fn has_names(task: &Task) -> bool {
    let mut objects = task.xcfa.objects.iter();
    objects.any(|object| !matches!(object.kind, ObjectKind::Function(_) | ObjectKind::Stack))
}

/// All threads run the same code with the same argument, and no thread waits for one of them.
fn twins(program: &Program) -> Program {
    let mut program = program.clone();
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
    compare_changed(profile, properties, share, Program::clone);
}

fn compare_changed(
    profile: &Profile,
    properties: &[Property],
    share: u64,
    change: fn(&Program) -> Program,
) {
    let mut tally = Tally::default();
    for &property in properties {
        let judge = |seed, program: &Program| judge(&change(program), property, seed);
        for found in judge_random(seeds(share), profile, judge) {
            tally.add(&found);
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
