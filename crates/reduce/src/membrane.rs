//! Threads that may go first because every error needs them.
//!
//! A thread is a *membrane* at a state if every execution from there to an error contains a step of
//! it, and all letters that it can take next can be moved to the front of such an execution. Then it
//! is enough to take its letters first: what the other threads do before can as well be done after.
//! (Weakly persistent membranes of Farzan, Klumpp and Podelski, PLDI 2022.)

use crate::commute::Commutes;
use crate::known::{Followed, Known, is_impossible};
use crate::letters::{LetterId, Letters};
use abstraction::Program;
use expr::{Terms, VarId};
use std::collections::BTreeSet;
use xcfa::LocId;

/// Follow a thread through at most this many states.
const MOST_STATES: usize = 2000;

/// Where the threads are; nothing for one that has not been started.
pub type Locations = [Option<LocId>];

/// Finds membranes.
pub struct Membranes<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its letters.
    pub letters: &'a Letters,
    /// What is followed of it.
    pub followed: &'a Followed,
}

impl Membranes<'_> {
    /// Is the thread a membrane?
    pub fn is_membrane(
        &self,
        terms: &mut Terms,
        commutes: &mut Commutes<'_>,
        locs: &Locations,
        known: &Known,
        thread: usize,
    ) -> bool {
        let Some(loc) = locs[thread] else {
            return false;
        };
        let own = self.letters.out(loc);
        self.without(locs, thread).into_iter().all(|other| {
            let Some(before) = self.before(terms, locs, known, other, thread) else {
                return false;
            };
            let mut pairs = own
                .iter()
                .flat_map(|&mine| before.iter().map(move |it| (it, mine)));
            pairs.all(|((it, known), mine)| commutes.given(terms, *it, mine, known))
        })
    }

    /// The letters that `other` can take as long as `thread` does nothing, with what is known then;
    /// nothing if it can get to an error.
    fn before(
        &self,
        terms: &mut Terms,
        locs: &Locations,
        known: &Known,
        other: usize,
        thread: usize,
    ) -> Option<Vec<(LetterId, Known)>> {
        let third = self
            .without(locs, thread)
            .into_iter()
            .filter(|&it| it != other);
        let foreign: BTreeSet<VarId> = third
            .flat_map(|it| self.future(locs, it))
            .flat_map(|letter| self.letters[letter].values().into_keys())
            .collect();
        let (loc, mut certain) = match locs[other] {
            Some(loc) => (loc, known.clone()),
            None => (self.program.threads[other].init, Known::new()),
        };
        certain.retain(|var, _| !foreign.contains(var));
        let mut found: Vec<(LocId, Known)> = vec![(loc, certain)];
        let mut taken = Vec::new();
        let mut next = 0;
        while next < found.len() {
            let (loc, known) = found[next].clone();
            next += 1;
            if self.letters.is_error(loc) || found.len() > MOST_STATES {
                return None;
            }
            for &id in self.letters.out(loc) {
                let letter = &self.letters[id];
                if is_impossible(self.program, terms, &known, letter) {
                    continue;
                }
                taken.push((id, known.clone()));
                let mut after = self.followed.after(self.program, terms, &known, letter);
                after.retain(|var, _| !foreign.contains(var));
                if !found
                    .iter()
                    .any(|(at, what)| *at == letter.target && *what == after)
                {
                    found.push((letter.target, after));
                }
            }
        }
        Some(taken)
    }

    /// The other threads that can move although this one does not.
    fn without(&self, locs: &Locations, thread: usize) -> Vec<usize> {
        let active = (0..locs.len()).filter(|&it| it != thread && locs[it].is_some());
        let mut found: Vec<usize> = active.collect();
        let mut next = 0;
        while let Some(&it) = found.get(next) {
            next += 1;
            for letter in self.future(locs, it) {
                for &started in &self.letters[letter].starts {
                    if started != thread && !found.contains(&started) {
                        found.push(started);
                    }
                }
            }
        }
        found
    }

    /// The letters that a thread may still take.
    fn future(&self, locs: &Locations, thread: usize) -> Vec<LetterId> {
        let loc = locs[thread].unwrap_or(self.program.threads[thread].init);
        let later = self.letters.later(loc).iter();
        later
            .flat_map(|loc| self.letters.out(LocId(loc as u32)).iter().copied())
            .collect()
    }
}
