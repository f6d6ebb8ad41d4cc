//! Locations split by what their thread alone knows.
//!
//! A thread that counts its rounds is somewhere else in every round: its locations are copied, one
//! for each of the values that the variables of the thread can have there, as long as these are
//! constants. An index that is computed from them is a constant then, and so is the place in the
//! array that it means.
//!
//! Which values there are comes from an analysis of one thread at a time (Miné, "Static analysis of
//! run-time errors in embedded critical parallel C programs", ESOP 2011): at each place a variable
//! has one of a few values, those that the thread has left there and those that other threads write
//! anywhere. An action whose condition no such value satisfies does not exist.
//!
//! Law: the actions that are left are those of the program, each once for each place, with constants
//! put in for variables of its thread; every execution of the program is one of them.

mod values;

use super::footprint::Memory;
use abstraction::{Action, Program};
use expr::{Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use values::{Known, Values};
use xcfa::LocId;

/// A program with more places than this stays as it is.
const MOST_PLACES: usize = 256;

/// So does one with more variables than this: each place has a set of values for each of them.
const MOST_VARS: usize = 256;

/// Places, and the actions between them: their sources and targets are places.
pub struct Places {
    /// By place: its location.
    pub locs: Vec<LocId>,
    /// By thread: where it starts.
    pub init: Vec<LocId>,
    /// The actions.
    pub actions: Vec<Action>,
    /// By action: its accesses to memory.
    pub memory: Vec<Vec<Memory>>,
}

impl Places {
    /// Splits the locations of a program, if that gives no more than a few places; `memory` are the
    /// accesses of its actions.
    pub fn of(program: &Program, terms: &mut Terms, memory: Vec<Vec<Memory>>) -> Places {
        if program.vars.len() > MOST_VARS {
            return Places::unsplit(program, memory);
        }
        let mut split = Split::new(program, terms);
        match split.close() {
            true => split.places(&memory),
            false => Places::unsplit(program, memory),
        }
    }

    /// One place for each location.
    fn unsplit(program: &Program, memory: Vec<Vec<Memory>>) -> Places {
        Places {
            locs: (0..program.locations() as u32).map(LocId).collect(),
            init: program.threads.iter().map(|thread| thread.init).collect(),
            actions: program.actions.clone(),
            memory,
        }
    }

    /// Leaves out updates of variables of one thread that nothing reads any more: no action, and no
    /// address, which tells whether two actions are independent.
    fn drop_unread(&mut self, program: &Program, terms: &Terms) {
        let addresses: FxHashSet<VarId> = self.in_addresses(terms).collect();
        loop {
            let mut read = addresses.clone();
            for action in &self.actions {
                read.extend(terms.vars(action.guard));
                for &(_, value) in action.updates.iter().chain(&action.chosen) {
                    read.extend(terms.vars(value));
                }
            }
            let mut dropped = false;
            for action in &mut self.actions {
                let before = action.updates.len();
                action.updates.retain(|(var, _)| {
                    read.contains(var) || program.vars[var.0 as usize].owner.is_none()
                });
                dropped |= action.updates.len() < before;
            }
            if !dropped {
                return;
            }
        }
    }

    /// Variables that addresses are computed from.
    pub fn in_addresses<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = VarId> + 'a {
        let accesses = self.memory.iter().flatten();
        let addresses = accesses.filter_map(|access| access.address);
        addresses.flat_map(|addr| terms.vars(addr))
    }
}

/// A thread, a location, and the constants among the thread's variables.
type Key = (usize, LocId, BTreeMap<VarId, u64>);

struct Split<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    /// By variable: the only thread that changes it, if no other one reads it either.
    private: Vec<Option<usize>>,
    numbers: FxHashMap<Key, usize>,
    keys: Vec<Key>,
    /// By place: what the variables can hold.
    known: Vec<Known>,
    /// By thread and variable that others see: what the thread writes.
    written: Vec<FxHashMap<VarId, Values>>,
    /// By thread: the threads that it starts.
    started: Vec<BTreeSet<usize>>,
    /// Has anything been added in this round?
    grew: bool,
}

