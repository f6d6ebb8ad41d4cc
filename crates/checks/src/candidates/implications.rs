//! Facts that hold on some ways to a location: those that a variable remembers, and those that a lock
//! protects.

use super::Collector;
use crate::leaves::leaves;
use abstraction::Action;
use expr::{Node, Op, Sort, Term, Terms, VarId};
use std::collections::{BTreeMap, BTreeSet};
use xcfa::LocId;

/// Conditions are looked for over so many actions before a variable is set.
const DEPTH: usize = 3;

/// No more implications than this for each kind.
const MOST: usize = 250;

/// So many conditions that are tested twice are looked at.
const MOST_TESTS: usize = 4;

impl Collector<'_> {
    /// A variable that is set to a constant may remember what was tested before.
    pub(super) fn remembered(&mut self) {
        let end = self.found.len() + MOST;
        for action in &self.program.actions {
            if self.found.len() >= end || self.is_full() {
                return;
            }
            let Some((set, value)) = self.constant_set(action) else {
                continue;
            };
            let otherwise = self.otherwise(set, value);
            let mut tested = self.tested_before(action);
            tested.extend(self.unstarted());
            for leaf in tested {
                for side in [leaf, self.terms.not(leaf)] {
                    if self.found.len() < end && self.matters(side) {
                        let remembers = self.terms.or(otherwise, side);
                        self.add(remembers);
                    }
                }
            }
        }
    }

    /// For each thread: it has not been started.
    fn unstarted(&mut self) -> Vec<Term> {
        let mut found = Vec::new();
        for (thread, about) in self.program.about.iter().enumerate().skip(1).take(8) {
            if !self.program.threads[thread].many {
                let handle = self.read(about.handle);
                let none = self.constant(handle, 0);
                found.push(self.terms.eq(handle, none));
            }
        }
        found
    }

    /// The variable has another value than this one: the only other one that it gets, if there is one.
    fn otherwise(&mut self, set: Term, value: Term) -> Term {
        let updates = self
            .program
            .actions
            .iter()
            .flat_map(|action| &action.updates);
        let of_var = updates.filter(|&&(var, _)| Some(var) == self.terms.as_var(set));
        let mut others: Vec<Term> = of_var.map(|&(_, value)| value).collect();
        others.retain(|&other| other != value);
        others.sort_unstable();
        others.dedup();
        match others[..] {
            [other] if self.terms.as_const(other).is_some() => self.terms.eq(set, other),
            _ => {
                let is_set = self.terms.eq(set, value);
                self.terms.not(is_set)
            }
        }
    }

    /// A variable of the thread that the action sets to a constant, where ways meet.
    fn constant_set(&mut self, action: &Action) -> Option<(Term, Term)> {
        let mut into = self.program.actions.iter();
        let target = action.target;
        into.find(|other| other.target == target && !std::ptr::eq(*other, action))?;
        let live = |var: VarId| !self.program.dead(target).contains(var.0 as usize);
        let own = |var: VarId| {
            let about = &self.program.vars[var.0 as usize];
            about.owner.is_some() && about.sort != Sort::Bool
        };
        let is_constant = |terms: &Terms, value: Term| terms.as_const(value).is_some();
        let mut updates = action.updates.iter();
        let &(var, value) = updates
            .find(|&&(var, value)| live(var) && own(var) && is_constant(self.terms, value))?;
        Some((self.read(var), value))
    }

    /// What this action and those before it test, in terms of what is afterwards.
    fn tested_before(&mut self, action: &Action) -> Vec<Term> {
        let mut found = Vec::new();
        for leaf in leaves(self.terms, action.guard) {
            found.extend(self.after(action, leaf));
        }
        let mut open = vec![action.source];
        for _ in 0..DEPTH {
            let mut before = Vec::new();
            for earlier in &self.program.actions {
                if open.contains(&earlier.target) && !earlier.backward {
                    for leaf in leaves(self.terms, earlier.guard) {
                        found.extend(self.after(earlier, leaf));
                    }
                    before.push(earlier.source);
                }
            }
            open = before;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A thread that tests the same condition of its own twice may know something behind the second
    /// test that it learnt behind the first: that it has a lock, what the lock protects.
    pub(super) fn tested_twice(&mut self) {
        let end = self.found.len() + MOST;
        let tests = self.own_tests();
        let facts: Vec<(Term, Option<usize>)> = self
            .found
            .iter()
            .filter(|atom| self.is_equality(atom.term))
            .filter(|atom| atom.vars.iter().any(|var| self.is_shared(var)))
            .map(|atom| (atom.term, atom.owner))
            .collect();
        for (test, thread) in tests {
            for &(fact, owner) in &facts {
                if owner.is_some_and(|owner| owner != thread) {
                    continue;
                }
                for side in [test, self.terms.not(test)] {
                    if self.found.len() < end {
                        let behind = self.terms.or(side, fact);
                        self.add(behind);
                    }
                }
            }
        }
    }

    fn is_shared(&self, var: usize) -> bool {
        self.program.vars[var].owner.is_none()
    }

    fn is_equality(&self, fact: Term) -> bool {
        matches!(self.terms.node(fact), Node::Binary(Op::Eq, ..))
    }

    /// Conditions over a thread's own variables that it tests at several places, with the thread.
    fn own_tests(&mut self) -> Vec<(Term, usize)> {
        let mut places: BTreeMap<(Term, usize), BTreeSet<LocId>> = BTreeMap::new();
        for action in &self.program.actions {
            for leaf in leaves(self.terms, action.guard) {
                let own = |var: &VarId| {
                    let about = &self.program.vars[var.0 as usize];
                    about.owner == Some(action.thread) && !about.input && !about.control
                };
                if self.terms.vars(leaf).iter().all(own) {
                    let at = places.entry((leaf, action.thread)).or_default();
                    at.insert(action.source);
                }
            }
        }
        places.retain(|_, at| at.len() > 1);
        places.into_keys().take(MOST_TESTS).collect()
    }

    /// Shared variables that an error depends on and that only get constants may change together.
    pub(super) fn together(&mut self, errors: &[Term]) {
        let end = self.found.len() + MOST;
        for &error in errors {
            let vars = self.terms.vars(error);
            let shared = |var: &VarId| self.program.vars[var.0 as usize].owner.is_none();
            let vars: Vec<VarId> = vars.into_iter().filter(shared).take(8).collect();
            let facts: Vec<Term> = vars.iter().flat_map(|&var| self.values(var)).collect();
            for &one in &facts {
                for &other in &facts {
                    if one != other && self.found.len() < end {
                        let either = self.terms.or(one, other);
                        self.add(either);
                    }
                }
            }
        }
    }

    /// That a variable has one of its few constants, for each.
    fn values(&mut self, var: VarId) -> Vec<Term> {
        let read = self.read(var);
        let mut found = Vec::new();
        for action in &self.program.actions {
            for &(set, value) in &action.updates {
                if set == var && self.terms.as_const(value).is_some() {
                    found.push(self.terms.eq(read, value));
                }
            }
        }
        if let Some(init) = self.program.vars[var.0 as usize].init {
            let value = self.constant(read, init);
            found.push(self.terms.eq(read, value));
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(3);
        found
    }

    /// What is shared may hold whenever no thread has the lock.
    pub(super) fn protected(&mut self) {
        let end = self.found.len() + MOST;
        let words = self.program.vars.iter().enumerate();
        let words = words.filter(|(at, about)| {
            let of_thread = |var: VarId| var.0 as usize == *at;
            let threads = &mut self.program.about.iter();
            let is_thread = threads.any(|it| of_thread(it.handle) || of_thread(it.ended));
            about.control && about.sort == Sort::Bv(32) && about.init == Some(0) && !is_thread
        });
        let words: Vec<VarId> = words.map(|(at, _)| VarId(at as u32)).take(4).collect();
        let shared: Vec<Term> = self
            .found
            .iter()
            .filter(|atom| {
                let mut vars = atom.vars.iter();
                atom.owner.is_none() && vars.all(|var| !self.program.vars[var].control)
            })
            .map(|atom| atom.term)
            .collect();
        for word in words {
            let word = self.read(word);
            let free = self.constant(word, 0);
            let free = self.terms.eq(word, free);
            let held = self.terms.not(free);
            for &fact in &shared {
                if self.found.len() < end {
                    let protected = self.terms.or(held, fact);
                    self.add(protected);
                }
            }
        }
    }
}
