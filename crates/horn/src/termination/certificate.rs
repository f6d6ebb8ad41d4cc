//! An argument that every execution ends, for others to check: what holds in each situation, and the
//! terms that become smaller. It mentions the variables and locations of the program alone, and
//! exists only for programs without reducible blocks.

use super::candidates::Rank;
use crate::control::Situation;
use expr::{Portable, Term, Terms};
use serde_json::{Value, json};
use smt::horn::PredId;

/// The argument.
pub struct Certificate {
    situations: Vec<(Vec<Option<u32>>, Portable)>,
    ranks: Vec<(Portable, bool)>,
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
        let ranks = ranks.iter();
        Certificate {
            situations: situations.collect(),
            ranks: ranks
                .map(|rank| (Portable::of(terms, &[rank.term]), rank.signed))
                .collect(),
        }
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
