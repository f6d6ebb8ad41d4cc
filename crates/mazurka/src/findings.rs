//! `--all-findings`: one violation after the other, each without those before it.
//!
//! A violation that is found is taken out of the task ([`driver::without`]), and the search begins again,
//! until there is an answer other than *unsafe*. The program has no large blocks then
//! ([`crate::args::CheckArgs::keep_errors_apart`]).

use crate::baseline::Baseline;
use crate::commands::auto;
use crate::failure::{Exit, Failure};
use crate::fingerprint::{fingerprint, without_numbers};
use driver::{LeftOut, Plan};
use semantics::What;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdict::{Answer, Confirmed, Reason, Stats, Task, Verdict};
use xcfa::Span;

/// A violation that was found.
#[derive(Clone)]
pub struct Finding {
    /// The question that it answers: without the findings before it.
    pub task: Arc<Task>,
    /// The engine that found it.
    pub engine: String,
    /// How long that took.
    pub wall: Duration,
    /// The violation.
    pub confirmed: Confirmed,
    /// Is it in the baseline, if there is one?
    pub known: Option<bool>,
}

/// What is known about violations beyond those that were found.
#[derive(Clone, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Rest {
    /// There is none, by a proof of this engine.
    None {
        /// The engine.
        engine: String,
        /// What that means.
        meaning: &'static str,
    },
    /// Nobody knows.
    Unknown {
        /// Why.
        reason: String,
    },
    /// They are not searched for: violations of this kind are not at one place.
    NotSearched,
}

/// Everything that was found.
#[derive(Clone)]
pub struct Findings {
    /// The violations, those of one cause together.
    pub found: Vec<Finding>,
    /// What else there is.
    pub rest: Rest,
}

/// Searches for all violations after the first one. `tell` hears about each of them.
pub fn search(
    first: Finding,
    plan: &Plan,
    baseline: Option<&Baseline>,
    mut tell: impl FnMut(&Findings),
) -> Result<Findings, Failure> {
    let original = Arc::clone(&first.task);
    let mut findings = Findings {
        found: vec![first.marked(baseline)],
        rest: Rest::Unknown {
            reason: Reason::Interrupted.to_string(),
        },
    };
    let mut left_out = Vec::new();
    loop {
        tell(&findings);
        let last = findings.found.last().expect("there is a first one");
        let without = last
            .confirmed
            .replay()
            .and_then(|it| driver::without(&last.task, it));
        let Some((task, what)) = without else {
            findings.rest = Rest::NotSearched;
            break;
        };
        left_out.push(what);
        let started = Instant::now();
        let outcome = auto::solve(&task, plan)?;
        let confirmed = match outcome.verdict() {
            Verdict::Unsafe(_) => is_real(&original, outcome.confirmed.shortened(&task)),
            _ => outcome.confirmed,
        };
        match confirmed.verdict() {
            Verdict::Unsafe(_) => {
                let found = Finding {
                    task: Arc::new(task),
                    engine: outcome.engine,
                    wall: started.elapsed(),
                    confirmed,
                    known: None,
                };
                findings.found.push(found.marked(baseline));
            }
            Verdict::Safe(_) => {
                findings.rest = Rest::None {
                    engine: outcome.engine,
                    meaning: meaning(&left_out),
                };
                break;
            }
            Verdict::Unknown(reason) => {
                let reason = reason.merged()[0].0.to_string();
                findings.rest = Rest::Unknown { reason };
                break;
            }
        }
    }
    findings.sort();
    Ok(findings)
}

/// A violation counts if the program as it is has it, too.
fn is_real(original: &Task, confirmed: Confirmed) -> Confirmed {
    let answer = Answer::new(confirmed.verdict().clone(), Stats::default());
    let again = answer.confirm(original);
    match again.replay() {
        Some(_) => confirmed,
        None => again,
    }
}

