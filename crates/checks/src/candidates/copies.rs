//! What is known of a variable may be known of its copies.

use super::Collector;
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// No more candidates than this are made in this way.
const MOST: usize = 200;

impl Collector<'_> {
    /// Candidates about a variable, with a variable that it is copied to or from in its place.
    pub(super) fn copies(&mut self) {
        let mut pairs: BTreeSet<(VarId, VarId)> = BTreeSet::new();
        for action in &self.program.actions {
            for &(var, value) in &action.updates {
                let source = self.terms.as_var(value);
                if let Some(source) = source.filter(|it| !self.program.vars[it.0 as usize].input) {
                    pairs.insert((var, source));
                    pairs.insert((source, var));
                }
            }
        }
        let end = self.found.len() + MOST;
        let atoms: Vec<Term> = self.found.iter().map(|atom| atom.term).collect();
        for atom in atoms {
            for var in self.terms.vars(atom) {
                let last = (VarId(var.0 + 1), VarId(0));
                let others: Vec<VarId> =
                    pairs.range((var, VarId(0))..last).map(|it| it.1).collect();
                for other in others {
                    let other = self.read(other);
                    let same_sort =
                        self.terms.sort(other) == self.program.vars[var.0 as usize].sort;
                    if self.found.len() < end && same_sort {
                        let only = FxHashMap::from_iter([(var, other)]);
                        let renamed = self.terms.substitute(atom, &only);
                        if self.matters(renamed) {
                            self.add(renamed);
                        }
                    }
                }
            }
        }
    }
}
