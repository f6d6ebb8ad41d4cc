//! Executions that are not sequentially consistent: a cycle of program order and of accesses to the same memory.
//!
//! Nodes are chosen such that each of them has a chosen one that comes after it: in program order, by starting or joining a
//! thread, or because both access a cell, one of them writes, and it comes later in the order of that cell. There are finitely
//! many nodes, so there is a cycle among them. Steps that do not happen may be passed in program order; accesses that order
//! do happen.

use crate::ordering::emitter::Emitter;
use sat::Lit;
use verdict::Reason;

impl Emitter<'_> {
    /// Says that there is such a cycle.
    pub(super) fn cycle(&mut self) -> Result<Lit, Reason> {
        let events = self.events;
        let nodes = 0..events.nodes.len();
        let chosen: Vec<Lit> = nodes.map(|_| self.blaster.gates.input()).collect();
        let mut next: Vec<Vec<Lit>> = chosen.iter().map(|&it| vec![!it]).collect();
        for (from, to) in events.fixed_order() {
            next[from as usize].push(chosen[to as usize]);
        }
        for wait in events.waits.iter().filter(|wait| !events.is_fixed(wait)) {
            let guard = self.lit(wait.guard)?;
            if let Some(last) = events.last_node(wait.thread) {
                let joined = self.blaster.gates.and(guard, chosen[wait.node as usize]);
                next[last as usize].push(joined);
            }
        }
        let taken = self.taken()?;
        for (one, two) in self.conflicts()? {
            let (a, b) = (one.place.0 as usize, two.place.0 as usize);
            let both = self.both(&taken, &one, &two)?;
            let forward = self.before(one.place, two.place);
            let gates = &mut self.blaster.gates;
            let (there, back) = (gates.and(both, forward), gates.and(both, !forward));
            next[a].push(gates.and(there, chosen[b]));
            next[b].push(gates.and(back, chosen[a]));
        }
        for clause in next {
            self.clause(&clause);
        }
        Ok(self.blaster.gates.or_all(chosen))
    }
}
