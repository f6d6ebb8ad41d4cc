//! The evidence of a proof: the reduced product with its invariants, to be checked again.
//!
//! Nothing in it is trusted. How the order and the conditions were found does not matter: the checker
//! ([`crate::recheck`]) goes through the states and sees that no letter is missing.

use crate::product::Product;
use expr::{Portable, Term, Terms};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A reduced product with invariants.
#[derive(Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// How often loops that start threads are unrolled.
    pub rounds: u32,
    /// Were conditions that keep sums in their range left out?
    pub loose: bool,
    /// The states; the first is the start.
    pub states: Vec<StateEvidence>,
}

/// A state of the product.
#[derive(Debug, Serialize, Deserialize)]
pub struct StateEvidence {
    /// By thread: its location.
    pub locs: Vec<Option<u32>>,
    /// Values of variables that are known.
    pub known: Vec<(u32, u64)>,
    /// The letters that need not be taken.
    pub sleep: Vec<u32>,
    /// The only thread whose letters are taken.
    pub membrane: Option<usize>,
    /// The steps in the order of preference.
    pub steps: Vec<StepEvidence>,
    /// An invariant, where there is one.
    pub invariant: Option<Portable>,
    /// Can no error be reached from here by following steps?
    pub dead: bool,
}

/// A step of the product.
#[derive(Debug, Serialize, Deserialize)]
pub struct StepEvidence {
    /// The letter.
    pub letter: u32,
    /// Where it is taken, before it.
    pub condition: Option<Portable>,
    /// The state after it.
    pub target: usize,
}

impl Certificate {
    /// As engines hand it over.
    pub fn of(
        terms: &Terms,
        product: &Product,
        invariants: &BTreeMap<usize, Term>,
        rounds: u32,
        loose: bool,
    ) -> Certificate {
        let portable = |term: &Term| Portable::of(terms, &[*term]);
        let states = product
            .nodes
            .iter()
            .enumerate()
            .map(|(number, node)| StateEvidence {
                locs: node
                    .state
                    .locs
                    .iter()
                    .map(|loc| loc.map(|loc| loc.0))
                    .collect(),
                known: node
                    .state
                    .known
                    .iter()
                    .map(|(var, &value)| (var.0, value))
                    .collect(),
                sleep: node.state.sleep.iter().map(|letter| letter.0).collect(),
                membrane: node.membrane,
                steps: node
                    .steps
                    .iter()
                    .map(|step| StepEvidence {
                        letter: step.letter.0,
                        condition: step.condition.as_ref().map(portable),
                        target: step.target,
                    })
                    .collect(),
                invariant: invariants.get(&number).map(portable),
                dead: node.dead,
            });
        Certificate {
            rounds,
            loose,
            states: states.collect(),
        }
    }

    /// As a value.
    pub fn value(&self) -> Value {
        // Numbers and lists: nothing of this can fail to become a value.
        serde_json::to_value(self).unwrap_or_default()
    }
}
