//! Memory that is freed, where races are asked about.
//!
//! To free an object is to write all of its bytes. Which cells others access is known at the end only; so these writes are
//! added to a graph when it is judged. They are the last writes of their locations, and nobody reads them.

use crate::Exec;
use models::{Access, Action, EventId, Graph, Location};
use semantics::Cell;

impl Exec {
    /// The graph with the writes of what was freed.
    pub(crate) fn graph_with_frees(&self) -> Graph {
        let mut freed = Vec::new();
        for (thread, after, whole) in self.run.freed() {
            for (cell, at) in self.cells.iter().zip(0..) {
                if is_within(*cell, whole) {
                    freed.push((thread, after, Location(at)));
                }
            }
        }
        match freed.is_empty() {
            true => self.graph.clone(),
            false => with_writes(&self.graph, &freed),
        }
    }

    /// Is some object freed twice? Without an access, there is no location that would show it.
    pub(crate) fn frees_twice(&self) -> bool {
        let mut freed = self.run.freed();
        let mut earlier: Vec<Cell> = Vec::new();
        freed.any(|(_, _, whole)| {
            let again = earlier.iter().any(|it| it.overlaps(whole));
            earlier.push(whole);
            again
        })
    }
}

fn is_within(cell: Cell, whole: Cell) -> bool {
    match (cell, whole) {
        (
            Cell::Bytes { start, len },
            Cell::Bytes {
                start: first,
                len: all,
            },
        ) => first <= start && start.saturating_add(len) <= first.saturating_add(all),
        _ => false,
    }
}

/// With a plain write of each of these locations, in a thread after so many of its events.
fn with_writes(graph: &Graph, freed: &[(u32, usize, Location)]) -> Graph {
    let mut new = Graph {
        locations: graph.locations.clone(),
        ..Graph::default()
    };
    let mut numbers = Vec::new();
    let mut done: Vec<usize> = Vec::new();
    let free = |new: &mut Graph, thread: u32, after: usize| {
        let here = freed.iter().filter(|it| (it.0, it.1) == (thread, after));
        for &(_, _, location) in here {
            let access = Access {
                location,
                value: 0,
                order: None,
            };
            let write = new.add(Some(thread), Action::Write(access));
            new.frees.push(write);
        }
    };
    for event in &graph.events {
        numbers.push(new.add(event.thread, event.action));
        if let Some(thread) = event.thread {
            let at = thread as usize;
            done.resize(done.len().max(at + 1), 0);
            done[at] += 1;
            free(&mut new, thread, done[at]);
        }
    }
    let moved = |id: &EventId| numbers[id.index()];
    for (old, source) in graph.reads_from.iter().enumerate() {
        new.reads_from[numbers[old].index()] = source.as_ref().map(moved);
    }
    let orders = graph.coherence.iter();
    new.coherence = orders.map(|it| it.iter().map(moved).collect()).collect();
    for &id in &new.frees {
        let access = new.events[id.index()].action.access().copied();
        let location = access.expect("a write").location;
        new.coherence[location.0 as usize].push(id);
    }
    new.exchanges = graph.exchanges.iter().map(moved).collect();
    new
}
