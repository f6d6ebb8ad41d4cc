//! Rounds of loops in which a thread only waits.
//!
//! A thread that looks whether there is something to do, finds nothing and looks again has made no step
//! in the lockstep of all. If the turn passed as after any other round, the thread that it waits for
//! would fall behind the others; so that one has the next turn.

use crate::letters::{LetterId, Letters};
use abstraction::{AccessKind, Program};
use expr::{Terms, VarId};
use std::collections::{BTreeMap, BTreeSet};
use xcfa::LocId;

/// The letters that end a round of waiting, and the thread that is waited for.
pub fn waits(program: &Program, terms: &Terms, letters: &Letters) -> BTreeMap<LetterId, usize> {
    let mut found = BTreeMap::new();
    for id in letters.ids() {
        let thread = letters[id].thread;
        if thread == 0 {
            continue;
        }
        for &head in &letters[id].heads {
            let round = Round {
                program,
                terms,
                letters,
                head,
            };
            let feeder = round.looked_at(id).and_then(|seen| {
                let mut others = 1..program.threads.len();
                others.find(|&other| other != thread && round.is_written_by(other, &seen))
            });
            found.extend(feeder.map(|feeder| (id, feeder)));
        }
    }
    found
}

/// The rounds of a loop.
struct Round<'a> {
    program: &'a Program,
    terms: &'a Terms,
    letters: &'a Letters,
    head: LocId,
}

impl Round<'_> {
    /// What a round that ends with a letter looks at, if it does nothing else on any way.
    fn looked_at(&self, last: LetterId) -> Option<BTreeSet<VarId>> {
        let end = self.letters[last].source;
        let mut seen = BTreeSet::from([self.head]);
        let mut open = vec![self.head];
        let mut looked_at = self.seen_by(last)?;
        while let Some(loc) = open.pop() {
            for &id in self.letters.out(loc) {
                let letter = &self.letters[id];
                let leads_there = self.letters.later(letter.target).contains(end.0 as usize);
                if loc == end || !letter.heads.is_empty() || !leads_there {
                    continue;
                }
                looked_at.extend(self.seen_by(id)?);
                if seen.insert(letter.target) {
                    open.push(letter.target);
                }
            }
        }
        seen.contains(&end).then_some(looked_at)
    }

    /// What a letter reads, if it sets only what is of no use at the head.
    fn seen_by(&self, id: LetterId) -> Option<BTreeSet<VarId>> {
        let letter = &self.letters[id];
        let dead = self.program.dead(self.head);
        let mut set = letter.updates.keys();
        let writes = |kind: AccessKind| kind != AccessKind::Read;
        if !set.all(|var| dead.contains(var.0 as usize))
            || letter.accesses.iter().any(|it| writes(it.kind))
            || !letter.starts.is_empty()
        {
            return None;
        }
        let read = letter.updates.values().copied().chain([letter.guard]);
        Some(read.flat_map(|term| self.terms.vars(term)).collect())
    }

    fn is_written_by(&self, thread: usize, vars: &BTreeSet<VarId>) -> bool {
        let own = self.letters.ids().map(|id| &self.letters[id]);
        let mut own = own.filter(|letter| letter.thread == thread);
        own.any(|letter| letter.updates.keys().any(|var| vars.contains(var)))
    }
}
