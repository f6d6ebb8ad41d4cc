//! One program after the other.

use crate::contest::{Answers, Case, Contest, Trouble};
use crate::native;
use crate::summary::Summary;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use testkit::{Inputs, Profile, Program, Rng, generate};
use verdict::Property;

const PROPERTIES: [Property; 6] = [
    Property::Reach,
    Property::Race,
    Property::Deadlock,
    Property::Overflow,
    Property::MemSafety,
    Property::Termination,
];

/// Every so many programs, one is compiled.
const COMPILED: u64 = 8;

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
    program: Program,
    case: Case,
    contest: Contest,
}

impl Campaign {
    /// Runs until something is found, the end, or a stop; `watch` sees the counts after each
    /// program.
    pub fn run(&self, stop: &AtomicBool, watch: &mut dyn FnMut(&Summary)) -> (Summary, Finding) {
        let started = Instant::now();
        let mut summary = Summary::default();
        let mut running: Vec<Running> = Vec::new();
        let mut next = self.seed;
        let last = self.seed.saturating_add(self.programs);
        loop {
            let over = stop.load(Ordering::Relaxed)
                || next >= last
                || self.time.is_some_and(|time| started.elapsed() >= time);
            if over && running.is_empty() {
                return (summary, Finding::Nothing);
            }
            while !over && running.len() < self.jobs.max(1) && next < last {
                if let Some(contest) = self.start(next) {
                    running.push(contest);
                }
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
            let (seed, program, case) = (done.seed, done.program, done.case);
            let mut answers = done.contest.finish();
            self.count(&mut summary, &case, &answers);
            if answers.trouble.is_none() && seed.is_multiple_of(COMPILED) {
                compile(&mut summary, &case, &mut answers);
            }
            watch(&summary);
            if let Some(trouble) = answers.trouble {
                drop(running);
                let text = smallest(&program, &case, &trouble);
                let property = case.property;
                let finding = Finding::Trouble {
                    seed,
                    trouble,
                    property,
                    text,
                };
                return (summary, finding);
            }
        }
    }

    fn start(&self, seed: u64) -> Option<Running> {
        let mut rng = Rng::new(seed ^ 0x5eed_f00d);
        let program = generate(seed, &profile(&mut rng));
        let property = rng.pick(&PROPERTIES);
        let case = Case {
            text: program.to_string(),
            property,
            chosen: Case::choose(&mut rng, property, 4),
            limit: self.limit,
        };
        let contest = case.start().ok()?;
        Some(Running {
            seed,
            program,
            case,
            contest,
        })
    }

    fn count(&self, summary: &mut Summary, case: &Case, answers: &Answers) {
        summary.look_at(&case.text, case.property.name());
        for (name, said) in &answers.given {
            summary.hear(name, said);
        }
    }
}

/// Any kind of program.
fn profile(rng: &mut Rng) -> Profile {
    let mut profile = match rng.below(3) {
        0 => Profile::blocking(),
        1 => Profile::with_inputs(),
        _ => Profile::standard(),
    };
    if rng.below(8) == 0 {
        profile.inputs = Inputs::Any;
    }
    profile
}

/// Lets the compiler judge: nobody may say *safe* about a program that fails when it is run.
fn compile(summary: &mut Summary, case: &Case, answers: &mut Answers) {
    if case.property != Property::Reach || !native::can_judge(&case.text) {
        return;
    }
    let Some(reached) = native::reaches_error(&case.text, 20) else {
        return;
    };
    summary.compiled += 1;
    let safe = answers.given.iter().find(|(_, said)| said == "safe");
    if let (true, Some((name, _))) = (reached, safe) {
        answers.trouble = Some(Trouble::Contradiction {
            safe: name.clone(),
            unsafe_: "the compiled program".into(),
        });
    }
}

/// The smallest program found that shows trouble of the same kind.
fn smallest(program: &Program, case: &Case, trouble: &Trouble) -> String {
    let same = |found: &Trouble| std::mem::discriminant(found) == std::mem::discriminant(trouble);
    let compiled =
        matches!(trouble, Trouble::Contradiction { unsafe_, .. } if unsafe_.contains("compiled"));
    let mut still_fails = |smaller: &Program| {
        let case = Case {
            text: smaller.to_string(),
            ..case.clone()
        };
        let Ok(mut contest) = case.start() else {
            return false;
        };
        while !contest.look() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut answers = contest.finish();
        if compiled && answers.trouble.is_none() {
            compile(&mut Summary::default(), &case, &mut answers);
        }
        answers.trouble.as_ref().is_some_and(same)
    };
    testkit::shrink(program, &mut still_fails).to_string()
}
