//! What is known of every edge and location before anything runs.

mod edge;
mod exclusive;
mod future;
mod location;
mod rounds;

use crate::event::LockOp;
use dataflow::{Accesses, Analysed, Liveness};
use edge::edge_info;
pub use future::Futures;
use location::loc_info;
use semantics::Property;
use xcfa::{Edge, EdgeId, Label, LocId};

/// How much has to be put back if a step turns out to be impossible half-way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backup {
    /// Nothing: what can fail comes first.
    Nothing,
    /// The thread that takes the step.
    Thread,
    /// That, and what all threads share.
    Shared,
    /// The whole state.
    Everything,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeInfo {
    /// What it does to a lock, if that is its only shared operation.
    pub lock: LockOp,
    /// It waits for a signal or sends one.
    pub signals: bool,
    /// It has to wait for a signal.
    pub awaits: bool,
    /// It makes or ends stack objects, or ends the thread.
    pub frees: bool,
    /// It joins a thread.
    pub joins: bool,
    /// What it does depends on its thread, on cells and on the end of a thread alone.
    pub repeatable: bool,
    /// Its first label is a condition over locals.
    pub guarded: bool,
    /// Accesses are the same whatever the values read.
    stable: bool,
}

/// A location.
#[derive(Clone, Copy, Debug)]
pub struct LocInfo {
    /// Others can neither see nor influence what the thread does next.
    pub local: bool,
    /// For trying its edges.
    pub backup: Backup,
    /// A step from here can change other threads, or begins an atomic section.
    pub reaches_others: bool,
    /// At most one of its edges is possible in a state, and it reads all that excludes the others.
    pub exclusive: bool,
    /// All edges make the same accesses, whatever the values read.
    pub stable: bool,
    /// The thread has to take a lock, and nothing else can be done.
    pub insists: bool,
    /// The thread may have to wait for others.
    pub may_wait: bool,
    /// Can a thread come back here with nothing changed?
    pub idle_rounds: bool,
    /// The process ends here, and nothing else happens.
    pub is_end: bool,
}

/// What is known of a program.
pub struct Statics<'x> {
    /// The program.
    pub xcfa: &'x Analysed,
    /// By edge.
    pub edges: Vec<EdgeInfo>,
    /// By location.
    pub locs: Vec<LocInfo>,
    /// Locals whose value can still be used.
    pub liveness: &'x Liveness,
    /// What threads can do from each location on.
    pub futures: Futures,
    /// A thread may join another one or do something else instead (a join with a time limit, one that is cancelled): what is
    /// possible depends on whether the other one has ended.
    pub joins_or_not: bool,
}

impl<'x> Statics<'x> {
    /// Analyses a program.
    pub fn of(xcfa: &'x Analysed, property: Property) -> Statics<'x> {
        let checked = property.error();
        let accesses = Accesses::of(xcfa, xcfa.points_to(), xcfa.sharing(), checked);
        let idle = rounds::idle_rounds(xcfa);
        let meeting = Meeting { xcfa };
        let edges: Vec<EdgeInfo> = xcfa
            .edges
            .iter()
            .map(|edge| edge_info(&meeting, edge))
            .collect();
        let has_choice = |edge: &Edge| xcfa[edge.source].out.len() > 1;
        let mut infos = xcfa.edges.iter().zip(&edges);
        let joins_or_not = infos.any(|(edge, info)| info.joins && has_choice(edge));
        let locs = xcfa
            .loc_ids()
            .map(|loc| {
                let idle = idle[loc.0 as usize];
                loc_info(&meeting, &accesses, idle, &edges, checked, loc)
            })
            .collect();
        Statics {
            xcfa,
            edges,
            locs,
            liveness: xcfa.liveness(),
            futures: Futures::of(xcfa, &accesses),
            joins_or_not,
        }
    }

    /// An edge.
    pub fn edge(&self, edge: EdgeId) -> &EdgeInfo {
        &self.edges[edge.0 as usize]
    }

    /// A location.
    pub fn loc(&self, loc: LocId) -> &LocInfo {
        &self.locs[loc.0 as usize]
    }
}

/// What two threads can meet at.
struct Meeting<'x> {
    xcfa: &'x Analysed,
}

impl<'x> Meeting<'x> {
    /// Labels that another thread could notice or influence.
    fn shared_labels(&self, edge: &'x Edge) -> Vec<&'x Label> {
        let shared = |label: &&Label| {
            let synchronises = label.orders_threads()
                || matches!(label, Label::AtomicBegin | Label::ThreadExit(_));
            let touches = dataflow::touches(self.xcfa, self.xcfa.points_to(), label);
            synchronises
                || touches
                    .iter()
                    .any(|touch| self.xcfa.sharing().is_shared(touch.place))
        };
        edge.labels.iter().filter(shared).collect()
    }
}
