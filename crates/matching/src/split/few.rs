//! Some of the predicates that a strategy has chosen.

use crate::predicates::Predicate;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// This many different ones of the predicates: those that were chosen most often, and first.
pub fn few(chosen: Vec<Predicate>, most: usize) -> Vec<Predicate> {
    let mut votes: FxHashMap<Predicate, usize> = FxHashMap::default();
    for &predicate in &chosen {
        *votes.entry(predicate).or_default() += 1;
    }
    let mut seen = FxHashSet::default();
    let different = chosen.into_iter().filter(|&it| seen.insert(it));
    let mut different: Vec<Predicate> = different.collect();
    different.sort_by_key(|predicate| Reverse(votes[predicate]));
    different.truncate(most);
    different
}
