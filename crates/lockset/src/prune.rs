//! Steps that are never taken.

use crate::steady::Alone;
use crate::values::Values;
use dataflow::Analysed;
use std::borrow::Cow;
use xcfa::{EdgeId, LocId, Xcfa};

/// A program without the steps whose condition is certainly false.
pub struct Pruned<'a> {
    /// It has the same runs.
    pub xcfa: Cow<'a, Analysed>,
    /// By edge: what it was before.
    pub origin: Vec<EdgeId>,
}

impl Pruned<'_> {
    pub fn of(xcfa: &Analysed) -> Pruned<'_> {
        let mut xcfa = Cow::Borrowed(xcfa);
        let mut origin: Vec<EdgeId> = xcfa.edge_ids().collect();
        while let Some(values) = Values::of(&xcfa, Alone::before_threads(&xcfa)) {
            let kept = |edge: EdgeId| values.is_feasible(edge);
            let live = reached(&xcfa, kept);
            let stays = |&edge: &EdgeId| kept(edge) && live[xcfa[edge].source.0 as usize];
            let left: Vec<EdgeId> = xcfa.edge_ids().filter(stays).collect();
            if left.len() == xcfa.edges.len() {
                break;
            }
            origin = left.iter().map(|edge| origin[edge.0 as usize]).collect();
            let mut smaller = Xcfa::clone(&xcfa);
            smaller.retain_edges(|edge, _| kept(edge));
            let count = smaller.edges.len();
            assert_eq!(count, origin.len(), "edges of reached places stay");
            xcfa = Cow::Owned(smaller.into());
        }
        Pruned { xcfa, origin }
    }

    /// The same without some edges.
    pub fn without(self, dropped: impl Fn(EdgeId) -> bool) -> Self {
        let live = reached(&self.xcfa, |edge| !dropped(edge));
        let stays = |&edge: &EdgeId| !dropped(edge) && live[self.xcfa[edge].source.0 as usize];
        let left = self.xcfa.edge_ids().filter(stays);
        let origin = left.map(|edge| self.origin[edge.0 as usize]).collect();
        let mut smaller = Xcfa::clone(&self.xcfa);
        smaller.retain_edges(|edge, _| !dropped(edge));
        Pruned {
            xcfa: Cow::Owned(smaller.into()),
            origin,
        }
    }
}

fn reached(xcfa: &Xcfa, kept: impl Fn(EdgeId) -> bool) -> Vec<bool> {
    let mut live = vec![false; xcfa.locs.len()];
    let mut work: Vec<LocId> = xcfa
        .procs
        .iter()
        .flat_map(|it| [it.init, it.exit])
        .collect();
    while let Some(loc) = work.pop() {
        if !std::mem::replace(&mut live[loc.0 as usize], true) {
            let out = xcfa[loc].out.iter().filter(|&&edge| kept(edge));
            work.extend(out.map(|&edge| xcfa[edge].target));
        }
    }
    live
}
