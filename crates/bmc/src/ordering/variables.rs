//! Variables while a thread is followed: its own are terms, shared ones are read and written.

use super::events::Read;
use super::follow::Following;
use super::state::Current;
use super::walk::first_value;
use expr::{Node, Sort, Term, VarId};

impl Following<'_, '_> {
    pub(super) fn get(&mut self, var: VarId) -> Term {
        if !self.walker.shared.contains(&var) || self.effect.state.alone {
            return self.own(var);
        }
        match self.effect.state.shared.get(&var) {
            Some(now) => now.value,
            None => self.read_shared(var),
        }
    }

    fn own(&mut self, var: VarId) -> Term {
        let known = self.effect.state.own.get(&var).copied();
        let walker = &mut *self.walker;
        let terms = &mut walker.events.terms;
        known.unwrap_or_else(|| first_value(walker.xcfa, &walker.firsts, terms, var))
    }

    /// The sort of a variable of the program or of a cell.
    pub(super) fn sort(&self, var: VarId) -> Sort {
        let made = self.walker.sorts.get(&var).copied();
        made.unwrap_or_else(|| self.walker.xcfa[var].sort)
    }

    /// What a shared variable holds when the step begins.
    fn read_shared(&mut self, cell: VarId) -> Term {
        if let Some(&known) = self.moment.reads.get(&cell) {
            return known;
        }
        let node = self.walker.node(self.moment);
        let (value, term) = self.walker.events.unknown(self.sort(cell));
        let guard = self.moment.guard;
        self.walker.events.reads.push(Read {
            node,
            cell,
            guard,
            value,
            sources: Vec::new(),
        });
        self.moment.reads.insert(cell, term);
        term
    }

    pub(super) fn set_var(&mut self, var: VarId, value: Term) {
        let truth = self.walker.events.terms.bool(true);
        self.set_if(var, truth, value);
    }

    pub(super) fn set_if(&mut self, var: VarId, condition: Term, value: Term) {
        let shared = self.walker.shared.contains(&var);
        let alone = self.effect.state.alone;
        if !shared || alone {
            let before = self.own(var);
            let now = self.walker.events.terms.ite(condition, value, before);
            self.effect.state.own.insert(var, now);
        }
        if !shared {
            return;
        }
        let before = match self.effect.state.shared.get(&var) {
            Some(&before) => before,
            None => {
                let written = self.walker.events.terms.bool(false);
                let value = match alone || self.walker.is_weak {
                    true => value,
                    // A path that meets this one may need what was there before.
                    false => self.read_shared(var),
                };
                Current { value, written }
            }
        };
        let terms = &mut self.walker.events.terms;
        let value = terms.ite(condition, value, before.value);
        let changed = match terms.node(value) {
            // A write of what is there already orders others in a weak execution.
            _ if self.walker.is_weak => condition,
            _ if value == before.value && !alone => terms.bool(false),
            Node::Ite(c, _, otherwise) if otherwise == before.value => c,
            Node::Ite(c, then, _) if then == before.value => terms.not(c),
            _ => condition,
        };
        let written = terms.or(before.written, changed);
        let now = Current { value, written };
        self.effect.state.shared.insert(var, now);
    }
}
