//! Loops of every procedure: where they start, what they contain, how often they can go round.
//!
//! Law: every cycle of an automaton passes through the head of one of the loops. A loop that can
//! be entered elsewhere than at its head is marked as irreducible.

mod bounds;
mod cuts;
mod dominators;
mod idle;

use crate::BitSet;
use dominators::Dominators;
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, LocId, ProcId, Xcfa};

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where it starts.
    pub head: LocId,
    /// The edges that lead back to the head.
    pub back_edges: Vec<EdgeId>,
    /// All its locations, sorted, the head among them.
    pub body: Vec<LocId>,
    /// The innermost loop around it, by number.
    pub parent: Option<usize>,
    /// Is the head the only way in?
    pub reducible: bool,
    /// At most this many times does a run take the back edges before it leaves the loop, if known.
    pub bound: Option<u64>,
}

impl Loop {
    /// Is the location in the loop?
    pub fn contains(&self, loc: LocId) -> bool {
        self.body.binary_search(&loc).is_ok()
    }
}

/// All loops of a program.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The loops, in the order of their heads.
    pub loops: Vec<Loop>,
    innermost: Vec<Option<usize>>,
    heads: BitSet,
}

impl Loops {
    /// Finds the loops of all procedures.
    pub fn of(xcfa: &Xcfa) -> Loops {
        let mut loops: Vec<Loop> = xcfa
            .proc_ids()
            .flat_map(|proc| loops_of_procedure(xcfa, proc))
            .collect();
        loops.sort_by_key(|l| l.head);
        let innermost = nest(xcfa, &mut loops);
        for at in 0..loops.len() {
            loops[at].bound = bounds::bound(xcfa, &loops, &innermost, at);
        }
        let heads = loops.iter().map(|l| l.head.0 as usize).collect();
        Loops {
            loops,
            innermost,
            heads,
        }
    }

    /// Does a loop start here?
    pub fn is_head(&self, loc: LocId) -> bool {
        self.heads.contains(loc.0 as usize)
    }

    /// The innermost loop around a location, by number.
    pub fn innermost(&self, loc: LocId) -> Option<usize> {
        self.innermost[loc.0 as usize]
    }

    /// Has every loop a known bound?
    pub fn all_bounded(&self) -> bool {
        self.loops.iter().all(|l| l.bound.is_some())
    }
}

fn loops_of_procedure(xcfa: &Xcfa, proc: ProcId) -> Vec<Loop> {
    let dominators = Dominators::of(xcfa, xcfa[proc].init);
    let mut found: FxHashMap<LocId, Loop> = FxHashMap::default();
    for &edge in &dominators.retreating {
        let (latch, head) = (xcfa[edge].source, xcfa[edge].target);
        let natural = dominators.dominates(head, latch);
        let entry = found.entry(head).or_insert_with(|| Loop {
            head,
            back_edges: Vec::new(),
            body: Vec::new(),
            parent: None,
            reducible: true,
            bound: None,
        });
        entry.reducible &= natural;
        entry.back_edges.push(edge);
    }
    let mut loops: Vec<Loop> = found.into_values().collect();
    for l in &mut loops {
        l.body = body(xcfa, &dominators, l);
    }
    loops
}

/// Everything that reaches a back edge without passing through the head. Where the head does not
/// dominate, this may walk up to the start of the procedure: more than the loop, never less.
fn body(xcfa: &Xcfa, dominators: &Dominators, l: &Loop) -> Vec<LocId> {
    let mut seen = BitSet::new();
    seen.insert(l.head.0 as usize);
    let mut work: Vec<LocId> = l.back_edges.iter().map(|&edge| xcfa[edge].source).collect();
    while let Some(loc) = work.pop() {
        if dominators.is_reachable(loc) && seen.insert(loc.0 as usize) {
            work.extend(xcfa[loc].inc.iter().map(|&edge| xcfa[edge].source));
        }
    }
    seen.iter().map(|loc| LocId(loc as u32)).collect()
}

/// Sets the parents, and gives each location its innermost loop.
fn nest(xcfa: &Xcfa, loops: &mut [Loop]) -> Vec<Option<usize>> {
    let mut by_size: Vec<usize> = (0..loops.len()).collect();
    by_size.sort_by_key(|&at| (std::cmp::Reverse(loops[at].body.len()), at));
    let mut innermost = vec![None; xcfa.locs.len()];
    // From the largest to the smallest: what a head is in so far is what its loop is nested in.
    for at in by_size {
        loops[at].parent = innermost[loops[at].head.0 as usize];
        for loc in &loops[at].body {
            innermost[loc.0 as usize] = Some(at);
        }
    }
    innermost
}

#[cfg(test)]
mod tests;
