//! Variables that a thread counts side by side: neither gets ahead of the other by more than a step.

use super::Collector;
use expr::{Node, Op, Sort, Term, VarId};
use std::collections::BTreeSet;

/// No more candidates than this are made in this way.
const MOST: usize = 120;

impl Collector<'_> {
    /// Compares variables that the same thread adds constants to.
    pub(super) fn steps(&mut self) {
        let end = self.found.len() + MOST;
        for thread in 0..self.program.threads.len() {
            let counted = self.counted(thread);
            for &one in &counted {
                for &other in &counted {
                    if one != other && self.found.len() < end {
                        self.beside(one, other);
                    }
                }
            }
        }
    }

    /// The variables that a thread adds constants to.
    pub(super) fn counted(&self, thread: usize) -> BTreeSet<VarId> {
        let actions = self.program.actions.iter();
        let own = actions.filter(|action| action.thread == thread);
        let updates = own.flat_map(|action| &action.updates);
        let adds = |var: VarId, value: Term| match self.terms.node(value) {
            Node::Binary(Op::Add, a, b) => {
                self.terms.as_var(a) == Some(var) && self.terms.as_const(b).is_some()
            }
            _ => false,
        };
        let adding = updates.filter(|&&(var, value)| adds(var, value));
        let vars = adding.map(|&(var, _)| var);
        let plain = |var: &VarId| !self.program.vars[var.0 as usize].control;
        vars.filter(plain).collect()
    }

    fn beside(&mut self, one: VarId, other: VarId) {
        let (one, other) = (self.read(one), self.read(other));
        let sort = self.terms.sort(one);
        if !matches!(sort, Sort::Bv(_)) || sort != self.terms.sort(other) {
            return;
        }
        let step = self.constant(other, 1);
        let next = self.terms.add(other, step);
        for bound in [other, next] {
            let order = self.terms.binary(Op::Sle, one, bound);
            if self.matters(order) {
                self.add(order);
            }
        }
    }
}
