//! A program with what other analyses say about it, and questions about its paths.

use crate::values::{Site, Values};
use dataflow::{Analysed, Loops, PointsTo, Sharing, Threads};
use rustc_hash::FxHashSet;

use expr::{Term, VarId};
use xcfa::{EdgeId, Label, LocId, ProcId, Xcfa};

/// A label that starts a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its edge.
    pub edge: EdgeId,
    /// Which label of the edge.
    pub label: usize,
    /// The procedure that the label is in.
    pub by: ProcId,
    /// The procedure of the new thread.
    pub root: ProcId,
}

/// A program and its analyses.
pub struct Program<'a> {
    pub xcfa: &'a Analysed,
    pub points_to: &'a PointsTo,
    pub sharing: &'a Sharing,
    pub threads: &'a Threads,
    pub loops: &'a Loops,
    pub starts: Vec<Start>,
}

impl<'a> Program<'a> {
    /// Analyses a program.
    pub fn of(xcfa: &'a Analysed) -> Program<'a> {
        Program {
            xcfa,
            sharing: xcfa.sharing(),
            points_to: xcfa.points_to(),
            threads: xcfa.threads(),
            loops: xcfa.loops(),
            starts: starts(xcfa),
        }
    }

    /// Is there a path, perhaps empty, between two locations that avoids the edges of `avoid`?
    pub fn reaches(&self, from: LocId, to: LocId, avoid: impl Fn(EdgeId) -> bool) -> bool {
        let mut seen: FxHashSet<LocId> = FxHashSet::default();
        let mut work = vec![from];
        while let Some(loc) = work.pop() {
            if loc == to {
                return true;
            }
            if seen.insert(loc) {
                let edges = self.xcfa[loc].out.iter().filter(|&&edge| !avoid(edge));
                work.extend(edges.map(|&edge| self.xcfa[edge].target));
            }
        }
        false
    }

    /// Can an edge be taken twice by one activation?
    pub fn repeats(&self, edge: EdgeId) -> bool {
        self.reaches(self.xcfa[edge].target, self.xcfa[edge].source, |_| false)
    }

    /// Is every way from one location to another over that edge?
    pub fn is_between(&self, from: LocId, edge: EdgeId, to: LocId) -> bool {
        !self.reaches(from, to, |other| other == edge)
    }

    /// Is the symbol set at most once by each activation?
    pub fn is_stable(&self, values: &Values, symbol: VarId) -> bool {
        match values.symbol(symbol).map(|symbol| symbol.site) {
            Some(Site::Entry | Site::Frozen | Site::Settled(_) | Site::Steady(_)) => true,
            Some(Site::Loc(loc)) => self.loops.innermost(loc).is_none() && !self.is_on_cycle(loc),
            Some(Site::Label(edge, _)) => !self.repeats(edge),
            Some(Site::Aged(..)) | None => false,
        }
    }

    fn is_on_cycle(&self, loc: LocId) -> bool {
        let mut out = self.xcfa[loc].out.iter();
        out.any(|&edge| self.reaches(self.xcfa[edge].target, loc, |_| false))
    }

    /// Are all symbols of a term set at most once by each activation?
    pub fn is_stable_term(&self, values: &mut Values, term: Term) -> bool {
        let symbols = values.mentioned(term);
        symbols.iter().all(|&symbol| self.is_stable(values, symbol))
    }

    /// The innermost loop around an edge that can be repeated, if it is a loop with one entrance.
    pub fn loop_of(&self, edge: EdgeId) -> Option<usize> {
        let (source, target) = (self.xcfa[edge].source, self.xcfa[edge].target);
        let at = self.loops.innermost(source)?;
        let inside = &self.loops.loops[at];
        (inside.reducible && inside.contains(target)).then_some(at)
    }

    /// Is the loop entered at most once by each activation?
    pub fn runs_once(&self, at: usize) -> bool {
        let l = &self.loops.loops[at];
        let outside = |edge: &EdgeId| !l.contains(self.xcfa[*edge].target);
        let leaving = l.body.iter().flat_map(|&loc| &self.xcfa[loc].out);
        l.reducible
            && !leaving
                .filter(|edge| outside(edge))
                .any(|&edge| self.reaches(self.xcfa[edge].target, l.head, |_| false))
    }

    /// Does every complete round of the loop take the edge?
    pub fn in_each_round(&self, at: usize, edge: EdgeId) -> bool {
        let l = &self.loops.loops[at];
        let mut seen: FxHashSet<LocId> = FxHashSet::default();
        let mut work = vec![l.head];
        while let Some(loc) = work.pop() {
            for &out in self.xcfa[loc].out.iter().filter(|&&out| out != edge) {
                let target = self.xcfa[out].target;
                if target == l.head {
                    return false;
                }
                if l.contains(target) && seen.insert(target) {
                    work.push(target);
                }
            }
        }
        true
    }

    /// The edges of a loop that lead out of it.
    pub fn exits(&self, at: usize) -> Vec<EdgeId> {
        let l = &self.loops.loops[at];
        let out = l.body.iter().flat_map(|&loc| &self.xcfa[loc].out);
        out.copied()
            .filter(|&edge| !l.contains(self.xcfa[edge].target))
            .collect()
    }
}

fn starts(xcfa: &Xcfa) -> Vec<Start> {
    let mut found = Vec::new();
    for edge in xcfa.edge_ids() {
        for (label, it) in xcfa[edge].labels.iter().enumerate() {
            if let Label::Start { proc, .. } = it {
                found.push(Start {
                    edge,
                    label,
                    by: xcfa[xcfa[edge].source].proc,
                    root: *proc,
                });
            }
        }
    }
    found
}
