//! One program after the other.

use crate::case::Case;
use crate::contest::{Answers, Contest, Trouble};
use crate::contestant::Contestant;
use crate::draw;
use crate::native::Judge;
use crate::reduce::reduce;
use crate::source::{self, Made, Original};
use crate::summary::Summary;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use testkit::Rng;
use verdict::Property;

/// Half of the questions are about assertions, because most engines answer them.
const PROPERTIES: [Property; 10] = [
    Property::Reach,
    Property::Reach,
    Property::Reach,
    Property::Reach,
    Property::Overflow,
    Property::Overflow,
    Property::Race,
    Property::Deadlock,
    Property::MemSafety,
    Property::Termination,
];

/// So many are asked beside the reference.
const OTHERS: usize = 3;

/// So many of a hundred programs that can be compiled are.
const COMPILED: usize = 40;

/// So long a program is made smaller at most.
const SHRINKING: Duration = Duration::from_secs(240);

/// What to do.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The number of the first program.
    pub seed: u64,
    /// At most so many programs.
    pub programs: u64,
    /// At most so long.
    pub time: Option<Duration>,
    /// Time for each engine.
    pub limit: Duration,
    /// How many programs at a time.
    pub jobs: usize,
    /// The command that `auto` stands for.
    pub command: Option<PathBuf>,
    /// Programs that are changed, instead of random ones.
    pub originals: Vec<Original>,
}

/// How it ended.
#[derive(Debug)]
pub enum Finding {
    /// Nothing was wrong.
    Nothing,
    /// Something was: the seed, what, and the smallest program found that still shows it.
    Trouble {
        /// The number of the program.
        seed: u64,
        /// The file that was changed.
        origin: Option<PathBuf>,
        /// What is wrong.
        trouble: Trouble,
        /// The property.
        property: Property,
        /// The program.
        text: String,
    },
}

struct Running {
    seed: u64,
    made: Made,
    case: Case,
    contest: Contest,
}

impl Campaign {
    /// Runs until something is found, the end, or a stop; `watch` sees the counts after each
    /// program.
    pub fn run(&self, stop: &AtomicBool, watch: &mut dyn FnMut(&Summary)) -> (Summary, Finding) {
        let started = Instant::now();
        let judge = Judge::new().map(Rc::new);
        let mut summary = Summary::default();
        let mut running: Vec<Running> = Vec::new();
        let mut next = self.seed;
        let last = self.seed.saturating_add(self.programs);
        loop {
            summary.time = started.elapsed();
            let over = next >= last || self.time.is_some_and(|time| summary.time >= time);
            if stop.load(Ordering::Relaxed) || over && running.is_empty() {
                return (summary, Finding::Nothing);
            }
            while !over && running.len() < self.jobs.max(1) && next < last {
                running.extend(self.start(next, judge.as_ref()));
                next += 1;
            }
            let Some(at) = running
                .iter_mut()
                .position(|running| running.contest.look())
            else {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            let done = running.remove(at);
            let answers = done.contest.finish();
            summary.add(&done.case.text, done.case.property.name(), &answers);
            if let Some((_, changes)) = &done.made.origin {
                summary.changed(done.seed, changes, &answers);
            }
            watch(&summary);
            if let Some(trouble) = answers.trouble {
                drop(running);
                let finding = Finding::Trouble {
                    seed: done.seed,
                    origin: done.made.origin.as_ref().map(|(path, _)| path.clone()),
                    property: done.case.property,
                    text: smallest(&done.made, &done.case, &trouble),
                    trouble,
                };
                return (summary, finding);
            }
        }
    }

    fn start(&self, seed: u64, judge: Option<&Rc<Judge>>) -> Option<Running> {
        let mut rng = Rng::new(seed ^ 0x5eed_f00d);
        let property = rng.pick(&PROPERTIES);
        let made = match self.originals.is_empty() {
            true => source::random(seed, property, &mut rng),
            false => source::mutated(&self.originals, &mut rng),
        };
        let mut contestants = vec![Contestant::reference()];
        let command = self.command.as_deref();
        contestants.extend(draw::contestants(&mut rng, property, OTHERS, command));
        let judged = rng.chance(COMPILED)
            && property == Property::Reach
            && made.compiles
            && Judge::can_judge(&made.text);
        let case = Case {
            text: made.text.clone(),
            include: made.include.clone(),
            property,
            contestants,
            judge: judge.filter(|_| judged).cloned(),
            valid: made.tree.is_some(),
            limit: self.limit,
        };
        let contest = case.start().ok()?;
        Some(Running {
            seed,
            made,
            case,
            contest,
        })
    }
}

/// The smallest program found in time that shows trouble of the same kind.
fn smallest(made: &Made, case: &Case, trouble: &Trouble) -> String {
    let started = Instant::now();
    let same = |found: &Trouble| std::mem::discriminant(found) == std::mem::discriminant(trouble);
    let still_fails = |text: String| {
        let case = Case {
            text,
            ..case.clone()
        };
        started.elapsed() < SHRINKING && answers(&case).trouble.as_ref().is_some_and(same)
    };
    match &made.tree {
        Some(tree) => testkit::shrink(tree, &mut |tree| still_fails(tree.to_string())).to_string(),
        None => reduce(&made.text, &|text| still_fails(text.to_owned())),
    }
}

/// What everybody says about a case.
fn answers(case: &Case) -> Answers {
    let Ok(mut contest) = case.start() else {
        return Answers::default();
    };
    while !contest.look() {
        std::thread::sleep(Duration::from_millis(1));
    }
    contest.finish()
}
