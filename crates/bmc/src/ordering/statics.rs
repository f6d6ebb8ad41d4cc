//! The order of nodes that every execution has, by vector clocks.

use super::events::{Events, NodeId};

/// Answers which node always comes before which.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    /// By node and thread: how many nodes of the thread come before.
    clocks: Vec<Vec<u32>>,
    nodes: Vec<(usize, u32)>,
}

impl Statics {
    /// From the fixed order of all nodes.
    pub fn of(events: &Events) -> Statics {
        let count = events.nodes.len();
        let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        let mut after: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        for (from, to) in events.fixed_order() {
            before[to as usize].push(from);
            after[from as usize].push(to);
        }
        let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut ready: Vec<NodeId> = (0..count as NodeId)
            .filter(|&node| missing[node as usize] == 0)
            .collect();
        let mut clocks = vec![vec![0; events.threads.len()]; count];
        while let Some(node) = ready.pop() {
            let mut clock = std::mem::take(&mut clocks[node as usize]);
            for &earlier in &before[node as usize] {
                for (at, &known) in clocks[earlier as usize].iter().enumerate() {
                    clock[at] = clock[at].max(known);
                }
                let (thread, place) = events.nodes[earlier as usize];
                clock[thread] = clock[thread].max(place + 1);
            }
            clocks[node as usize] = clock;
            for &later in &after[node as usize] {
                missing[later as usize] -= 1;
                if missing[later as usize] == 0 {
                    ready.push(later);
                }
            }
        }
        assert!(
            missing.iter().all(|&left| left == 0),
            "the fixed order has no cycle"
        );
        Statics {
            clocks,
            nodes: events.nodes.clone(),
        }
    }

    /// Does `a` come before `b` in every execution?
    pub fn before(&self, a: NodeId, b: NodeId) -> bool {
        let (thread, place) = self.nodes[a as usize];
        self.clocks[b as usize][thread] > place
    }
}
