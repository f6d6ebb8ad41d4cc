//! One program, one property, and those who are asked.

use crate::contest::{COMPILED, Contest, NOT_REPLAYED};
use crate::contestant::{Contestant, Said};
use crate::native::Judge;
use evidence::Claim;
use process::Fork;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};
use testkit::Preparation;
use verdict::{Budget, Property, Reason, Task, Verdict};
use xcfa::SourceFile;

/// How often a compiled program is run.
const RUNS: u32 = 60;

/// A program, what is asked about it, and by whom it is answered.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text, which may still have to be preprocessed.
    pub text: String,
    /// Where its own headers are.
    pub include: Option<PathBuf>,
    /// What is asked.
    pub property: Property,
    /// Who is asked; the reference always comes first.
    pub contestants: Vec<Contestant>,
    /// The compiler, if it is to judge as well.
    pub judge: Option<Rc<Judge>>,
    /// Is every access valid by construction? Otherwise a compiled run proves something only if
    /// exploration says so.
    pub valid: bool,
    /// Time for each.
    pub limit: Duration,
}

impl Case {
    /// Starts to ask everybody, in a process of its own.
    pub fn start(&self) -> std::io::Result<Contest> {
        let fork = Fork::start(|pipe| {
            let mut tell = |line: String| {
                let _ = pipe.write_all((line + "\n").as_bytes());
            };
            std::panic::set_hook(Box::new(|_| ()));
            self.answer(&mut tell);
            0
        })?;
        let many = 2 * self.contestants.len() as u32;
        let until = Instant::now() + self.limit * many * 3 + Duration::from_secs(20);
        Ok(Contest::new(fork, until))
    }

    /// Asks everybody, one after the other, and tells what they say.
    fn answer(&self, tell: &mut dyn FnMut(String)) {
        tell("begin\tthe front end".into());
        let text = match self.needs_preprocessor() {
            true => preprocessed(&self.text, self.include.as_deref()),
            false => Some(self.text.clone()),
        };
        let file = text.clone().map(|text| SourceFile::new("program.c", text));
        let task = |preparation| {
            let file = file.clone().ok_or("cannot be preprocessed")?;
            testkit::prepared(file, self.property, preparation)
        };
        let (Ok(usual), Some(text)) = (task(Preparation::Full), &text) else {
            tell("refused".into());
            return;
        };
        for contestant in &self.contestants {
            tell(format!("begin\t{}", contestant.name()));
            let other = match contestant.preparation {
                Preparation::Full => None,
                preparation => task(preparation).ok(),
            };
            tell(self.ask(other.as_ref().unwrap_or(&usual), text, contestant));
        }
        if let Some(judge) = &self.judge {
            tell(format!("begin\t{COMPILED}"));
            let found = judge.reaches_error(&self.text, self.include.as_deref(), RUNS);
            match found {
                Some(true) if self.valid || self.is_valid(&file) => {
                    tell(format!("said\t{COMPILED}\tunsafe"));
                }
                Some(_) => tell(format!("said\t{COMPILED}\tunknown")),
                None => tell("skipped".into()),
            }
        }
    }

    /// Does exploration prove that every access is valid?
    fn is_valid(&self, file: &Option<SourceFile>) -> bool {
        let task = file
            .clone()
            .map(|file| testkit::task(file, Property::MemSafety));
        let Some(Ok(task)) = task else {
            return false;
        };
        let budget = Budget::unlimited().with_timeout(self.limit * 2);
        let answer = explore::check(&task, &explore::Config::default(), &budget, &mut |_| ());
        matches!(answer.verdict, Verdict::Safe(_))
    }

    fn needs_preprocessor(&self) -> bool {
        self.text.lines().any(|line| {
            let line = line.trim_start();
            ["#include", "#define", "#if"]
                .iter()
                .any(|word| line.starts_with(word))
        })
    }

    /// One contestant's answer as a line; `text` needs no headers any more.
    fn ask(&self, task: &Task, text: &str, contestant: &Contestant) -> String {
        let name = contestant.name();
        let budget = || {
            Budget::unlimited()
                .with_timeout(self.limit)
                .with_memory(1 << 30)
        };
        if lies(contestant.engine) {
            return format!("said\t{name}\tsafe");
        }
        let answer = match contestant.ask(task, text, &budget(), self.limit) {
            Said::Answer(answer) => answer,
            Said::Word(word) => return format!("said\t{name}\t{word}"),
            Said::Crash(how) => return format!("broken\t{name}: {}", one_line(&how)),
        };
        let claim = match &answer.verdict {
            Verdict::Unsafe(trace) => Claim::Unsafe(trace),
            // Refutations go to files, which nobody writes here.
            Verdict::Safe(verdict::Proof::CompleteUnrolling { .. }) => {
                return format!("said\t{name}\tsafe");
            }
            Verdict::Safe(proof) => Claim::Safe(proof, None),
            // Engines may see violations behind what is undefined, where the machine stops.
            Verdict::Unknown(Reason::NotReplayed(_)) if !self.valid => {
                return format!("said\t{name}\t{NOT_REPLAYED}");
            }
            Verdict::Unknown(reason @ (Reason::NotReplayed(_) | Reason::NotProved(_))) => {
                return format!("broken\t{name}: {}", one_line(&reason.to_string()));
            }
            Verdict::Unknown(_) => return format!("said\t{name}\tunknown"),
        };
        let checking = budget();
        let word = answer.verdict.name();
        match evidence::verify(task, &claim, &checking) {
            Err(why) if checking.exceeded(0).is_none() && !is_about_time(&why) => {
                format!("evidence\t{name} says {word}: {}", one_line(&why))
            }
            _ => format!("said\t{name}\t{word}"),
        }
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\t'], " ")
}

/// What the system's preprocessor makes of a text.
fn preprocessed(text: &str, include: Option<&Path>) -> Option<String> {
    let file = tempfile::Builder::new().suffix(".c").tempfile().ok()?;
    std::fs::write(file.path(), text).ok()?;
    let mut cc = Command::new("cc");
    cc.args(["-E", "-std=gnu11"]);
    if let Some(folder) = include {
        cc.arg("-I").arg(folder);
    }
    let output = cc.arg(file.path()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
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