/// What it means that nothing else is found.
fn meaning(left_out: &[LeftOut]) -> &'static str {
    match () {
        () if left_out.contains(&LeftOut::Place) => {
            "nothing else goes wrong in executions that do not go through these places"
        }
        () if left_out.contains(&LeftOut::Race) => {
            "every access of the text that takes part in a race is named"
        }
        () => "every other assertion and operation of this kind holds in every execution",
    }
}

impl Finding {
    fn marked(mut self, baseline: Option<&Baseline>) -> Finding {
        let knows = |known: &Baseline| self.fingerprint().is_some_and(|it| known.knows(&it));
        self.known = baseline.map(knows);
        self
    }

    /// Is it in the baseline?
    pub fn is_known(&self) -> bool {
        self.known == Some(true)
    }

    /// What it is called, also when the program changes elsewhere.
    pub fn fingerprint(&self) -> Option<String> {
        let replay = self.confirmed.replay()?;
        Some(fingerprint(&self.task, &replay.failure))
    }

    /// What violations have in common that one change of the program mends.
    pub fn cause(&self) -> String {
        let Some(replay) = self.confirmed.replay() else {
            return String::new();
        };
        match (&replay.failure.what, replay.failing) {
            (What::Race { name, .. }, _) => {
                let name = without_indices(&without_numbers(name));
                format!("data race on `{name}`")
            }
            (_, Some(span)) => self.place(span),
            _ => replay.failure.headline(),
        }
    }

    fn place(&self, span: Span) -> String {
        let place = self.task.xcfa.sources.place(span);
        format!("{}:{}", place.file, place.line)
    }
}

impl Findings {
    /// The findings that are not in the baseline.
    pub fn new_ones(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter().filter(|finding| !finding.is_known())
    }

    /// The exit code: only what is new fails, and what may be left is not known.
    pub fn exit(&self) -> Exit {
        match (self.new_ones().next(), &self.rest) {
            (Some(_), _) => Exit::Unsafe,
            (None, Rest::None { .. }) => Exit::Safe,
            (None, _) => Exit::Unknown,
        }
    }

    /// Puts findings with one cause together, in the order of the first of each.
    fn sort(&mut self) {
        let causes = self.causes();
        let number = |finding: &Finding| causes.iter().position(|it| *it == finding.cause());
        self.found.sort_by_key(number);
    }

    /// The causes, in order, each once.
    pub fn causes(&self) -> Vec<String> {
        let mut causes: Vec<String> = Vec::new();
        for cause in self.found.iter().map(Finding::cause) {
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        causes
    }

    /// The number of each finding: that of its cause, and which of that cause it is, if there are several.
    pub fn numbers(&self) -> Vec<String> {
        let causes = self.causes();
        let own: Vec<usize> = (self.found.iter())
            .filter_map(|finding| causes.iter().position(|it| *it == finding.cause()))
            .collect();
        let number = |(at, cause): (usize, &usize)| {
            let alike = own.iter().filter(|it| *it == cause).count();
            let before = own[..at].iter().filter(|it| *it == cause).count();
            match alike {
                1 => format!("{}", cause + 1),
                _ => format!("{}.{}", cause + 1, before + 1),
            }
        };
        own.iter().enumerate().map(number).collect()
    }

    /// What is known about others, in a sentence.
    pub fn rest(&self) -> String {
        match &self.rest {
            Rest::None { meaning, engine } => format!("that is all: {meaning} ({engine})"),
            Rest::Unknown { reason } => format!("there may be more: {reason}"),
            Rest::NotSearched => {
                "others are not searched for: what violates this property is not at one place"
                    .into()
            }
        }
    }
}

/// A name without the numbers in its brackets.
fn without_indices(name: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for letter in name.chars() {
        depth = depth.saturating_sub(usize::from(letter == ']'));
        if depth == 0 {
            out.push(letter);
        }
        depth += usize::from(letter == '[');
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn elements_of_an_array_are_one_cause() {
        for (name, expected) in [("a[3].next", "a[].next"), ("a", "a"), ("a[1][22]", "a[][]")] {
            assert_eq!(super::without_indices(name), expected);
        }
    }
}
