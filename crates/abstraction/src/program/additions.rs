//! Counts of additions to shared variables.
//!
//! A counter that several threads add to, once each, is bounded by the number of those that have. That
//! is a fact about one thread at a time only if the program says how many have. So each such action sets
//! a flag of its own or, in a template, counts; and it is counted how many threads of a template were
//! started.
//!
//! Law: no other variable depends on these, and the only condition that mentions them is that fewer
//! threads of a template have taken such an action than were started. That is so before each of them: no way leads
//! from behind the action to it, so that a thread takes it at most once, and the one that takes it now
//! has not. (Counts have 64 bits, and no run has so many steps.) So the program has the same runs.

use super::{Program, StateVar};
use crate::{Action, ActionId};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::LocId;

/// More additions than this are not counted.
const MOST: usize = 48;

/// An action that adds a constant to what it, or an earlier action, has read.
#[derive(Clone, Copy, Debug)]
pub struct Addition {
    /// The shared variable that it sets.
    pub var: VarId,
    /// What it adds, as a constant of the sort of the variable.
    pub step: Term,
    /// True once the action was taken; or how often it was, if its thread is a template.
    pub taken: VarId,
    /// For a template: how many threads of it were started.
    pub started: Option<VarId>,
}

impl Program {
    /// Counts each action that sets a shared variable to something plus a constant, and is taken at most
    /// once by a thread.
    pub(super) fn count_additions(&mut self, terms: &mut Terms) {
        let mut started = FxHashMap::default();
        for number in 0..self.actions.len() {
            let Some((var, step)) = self.addition(terms, &self.actions[number]) else {
                continue;
            };
            if self.additions.len() >= MOST || self.comes_again(ActionId(number as u32)) {
                continue;
            }
            let thread = self.actions[number].thread;
            let name = format!("additions to {}", self.vars[var.0 as usize].name);
            let many = self.threads[thread].many;
            let started = many.then(|| {
                let known = started.entry(thread);
                *known.or_insert_with(|| self.count_starts(terms, thread))
            });
            let taken = match started {
                Some(started) => self.count(terms, number, name, started),
                None => self.flag(terms, number, name),
            };
            self.additions.push(Addition {
                var,
                step,
                taken,
                started,
            });
        }
    }

    /// The shared variable to which an action adds a constant.
    fn addition(&self, terms: &Terms, action: &Action) -> Option<(VarId, Term)> {
        action.updates.iter().find_map(|&(var, value)| {
            let about = &self.vars[var.0 as usize];
            let Node::Binary(Op::Add, _, step) = terms.node(value) else {
                return None;
            };
            let plain = about.owner.is_none() && !about.control;
            let constant = terms.as_const(step).is_some() && matches!(about.sort, Sort::Bv(_));
            (plain && constant).then_some((var, step))
        })
    }

    /// Does a way lead from behind an action to it?
    fn comes_again(&self, id: ActionId) -> bool {
        let wanted = self[id].source;
        let mut open: Vec<LocId> = vec![self[id].target];
        let mut seen: FxHashSet<LocId> = FxHashSet::default();
        while let Some(loc) = open.pop() {
            if loc == wanted {
                return true;
            }
            if seen.insert(loc) {
                open.extend(self.out(loc).iter().map(|&next| self[next].target));
            }
        }
        false
    }

    fn add_count(&mut self, name: String, sort: Sort) -> VarId {
        self.vars.push(StateVar {
            name,
            sort,
            init: Some(0),
            owner: None,
            control: false,
            input: false,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    /// An action sets a flag of its own.
    fn flag(&mut self, terms: &mut Terms, number: usize, name: String) -> VarId {
        let flag = self.add_count(name, Sort::Bool);
        let truth = terms.bool(true);
        set(&mut self.actions[number], flag, truth);
        flag
    }

    /// An action of a template counts how often it was taken: less often than threads were started.
    fn count(&mut self, terms: &mut Terms, number: usize, name: String, started: VarId) -> VarId {
        let count = self.add_count(name, Sort::Bv(64));
        let (taken, there) = (
            terms.var(count, Sort::Bv(64)),
            terms.var(started, Sort::Bv(64)),
        );
        let fewer = terms.binary(Op::Ult, taken, there);
        let one = terms.bv(64, 1);
        let more = terms.add(taken, one);
        let action = &mut self.actions[number];
        action.guard = terms.and(action.guard, fewer);
        action.reads.insert(count.0 as usize);
        action.reads.insert(started.0 as usize);
        set(action, count, more);
        count
    }

    /// Every action that starts a thread of a template counts it.
    fn count_starts(&mut self, terms: &mut Terms, thread: usize) -> VarId {
        let name = format!("threads {}", self.threads[thread].name);
        let started = self.add_count(name, Sort::Bv(64));
        let (before, one) = (terms.var(started, Sort::Bv(64)), terms.bv(64, 1));
        let more = terms.add(before, one);
        for action in &mut self.actions {
            if action.starts.contains(&thread) {
                action.reads.insert(started.0 as usize);
                set(action, started, more);
            }
        }
        started
    }
}

fn set(action: &mut Action, var: VarId, value: Term) {
    action.updates.push((var, value));
    action.writes.insert(var.0 as usize);
}
