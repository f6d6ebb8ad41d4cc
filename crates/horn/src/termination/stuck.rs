//! States in which threads wait for ever.

use super::rounds::{Rounds, with_wakeups};
use crate::blocks::Blocks;
use crate::control::ThreadPosition;
use crate::steps::{Step, Steps};
use crate::variables::{Member, Variables};
use abstraction::Program;
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use smt::horn::{PredId, Rule};
use xcfa::LocId;

/// Whether a thread at a place waits or moves, as conditions.
#[derive(Clone, Copy)]
struct Standing {
    /// Some way on is closed by others.
    waits: Term,
    /// It can go on, or end the process.
    leaves: Term,
    /// It can come into an atomic section and have to wait in there.
    held: Term,
}

/// What the threads of a program wait for.
pub struct Waiting<'a, 'v> {
    program: &'a Program,
    pub blocks: &'a Blocks,
    steps: &'a Steps,
    variables: &'v mut Variables<'a>,
    /// What is known about threads at places.
    standings: FxHashMap<(usize, LocId), Standing>,
}

impl<'a, 'v> Waiting<'a, 'v> {
    /// Nothing is known yet.
    pub fn new(
        program: &'a Program,
        blocks: &'a Blocks,
        steps: &'a Steps,
        variables: &'v mut Variables<'a>,
    ) -> Waiting<'a, 'v> {
        Waiting {
            program,
            blocks,
            steps,
            variables,
            standings: FxHashMap::default(),
        }
    }

    /// Clauses that say that no state is one in which some thread waits for ever.
    pub fn queries(&mut self, terms: &mut Terms, rounds: &Rounds, preds: &[PredId]) -> Vec<Rule> {
        let mut queries = Vec::new();
        for &pred in preds {
            let Some(places) = &rounds.places[pred.index()] else {
                continue;
            };
            let constraint = self.stuck(terms, places);
            if terms.as_const(constraint) != Some(0) {
                queries.push(Rule::new(vec![rounds.here(pred)], constraint, None));
            }
        }
        queries
    }

    /// Can a thread that has not ended never be blocked at a place, whatever the values are?
    pub fn is_never_blocked(&mut self, terms: &mut Terms, thread: usize, loc: LocId) -> bool {
        if self.is_end(loc) || self.program.error(loc).is_some() {
            return false;
        }
        let standing = self.standing(terms, thread, loc);
        let never = |term: Term| terms.as_const(term) == Some(0);
        never(standing.waits) && never(standing.held)
    }

    /// Is it where a thread is that has ended?
    fn is_end(&self, loc: LocId) -> bool {
        let mut actions = self.program.actions.iter();
        actions.any(|action| action.ends && action.target == loc)
    }

    /// When threads at these places wait for ever.
    fn stuck(&mut self, terms: &mut Terms, places: &[ThreadPosition]) -> Term {
        let there = places.iter().enumerate();
        let there = there.filter_map(|(thread, place)| Some((thread, (*place)?)));
        let there: Vec<(usize, LocId)> = there.filter(|(_, loc)| !self.is_end(*loc)).collect();
        let holder = there.iter().find(|(_, loc)| self.blocks.is_inside(*loc));
        let acting = match holder {
            Some(&holder) => vec![holder],
            None => there,
        };
        let mut all = terms.bool(!acting.is_empty());
        let mut held = terms.bool(false);
        for (thread, loc) in acting {
            let standing = self.standing(terms, thread, loc);
            let stays = terms.not(standing.leaves);
            let blocked = terms.and(standing.waits, stays);
            all = terms.and(all, blocked);
            held = terms.or(held, standing.held);
        }
        terms.or(all, held)
    }

    fn standing(&mut self, terms: &mut Terms, thread: usize, place: LocId) -> Standing {
        if let Some(&known) = self.standings.get(&(thread, place)) {
            return known;
        }
        let standing = self.compute_standing(terms, thread, place);
        self.standings.insert((thread, place), standing);
        standing
    }

    fn compute_standing(&mut self, terms: &mut Terms, thread: usize, place: LocId) -> Standing {
        let here = self.program.blocked_or_exiting(place);
        let mut standing = Standing {
            waits: here.waits,
            leaves: here.exits,
            held: terms.bool(false),
        };
        for step in &self.steps.steps {
            if (step.thread, step.source) == (thread, place) {
                standing.leaves = terms.or(standing.leaves, step.guard);
            }
        }
        self.follow(terms, thread, place, &mut standing);
        let spurious = self.program.spurious;
        let mut mine = |terms: &mut Terms, term: Term| {
            let term = with_wakeups(terms, term, spurious, false);
            let member = Member { thread, copy: 0 };
            self.variables.renamed(terms, term, member)
        };
        Standing {
            waits: mine(terms, standing.waits),
            leaves: mine(terms, standing.leaves),
            held: mine(terms, standing.held),
        }
    }

    /// Explores the paths from the place to the next ones.
    fn follow(&self, terms: &mut Terms, thread: usize, place: LocId, standing: &mut Standing) {
        if self.program.error(place).is_some() {
            return;
        }
        let spurious = self.program.spurious;
        let mut open = vec![Step::at(terms, thread, place)];
        while let Some(path) = open.pop() {
            for &id in self.program.out(path.target) {
                let Some(path) = path.clone().then(self.program, terms, id) else {
                    continue;
                };
                if self.steps.places[thread].contains(&path.target) {
                    continue;
                }
                let here = self.program.blocked_or_exiting(path.target);
                let exits = terms.substitute(here.exits, &path.updates);
                let exits = terms.and(path.guard, exits);
                standing.leaves = terms.or(standing.leaves, exits);
                open.push(path.clone());
                // Elsewhere inside of blocks no thread ever waits.
                if !self.blocks.is_in_section(path.target) {
                    continue;
                }
                // On the way to where it waits it may have been woken spuriously.
                let before = with_wakeups(terms, path.guard, spurious, true);
                let waits = with_wakeups(terms, here.waits, spurious, false);
                let waits = terms.substitute(waits, &path.updates);
                let waits = terms.and(before, waits);
                standing.held = terms.or(standing.held, waits);
            }
        }
    }
}
