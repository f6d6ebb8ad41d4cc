//! The situations: no step leads out of them, and in none of them do all threads wait.

use super::steps::{Step, Steps};
use super::{Oracle, Places, quiet};
use abstraction::Program;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use verdict::Objection;
use xcfa::{ErrorKind, LocId};

/// A step from one situation to another, or several, without spurious wake-ups.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The situations between, if it is several steps.
    pub through: Vec<usize>,
    /// The thread that does it.
    pub threads: Vec<usize>,
    /// The condition under which it holds.
    pub guard: Term,
    /// What changes.
    pub updates: FxHashMap<VarId, Term>,
}

/// The situations of the evidence.
pub struct Invariants<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    /// By situation: where the threads are, and what is said to hold.
    pub situations: Vec<(Places, Term)>,
    numbers: FxHashMap<Places, usize>,
    /// The next unused variable.
    next: u32,
}

impl<'a> Invariants<'a> {
    /// Nothing is checked yet.
    pub fn new(
        program: &'a Program,
        steps: &'a Steps,
        situations: Vec<(Places, Term)>,
    ) -> Result<Invariants<'a>, Objection> {
        let numbers = situations.iter().enumerate();
        let numbers: FxHashMap<Places, usize> = numbers
            .map(|(number, (places, _))| (places.clone(), number))
            .collect();
        if numbers.len() != situations.len() {
            return Err("a situation is named twice".into());
        }
        Ok(Invariants {
            program,
            steps,
            situations,
            numbers,
            next: program.vars.len() as u32,
        })
    }

    /// Checks all of them, and gives the steps between them.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) -> Result<Vec<Edge>, Objection> {
        self.only_owners_write()?;
        self.fix_constants(terms);
        self.start(terms, oracle)?;
        let mut edges = Vec::new();
        for number in 0..self.situations.len() {
            for thread in self.acting(number) {
                self.leave(terms, oracle, number, thread, &mut edges)?;
            }
            self.somebody_moves(terms, oracle, number)?;
        }
        Ok(edges)
    }

    /// A thread finds its variables as they are at the start, so no other thread may have written them,
    /// except in the very step that starts it.
    fn only_owners_write(&self) -> Result<(), Objection> {
        for action in &self.program.actions {
            for (var, _) in &action.updates {
                let owner = self.program.vars[var.0 as usize].owner;
                let fine = |owner: usize| owner == action.thread || action.starts.contains(&owner);
                if !owner.is_none_or(fine) {
                    return Err("a thread writes what belongs to another".into());
                }
            }
        }
        Ok(())
    }

    /// What no action changes is as it was, in every situation.
    fn fix_constants(&mut self, terms: &mut Terms) {
        let mut changes = vec![false; self.program.vars.len()];
        for (var, _) in self
            .program
            .actions
            .iter()
            .flat_map(|action| &action.updates)
        {
            changes[var.0 as usize] = true;
        }
        let mut fixed = terms.bool(true);
        for (at, var) in self.program.vars.iter().enumerate() {
            if let (false, false, Some(init)) = (changes[at], var.input, var.init) {
                let value = terms.constant(var.sort, init);
                let var = terms.var(VarId(at as u32), var.sort);
                let same = terms.eq(var, value);
                fixed = terms.and(fixed, same);
            }
        }
        for (_, invariant) in &mut self.situations {
            *invariant = terms.and(*invariant, fixed);
        }
    }

    /// The first situation.
    fn start(&mut self, terms: &mut Terms, oracle: &mut Oracle<'_>) -> Result<(), Objection> {
        let threads = self.program.threads.iter().enumerate();
        let places: Places = threads
            .map(|(number, thread)| (number == 0).then_some(thread.init))
            .collect();
        let number = *self.numbers.get(&places).ok_or("the start is missing")?;
        let mut first = FxHashMap::default();
        for (at, var) in self.program.vars.iter().enumerate() {
            if let Some(init) = var.init {
                first.insert(VarId(at as u32), terms.constant(var.sort, init));
            }
        }
        let holds = terms.substitute(self.situations[number].1, &first);
        let broken = terms.not(holds);
        match oracle.exclude(terms, &[broken])? {
            true => Ok(()),
            false => Err("an invariant does not hold at the start".into()),
        }
    }

    /// The threads that can move in a situation: a thread in an atomic section is alone.
    pub fn acting(&self, number: usize) -> Vec<usize> {
        let places = self.situations[number].0.iter().enumerate();
        let there = places.filter_map(|(thread, place)| Some((thread, (*place)?)));
        let there: Vec<(usize, LocId)> = there
            .filter(|(_, loc)| !self.steps.has_ended(*loc))
            .collect();
        let holder = there.iter().find(|(_, loc)| self.steps.is_in_section(*loc));
        match holder {
            Some(&(thread, _)) => vec![thread],
            None => there.iter().map(|&(thread, _)| thread).collect(),
        }
    }

    /// Is a thread in an atomic section?
    pub fn is_held(&self, number: usize) -> bool {
        let mut places = self.situations[number].0.iter().flatten();
        places.any(|&loc| self.steps.is_in_section(loc))
    }

    /// Where an acting thread is.
    pub fn place(&self, number: usize, thread: usize) -> Option<LocId> {
        self.situations[number].0[thread]
    }

    /// Follows the steps of a thread out of a situation.
    fn leave(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        number: usize,
        thread: usize,
        edges: &mut Vec<Edge>,
    ) -> Result<(), Objection> {
        let Some(loc) = self.place(number, thread) else {
            return Ok(());
        };
        let (steps, invariant) = (self.steps, self.situations[number].1);
        for step in steps.out(loc) {
            let happens = [invariant, step.guard];
            match self.program.error(step.target) {
                Some(ErrorKind::Unwound) => match oracle.exclude(terms, &happens)? {
                    true => continue,
                    false => return Err("the program may go on beyond the unrolling".into()),
                },
                // The execution ends there, for this property.
                Some(_) => continue,
                None => {}
            }
            let after = self.after(number, thread, step);
            let Some(&to) = after.and_then(|after| self.numbers.get(&after)) else {
                match oracle.exclude(terms, &happens)? {
                    true => continue,
                    false => return Err("a step leads to where nothing is said to hold".into()),
                }
            };
            let updates = self.with_starts(terms, step);
            let holds = terms.substitute(self.situations[to].1, &updates);
            let broken = terms.not(holds);
            if !oracle.exclude(terms, &[invariant, step.guard, broken])? {
                return Err("a step breaks an invariant".into());
            }
            let guard = quiet(self.program, terms, step.guard);
            if terms.as_const(guard) != Some(0) {
                edges.push(Edge {
                    from: number,
                    to,
                    through: Vec::new(),
                    threads: vec![thread],
                    guard,
                    updates,
                });
            }
        }
        Ok(())
    }

    /// Where the threads are after a step; nothing if it starts a thread that is there already.
    fn after(&self, number: usize, thread: usize, step: &Step) -> Option<Places> {
        let mut places = self.situations[number].0.clone();
        places[thread] = Some(step.target);
        for &started in &step.starts {
            let place = places.get_mut(started)?;
            if place.is_some() {
                return None;
            }
            *place = Some(self.program.threads[started].init);
        }
        Some(places)
    }

    /// What a step changes; the threads that it starts have their initial variables.
    fn with_starts(&mut self, terms: &mut Terms, step: &Step) -> FxHashMap<VarId, Term> {
        let mut updates = step.updates.clone();
        for (at, var) in self.program.vars.iter().enumerate() {
            let id = VarId(at as u32);
            let started = var.owner.is_some_and(|owner| step.starts.contains(&owner));
            if !started || updates.contains_key(&id) {
                continue;
            }
            let value = match var.init {
                Some(init) => terms.constant(var.sort, init),
                None => {
                    self.next += 1;
                    terms.var(VarId(self.next), var.sort)
                }
            };
            updates.insert(id, value);
        }
        updates
    }

    /// That a thread has to wait at its place, without wake-ups that come of themselves.
    pub fn waits(&self, terms: &mut Terms, loc: LocId) -> Term {
        quiet(
            self.program,
            terms,
            self.program.blocked_or_exiting(loc).waits,
        )
    }

    /// Not all threads that could act wait, and no thread waits inside an atomic section between two
    /// places.
    fn somebody_moves(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        number: usize,
    ) -> Result<(), Objection> {
        let acting = self.acting(number);
        let invariant = self.situations[number].1;
        let mut stuck = vec![invariant];
        for &thread in &acting {
            let Some(loc) = self.place(number, thread) else {
                continue;
            };
            stuck.push(self.waits(terms, loc));
            let mut leaves = self.program.blocked_or_exiting(loc).exits;
            for step in self.steps.out(loc) {
                leaves = terms.or(leaves, step.guard);
            }
            let leaves = quiet(self.program, terms, leaves);
            stuck.push(terms.not(leaves));
            for step in self.steps.inside(loc) {
                let waits = self.waits(terms, step.target);
                let waits = terms.substitute(waits, &step.updates);
                if !oracle.exclude(terms, &[invariant, step.guard, waits])? {
                    return Err("a thread may wait inside an atomic section".into());
                }
            }
        }
        match acting.is_empty() || oracle.exclude(terms, &stuck)? {
            true => Ok(()),
            false => Err("all threads may wait for ever".into()),
        }
    }
}
