//! One program, one property, and the participants that are compared.

use crate::contest::{Contest, Trouble};
use crate::contestant::{Contestant, Said};
use crate::message::{Message, Who, Word};
use crate::native::Judge;
use crate::sanitize;
use crate::values::{self, Learnt};
use driver::{Claim, Reading, Registry};
use engine::Evidence;
use generator::{Class, Oracle};
use process::Fork;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;
use verdict::{Budget, Check, Preparation, Program, Property, Reason, Task, Verdict};
use xcfa::SourceFile;

/// How often a compiled program is run.
const RUNS: u32 = 60;

/// The name under which the author of a program gives its answer.
const MAKER: &str = "(by construction)";

/// What the compiled program is called among them.
const COMPILED: &str = "compiled";

/// What translates and prepares the program.
const FRONT_END: &str = "the front end";

/// A program, what is asked about it, and the contestants that answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The files, which may still have to be preprocessed.
    pub files: Vec<String>,
    /// What it is about, if that is something special.
    pub class: Option<Class>,
    /// Where its own headers are.
    pub include: Option<PathBuf>,
    /// What is asked.
    pub property: Property,
    /// The engines that run; the reference always comes first.
    pub contestants: Vec<Contestant>,
    /// What else is known about the program, besides the engines' answers.
    pub oracle: Oracle,
    /// Is the last of the values that are learnt denied?
    pub deny: bool,
    /// The compiler, if it is to judge as well.
    pub judge: Option<Rc<Judge>>,
    /// Are the compiler's sanitizers to judge?
    pub sanitized: bool,
    /// Is every access valid by construction? If not, a compiled run needs exploration to confirm
    /// it.
    pub valid: bool,
    /// Time for each.
    pub limit: Duration,
}

impl Case {
    /// Starts to run all participants, in a separate process.
    pub fn start(&self) -> std::io::Result<Contest> {
        let fork = Fork::start(|pipe| {
            let mut tell = |message: Message| message.send(pipe);
            std::panic::set_hook(Box::new(|_| ()));
            self.answer(&mut tell);
            0
        })?;
        let many = 2 * self.contestants.len() as u32;
        let limit = self.limit * many * 3 + Duration::from_secs(20);
        Ok(Contest::new(fork, limit))
    }

    /// The same with only the contestants involved in some trouble, which makes asking again cheaper.
    pub fn concerning(&self, trouble: &Trouble) -> Case {
        let mut concerned = self.clone();
        let is_concerned = |one: &Contestant| trouble.concerns(&one.who());
        concerned.contestants.retain(is_concerned);
        match concerned.contestants.is_empty() {
            true => self.clone(),
            false => concerned,
        }
    }

    /// The files as engines get them: with the values that a compiled run tells, if there are any.
    /// The verdict that is known is the second part.
    fn given(&self) -> Given {
        match self.oracle {
            Oracle::Engines | Oracle::Runs => Given::Files(self.files.clone(), None),
            Oracle::Known(safe) => Given::Files(self.files.clone(), Some((MAKER, Word::of(safe)))),
            Oracle::Values => match values::learn(&self.files) {
                Learnt::Values(told) => {
                    let deny = self.deny && !told.is_empty();
                    let files = values::with_values(&self.files, &told, deny);
                    Given::Files(files, Some((COMPILED, Word::of(!deny))))
                }
                Learnt::DefinedTwice => Given::DefinedTwice(self.files.clone()),
                Learnt::Nothing => Given::Nothing,
            },
        }
    }

    /// The files as engines get them, to be kept.
    pub fn complete(&self) -> Vec<String> {
        match self.given() {
            Given::Files(files, _) | Given::DefinedTwice(files) => files,
            Given::Nothing => self.files.clone(),
        }
    }

    /// Runs all participants, one after the other, and reports their answers.
    fn answer(&self, tell: &mut dyn FnMut(Message)) {
        tell(Message::Begin(Who::named(FRONT_END)));
        let (files, known) = match self.given() {
            Given::Files(files, known) => (files, known),
            Given::DefinedTwice(files) => return self.expect_refusal(&files, tell),
            Given::Nothing => return tell(Message::Refused(None)),
        };
        let Some(files) = self.preprocessed(&files) else {
            return tell(Message::Refused(None));
        };
        let task = |preparation| {
            let program = Program::new(files.clone()).with_preparation(preparation);
            Task::prepare(&program, self.property)
        };
        let usual = match task(Preparation::Full) {
            Ok(usual) => usual,
            Err(refused) => return tell(Message::Refused(Some(refused.what))),
        };
        let known = known.map(|(who, word)| (Who::named(who), word));
        let mut said_safe = false;
        for contestant in &self.contestants {
            tell(Message::Begin(contestant.who()));
            let other = match contestant.preparation {
                Preparation::Full => None,
                preparation => task(preparation).ok(),
            };
            let message = self.ask(other.as_ref().unwrap_or(&usual), &files, contestant);
            if let Message::Said(_, said) = &message {
                said_safe |= *said == Word::Safe;
                if let Some((who, known)) = &known
                    && said.is_definite()
                    && said != known
                {
                    if !self.stands() {
                        return tell(Message::Skipped);
                    }
                    tell(Message::Said(who.clone(), *known));
                }
            }
            tell(message);
        }
        match known {
            Some((who, known)) => tell(Message::Said(who, known)),
            None => self.judge(&files, said_safe, tell),
        }
    }

    /// Is what a compiled run tells the same however it is compiled?
    fn stands(&self) -> bool {
        match self.oracle {
            Oracle::Values => values::confirm(&self.files, &values::learn(&self.files)),
            _ => true,
        }
    }

