//! One program after the other.

use crate::case::Case;
use crate::compile::is_tidy;
use crate::contest::{Answers, Contest, Trouble};
use crate::contestant::Contestant;
use crate::mix::Mix;
use crate::native::Judge;
use crate::reduce::reduce;
use crate::source::{self, Made, Original};
use crate::summary::Summary;
use crate::{draw, sanitize};
use generator::{Class, Oracle, Rng};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use verdict::Property;

/// Half of the questions are about assertions, because most engines answer them.
const PROPERTIES: [Property; 11] = [
    Property::Reach,
    Property::Reach,
    Property::Reach,
    Property::Reach,
    Property::Overflow,
    Property::Overflow,
    Property::Race,
    Property::Deadlock,
    Property::MEMSAFETY,
    Property::Termination,
    Property::Usage,
];

/// This many are asked beside the reference.
const OTHERS: usize = 3;

/// This many of a hundred programs that can be compiled are.
const COMPILED: usize = 40;

/// This many of a hundred programs that sanitizers can judge are given to them.
const SANITIZED: usize = 25;

/// How long a program is shrunk at most, if it is the only one.
const SHRINKING: Duration = Duration::from_secs(240);

/// How long each of several programs is shrunk.
const SHRINKING_EACH: Duration = Duration::from_secs(20);

/// What to do.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The number of the first program.
    pub seed: u64,
    /// At most this many programs.
    pub programs: u64,
    /// The time limit.
    pub time: Option<Duration>,
    /// Time for each engine.
    pub limit: Duration,
    /// How many programs at a time.
    pub jobs: usize,
    /// The command that `auto` stands for.
    pub command: Option<PathBuf>,
    /// Programs that are changed, instead of random ones.
    pub originals: Vec<Original>,
    /// What random programs are about.
    pub mix: Mix,
    /// It ends when this many are found.
    pub findings: usize,
}

/// Something that is wrong.
#[derive(Debug)]
pub struct Finding {
    /// The number of the program.
    pub seed: u64,
    /// The file that was changed.
    pub origin: Option<PathBuf>,
    /// What the program is about, if that is something special.
    pub class: Option<Class>,
    /// What is wrong.
    pub trouble: Trouble,
    /// The property.
    pub property: Property,
    /// The files of the smallest program found that still shows it.
    pub files: Vec<String>,
}

struct Running {
    seed: u64,
    made: Made,
    case: Case,
    contest: Contest,
}

