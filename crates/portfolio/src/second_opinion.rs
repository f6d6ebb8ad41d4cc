//! `--paranoid`: an answer of one engine counts when another one confirms it.

use verdict::{Confirmed, Reason};

/// The answers that wait for a second one.
#[derive(Default)]
pub struct Opinions {
    given: Vec<(&'static str, Confirmed)>,
}

impl Opinions {
    /// Takes a definite answer; gives the verdict of two, when there are two.
    pub fn add(
        &mut self,
        engine: &'static str,
        answer: Confirmed,
    ) -> Option<(&'static str, Confirmed)> {
        let name = answer.verdict().name();
        let other = self.given.iter().find(|(who, _)| *who != engine);
        let decided = other.map(|(who, earlier)| {
            if earlier.verdict().name() == name {
                return (*who, earlier.clone());
            }
            let what = format!("{who} says {}, {engine} {name}", earlier.verdict().name());
            (engine, Confirmed::unknown(Reason::NotProved(what)))
        });
        self.given.push((engine, answer));
        decided
    }

    /// Why there is no verdict although there was an answer.
    pub fn alone(&self) -> Option<Reason> {
        let (engine, answer) = self.given.first()?;
        Some(Reason::NoSecondOpinion {
            engine: (*engine).to_owned(),
            verdict: answer.verdict().name().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::{Answer, Program, Proof, Property, Stats, Task, Verdict};
    use xcfa::{DataModel, Sources, Xcfa};

    fn safe() -> Confirmed {
        let xcfa = Xcfa::new(DataModel::Lp64, Sources::default());
        let task = Task::prepare(&Program::from_automaton(xcfa), Property::Race).unwrap();
        let verdict = Verdict::Safe(Proof::KeptApart {
            pairs: 1,
            certificate: Default::default(),
        });
        Answer::new(verdict, Stats::default()).confirm(&task)
    }

    #[test]
    fn two_different_engines_are_needed() {
        let mut opinions = Opinions::default();
        assert!(opinions.add("explore", safe()).is_none());
        assert!(opinions.add("explore", safe()).is_none());
        assert!(opinions.alone().is_some());
        let (engine, answer) = opinions.add("bmc", safe()).unwrap();
        assert_eq!((engine, answer.verdict().name()), ("explore", "safe"));
    }
}
