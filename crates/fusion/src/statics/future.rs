//! What a thread can do from a location on, by static analysis.

use dataflow::{Accesses, EdgeAccess};
use xcfa::{Callee, Label, LocId, Xcfa};

/// Accesses of the future, by location.
pub struct Futures {
    next: Vec<EdgeAccess>,
    all: Vec<EdgeAccess>,
}

impl Futures {
    /// Closes the accesses of edges over what follows them, threads that they start included.
    pub fn of(xcfa: &Xcfa, accesses: &Accesses) -> Futures {
        let mut next = vec![EdgeAccess::default(); xcfa.locs.len()];
        for (index, edge) in xcfa.edges.iter().enumerate() {
            let access = accesses.edge(xcfa::EdgeId(index as u32));
            add(&mut next[edge.source.0 as usize], access);
        }
        let mut all = next.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for edge in xcfa.edges.iter().rev() {
                let called = edge.labels.iter().filter_map(|label| match label {
                    Label::Start { proc, .. } => Some(*proc),
                    Label::Call {
                        callee: Callee::Direct(proc),
                        ..
                    } => Some(*proc),
                    _ => None,
                });
                let after = called.map(|proc| xcfa[proc].init).chain([edge.target]);
                for loc in after {
                    let more = all[loc.0 as usize].clone();
                    changed |= add(&mut all[edge.source.0 as usize], &more);
                }
            }
        }
        Futures { next, all }
    }

    /// What the next step of a thread may access.
    pub fn next(&self, loc: LocId) -> &EdgeAccess {
        &self.next[loc.0 as usize]
    }

    /// What it may access from there on.
    pub fn all(&self, loc: LocId) -> &EdgeAccess {
        &self.all[loc.0 as usize]
    }
}

fn add(to: &mut EdgeAccess, from: &EdgeAccess) -> bool {
    let everything = !to.everything && from.everything;
    to.everything |= from.everything;
    let reads = to.reads.union_with(&from.reads);
    let writes = to.writes.union_with(&from.writes);
    everything || reads || writes
}