    /// No contestant may have an answer about a program that cannot be linked.
    fn expect_refusal(&self, files: &[String], tell: &mut dyn FnMut(Message)) {
        let files = self.preprocessed(files);
        let task = files.map(|files| Task::prepare(&Program::new(files), self.property));
        match task {
            Some(Ok(_)) if values::confirm(&self.files, &Learnt::DefinedTwice) => {
                let what = "a name is defined twice, which it accepts".to_owned();
                tell(Message::Broken(Who::named(FRONT_END), what));
            }
            _ => tell(Message::Refused(None)),
        }
    }

    /// Lets compiled runs judge.
    fn judge(&self, files: &[SourceFile], said_safe: bool, tell: &mut dyn FnMut(Message)) {
        let compiled = || Who::named(COMPILED);
        let said = |word| Message::Said(compiled(), word);
        if self.sanitized && said_safe {
            tell(Message::Begin(compiled()));
            match sanitize::violates(&self.files, self.property) {
                Some(true) if self.is_defined(files) => tell(said(Word::Unsafe)),
                Some(_) => tell(said(Word::Unknown)),
                None => tell(Message::Skipped),
            }
        }
        // Whether a run is defined matters only if somebody denies what it shows.
        let counts = || !said_safe || self.is_defined(files);
        if let (Some(judge), [text]) = (&self.judge, self.files.as_slice()) {
            tell(Message::Begin(compiled()));
            match judge.reaches_error(text, self.include.as_deref(), RUNS) {
                Some(true) if counts() => tell(said(Word::Unsafe)),
                Some(_) => tell(said(Word::Unknown)),
                None => tell(Message::Skipped),
            }
        }
    }

    /// Does a compiled run with a violation prove one? An invalid access is one itself; other
    /// properties are about executions that the machine ends there. Plain programs allocate memory of
    /// any size, and may go beyond it.
    fn is_defined(&self, files: &[SourceFile]) -> bool {
        let is_made_valid = self.valid && self.class.is_some();
        self.property.is_memsafety() || is_made_valid || self.is_valid(files)
    }

    /// Does exploration prove that every access is valid?
    fn is_valid(&self, files: &[SourceFile]) -> bool {
        let program = Program::new(files.to_vec());
        let Ok(task) = Task::prepare(&program, Property::MEMSAFETY) else {
            return false;
        };
        let budget = Budget::unlimited().with_timeout(self.limit * 2);
        let answer = explore::check(&task, &explore::Config::default(), &budget)
            .confirm(&task)
            .into_answer();
        matches!(answer.verdict, Verdict::Safe(_))
    }

    /// The files without directives; nothing if the preprocessor refuses one.
    fn preprocessed(&self, files: &[String]) -> Option<Vec<SourceFile>> {
        let mut found = Vec::new();
        for (at, text) in files.iter().enumerate() {
            let text = match needs_preprocessor(text) {
                true => preprocessed(text, self.include.as_deref())?,
                false => text.clone(),
            };
            let name = match files.len() {
                1 => "program.c".to_owned(),
                _ => format!("program{at}.c"),
            };
            found.push(SourceFile::new(name, text));
        }
        Some(found)
    }

    /// One contestant's answer; the files need no headers any more.
    fn ask(&self, task: &Task, files: &[SourceFile], contestant: &Contestant) -> Message {
        let who = contestant.who();
        let budget = || {
            Budget::unlimited()
                .with_timeout(self.limit)
                .with_memory(1 << 30)
        };
        if lies(contestant.engine) {
            return Message::Said(who, Word::Safe);
        }
        let answer = match contestant.ask(task, files, &budget(), self.limit) {
            Said::Answer(answer) => answer,
            Said::Word(word) => return Message::Said(who, word),
            Said::Crash(how) => return Message::Broken(who, how),
        };
        let confirmed = answer.confirm(task);
        let (claim, word) = match confirmed.verdict() {
            Verdict::Unsafe(trace) => (Claim::Unsafe(trace), Word::Unsafe),
            // Refutations go to files, which are not written here.
            Verdict::Safe(proof) if proof.has_refutation() => {
                return Message::Said(who, Word::Safe);
            }
            Verdict::Safe(proof) => {
                let artifacts = None;
                (Claim::Safe(Evidence { proof, artifacts }), Word::Safe)
            }
            // Engines may see violations behind what is undefined, where the machine stops.
            Verdict::Unknown(Reason::NotReplayed(_)) if !self.valid => {
                return Message::Said(who, Word::NotReplayed);
            }
            Verdict::Unknown(reason) if reason.is_fault() => {
                return Message::Broken(who, reason.to_string());
            }
            Verdict::Unknown(_) => return Message::Said(who, Word::Unknown),
        };
        match Registry::standard().verify(task, &claim, &budget()) {
            Check::Rejected(why) => Message::Evidence(who, why),
            Check::Accepted | Check::Undecided(_) => Message::Said(who, word),
        }
    }
}

/// What engines are asked about.
enum Given {
    /// Files, and which contestant knows which verdict.
    Files(Vec<String>, Option<(&'static str, Word)>),
    /// Files that no linker takes.
    DefinedTwice(Vec<String>),
    /// Nothing: no compiled run tells anything.
    Nothing,
}

fn needs_preprocessor(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        ["#include", "#define", "#if"]
            .iter()
            .any(|word| line.starts_with(word))
    })
}

fn preprocessed(text: &str, include: Option<&Path>) -> Option<String> {
    let file = tempfile::Builder::new().suffix(".c").tempfile().ok()?;
    std::fs::write(file.path(), text).ok()?;
    let reading = Reading {
        include: include.map(Path::to_owned).into_iter().collect(),
        ..Reading::default()
    };
    let program = driver::read(&[file.path().to_owned()], &reading).ok()?;
    Some(program.files().first()?.text.to_string())
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
