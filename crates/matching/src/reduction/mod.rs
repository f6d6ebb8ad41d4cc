//! Partial order reduction: threads that may move first while all others wait.
//!
//! Persistent sets (Godefroid, LNCS 1032, doi:10.1007/3-540-60761-7) as sets of threads: one thread,
//! and with every thread all those that may ever do something that meets its next step. *Next* means
//! every edge out of a location, also those that are not possible now, so that any thread that could enable
//! them is in the set; an atomic section counts as one step.
//!
//! A set is a function of the concrete state alone, so that it does not matter which of two equal
//! states was visited. Three conditions make it sound: one of its threads certainly moves, which the
//! search checks; no step of it closes a loop of the automaton (otherwise others could be put off
//! for ever); and the process does not end with it. What others do to end the process need not be
//! considered: nothing comes after it.

mod footprint;

use dataflow::Analysed;
use footprint::Footprints;
use semantics::{Machine, Property, State, Tid};
use xcfa::{Label, LocId};

/// Chooses threads.
pub struct Reduction {
    footprints: Footprints,
}

impl Reduction {
    /// For a program; nothing if it has recursion, which footprints do not follow, or if it is checked
    /// for something that depends on the whole of a state.
    pub fn new(xcfa: &Analysed, property: Property) -> Option<Reduction> {
        let fits =
            property.error().is_some() || matches!(property, Property::Deadlock | Property::Race);
        let mut labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
        if !fits || labels.any(|label| matches!(label, Label::Call { .. })) {
            return None;
        }
        let footprints = Footprints::of(xcfa, property);
        Some(Reduction { footprints })
    }

    /// Sets that are smaller than all threads that can move, the smallest first.
    pub fn sets(&self, machine: &Machine<'_>, state: &State) -> Vec<Vec<Tid>> {
        if state.holder.is_some() {
            return Vec::new();
        }
        let running: Vec<(Tid, LocId)> = state
            .running()
            .map(|tid| (tid, state.thread(tid).loc))
            .collect();
        let mut sets: Vec<Vec<Tid>> = Vec::new();
        for seed in 0..running.len() {
            let set = self.close(machine, &running, seed);
            let fits = |tid: &Tid| self.fits(machine, state, *tid);
            if set.len() < running.len() && !sets.contains(&set) && set.iter().all(fits) {
                sets.push(set);
            }
        }
        sets.sort_by_key(Vec::len);
        sets
    }

    /// The smallest set that contains the seed and that no thread outside depends on.
    fn close(&self, machine: &Machine<'_>, running: &[(Tid, LocId)], seed: usize) -> Vec<Tid> {
        let mut inside = vec![false; running.len()];
        inside[seed] = true;
        let mut work = vec![seed];
        while let Some(member) = work.pop() {
            let at = running[member].1;
            let next = &self.footprints.next(at).access;
            // While no thread of the set moves, none ends. Calls are inlined, so it started where it is.
            let thread = machine.xcfa[at].proc;
            for (other, &(_, loc)) in running.iter().enumerate() {
                let future = self.footprints.future_before_end(loc, thread);
                if !inside[other] && next.meets(future) {
                    inside[other] = true;
                    work.push(other);
                }
            }
        }
        let members = running.iter().zip(inside).filter(|&(_, inside)| inside);
        members.map(|(&(tid, _), _)| tid).collect()
    }

    /// Can a thread be in a set that others wait for?
    fn fits(&self, machine: &Machine<'_>, state: &State, tid: Tid) -> bool {
        let next = self.footprints.next(state.thread(tid).loc);
        let closes_loop = |&&edge: &&xcfa::EdgeId| {
            self.footprints.closes_loop(edge) && machine.guard_holds(state, tid, edge)
        };
        let edges = machine.edges(state, tid).iter();
        !next.ends_process && !next.loops && edges.filter(closes_loop).count() == 0
    }
}
