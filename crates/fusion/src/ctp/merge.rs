//! Where the branches of a location meet again: immediate post-dominators.

use dataflow::graph::common_dominator;
use xcfa::{Edge, Label, LocId, ProcId, Xcfa};

/// By location: the first location that every way from there to the end of its thread passes.
/// Ways to an error do not count, nor do those on which the process ends, unless there are no others.
pub struct MergePoints {
    of: Vec<Option<LocId>>,
}

const NONE: usize = usize::MAX;

impl MergePoints {
    /// Analyses every procedure.
    pub fn of(xcfa: &Xcfa) -> MergePoints {
        let mut of = vec![None; xcfa.locs.len()];
        for proc in xcfa.proc_ids() {
            let locs: Vec<LocId> = xcfa
                .loc_ids()
                .filter(|&loc| xcfa[loc].proc == proc)
                .collect();
            let quiet = |edge: &Edge| {
                !edge
                    .labels
                    .iter()
                    .any(|label| matches!(label, Label::Exit(_)))
            };
            if !post_dominators(xcfa, proc, &locs, &quiet, &mut of) {
                post_dominators(xcfa, proc, &locs, &|_| true, &mut of);
            }
        }
        MergePoints { of }
    }

    /// Where the branches of a location meet.
    pub fn after(&self, loc: LocId) -> Option<LocId> {
        self.of[loc.0 as usize]
    }
}

/// Cooper, Harvey and Kennedy's algorithm on the graph turned round, over the edges that count;
/// does anything but the end itself reach an end?
fn post_dominators(
    xcfa: &Xcfa,
    proc: ProcId,
    locs: &[LocId],
    counts: &dyn Fn(&Edge) -> bool,
    of: &mut [Option<LocId>],
) -> bool {
    let ends = |loc: &LocId| {
        *loc == xcfa[proc].exit || (xcfa[*loc].out.is_empty() && xcfa[*loc].error.is_none())
    };
    let ends: Vec<LocId> = locs.iter().copied().filter(ends).collect();
    let before = |loc: LocId| xcfa[loc].inc.iter().filter(|&&edge| counts(&xcfa[edge]));
    let ends: Vec<LocId> = ends
        .into_iter()
        .filter(|&loc| before(loc).next().is_some())
        .collect();
    if ends.is_empty() {
        return false;
    }
    let order = reverse_postorder(xcfa, &ends, counts);
    let mut position = vec![NONE; xcfa.locs.len()];
    for (at, &loc) in order.iter().enumerate() {
        // Position 0 is a common end behind all ends.
        position[loc.0 as usize] = at + 1;
    }
    let mut idom = vec![NONE; order.len() + 1];
    idom[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (at, &loc) in order.iter().enumerate() {
            let out = xcfa[loc].out.iter().filter(|&&edge| counts(&xcfa[edge]));
            let targets = out.map(|&edge| position[xcfa[edge].target.0 as usize]);
            let end = ends.contains(&loc).then_some(0);
            let known = targets
                .chain(end)
                .filter(|&to| to != NONE && idom[to] != NONE);
            let new = known
                .reduce(|a, b| common_dominator(&idom, a, b))
                .unwrap_or(NONE);
            changed |= idom[at + 1] != new;
            idom[at + 1] = new;
        }
    }
    for (at, &loc) in order.iter().enumerate() {
        of[loc.0 as usize] = match idom[at + 1] {
            0 | NONE => None,
            dominator => Some(order[dominator - 1]),
        };
    }
    true
}

/// Locations that reach an end, each after those of its successors that do not lie on a cycle with
/// it.
fn reverse_postorder(xcfa: &Xcfa, ends: &[LocId], counts: &dyn Fn(&Edge) -> bool) -> Vec<LocId> {
    let mut seen = vec![false; xcfa.locs.len()];
    let mut order = Vec::new();
    for &end in ends {
        if std::mem::replace(&mut seen[end.0 as usize], true) {
            continue;
        }
        let mut path = vec![(end, 0)];
        while let Some((loc, next)) = path.last_mut() {
            let edge = xcfa[*loc].inc.get(*next);
            *next += 1;
            match edge {
                Some(&edge) => {
                    let from = xcfa[edge].source;
                    if counts(&xcfa[edge]) && !std::mem::replace(&mut seen[from.0 as usize], true) {
                        path.push((from, 0));
                    }
                }
                None => {
                    order.push(*loc);
                    path.pop();
                }
            }
        }
    }
    order.reverse();
    order
}
