//! Removes the answer `EDEADLK` where no thread can get it.
//!
//! A call that takes a reader-writer lock has two edges: one takes the lock, the other finds that
//! the thread itself holds it for writing and returns the error. The second is rarely possible, and
//! analyses that follow locks do better without it. Here it goes if on no path of the thread the
//! lock may be held for writing.
//!
//! Locks are distinguished by their address terms: only locks at fixed addresses are followed. A thread
//! that writes into a lock by other means is undefined behaviour.

use expr::Term;
use std::collections::BTreeSet;
use xcfa::{Edge, EdgeId, Label, LocId, LockMode, Xcfa};

/// Which locks a thread may hold for writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    known: BTreeSet<Term>,
    /// Others too.
    others: bool,
}

impl Held {
    fn join(&mut self, other: &Held) -> bool {
        let before = (self.known.len(), self.others);
        self.known.extend(&other.known);
        self.others |= other.others;
        before != (self.known.len(), self.others)
    }

    fn step(&mut self, xcfa: &Xcfa, edge: &Edge) {
        for label in &edge.labels {
            match *label {
                Label::Lock {
                    addr,
                    mode: LockMode::Write,
                } if is_fixed(xcfa, addr) => {
                    self.known.insert(addr);
                }
                Label::Lock {
                    mode: LockMode::Write,
                    ..
                }
                | Label::Call { .. } => self.others = true,
                Label::Unlock { addr, .. } => {
                    self.known.remove(&addr);
                }
                _ => {}
            }
        }
    }
}

fn is_fixed(xcfa: &Xcfa, addr: Term) -> bool {
    xcfa.terms.vars(addr).is_empty()
}

/// Removes those answers.
pub fn remove_relocks(xcfa: &mut Xcfa) {
    let answers: Vec<(EdgeId, Term)> = xcfa
        .edge_ids()
        .filter_map(|id| relock(xcfa, id).map(|lock| (id, lock)))
        .collect();
    if answers.is_empty() {
        return;
    }
    let held = held(xcfa);
    let impossible = |&&(id, lock): &&(EdgeId, Term)| {
        let held = &held[xcfa[id].source.0 as usize];
        let may_hold = |held: &Held| held.others || held.known.contains(&lock);
        is_fixed(xcfa, lock) && !held.as_ref().is_some_and(may_hold)
    };
    let gone: BTreeSet<EdgeId> = answers
        .iter()
        .filter(impossible)
        .map(|(id, _)| *id)
        .collect();
    xcfa.retain_edges(|id, _| !gone.contains(&id));
}

/// The lock of which this edge says that the thread holds it already.
fn relock(xcfa: &Xcfa, id: EdgeId) -> Option<Term> {
    let edge = &xcfa[id];
    let [Label::Load { addr, .. }, Label::Assume(cond), ..] = edge.labels.as_slice() else {
        return None;
    };
    let takes = |other: &EdgeId| {
        let first = xcfa[*other].labels.first();
        matches!(first, Some(Label::Lock { addr: lock, mode }) if lock == addr && *mode != LockMode::Exclusive)
    };
    let is_mine = xcfa.terms.vars(*cond).contains(&xcfa.self_var);
    (is_mine && xcfa[edge.source].out.iter().any(takes)).then_some(*addr)
}

/// What may be held at each location; nothing is known where no thread comes.
fn held(xcfa: &Xcfa) -> Vec<Option<Held>> {
    let mut held: Vec<Option<Held>> = vec![None; xcfa.locs.len()];
    let mut work: Vec<LocId> = Vec::new();
    for proc in xcfa.proc_ids() {
        let starts_thread = proc == xcfa.main || is_started(xcfa, proc);
        let init = xcfa[proc].init;
        let others = !starts_thread;
        held[init.0 as usize] = Some(Held {
            others,
            ..Held::default()
        });
        work.push(init);
    }
    while let Some(loc) = work.pop() {
        let Some(now) = held[loc.0 as usize].clone() else {
            continue;
        };
        for &id in &xcfa[loc].out {
            let edge = &xcfa[id];
            let mut next = now.clone();
            next.step(xcfa, edge);
            let target = &mut held[edge.target.0 as usize];
            let changed = match target {
                Some(known) => known.join(&next),
                None => {
                    *target = Some(next);
                    true
                }
            };
            if changed {
                work.push(edge.target);
            }
        }
    }
    held
}

/// Is the procedure one where threads begin, and never called?
fn is_started(xcfa: &Xcfa, proc: xcfa::ProcId) -> bool {
    let labels = || xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let calls = |label: &Label| match label {
        Label::Call { callee, .. } => *callee == xcfa::Callee::Direct(proc),
        _ => false,
    };
    let starts =
        |label: &Label| matches!(label, Label::Start { proc: started, .. } if *started == proc);
    labels().any(starts) && !labels().any(calls)
}

#[cfg(test)]
mod tests {
    use automata::parse;
    use xcfa::Label;

    /// How many edges say that the thread holds the lock already, before and after.
    fn relocks(text: &str) -> [usize; 2] {
        let mut xcfa = parse(text);
        let count = |xcfa: &xcfa::Xcfa| {
            let loads = |edge: &&xcfa::Edge| matches!(edge.labels[0], Label::Load { .. });
            xcfa.edges
                .iter()
                .filter(|edge| !edge.labels.is_empty())
                .filter(loads)
                .count()
        };
        let before = count(&xcfa);
        super::remove_relocks(&mut xcfa);
        [before, count(&xcfa)]
    }

    #[test]
    fn a_lock_that_is_unlocked_before_it_is_taken_again() {
        let text = "static l[8]
             proc main()
               in -> 1: atomic lock_write &l
               in -> 1: atomic p := *&l; assume p == self
               1 -> 2: atomic unlock_shared &l
               2 -> 3: atomic lock_write &l
               2 -> 3: atomic p := *&l; assume p == self";
        assert_eq!(relocks(text), [2, 0]);
    }

    #[test]
    fn a_lock_that_may_be_held() {
        let text = "static l[8]
             proc main()
               in -> 1: atomic lock_write &l
               in -> 1: atomic p := *&l; assume p == self
               1 -> 2: atomic unlock_shared &l
               1 -> 2: skip
               2 -> 3: atomic lock_read &l
               2 -> 3: atomic p := *&l; assume p == self";
        assert_eq!(relocks(text), [2, 1]);
    }

    #[test]
    fn a_lock_that_is_not_known() {
        let text = "static l[8]
             proc main()
               in -> 1: p := input
               1 -> 2: atomic lock_write p
               2 -> 3: atomic lock_write &l
               2 -> 3: atomic q := *&l; assume p == self";
        assert_eq!(relocks(text), [1, 1]);
    }
}
