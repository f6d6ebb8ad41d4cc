//! Bounds of variables that are counted or compared: not below zero, and those next to a comparison.

use super::Collector;
use expr::{Node, Op, Sort, Term, VarId};
use rustc_hash::FxHashSet;

impl Collector<'_> {
    /// Numbers that are computed with are often not negative.
    pub(super) fn bounds(&mut self) {
        let mut counted: Vec<VarId> = Vec::new();
        let mut known: FxHashSet<VarId> = FxHashSet::default();
        for action in &self.program.actions {
            for &(var, value) in &action.updates {
                let adds = matches!(
                    self.terms.node(value),
                    Node::Binary(Op::Add | Op::Sub | Op::Mul, ..)
                );
                if adds && known.insert(var) {
                    counted.push(var);
                }
            }
        }
        let compared: Vec<VarId> = self
            .found
            .iter()
            .flat_map(|atom| {
                let vars = atom.vars.iter();
                vars.map(|var| VarId(var as u32)).collect::<Vec<_>>()
            })
            .collect();
        for var in counted.into_iter().chain(compared) {
            let about = &self.program.vars[var.0 as usize];
            if known.insert(var) || matches!(about.sort, Sort::Bv(8..)) && !about.control {
                self.not_negative(var);
            }
        }
    }

    fn not_negative(&mut self, var: VarId) {
        let read: Term = self.read(var);
        if !matches!(self.terms.sort(read), Sort::Bv(_)) {
            return;
        }
        let zero = self.constant(read, 0);
        let order = self.terms.binary(Op::Sle, zero, read);
        if self.matters(order) {
            self.add(order);
        }
    }
}
