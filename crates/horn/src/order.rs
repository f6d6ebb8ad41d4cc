//! Which threads cannot be running while another one is somewhere: not yet started, or ended.
//!
//! A thread that starts another knows before that it is not there yet; one that has waited for its end
//! knows, together with all threads that it starts later, that it is no longer there. Only threads
//! that run once are examined. Which thread is waited for is found by following values that
//! no other thread changes.

use abstraction::{Action, ActionId, Program};
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use verdict::Budget;
use xcfa::LocId;

/// What is known at a location.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    /// Threads that may have been started.
    started: BitSet,
    /// Threads that have ended for certain.
    ended: BitSet,
    /// Values of variables that only this thread changes.
    values: FxHashMap<VarId, Term>,
}

/// Threads, and which others cannot run beside them.
#[derive(Debug)]
pub struct Order {
    known: Vec<Option<Known>>,
    /// By thread: the only one that starts it, if there is only one.
    starter: Vec<Option<usize>>,
}

impl Order {
    /// Follows all threads; nothing if there is no time for it.
    pub fn of(program: &Program, terms: &mut Terms, budget: &Budget) -> Option<Order> {
        let mut order = Order {
            known: vec![None; program.locations()],
            starter: starters(program),
        };
        let mut search = Search {
            program,
            writers: writers(program),
            work: BTreeSet::from([program.threads[0].init]),
        };
        let first = search.beginning(terms, 0, BitSet::new());
        order.known[program.threads[0].init.0 as usize] = Some(first);
        while let Some(loc) = search.work.pop_first() {
            if budget.exceeded(0).is_some() {
                return None;
            }
            for &id in program.out(loc) {
                search.follow(terms, &mut order, id);
            }
        }
        Some(order)
    }

    /// Can the thread not be running while another is at the location?
    pub fn excludes(&self, program: &Program, loc: LocId, by: usize, thread: usize) -> bool {
        if program.threads[thread].many {
            return false;
        }
        let Some(known) = &self.known[loc.0 as usize] else {
            // No thread ever arrives there.
            return true;
        };
        let starts_it = self.starter[thread] == Some(by) && !program.threads[by].many;
        known.ended.contains(thread) || starts_it && !known.started.contains(thread)
    }
}

struct Search<'a> {
    program: &'a Program,
    /// By variable: the only thread that changes it, if there is only one.
    writers: FxHashMap<VarId, Option<usize>>,
    /// Locations where less is known than when their actions were last followed.
    work: BTreeSet<LocId>,
}

impl Search<'_> {
    /// What a thread knows when it begins: the first values of what no other thread changes. What the
    /// first thread changes can only be known to itself.
    fn beginning(&self, terms: &mut Terms, thread: usize, ended: BitSet) -> Known {
        let mut values = FxHashMap::default();
        for (number, about) in self.program.vars.iter().enumerate() {
            let var = VarId(number as u32);
            let unchanged = match self.writers.get(&var) {
                None => true,
                Some(writer) => thread == 0 && *writer == Some(0),
            };
            if let Some(init) = about.init.filter(|_| unchanged && !about.input) {
                values.insert(var, terms.constant(about.sort, init));
            }
        }
        Known {
            started: BitSet::new(),
            ended,
            values,
        }
    }

    fn follow(&mut self, terms: &mut Terms, order: &mut Order, id: ActionId) {
        let action = &self.program[id];
        let before = order.known[action.source.0 as usize].clone();
        let before = before.expect("only known locations are left");
        let after = self.after(terms, &before, action);
        for &thread in &action.starts {
            let child = self.beginning(terms, thread, before.ended.clone());
            self.merge(order, self.program.threads[thread].init, child);
        }
        self.merge(order, action.target, after);
    }

    fn merge(&mut self, order: &mut Order, loc: LocId, new: Known) {
        let slot = &mut order.known[loc.0 as usize];
        let merged = match slot {
            None => new,
            Some(old) => {
                let mut merged = old.clone();
                merged.started.union_with(&new.started);
                merged.ended.intersect_with(&new.ended);
                let values = &mut merged.values;
                values.retain(|var, value| new.values.get(var) == Some(value));
                merged
            }
        };
        if slot.as_ref() != Some(&merged) {
            *slot = Some(merged);
            self.work.insert(loc);
        }
    }

    fn after(&self, terms: &mut Terms, before: &Known, action: &Action) -> Known {
        let mut after = before.clone();
        let guard = terms.substitute(action.guard, &before.values);
        for part in terms.conjuncts(guard) {
            if let Some(thread) = self.end_of(terms, part) {
                after.ended.insert(thread);
            }
        }
        for &thread in &action.starts {
            after.started.insert(thread);
        }
        for &(var, value) in &action.updates {
            let value = terms.substitute(value, &before.values);
            let mine = self.writers.get(&var) == Some(&Some(action.thread));
            match terms.as_const(value).filter(|_| mine) {
                Some(_) => after.values.insert(var, value),
                None => after.values.remove(&var),
            };
        }
        after
    }

    /// The thread whose end the condition waits for.
    fn end_of(&self, terms: &Terms, part: Term) -> Option<usize> {
        let var = terms.as_var(part)?;
        let mut about = self.program.about.iter();
        about.position(|about| about.ended == var)
    }
}

/// By variable that is changed: the thread that changes it, if it is always the same.
fn writers(program: &Program) -> FxHashMap<VarId, Option<usize>> {
    let mut writers: FxHashMap<VarId, Option<usize>> = FxHashMap::default();
    for action in &program.actions {
        // Threads of a template are many.
        let thread = Some(action.thread).filter(|&thread| !program.threads[thread].many);
        for &(var, _) in &action.updates {
            let writer = writers.entry(var).or_insert(thread);
            *writer = writer.filter(|_| *writer == thread);
        }
    }
    writers
}

/// By thread: the thread that starts it, if it is always the same.
fn starters(program: &Program) -> Vec<Option<usize>> {
    let starter = |thread: usize| {
        let actions = program.actions.iter();
        let mut by = actions
            .filter(|a| a.starts.contains(&thread))
            .map(|a| a.thread);
        let first = by.next()?;
        by.all(|other| other == first).then_some(first)
    };
    (0..program.threads.len()).map(starter).collect()
}
