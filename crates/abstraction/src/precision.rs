//! What of the data is examined.

use crate::Program;
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// The tracked variables and predicates, in the order in which they came.
///
/// It only grows, so a state made under an earlier precision is a state under a later one in which
/// the rest is unknown.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    vars: Vec<VarId>,
    slots: FxHashMap<VarId, usize>,
    predicates: Vec<Predicate>,
    known: FxHashMap<Term, usize>,
    /// The variables that occur in it.
    occurring: BitSet,
}

/// A tracked predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The predicate.
    pub term: Term,
    /// Its variables.
    pub vars: BitSet,
}

impl Precision {
    /// What every precision contains: locks, and the states of threads.
    pub fn control(program: &Program) -> Precision {
        let mut precision = Precision::default();
        for (number, var) in program.vars.iter().enumerate() {
            if var.control && !var.input {
                precision.track(VarId(number as u32));
            }
        }
        precision
    }

    /// Tracks a variable from now on; was it new?
    pub fn track(&mut self, var: VarId) -> bool {
        if self.slots.contains_key(&var) {
            return false;
        }
        self.slots.insert(var, self.vars.len());
        self.vars.push(var);
        self.occurring.insert(var.0 as usize);
        true
    }

    /// Tracks a predicate, which must not be the negation of a known one; was it new?
    pub fn track_predicate(&mut self, terms: &Terms, term: Term) -> bool {
        if self.known.contains_key(&term) {
            return false;
        }
        let vars = terms.vars(term);
        let vars: BitSet = vars.iter().map(|var| var.0 as usize).collect();
        self.occurring.union_with(&vars);
        self.known.insert(term, self.predicates.len());
        self.predicates.push(Predicate { term, vars });
        true
    }

    /// The tracked variables; the place of each is its slot.
    pub fn vars(&self) -> &[VarId] {
        &self.vars
    }

    /// Where the value of a variable is kept.
    pub fn slot(&self, var: VarId) -> Option<usize> {
        self.slots.get(&var).copied()
    }

    /// The tracked predicates.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The variables that occur in it.
    pub fn occurring(&self) -> &BitSet {
        &self.occurring
    }

    /// Does the variable occur in it?
    pub fn mentions(&self, var: VarId) -> bool {
        self.occurring.contains(var.0 as usize)
    }
}