impl<'a> Split<'a> {
    fn new(program: &'a Program, terms: &'a mut Terms) -> Split<'a> {
        let mut split = Split {
            program,
            terms,
            private: private(program),
            numbers: FxHashMap::default(),
            keys: Vec::new(),
            known: Vec::new(),
            written: vec![FxHashMap::default(); program.threads.len()],
            started: vec![BTreeSet::new(); program.threads.len()],
            grew: false,
        };
        let init = program.vars.iter().map(|var| match var.init {
            Some(init) if !var.input => Values::one(init),
            _ => Values::Any,
        });
        let known = Known {
            values: init.collect(),
            running: BTreeSet::from([0]),
        };
        split.arrive(0, program.threads[0].init, &known);
        split
    }

    /// Adds places and values until there are no more; fails if there are too many places.
    fn close(&mut self) -> bool {
        self.grew = true;
        while std::mem::take(&mut self.grew) {
            let mut place = 0;
            while place < self.keys.len() {
                self.see_others(place);
                for at in self.leaving(place) {
                    self.take(place, at);
                }
                place += 1;
                if self.keys.len() > MOST_PLACES {
                    return false;
                }
            }
        }
        true
    }

    /// The actions that leave a place, by number.
    fn leaving(&self, place: usize) -> Vec<usize> {
        let (thread, loc, _) = &self.keys[place];
        let out = self.program.out(*loc).iter();
        let out = out.map(|action| action.0 as usize);
        out.filter(|&at| self.program.actions[at].thread == *thread)
            .collect()
    }

    fn owns(&self, thread: usize, var: VarId) -> bool {
        self.private[var.0 as usize] == Some(thread)
    }

    /// Variables may hold what other threads write, at any time from their start on.
    fn see_others(&mut self, place: usize) {
        let thread = self.keys[place].0;
        let known = &mut self.known[place];
        let mut others: Vec<usize> = known.running.iter().copied().collect();
        others.retain(|&other| other != thread);
        while let Some(other) = others.pop() {
            let more = self.started[other].iter();
            let more: Vec<usize> = more
                .filter(|&&next| known.running.insert(next))
                .copied()
                .collect();
            self.grew |= !more.is_empty();
            others.extend(more);
        }
        for &other in known.running.iter().filter(|&&other| other != thread) {
            for (var, values) in &self.written[other] {
                self.grew |= known.values[var.0 as usize].add(values);
            }
        }
    }

    /// What can be after an action; nothing if it cannot be taken.
    fn after(&mut self, place: usize, at: usize) -> Option<Known> {
        let action = &self.program.actions[at];
        let known = self.known[place].clone();
        if !known.may_hold(self.terms, action.guard) {
            return None;
        }
        let mut after = known.clone();
        for &(var, value) in &action.updates {
            after.values[var.0 as usize] = known.possible(self.terms, value);
        }
        after.running.extend(&action.starts);
        Some(after)
    }

    fn take(&mut self, place: usize, at: usize) {
        let Some(after) = self.after(place, at) else {
            return;
        };
        let action = &self.program.actions[at];
        let known = self.known[place].clone();
        let constants = self.constants(place);
        for &(var, value) in &action.updates {
            if !self.owns(action.thread, var) {
                let value = self.terms.substitute(value, &constants);
                let values = known.written(self.terms, var, value);
                let written = &mut self.written[action.thread];
                let written = written.entry(var).or_insert_with(Values::none);
                self.grew |= written.add(&values);
            }
        }
        self.arrive(action.thread, action.target, &after);
        for &child in &action.starts {
            self.grew |= self.started[action.thread].insert(child);
            self.arrive(child, self.program.threads[child].init, &after);
        }
    }

    /// The place of a thread that comes to a location.
    fn key(&self, thread: usize, loc: LocId, known: &Known) -> Key {
        let dead = self.program.dead(loc);
        let vars = (0..self.program.vars.len()).filter(|&var| !dead.contains(var));
        let vars = vars.map(|var| VarId(var as u32));
        let own = vars.filter(|&var| self.owns(thread, var));
        let constants = own.filter_map(|var| Some((var, known.values[var.0 as usize].as_one()?)));
        (thread, loc, constants.collect())
    }

    fn arrive(&mut self, thread: usize, loc: LocId, known: &Known) {
        let key = self.key(thread, loc, known);
        match self.numbers.get(&key) {
            Some(&place) => {
                let old = &mut self.known[place];
                for (old, new) in old.values.iter_mut().zip(&known.values) {
                    self.grew |= old.add(new);
                }
                for &thread in &known.running {
                    self.grew |= old.running.insert(thread);
                }
            }
            None => {
                self.grew = true;
                self.numbers.insert(key.clone(), self.keys.len());
                self.keys.push(key);
                self.known.push(known.clone());
            }
        }
    }

    /// The places that are reached with the values that were found, and their actions.
    fn places(mut self, memory: &[Vec<Memory>]) -> Places {
        let threads = self.program.threads.iter();
        let mut places = Places {
            locs: self.keys.iter().map(|key| key.1).collect(),
            init: threads.map(|_| LocId(0)).collect(),
            actions: Vec::new(),
            memory: Vec::new(),
        };
        let mut seen: FxHashSet<usize> = std::iter::once(0).collect();
        let mut work = vec![0];
        while let Some(place) = work.pop() {
            for at in self.leaving(place) {
                let Some(after) = self.after(place, at) else {
                    continue;
                };
                let mut action = self.program.actions[at].clone();
                let target = self.numbers[&self.key(action.thread, action.target, &after)];
                let mut reached = vec![target];
                for &child in &action.starts {
                    let init = self.program.threads[child].init;
                    let init = self.numbers[&self.key(child, init, &after)];
                    // Nobody has changed a variable of the child yet, so this is always the same place.
                    places.init[child] = LocId(init as u32);
                    reached.push(init);
                }
                work.extend(reached.into_iter().filter(|&next| seen.insert(next)));
                (action.source, action.target) = (LocId(place as u32), LocId(target as u32));
                let constants = self.constants(place);
                substitute(self.terms, &mut action, &constants);
                places.actions.push(action);
                let accesses = memory[at].iter();
                let accesses = accesses.map(|access| access.with(self.terms, &constants));
                places.memory.push(accesses.collect());
            }
        }
        places.drop_unread(self.program, self.terms);
        places
    }

    fn constants(&mut self, place: usize) -> FxHashMap<VarId, Term> {
        let constants = self.keys[place].2.clone().into_iter();
        let constant = |(var, bits): (VarId, u64)| {
            let sort = self.program.vars[var.0 as usize].sort;
            (var, self.terms.constant(sort, bits))
        };
        constants.map(constant).collect()
    }
}

/// By variable: its thread, if no other one touches it. The argument of a thread is written by the one
/// that starts it, so it is not meant.
fn private(program: &Program) -> Vec<Option<usize>> {
    let mut private: Vec<Option<usize>> = program.vars.iter().map(|var| var.owner).collect();
    for action in &program.actions {
        for (var, _) in &action.updates {
            let owner = &mut private[var.0 as usize];
            *owner = owner.filter(|&owner| owner == action.thread);
        }
    }
    private
}

/// Puts constants in, and leaves out updates that then change nothing.
fn substitute(terms: &mut Terms, action: &mut Action, constants: &FxHashMap<VarId, Term>) {
    action.guard = terms.substitute(action.guard, constants);
    for (_, value) in action.updates.iter_mut().chain(&mut action.chosen) {
        *value = terms.substitute(*value, constants);
    }
    action
        .updates
        .retain(|&(var, value)| terms.as_var(value) != Some(var));
}
