//! The largest set of candidates that holds at each location.
//!
//! Where no path has led yet, everything holds. An action of a thread keeps at its target those
//! candidates that follow from what is known before it; [`crate::interference`] takes away what other
//! threads may break. Facts only become fewer, so that ends. As soon as an error may be reached, the
//! proof has failed: with fewer facts it may still be reached.

use crate::candidates::Candidates;
use crate::facts::{sections, updates};
use crate::prover::Prover;
use abstraction::{ActionId, Program};
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use verdict::{Budget, Reason};
use xcfa::{ErrorKind, LocId};

/// Why there is no proof.
pub enum Stopped {
    /// Time or memory is used up, or the program is not followed.
    Budget(Reason),
    /// This action may lead to an error.
    Open(ActionId),
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Stopped {
        Stopped::Budget(reason)
    }
}

/// An action that is possible.
struct Departure<'a> {
    id: ActionId,
    /// The numbers of the facts before it.
    before: &'a BitSet,
    /// These facts, and its condition.
    facts: &'a [Term],
}

/// What is known so far.
pub struct Fixpoint<'a> {
    pub program: &'a Program,
    pub candidates: &'a Candidates,
    target: ErrorKind,
    pub prover: Prover<'a>,
    /// By location: the numbers of the candidates that hold there; none if no path leads there.
    pub known: Vec<Option<BitSet>>,
    /// By location: is it inside an atomic section?
    pub inside: Vec<bool>,
    /// By location: the thread that it belongs to.
    pub thread_of: Vec<usize>,
    /// By action: what it sets.
    pub updates: Vec<FxHashMap<VarId, Term>>,
    /// By action: the variables of its condition.
    guards: Vec<BitSet>,
    /// The actions that are possible: with fewer facts they still are.
    possible: BitSet,
    /// Locations where less is known than when their actions were last followed.
    pub open: BTreeSet<u32>,
    /// Locations where less is known than when interference was last looked at.
    pub changed: BTreeSet<u32>,
}

impl<'a> Fixpoint<'a> {
    /// Nothing is known to be reached.
    pub fn new(
        program: &'a Program,
        candidates: &'a Candidates,
        target: ErrorKind,
        budget: &'a Budget,
    ) -> Fixpoint<'a> {
        let mut thread_of = vec![0; program.locations()];
        for action in &program.actions {
            thread_of[action.source.0 as usize] = action.thread;
            thread_of[action.target.0 as usize] = action.thread;
        }
        // A thread that does nothing has no actions.
        for (number, thread) in program.threads.iter().enumerate() {
            thread_of[thread.init.0 as usize] = number;
        }
        Fixpoint {
            program,
            candidates,
            target,
            prover: Prover::new(budget),
            known: vec![None; program.locations()],
            inside: Vec::new(),
            thread_of,
            updates: program.actions.iter().map(updates).collect(),
            guards: Vec::new(),
            possible: BitSet::new(),
            open: BTreeSet::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Runs to the end; an error if some check may fail.
    pub fn run(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        if !self.has_errors() {
            return Ok(());
        }
        let unbalanced = || Reason::unsupported("an atomic section that is left on one path only");
        self.inside = sections(self.program).ok_or_else(unbalanced)?;
        let guards = self.program.actions.iter().map(|action| {
            let vars = terms.vars(action.guard).into_iter();
            vars.map(|var| var.0 as usize).collect()
        });
        self.guards = guards.collect();
        self.start(terms)?;
        loop {
            while let Some(at) = self.open.pop_first() {
                for &action in self.program.out(LocId(at)) {
                    self.follow(terms, action)?;
                }
            }
            if self.changed.is_empty() {
                return Ok(());
            }
            self.interfere(terms)?;
        }
    }

    fn is_error(&self, loc: LocId) -> bool {
        let error = self.program.error(loc);
        error == Some(self.target) || error == Some(ErrorKind::Unwound)
    }

    /// Does any action lead to an error at all?
    fn has_errors(&self) -> bool {
        let mut actions = self.program.actions.iter();
        actions.any(|action| self.is_error(action.target))
    }

    /// The first thread begins with the values that variables start with.
    fn start(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        let mut facts = Vec::new();
        for (at, about) in self.program.vars.iter().enumerate() {
            if let (Some(init), false) = (about.init, about.input) {
                let value = terms.constant(about.sort, init);
                let var = terms.var(VarId(at as u32), about.sort);
                facts.push(terms.eq(var, value));
            }
        }
        let first = self.program.threads[0].init;
        let wanted = self.fitting(first, 0);
        let wanted = wanted.map(|atom| (atom, self.candidates.atoms[atom].term));
        let wanted = wanted.collect();
        let kept = self.prover.following(terms, &facts, wanted)?;
        self.learn(first, kept);
        Ok(())
    }

    /// The candidates that can be of use at a location.
    fn fitting(&self, loc: LocId, thread: usize) -> impl Iterator<Item = usize> + 'a {
        let (program, candidates) = (self.program, self.candidates);
        let atoms = candidates.atoms.iter().enumerate();
        atoms.filter_map(move |(at, atom)| atom.fits(program, thread, loc).then_some(at))
    }

