//! What you can do when there is no answer, chosen by its reason.

use crate::{Bound, Reason, grouped};
use serde::Serialize;
use std::fmt;
use xcfa::{ObjectKind, Shape, Xcfa};

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
    /// Functions that are defined nowhere have a body, so that not every result of theirs is possible.
    GiveBody {
        /// Their names.
        functions: Vec<String>,
    },
    /// Fewer elements of an array.
    SmallerArray {
        /// Its name.
        name: String,
        /// How many it has.
        elements: u64,
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
            for next in reason.own_advice() {
                if !advice.contains(&next) {
                    advice.push(next);
                }
            }
        }
        advice
    }

    /// The same for a program that is known: where it is too large, an array may be why.
    pub fn advice_about(&self, xcfa: &Xcfa) -> Vec<Advice> {
        let mut advice = self.advice();
        let is_larger = |it: &Advice| matches!(it, Advice::MoreTime | Advice::MoreMemory);
        let last = advice.iter().rposition(is_larger);
        if let (Some(last), Some((name, elements))) = (last, largest_array(xcfa)) {
            let name = name.to_owned();
            advice.insert(last + 1, Advice::SmallerArray { name, elements });
        }
        advice
    }

    fn own_advice(&self) -> Vec<Advice> {
        match self {
            Reason::OutOfTime | Reason::Bound(Bound::Preemptions(_)) => vec![Advice::MoreTime],
            Reason::OutOfMemory | Reason::Bound(Bound::States(_)) => vec![Advice::MoreMemory],
            Reason::Bound(_) => vec![Advice::HigherBound],
            Reason::SomeInputsOnly(inputs) => about_inputs(inputs),
            Reason::Unsupported { place, .. } => vec![Advice::OtherText {
                place: place.clone(),
            }],
            Reason::SomeExecutionsOnly
            | Reason::MemoryModel(_)
            | Reason::Inconclusive(_)
            | Reason::NoSecondOpinion { .. } => vec![Advice::OtherEngine],
            Reason::NotReplayed(_) | Reason::NotProved(_) | Reason::EngineFault(_) => {
                vec![Advice::Report]
            }
            Reason::Interrupted | Reason::CannotWrite { .. } | Reason::Several(_) => Vec::new(),
        }
    }
}

/// Results of functions that nobody knows are inputs, too: a body says what they can be.
fn about_inputs(inputs: &[String]) -> Vec<Advice> {
    let unknown = |input: &str| {
        let name = input.strip_suffix("()")?;
        let known = name.starts_with("__VERIFIER_") || cfront::functions::function(name).is_some();
        (!known).then(|| name.to_owned())
    };
    let functions: Vec<String> = inputs.iter().filter_map(|input| unknown(input)).collect();
    let inputs = inputs.iter().filter(|input| unknown(input).is_none());
    let inputs: Vec<String> = inputs.cloned().collect();
    let body = (!functions.is_empty()).then_some(Advice::GiveBody { functions });
    let fewer = (!inputs.is_empty()).then_some(Advice::FewerInputs { inputs });
    body.into_iter().chain(fewer).collect()
}

/// Smaller arrays are no reason for a large number of states.
const LARGE_ARRAY: u64 = 256;

/// The array of the program's with the most elements, if it is large.
fn largest_array(xcfa: &Xcfa) -> Option<(&str, u64)> {
    let arrays = xcfa.objects.iter().filter_map(|object| {
        let file = xcfa.sources.files().get(object.span.file.0 as usize)?;
        let is_variable = matches!(object.kind, ObjectKind::Static { .. }) && !object.constant;
        match &object.shape {
            Shape::Array { count, .. } if is_variable && !file.is_library => {
                Some((object.name.as_str(), *count))
            }
            _ => None,
        }
    });
    arrays
        .max_by_key(|(_, count)| *count)
        .filter(|(_, count)| *count >= LARGE_ARRAY)
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
            Advice::GiveBody { functions } => {
                let functions: Vec<String> = functions.iter().map(|it| format!("`{it}`")).collect();
                let functions = functions.join(", ");
                write!(f, "give {functions} a body (mazurka stubs begins one)")
            }
            Advice::SmallerArray { name, elements } => {
                let elements = grouped(*elements);
                write!(
                    f,
                    "give `{name}` fewer than {elements} elements, with a macro for their number"
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
        let inputs = ["n", "get()", "__VERIFIER_nondet_int()", "rand()"];
        let some = Reason::SomeInputsOnly(inputs.map(str::to_owned).to_vec());
        let texts: Vec<String> = some.advice().iter().map(Advice::to_string).collect();
        let expected = [
            "give `get` a body (mazurka stubs begins one)",
            "bound n, __VERIFIER_nondet_int(), rand() with __VERIFIER_assume, or use fixed values",
        ];
        assert_eq!(texts, expected);
    }
}
