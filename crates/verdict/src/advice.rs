//! What you can do when there is no answer, chosen by its reason.

use crate::{Bound, Reason};
use serde::Serialize;
use std::fmt;

/// What to try next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Advice {
    /// A higher limit of time, or a smaller program.
    MoreTime,
    /// A higher limit of memory, or a smaller program.
    MoreMemory,
    /// A higher bound of the search, or loops that end sooner.
    HigherBound,
    /// Inputs with fewer values.
    FewerInputs {
        /// The inputs.
        inputs: Vec<String>,
    },
    /// Another text at the place that is not supported.
    OtherText {
        /// The file and line, if known.
        place: Option<(String, u32)>,
    },
    /// An engine that can prove.
    OtherEngine,
    /// It is a bug in Mazurka.
    Report,
}

impl Reason {
    /// The reasons of all engines, each once with those that gave it. Faults come first, then what more time
    /// or memory may change, then what is final.
    pub fn merged(&self) -> Vec<(&Reason, Vec<&str>)> {
        let Reason::Several(each) = self else {
            return vec![(self, Vec::new())];
        };
        let mut merged: Vec<(&Reason, Vec<&str>)> = Vec::new();
        for (engine, reason) in each {
            match merged.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, engines)) if engines.contains(&engine.as_str()) => {}
                Some((_, engines)) => engines.push(engine),
                None => merged.push((reason, vec![engine])),
            }
        }
        merged.sort_by_key(|(reason, _)| (!reason.is_fault(), reason.is_final()));
        merged
    }

    /// What to try next, the most promising first.
    pub fn advice(&self) -> Vec<Advice> {
        let mut advice = Vec::new();
        for (reason, _) in self.merged() {
            let next = reason.own_advice();
            advice.extend(next.filter(|next| !advice.contains(next)));
        }
        advice
    }

    fn own_advice(&self) -> Option<Advice> {
        match self {
            Reason::OutOfTime => Some(Advice::MoreTime),
            Reason::OutOfMemory | Reason::Bound(Bound::States(_)) => Some(Advice::MoreMemory),
            Reason::Bound(_) => Some(Advice::HigherBound),
            Reason::SomeInputsOnly(inputs) => Some(Advice::FewerInputs {
                inputs: inputs.clone(),
            }),
            Reason::Unsupported { place, .. } => Some(Advice::OtherText {
                place: place.clone(),
            }),
            Reason::SomeExecutionsOnly
            | Reason::MemoryModel(_)
            | Reason::Inconclusive(_)
            | Reason::NoSecondOpinion { .. } => Some(Advice::OtherEngine),
            Reason::NotReplayed(_) | Reason::NotProved(_) | Reason::EngineFault(_) => {
                Some(Advice::Report)
            }
            Reason::Interrupted | Reason::CannotWrite { .. } | Reason::Several(_) => None,
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let smaller = "or check a smaller program: fewer threads, fewer rounds (`mazurka shrink`)";
        match self {
            Advice::MoreTime => write!(f, "allow more time (--timeout), {smaller}"),
            Advice::MoreMemory => write!(f, "allow more memory (--memory), {smaller}"),
            Advice::HigherBound => {
                write!(
                    f,
                    "raise the bound of the engine, or bound the loops of the program"
                )
            }
            Advice::FewerInputs { inputs } => {
                let inputs = inputs.join(", ");
                write!(
                    f,
                    "bound {inputs} with __VERIFIER_assume, or use fixed values"
                )
            }
            Advice::OtherText {
                place: Some((file, line)),
            } => write!(
                f,
                "write {file}:{line} in another way, or leave it out with a macro"
            ),
            Advice::OtherText { place: None } => {
                write!(f, "leave out with a macro what is not supported")
            }
            Advice::OtherEngine => write!(f, "let all engines try (leave out --engine)"),
            Advice::Report => write!(f, "please report this, with the program"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn several() -> Reason {
        let place = Some(("pool.c".to_owned(), 147));
        let lock = Reason::Unsupported {
            place,
            what: "a lock somewhere".to_owned(),
        };
        let said = [
            ("cegar", lock.clone()),
            ("explore", Reason::OutOfTime),
            ("horn", lock),
            ("bmc", Reason::OutOfTime),
            ("explore", Reason::OutOfTime),
            ("matching", Reason::OutOfMemory),
        ];
        let said = said.map(|(engine, reason)| (engine.to_owned(), reason));
        Reason::of_several(said.to_vec())
    }

    #[test]
    fn each_reason_is_told_once_with_its_engines() {
        let told = "out of time (explore, bmc); out of memory (matching); \
                    pool.c:147: a lock somewhere (cegar, horn)";
        assert_eq!(several().to_string(), told);
        assert_eq!(Reason::OutOfTime.merged(), [(&Reason::OutOfTime, vec![])]);
    }

    #[test]
    fn advice_follows_the_reasons() {
        let place = Some(("pool.c".to_owned(), 147));
        let expected = [
            Advice::MoreTime,
            Advice::MoreMemory,
            Advice::OtherText { place },
        ];
        assert_eq!(several().advice(), expected);
        let fault = Reason::EngineFault("it crashed".to_owned());
        let both = vec![
            ("bmc".to_owned(), Reason::OutOfTime),
            ("horn".to_owned(), fault),
        ];
        assert_eq!(Reason::of_several(both).advice()[0], Advice::Report);
        assert_eq!(Reason::Interrupted.advice(), []);
    }
}
