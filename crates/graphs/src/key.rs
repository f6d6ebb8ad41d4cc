//! When two graphs are the same: what is numbered by chance does not count.

use crate::Exec;
use models::{Action, EventId, Location};
use semantics::Cell;

/// An event by its thread and its place in it, or the initial write of a cell.
type Name = Result<(u32, usize), Cell>;

/// An event with its cell and, for a read, its write.
type Seen = (Action, Option<Cell>, Option<Name>);

/// A graph as its threads and its cells see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    threads: Vec<Vec<Seen>>,
    coherence: Vec<(Cell, Vec<Name>)>,
}

impl Exec {
    pub(crate) fn key(&self) -> Key {
        let graph = &self.graph;
        let cell = |id: EventId| {
            let access = graph.event(id).action.access();
            access.map(|it| self.cells[it.location.0 as usize])
        };
        let name = |id: EventId| match graph.event(id).thread {
            Some(thread) => Ok((
                thread,
                graph.thread(thread).take_while(|&it| it != id).count(),
            )),
            None => Err(cell(id).expect("an initial write")),
        };
        let seen = |id: EventId| {
            let mut action = graph.event(id).action;
            if let Action::Read(access) | Action::Write(access) = &mut action {
                access.location = Location(0);
            }
            (action, cell(id), graph.reads_from[id.index()].map(name))
        };
        let count = graph.events.iter().filter_map(|event| event.thread).max();
        let threads =
            (0..=count.unwrap_or(0)).map(|thread| graph.thread(thread).map(seen).collect());
        let orders = self.cells.iter().zip(&graph.coherence);
        let written = orders.filter(|(_, writes)| writes.len() > 1);
        let named = written.map(|(&cell, writes)| {
            let writes: Vec<Name> = writes.iter().map(|&id| name(id)).collect();
            (cell, writes)
        });
        let mut coherence: Vec<_> = named.collect();
        coherence.sort_by_key(|(cell, _)| *cell);
        Key {
            threads: threads.collect(),
            coherence,
        }
    }
}