    /// From now on, no more than this is known at a location.
    pub fn learn(&mut self, loc: LocId, kept: Vec<usize>) {
        let kept: BitSet = kept.into_iter().collect();
        let at = loc.0 as usize;
        if self.known[at]
            .as_ref()
            .is_none_or(|old| old.len() != kept.len())
        {
            self.known[at] = Some(kept);
            self.open.insert(loc.0);
            self.changed.insert(loc.0);
        }
    }

    /// What is known at a location, as terms.
    pub fn facts(&self, known: &BitSet) -> Vec<Term> {
        known
            .iter()
            .map(|atom| self.candidates.atoms[atom].term)
            .collect()
    }

    /// One action of one thread.
    fn follow(&mut self, terms: &mut Terms, id: ActionId) -> Result<(), Stopped> {
        let action = &self.program[id];
        let Some(before) = self.known[action.source.0 as usize].clone() else {
            return Ok(());
        };
        let is_error = self.is_error(action.target);
        if self.program.error(action.target).is_some() && !is_error {
            return Ok(());
        }
        let mut facts = self.facts(&before);
        if !self.possible.contains(id.0 as usize)
            && !self.prover.possible(terms, &facts, action.guard)?
        {
            return Ok(());
        }
        if is_error {
            return Err(Stopped::Open(id));
        }
        self.possible.insert(id.0 as usize);
        facts.push(action.guard);
        let from = Departure {
            id,
            before: &before,
            facts: &facts,
        };
        self.flow(terms, &from, action.target, action.thread)?;
        for &started in &action.starts {
            let mut facts = facts.clone();
            if !self.program.threads[started].many {
                facts.extend(self.untouched(terms, started));
            }
            let from = Departure {
                id,
                before: &BitSet::new(),
                facts: &facts,
            };
            self.flow(terms, &from, self.program.threads[started].init, started)?;
        }
        Ok(())
    }

    /// A thread that has not been started has its variables as they are at the start.
    fn untouched(&self, terms: &mut Terms, thread: usize) -> Vec<Term> {
        let mut facts = Vec::new();
        for (at, about) in self.program.vars.iter().enumerate() {
            if let (Some(init), true, false) =
                (about.init, about.owner == Some(thread), about.input)
            {
                let value = terms.constant(about.sort, init);
                let var = terms.var(VarId(at as u32), about.sort);
                facts.push(terms.eq(var, value));
            }
        }
        facts
    }

    /// The variables about which a condition may tell something, together with the facts before it.
    fn concerned(&self, id: ActionId, before: &BitSet) -> BitSet {
        let guard = &self.guards[id.0 as usize];
        let mut concerned = guard.clone();
        for atom in before.iter() {
            let vars = &self.candidates.atoms[atom].vars;
            if vars.intersects(guard) {
                concerned.union_with(vars);
            }
        }
        concerned
    }

    /// Keeps at the target what follows.
    fn flow(
        &mut self,
        terms: &mut Terms,
        from: &Departure<'_>,
        target: LocId,
        thread: usize,
    ) -> Result<(), Stopped> {
        let id = from.id;
        let wanted: Vec<usize> = match &self.known[target.0 as usize] {
            Some(known) => known.iter().collect(),
            None => self.fitting(target, thread).collect(),
        };
        let (mut kept, mut asked) = (Vec::new(), Vec::new());
        let starts = thread != self.program[id].thread;
        let concerned = self.concerned(id, from.before);
        for atom in wanted {
            let about = &self.candidates.atoms[atom];
            let touched = about.vars.intersects(&self.program[id].writes);
            let concerns = touched || starts || about.vars.intersects(&concerned);
            if !touched && from.before.contains(atom) {
                kept.push(atom);
            } else if concerns {
                let term = terms.substitute(about.term, &self.updates[id.0 as usize]);
                asked.push((atom, term));
            }
        }
        kept.extend(self.prover.following(terms, from.facts, asked)?);
        self.learn(target, kept);
        Ok(())
    }
}
