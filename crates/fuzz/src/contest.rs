//! One program, one property, several answers.

use crate::contestants::{CONTESTANTS, Contestant, REFERENCE};
use evidence::Claim;
use process::{Ended, Fork};
use std::io::Write;
use std::time::{Duration, Instant};
use testkit::Rng;
use verdict::{Budget, Property, Reason, Task, Verdict};
use xcfa::SourceFile;

/// A program, what is asked about it, and by whom it is answered.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text.
    pub text: String,
    /// What is asked.
    pub property: Property,
    /// Numbers into the list of contestants; the reference always takes part.
    pub chosen: Vec<usize>,
    /// Time for each.
    pub limit: Duration,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// One says *safe*, one *unsafe*.
    Contradiction {
        /// Who says *safe*.
        safe: String,
        /// Who says *unsafe*.
        unsafe_: String,
    },
    /// Evidence that does not stand up.
    Evidence(String),
    /// A contestant crashed, hangs, or says itself that something is wrong with it.
    Failure(String),
}

/// What the contestants said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// By contestant: `safe`, `unsafe` or `unknown`.
    pub given: Vec<(String, String)>,
    /// What is wrong, if anything.
    pub trouble: Option<Trouble>,
}

impl Case {
    /// Some contestants for the property, at random.
    pub fn choose(rng: &mut Rng, property: Property, most: usize) -> Vec<usize> {
        let fitting = (0..CONTESTANTS.len()).filter(|&at| (CONTESTANTS[at].answers)(property));
        let mut fitting: Vec<usize> = fitting.collect();
        while fitting.len() > most {
            fitting.remove(rng.below(fitting.len()));
        }
        fitting
    }

    fn contestants(&self) -> impl Iterator<Item = &'static Contestant> + '_ {
        const FIRST: &Contestant = &REFERENCE;
        let chosen = self.chosen.iter().map(|&at| &CONTESTANTS[at]);
        std::iter::once(FIRST).chain(chosen)
    }

    /// Starts to ask everybody, in a process of its own.
    pub fn start(&self) -> std::io::Result<Contest> {
        let fork = Fork::start(|pipe| {
            let mut tell = |line: String| {
                let _ = pipe.write_all((line + "\n").as_bytes());
            };
            std::panic::set_hook(Box::new(|_| ()));
            let file = SourceFile::new("random.c", self.text.clone());
            let Ok(task) = testkit::task(file, self.property) else {
                tell("refused".into());
                return 0;
            };
            for contestant in self.contestants() {
                tell(format!("begin\t{}", contestant.name));
                tell(self.ask(&task, contestant));
            }
            0
        })?;
        let many = 2 * (self.chosen.len() as u32 + 1);
        Ok(Contest {
            fork,
            until: Instant::now() + self.limit * many * 3 + Duration::from_secs(20),
            at_work: String::new(),
            answers: Answers::default(),
        })
    }

    /// One contestant's answer as a line.
    fn ask(&self, task: &Task, contestant: &Contestant) -> String {
        let name = contestant.name;
        let budget = || {
            Budget::unlimited()
                .with_timeout(self.limit)
                .with_memory(1 << 30)
        };
        if lies(name) {
            return format!("said\t{name}\tsafe");
        }
        let verdict = (contestant.run)(task, &budget()).verdict;
        let claim = match &verdict {
            Verdict::Unsafe(trace) => Claim::Unsafe(trace),
            // Refutations go to files, which nobody writes here.
            Verdict::Safe(verdict::Proof::CompleteUnrolling { .. }) => {
                return format!("said\t{name}\tsafe");
            }
            Verdict::Safe(proof) => Claim::Safe(proof, None),
            Verdict::Unknown(reason @ (Reason::NotReplayed(_) | Reason::NotProved(_))) => {
                return format!("broken\t{name}: {reason}");
            }
            Verdict::Unknown(_) => return format!("said\t{name}\tunknown"),
        };
        let checking = budget();
        match evidence::verify(task, &claim, &checking) {
            Err(why) if checking.exceeded(0).is_none() && !is_about_time(&why) => {
                format!("evidence\t{name} says {}: {why}", verdict.name())
            }
            _ => format!("said\t{name}\t{}", verdict.name()),
        }
    }
}

/// For tests of our own only: `MAZURKA_LIAR=bmc` makes a contestant call everything safe, and
/// `MAZURKA_LIAR=crash` makes all of them crash.
#[cfg(debug_assertions)]
fn lies(name: &str) -> bool {
    let liar = std::env::var("MAZURKA_LIAR").unwrap_or_default();
    if liar == "crash" {
        std::process::abort();
    }
    liar == name
}

#[cfg(not(debug_assertions))]
fn lies(_: &str) -> bool {
    false
}

/// A check that was cut short says nothing.
fn is_about_time(why: &str) -> bool {
    ["out of time", "out of memory", "gave up", "no other engine"]
        .iter()
        .any(|part| why.contains(part))
}

/// A contest under way.
pub struct Contest {
    fork: Fork,
    until: Instant,
    at_work: String,
    answers: Answers,
}

impl Contest {
    /// Takes what has come; is it over?
    pub fn look(&mut self) -> bool {
        let ended = self.fork.has_ended();
        for line in self.fork.lines() {
            self.hear(&line);
        }
        ended || self.answers.trouble.is_some() || Instant::now() > self.until
    }

    fn hear(&mut self, line: &str) {
        let mut words = line.split('\t');
        let (kind, name) = (words.next(), words.next().unwrap_or("").to_owned());
        match kind {
            Some("begin") => self.at_work = name,
            Some("said") => {
                let said = words.next().unwrap_or("unknown").to_owned();
                self.at_work.clear();
                self.answers.given.push((name, said));
                self.compare();
            }
            Some("evidence") => self.answers.trouble = Some(Trouble::Evidence(name)),
            Some("broken") => self.answers.trouble = Some(Trouble::Failure(name)),
            _ => {}
        }
    }

    fn compare(&mut self) {
        let who = |word: &str| {
            let mut given = self.answers.given.iter();
            given
                .find(|(_, said)| said == word)
                .map(|(name, _)| name.clone())
        };
        if let (Some(safe), Some(unsafe_)) = (who("safe"), who("unsafe")) {
            self.answers.trouble = Some(Trouble::Contradiction { safe, unsafe_ });
        }
    }

    /// The answers, with a crash or a hang as trouble.
    pub fn finish(self) -> Answers {
        let mut answers = self.answers;
        let late = Instant::now() > self.until;
        let (ended, _) = self.fork.kill(Ended::OutOfTime);
        if answers.trouble.is_none() && (late || ended != Ended::Exit(0)) {
            let how = match ended {
                Ended::Signal(signal) => format!("killed by signal {signal}"),
                Ended::Exit(status) => format!("ended with status {status}"),
                _ => "does not end".to_owned(),
            };
            answers.trouble = Some(Trouble::Failure(format!("{}: {how}", self.at_work)));
        }
        answers
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Contradiction { safe, unsafe_ } => {
                write!(f, "{safe} says safe, {unsafe_} says unsafe")
            }
            Trouble::Evidence(what) => write!(f, "evidence does not stand up: {what}"),
            Trouble::Failure(what) => write!(f, "{what}"),
        }
    }
}
