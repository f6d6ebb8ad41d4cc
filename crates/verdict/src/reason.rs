//! Why there is no answer.

use semantics::Open;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::Path;
use xcfa::{EdgeId, Span, Xcfa};

/// Why there is no answer. Code reads the kind; its words are for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The time limit was reached.
    OutOfTime,
    /// The memory limit was reached.
    OutOfMemory,
    /// The user interrupted the check.
    Interrupted,
    /// The program does something that this engine does not support.
    Unsupported {
        /// The file and line, if known.
        place: Option<(String, u32)>,
        /// What it is.
        what: String,
    },
    /// This engine does not know this memory model.
    MemoryModel(String),
    /// A bound was reached, and no violation was found within it.
    Bound(Bound),
    /// Only some values of these inputs were tried.
    SomeInputsOnly(Vec<String>),
    /// Only some executions were run.
    SomeExecutionsOnly,
    /// The method ended with neither a proof nor a violation.
    Inconclusive(String),
    /// A requested file could not be written.
    CannotWrite {
        /// Its name.
        path: String,
        /// What the system says.
        error: String,
    },
    /// A counterexample did not replay: a bug in Mazurka.
    NotReplayed(String),
    /// A proof did not pass its check: a bug in Mazurka.
    NotProved(String),
    /// The engine crashed, or did not answer: a bug in Mazurka.
    EngineFault(String),
    /// Only this engine gives this verdict, and two are required.
    NoSecondOpinion {
        /// The engine.
        engine: String,
        /// What it says.
        verdict: String,
    },
    /// Several engines ran; each has its own reason.
    Several(Vec<(String, Reason)>),
}

/// A bound on the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    /// This many steps of an execution.
    Steps(u64),
    /// This many rounds of loops.
    Rounds(u64),
    /// This many rounds of loops that start threads.
    StartingRounds(u64),
    /// This many threads that are counted because they are alike.
    ThreadsAlike(u64),
    /// This many preemptions: a thread that could go on does not, and another one moves.
    Preemptions(u64),
    /// This many states.
    States(u64),
    /// The length of an execution that is run to its end.
    Length,
}

impl Reason {
    /// Something unsupported, at no particular place.
    pub fn unsupported(what: impl Into<String>) -> Reason {
        let (place, what) = (None, what.into());
        Reason::Unsupported { place, what }
    }

    /// Something unsupported, at a place in the source if there is one.
    pub fn unsupported_at(xcfa: &Xcfa, span: Span, what: impl Into<String>) -> Reason {
        let file = xcfa.sources.files().get(span.file.0 as usize);
        let place = file.map(|_| {
            let place = xcfa.sources.place(span);
            (place.file, place.line)
        });
        let what = what.into();
        Reason::Unsupported { place, what }
    }

    /// Something unsupported in a step.
    pub fn unsupported_on(xcfa: &Xcfa, edge: EdgeId, what: impl Into<String>) -> Reason {
        Reason::unsupported_at(xcfa, xcfa[edge].span, what)
    }

    /// A step that goes otherwise in another layout of memory.
    pub fn open(xcfa: &Xcfa, open: Open) -> Reason {
        Reason::unsupported_on(xcfa, open.edge, open.what.to_string())
    }

    /// A file could not be written.
    pub fn cannot_write(path: &Path, error: &io::Error) -> Reason {
        let (path, error) = (path.display().to_string(), error.to_string());
        Reason::CannotWrite { path, error }
    }

    /// Is it final, so that the same engine gives the same reason again, however much time it has?
    pub fn is_final(&self) -> bool {
        // A search that goes on as long as there is time says how far it has come.
        let is_open_ended = matches!(self, Reason::Bound(Bound::Preemptions(_)));
        let is_bound = matches!(self, Reason::Bound(_)) && !is_open_ended;
        is_bound
            || matches!(
                self,
                Reason::Unsupported { .. }
                    | Reason::MemoryModel(_)
                    | Reason::SomeInputsOnly(_)
                    | Reason::Inconclusive(_)
                    | Reason::CannotWrite { .. }
            )
    }

    /// Is it a bug in Mazurka?
    pub fn is_fault(&self) -> bool {
        match self {
            Reason::NotReplayed(_) | Reason::NotProved(_) | Reason::EngineFault(_) => true,
            Reason::Several(each) => each.iter().any(|(_, reason)| reason.is_fault()),
            _ => false,
        }
    }