impl Campaign {
    /// Runs until enough is found, the end, or a stop; `watch` sees the counts after each program
    /// and `report` what is found.
    pub fn run(
        &self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Summary),
        report: &mut dyn FnMut(Finding),
    ) -> Summary {
        let started = Instant::now();
        let judge = Judge::new().map(Rc::new);
        let mut summary = Summary::default();
        let mut running: Vec<Running> = Vec::new();
        let mut next = self.seed;
        let last = self.seed.saturating_add(self.programs);
        loop {
            summary.time = started.elapsed();
            let over = next >= last || self.time.is_some_and(|time| summary.time >= time);
            let enough = summary.findings >= self.findings as u64;
            if stop.load(Ordering::Relaxed) || enough || over && running.is_empty() {
                return summary;
            }
            while !over && running.len() < self.jobs.max(1) && next < last {
                running.extend(self.start(next, judge.as_ref()));
                next += 1;
            }
            let Some(at) = running
                .iter_mut()
                .position(|running| running.contest.poll())
            else {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            let done = running.remove(at);
            let answers = done.contest.finish();
            if answers.stopped {
                continue;
            }
            summary.add(&done.case, &answers);
            if let Some((_, changes)) = &done.made.origin {
                summary.changed(done.seed, changes, &answers);
            }
            watch(&summary);
            if let Some(trouble) = answers.trouble {
                summary.findings += 1;
                if summary.findings >= self.findings as u64 {
                    running.clear();
                }
                report(Finding {
                    seed: done.seed,
                    origin: done.made.origin.as_ref().map(|(path, _)| path.clone()),
                    class: done.case.class,
                    property: done.case.property,
                    files: self.smallest(&done.made, &done.case, &trouble),
                    trouble,
                });
            }
        }
    }

    fn start(&self, seed: u64, judge: Option<&Rc<Judge>>) -> Option<Running> {
        let mut rng = Rng::new(seed ^ 0x5eed_f00d);
        let mut property = rng.pick(&PROPERTIES);
        let class = self
            .mix
            .pick(&mut rng)
            .filter(|_| self.originals.is_empty());
        let made = match class {
            Some(class) => source::special(class, seed),
            None if self.originals.is_empty() => source::random(seed, property, &mut rng),
            None => source::mutated(&self.originals, &mut rng),
        };
        let mut oracle = Oracle::Runs;
        if let Some(hostile) = &made.hostile {
            (property, oracle) = (hostile.property, hostile.oracle);
        }
        let mut contestants = vec![Contestant::reference()];
        let command = self.command.as_deref();
        contestants.extend(draw::contestants(&mut rng, property, OTHERS, command));
        let judged = rng.chance(COMPILED)
            && property == Property::Reach
            && made.compiles
            && made.files.iter().all(|text| Judge::can_judge(text));
        let sanitized = rng.chance(SANITIZED)
            && sanitizable(&made)
            && sanitize::can_judge(&made.files, property);
        let case = Case {
            files: made.files.clone(),
            class,
            include: made.include.clone(),
            property,
            contestants,
            oracle,
            deny: rng.chance(50),
            judge: judge.filter(|_| judged).cloned(),
            sanitized,
            valid: made.tree.is_some() || class.is_some_and(is_valid),
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

    /// The smallest program found in time that shows trouble of the same kind.
    fn smallest(&self, made: &Made, case: &Case, trouble: &Trouble) -> Vec<String> {
        let started = Instant::now();
        let time = match self.findings {
            0 | 1 => SHRINKING,
            _ => SHRINKING_EACH,
        };
        let concerned = case.concerning(trouble);
        let is_in_time = || started.elapsed() < time;
        let fails = |files: Vec<String>, valid: bool| {
            let case = Case {
                files,
                valid: concerned.valid && valid,
                ..concerned.clone()
            };
            let is_same = |found: &Trouble| found.is_like(trouble);
            is_in_time() && answers(&case).trouble.as_ref().is_some_and(is_same)
        };
        let still_fails = |files: Vec<String>| fails(files, true);
        let files = match (&made.tree, &made.hostile) {
            (Some(tree), _) => {
                let small =
                    generator::shrink(tree, &mut |tree| still_fails(vec![tree.to_string()]));
                vec![small.to_string()]
            }
            (None, Some(hostile)) => {
                let small = hostile
                    .source
                    .shrink(&mut |source| still_fails(source.texts()));
                match case.oracle {
                    // A text that is cut up is another program: its maker knows nothing of it.
                    Oracle::Known(_) => small.texts(),
                    _ => reduce_all(small.texts(), &|files| {
                        is_in_time() && is_tidy(&files) && fails(files, false)
                    }),
                }
            }
            (None, None) => reduce_all(made.files.clone(), &still_fails),
        };
        Case {
            files,
            ..case.clone()
        }
        .complete()
    }
}

/// Each file made smaller, one after the other.
fn reduce_all(mut files: Vec<String>, still_fails: &dyn Fn(Vec<String>) -> bool) -> Vec<String> {
    for at in 0..files.len() {
        let with = |text: &str| {
            let mut files = files.clone();
            files[at] = text.to_owned();
            files
        };
        files[at] = reduce(&files[at], &|text| still_fails(with(text)));
    }
    files
}

/// Do programs of this class replay, because they use no memory that is not there?
fn is_valid(class: Class) -> bool {
    matches!(
        class,
        Class::Unlocks | Class::Attributes | Class::Files | Class::Library
    )
}

/// May sanitizers judge? They know another story about unlocks that do not match, and nothing about
/// changed programs, which may be undefined.
fn sanitizable(made: &Made) -> bool {
    match &made.hostile {
        Some(hostile) => matches!(hostile.class, Class::Spinning | Class::Sizes),
        None => made.tree.is_some(),
    }
}

/// What all participants say about a case.
fn answers(case: &Case) -> Answers {
    let Ok(mut contest) = case.start() else {
        return Answers::default();
    };
    while !contest.poll() {
        std::thread::sleep(Duration::from_millis(1));
    }
    contest.finish()
}
