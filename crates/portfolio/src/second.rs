//! `--paranoid`: what one engine says is believed when another one says the same.

use crate::Engine;
use verdict::{Answer, Reason, Verdict};

/// The answers that wait for a second one.
#[derive(Default)]
pub struct Opinions {
    given: Vec<(Engine, Answer)>,
}

impl Opinions {
    /// Takes a definite answer; gives the verdict of two, when there are two.
    pub fn add(&mut self, engine: Engine, answer: Answer) -> Option<(Engine, Answer)> {
        let name = answer.verdict.name();
        let other = self.given.iter().find(|(who, _)| *who != engine);
        let decided = other.map(|(who, earlier)| {
            if earlier.verdict.name() == name {
                return (*who, earlier.clone());
            }
            let what = format!("{who} says {}, {engine} {name}", earlier.verdict.name());
            let verdict = Verdict::Unknown(Reason::NotProved(what));
            let stats = answer.stats.clone();
            (engine, Answer { verdict, stats })
        });
        self.given.push((engine, answer));
        decided
    }

    /// Why there is no verdict although there was an answer.
    pub fn alone(&self) -> Option<Reason> {
        let (engine, answer) = self.given.first()?;
        let name = answer.verdict.name();
        Some(Reason::Beyond(format!(
            "only {engine} says {name}, and no second engine does"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::{Proof, Stats};

    fn safe() -> Answer {
        let verdict = Verdict::Safe(Proof::KeptApart { pairs: 1 });
        let stats = Stats::default();
        Answer { verdict, stats }
    }

    #[test]
    fn two_different_engines_are_needed() {
        let mut opinions = Opinions::default();
        assert!(opinions.add(Engine::Explore, safe()).is_none());
        assert!(opinions.add(Engine::Explore, safe()).is_none());
        assert!(opinions.alone().is_some());
        let (engine, answer) = opinions.add(Engine::Bmc, safe()).unwrap();
        assert_eq!((engine, answer.verdict.name()), (Engine::Explore, "safe"));
    }
}
