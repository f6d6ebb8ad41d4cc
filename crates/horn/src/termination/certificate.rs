//! An argument that every execution ends, for others to check: what holds in each situation, and the
//! terms that become smaller. It mentions the variables and locations of the program alone, and
//! exists only for programs without reducible blocks.

use super::candidates::Rank;
use crate::control::Situation;
use expr::{Portable, Term, Terms};
use serde_json::{Value, json};
use smt::horn::PredId;

/// A term that becomes smaller, and whether it is a number with a sign.
pub type PortableRank = (Portable, bool);

/// Ranks as they are handed over.
pub fn portable(terms: &Terms, ranks: &[Rank]) -> Vec<PortableRank> {
    let ranks = ranks.iter();
    ranks
        .map(|rank| (Portable::of(terms, &[rank.term]), rank.signed))
        .collect()
}

/// The argument.
pub struct Certificate {
    situations: Vec<(Vec<Option<u32>>, Portable)>,
    ranks: Vec<PortableRank>,
}

impl Certificate {
    /// Writes down what is known. There is one set, of all threads, in their order.
    pub fn of(
        terms: &Terms,
        situations: &[(Situation, PredId)],
        known: &[Term],
        ranks: &[Rank],
    ) -> Certificate {
        let situations = situations.iter().map(|((_, places), pred)| {
            let places = places.iter().map(|place| place.map(|loc| loc.0)).collect();
            (places, Portable::of(terms, &[known[pred.index()]]))
        });
        Certificate {
            situations: situations.collect(),
            ranks: portable(terms, ranks),
        }
    }

    /// With these terms before its own.
    pub fn and(mut self, ranks: &[PortableRank]) -> Certificate {
        self.ranks.splice(..0, ranks.iter().cloned());
        self
    }

    /// As it is handed over; loops that start threads were unrolled so often.
    pub fn value(&self, rounds: u32) -> Value {
        let situations = self.situations.iter();
        let situations: Vec<Value> = situations
            .map(|(places, invariant)| json!({"places": places, "invariant": invariant}))
            .collect();
        let ranks = self.ranks.iter();
        let ranks: Vec<Value> = ranks
            .map(|(term, signed)| json!({"term": term, "signed": signed}))
            .collect();
        json!({"rounds": rounds, "situations": situations, "ranks": ranks})
    }
}