    /// Combines the reasons of several engines.
    pub fn of_several(reasons: Vec<(String, Reason)>) -> Reason {
        let mut each: Vec<(String, Reason)> = Vec::new();
        for said in reasons {
            if !each.contains(&said) {
                each.push(said);
            }
        }
        match each.as_slice() {
            [] => Reason::OutOfTime,
            [(_, first), rest @ ..] if rest.iter().all(|(_, reason)| reason == first) => {
                first.clone()
            }
            _ => Reason::Several(each),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::OutOfTime => write!(f, "out of time"),
            Reason::OutOfMemory => write!(f, "out of memory"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Unsupported {
                place: Some((file, line)),
                what,
            } => write!(f, "{file}:{line}: {what}"),
            Reason::Unsupported { place: None, what } => write!(f, "{what}"),
            Reason::MemoryModel(name) => {
                write!(f, "this engine does not know the memory model {name}")
            }
            Reason::Bound(bound) => write!(f, "{bound}"),
            Reason::SomeInputsOnly(inputs) => {
                let inputs = inputs.join(", ");
                write!(f, "tried only some values of the inputs: {inputs}")
            }
            Reason::SomeExecutionsOnly => write!(f, "only some executions were run"),
            Reason::Inconclusive(why) => write!(f, "{why}"),
            Reason::CannotWrite { path, error } => write!(f, "cannot write {path}: {error}"),
            Reason::NotReplayed(what) => {
                let what = format!("a counterexample did not replay ({what})");
                write!(f, "{what}; please report this")
            }
            Reason::NotProved(what) => {
                let what = format!("a proof did not pass its check ({what})");
                write!(f, "{what}; please report this")
            }
            Reason::EngineFault(what) => write!(f, "{what}"),
            Reason::NoSecondOpinion { engine, verdict } => {
                write!(f, "only {engine} says {verdict}, and no second engine does")
            }
            Reason::Several(_) => {
                let each = self.merged().into_iter();
                let each =
                    each.map(|(reason, engines)| format!("{reason} ({})", engines.join(", ")));
                write!(f, "{}", each.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Steps(steps) => write!(f, "no error within {steps} steps"),
            Bound::Rounds(rounds) => write!(f, "no error with loops unrolled {rounds} times"),
            Bound::StartingRounds(rounds) => {
                let loops = "loops that start threads";
                write!(f, "no error with {loops} unrolled {rounds} times")
            }
            Bound::ThreadsAlike(most) => {
                write!(f, "counting {most} threads that are alike is not enough")
            }
            Bound::Preemptions(0) => write!(f, "no error without preemptions"),
            Bound::Preemptions(1) => write!(f, "no error with at most 1 preemption"),
            Bound::Preemptions(most) => write!(f, "no error with at most {most} preemptions"),
            Bound::States(most) => write!(f, "more than {most} states"),
            Bound::Length => write!(f, "some executions are too long to be run to their end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(engine: &str, reason: Reason) -> (String, Reason) {
        (engine.to_owned(), reason)
    }

    #[test]
    fn several_engines_with_one_reason_have_one() {
        let same = vec![
            said("bmc", Reason::OutOfTime),
            said("cegar", Reason::OutOfTime),
        ];
        assert_eq!(Reason::of_several(same), Reason::OutOfTime);
        assert_eq!(Reason::of_several(Vec::new()), Reason::OutOfTime);
    }

    #[test]
    fn several_reasons_are_told_by_engine_and_once() {
        let bound = Reason::Bound(Bound::Rounds(4));
        let both = vec![
            said("bmc", bound.clone()),
            said("bmc", bound),
            said("horn", Reason::OutOfTime),
        ];
        let text = "out of time (horn); no error with loops unrolled 4 times (bmc)";
        assert_eq!(Reason::of_several(both).to_string(), text);
    }

    /// Is each reason final, and is it a bug in Mazurka?
    #[test]
    fn kinds_of_reasons() {
        let text = || "why".to_owned();
        let several =
            |reason| Reason::Several(vec![said("bmc", Reason::OutOfTime), said("horn", reason)]);
        let expected = [
            (Reason::OutOfTime, false, false),
            (Reason::OutOfMemory, false, false),
            (Reason::Interrupted, false, false),
            (Reason::unsupported("recursion"), true, false),
            (Reason::Bound(Bound::Length), true, false),
            (Reason::Bound(Bound::Preemptions(2)), false, false),
            (Reason::MemoryModel(text()), true, false),
            (Reason::SomeInputsOnly(vec![text()]), true, false),
            (Reason::SomeExecutionsOnly, false, false),
            (Reason::Inconclusive(text()), true, false),
            (
                Reason::CannotWrite {
                    path: text(),
                    error: text(),
                },
                true,
                false,
            ),
            (Reason::NotReplayed(text()), false, true),
            (Reason::NotProved(text()), false, true),
            (Reason::EngineFault(text()), false, true),
            (
                Reason::NoSecondOpinion {
                    engine: text(),
                    verdict: text(),
                },
                false,
                false,
            ),
            (several(Reason::OutOfMemory), false, false),
            (several(Reason::EngineFault(text())), false, true),
        ];
        for (reason, is_final, is_fault) in expected {
            let found = (reason.is_final(), reason.is_fault());
            assert_eq!(found, (is_final, is_fault), "{reason:?}");
            let json = serde_json::to_string(&reason).expect("plain data");
            let back: Reason = serde_json::from_str(&json).expect("what was written");
            assert_eq!(back, reason);
        }
    }

    #[test]
    fn a_place_is_told_first() {
        let mut xcfa = Xcfa::new(xcfa::DataModel::Lp64, xcfa::Sources::default());
        assert_eq!(
            Reason::unsupported_at(&xcfa, Span::default(), "recursion").to_string(),
            "recursion"
        );
        xcfa.sources.add(xcfa::SourceFile::new("a.c", "int x;"));
        assert_eq!(
            Reason::unsupported_at(&xcfa, Span::default(), "recursion").to_string(),
            "a.c:1: recursion"
        );
    }
}
