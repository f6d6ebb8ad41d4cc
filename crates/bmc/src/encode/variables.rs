//! Variables while a thread is followed: its own are terms, shared ones are read and written.

use super::events::Read;
use super::state::Current;
use super::step::Effect;
use super::walk::{Moment, Walker, first_value};
use expr::{Node, Sort, Term, VarId};
use rustc_hash::FxHashMap;

impl Walker<'_> {
    pub(super) fn eval(&mut self, moment: &mut Moment, effect: &Effect, term: Term) -> Term {
        let mut values = FxHashMap::default();
        for var in self.events.terms.vars(term) {
            let value = self.get(moment, effect, var);
            values.insert(var, value);
        }
        self.events.terms.substitute(term, &values)
    }

    pub(super) fn get(&mut self, moment: &mut Moment, effect: &Effect, var: VarId) -> Term {
        if !self.shared.contains(&var) || effect.state.alone {
            return self.own(effect, var);
        }
        match effect.state.shared.get(&var) {
            Some(now) => now.value,
            None => self.read(moment, var),
        }
    }

    fn own(&mut self, effect: &Effect, var: VarId) -> Term {
        let known = effect.state.own.get(&var).copied();
        let terms = &mut self.events.terms;
        known.unwrap_or_else(|| first_value(self.xcfa, &self.firsts, terms, var))
    }

    /// The sort of a variable of the program or of a cell.
    pub(super) fn sort(&self, var: VarId) -> Sort {
        let made = self.sorts.get(&var).copied();
        made.unwrap_or_else(|| self.xcfa[var].sort)
    }

    /// What a shared variable holds when the step begins.
    fn read(&mut self, moment: &mut Moment, cell: VarId) -> Term {
        if let Some(&known) = moment.reads.get(&cell) {
            return known;
        }
        let node = self.node(moment);
        let (value, term) = self.events.unknown(self.sort(cell));
        let guard = moment.guard;
        self.events.reads.push(Read {
            node,
            cell,
            guard,
            value,
            sources: Vec::new(),
        });
        moment.reads.insert(cell, term);
        term
    }

    pub(super) fn set(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        var: VarId,
        value: Term,
    ) {
        let truth = self.events.terms.bool(true);
        self.set_if(moment, effect, var, truth, value);
    }

    /// Sets a variable under a condition.
    pub(super) fn set_if(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        var: VarId,
        condition: Term,
        value: Term,
    ) {
        let shared = self.shared.contains(&var);
        if !shared || effect.state.alone {
            let before = self.own(effect, var);
            let now = self.events.terms.ite(condition, value, before);
            effect.state.own.insert(var, now);
        }
        if !shared {
            return;
        }
        let before = match effect.state.shared.get(&var) {
            Some(&before) => before,
            None => {
                let written = self.events.terms.bool(false);
                let value = match effect.state.alone {
                    true => value,
                    // A path that meets this one may need what was there before.
                    false => self.read(moment, var),
                };
                Current { value, written }
            }
        };
        let terms = &mut self.events.terms;
        let value = terms.ite(condition, value, before.value);
        let changed = match terms.node(value) {
            _ if value == before.value && !effect.state.alone => terms.bool(false),
            Node::Ite(c, _, otherwise) if otherwise == before.value => c,
            Node::Ite(c, then, _) if then == before.value => terms.not(c),
            _ => condition,
        };
        let written = terms.or(before.written, changed);
        effect.state.shared.insert(var, Current { value, written });
    }
}
