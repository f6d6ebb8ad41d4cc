//! A program with its analyses.

use crate::{
    BitSet, CallGraph, Facts, Liveness, Loops, PointsTo, Sharing, Threads, escaped_objects,
    locations_before_threads,
};
use std::ops::Deref;
use std::sync::OnceLock;
use xcfa::Xcfa;

/// A program that does not change any more, and what is known about it.
///
/// Law: each analysis is computed at most once, when it is first asked for; as the program cannot
/// change, none goes stale.
#[derive(Clone, Debug)]
pub struct Analysed {
    xcfa: Xcfa,
    known: Known,
}

#[derive(Clone, Debug, Default)]
struct Known {
    points_to: OnceLock<PointsTo>,
    calls: OnceLock<CallGraph>,
    threads: OnceLock<Threads>,
    before_threads: OnceLock<Vec<bool>>,
    escaped: OnceLock<BitSet>,
    sharing: OnceLock<Sharing>,
    loops: OnceLock<Loops>,
    liveness: OnceLock<Liveness>,
    facts: OnceLock<Facts>,
}

impl From<Xcfa> for Analysed {
    fn from(xcfa: Xcfa) -> Analysed {
        let known = Known::default();
        Analysed { xcfa, known }
    }
}

impl Deref for Analysed {
    type Target = Xcfa;

    fn deref(&self) -> &Xcfa {
        &self.xcfa
    }
}

impl Analysed {
    /// Which objects terms can be the address of.
    pub fn points_to(&self) -> &PointsTo {
        self.known
            .points_to
            .get_or_init(|| PointsTo::of(&self.xcfa))
    }

    /// Which procedure calls or starts which.
    pub fn calls(&self) -> &CallGraph {
        self.known.calls.get_or_init(|| CallGraph::of(&self.xcfa))
    }

    /// Which procedures threads run, and how often they can be started.
    pub fn threads(&self) -> &Threads {
        self.known.threads.get_or_init(|| Threads::of(&self.xcfa))
    }

    /// By location: is it only reached before the first thread starts?
    pub fn before_threads(&self) -> &[bool] {
        let find = || locations_before_threads(&self.xcfa);
        self.known.before_threads.get_or_init(find)
    }

    /// The objects whose address more than one thread can get hold of.
    pub fn escaped(&self) -> &BitSet {
        let find = || escaped_objects(&self.xcfa, self.points_to());
        self.known.escaped.get_or_init(find)
    }

    /// What threads share.
    pub fn sharing(&self) -> &Sharing {
        let find = || Sharing::of(&self.xcfa, self.points_to());
        self.known.sharing.get_or_init(find)
    }

    /// The loops, with their bounds.
    pub fn loops(&self) -> &Loops {
        self.known.loops.get_or_init(|| Loops::of(&self.xcfa))
    }

    /// Which variables can still be read.
    pub fn liveness(&self) -> &Liveness {
        self.known.liveness.get_or_init(|| Liveness::of(&self.xcfa))
    }

    /// A summary.
    pub fn facts(&self) -> &Facts {
        self.known.facts.get_or_init(|| Facts::of(self))
    }

    /// Computes everything, so that processes that are forked from here need not.
    pub fn complete(&self) {
        self.facts();
        self.before_threads();
        self.escaped();
        self.liveness();
    }
}
