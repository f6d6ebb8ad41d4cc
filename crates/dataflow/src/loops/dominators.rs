//! Dominators of one procedure, after Cooper, Harvey and Kennedy ("A simple, fast dominance
//! algorithm", 2001), and the edges that go back in a depth-first walk.

use crate::graph::common_dominator;
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, LocId, Xcfa};

/// The dominators of the locations that the start reaches.
pub(super) struct Dominators {
    /// Position in reverse postorder.
    position: FxHashMap<LocId, usize>,
    /// Immediate dominator by position; the start is its own.
    idom: Vec<usize>,
    /// Edges to a location that the walk has entered and not left. Every cycle has one.
    pub(super) retreating: Vec<EdgeId>,
}

impl Dominators {
    pub(super) fn of(xcfa: &Xcfa, start: LocId) -> Dominators {
        let (order, retreating) = walk(xcfa, start);
        let position: FxHashMap<LocId, usize> = order
            .iter()
            .enumerate()
            .map(|(at, &loc)| (loc, at))
            .collect();
        const NONE: usize = usize::MAX;
        let mut idom = vec![NONE; order.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for (at, &loc) in order.iter().enumerate().skip(1) {
                let before = xcfa[loc]
                    .inc
                    .iter()
                    .filter_map(|&e| position.get(&xcfa[e].source));
                let new = before
                    .copied()
                    .filter(|&from| idom[from] != NONE)
                    .reduce(|a, b| common_dominator(&idom, a, b));
                if let Some(new) = new.filter(|&new| new != idom[at]) {
                    idom[at] = new;
                    changed = true;
                }
            }
        }
        Dominators {
            position,
            idom,
            retreating,
        }
    }

    pub(super) fn is_reachable(&self, loc: LocId) -> bool {
        self.position.contains_key(&loc)
    }

    /// Is `a` on every way from the start to `b`?
    pub(super) fn dominates(&self, a: LocId, b: LocId) -> bool {
        let (a, mut b) = (self.position[&a], self.position[&b]);
        while b > a {
            b = self.idom[b];
        }
        a == b
    }
}

/// Locations in reverse postorder, and the retreating edges.
fn walk(xcfa: &Xcfa, start: LocId) -> (Vec<LocId>, Vec<EdgeId>) {
    #[derive(PartialEq)]
    enum Visit {
        Open,
        Done,
    }
    let mut visits: FxHashMap<LocId, Visit> = FxHashMap::default();
    let (mut order, mut retreating) = (Vec::new(), Vec::new());
    let mut path = vec![(start, 0)];
    visits.insert(start, Visit::Open);
    while let Some((loc, next)) = path.last_mut() {
        let loc = *loc;
        let Some(&edge) = xcfa[loc].out.get(*next) else {
            visits.insert(loc, Visit::Done);
            order.push(loc);
            path.pop();
            continue;
        };
        *next += 1;
        let target = xcfa[edge].target;
        match visits.get(&target) {
            None => {
                visits.insert(target, Visit::Open);
                path.push((target, 0));
            }
            Some(Visit::Open) => retreating.push(edge),
            Some(Visit::Done) => {}
        }
    }
    order.reverse();
    (order, retreating)
}
