//! Which constraints of the reduction one clause can state for many locations (section 4 of the paper).

use super::independence::Independence;
use super::system::{System, ThreadId};
use crate::guard::Guards;
use expr::Term;
use std::collections::BTreeMap;
use xcfa::LocId;

/// Two threads, the smaller one first.
pub type Pair = (ThreadId, ThreadId);

/// Two locations whose transitions are all independent under conditions.
pub struct Guarded {
    /// The threads.
    pub threads: Pair,
    /// The locations.
    pub locs: (LocId, LocId),
    /// All of them have to hold.
    pub guards: Vec<Term>,
}

/// Which locations of two threads never conflict, so that one clause serves for all of them.
#[derive(Default)]
pub struct Blocks {
    /// By threads `i < j`: the locations of `i` that are independent of all of `j`.
    pub always: BTreeMap<Pair, Vec<LocId>>,
    /// By threads and another location of `i`: the locations of `j` that it is independent of.
    pub some: Vec<(Pair, LocId, Vec<LocId>)>,
    /// Locations that are independent under conditions.
    pub guarded: Vec<Guarded>,
    /// The pairs of transitions that are left.
    pub pairs: Vec<((usize, usize), Term)>,
}

impl Blocks {
    /// Sorts the pairs of transitions.
    pub fn of(system: &System, relation: &Independence) -> Blocks {
        let mut blocks = Blocks::default();
        if relation.guards.is_empty() {
            return blocks;
        }
        let locations = |thread: ThreadId| -> BTreeMap<LocId, Vec<usize>> {
            let mut by_loc: BTreeMap<LocId, Vec<usize>> = BTreeMap::new();
            for &at in &system.of_thread[thread] {
                let source = system.actions()[at].source;
                by_loc.entry(source).or_default().push(at);
            }
            by_loc
        };
        let free = |a: &[usize], b: &[usize]| {
            a.iter().all(|&a| {
                let mut guards = b.iter().map(|&b| relation.guards.get(&(a, b)));
                guards.all(|guard| guard.is_some_and(|&g| system.terms.as_const(g) == Some(1)))
            })
        };
        let count = system.of_thread.len();
        for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
            let (of_i, of_j) = (locations(i), locations(j));
            for (&loc, transitions) in &of_i {
                let (same, other): (Vec<_>, Vec<_>) = of_j
                    .iter()
                    .partition(|(_, others)| free(transitions, others));
                if other.is_empty() {
                    blocks.always.entry((i, j)).or_default().push(loc);
                    continue;
                }
                if !same.is_empty() {
                    let same = same.into_iter().map(|(&loc, _)| loc).collect();
                    blocks.some.push(((i, j), loc, same));
                }
                for &(&other, others) in &other {
                    if let Some(guards) = all_guards(relation, transitions, others) {
                        blocks.guarded.push(Guarded {
                            threads: (i, j),
                            locs: (loc, other),
                            guards,
                        });
                    }
                }
                for (a, b) in other.into_iter().flat_map(|(_, others)| {
                    transitions
                        .iter()
                        .flat_map(|&a| others.iter().map(move |&b| (a, b)))
                }) {
                    if let Some(&guard) = relation.guards.get(&(a, b)) {
                        blocks.pairs.push(((a, b), guard));
                    }
                }
            }
        }
        blocks
    }
}

/// When all transitions of two locations are independent; `None` if some never are.
fn all_guards(relation: &Independence, a: &[usize], b: &[usize]) -> Option<Vec<Term>> {
    let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
    let guards = pairs.map(|pair| relation.common.get(&pair).copied());
    let mut guards: Vec<Term> = guards.collect::<Option<_>>()?;
    guards.sort_unstable();
    guards.dedup();
    Some(guards)
}

/// By transition: can another one of the same location be possible at the same time?
pub fn choices(system: &System) -> Vec<bool> {
    let mut guards = Guards::default();
    let mut choices = vec![false; system.actions().len()];
    for actions in &system.of_thread {
        for &a in actions {
            for &b in actions {
                let (x, y) = (&system.actions()[a], &system.actions()[b]);
                if a != b && x.source == y.source {
                    choices[a] |= !guards.exclude(&system.terms, x.guard, y.guard);
                }
            }
        }
    }
    choices
}
