//! Which memory the locations of a graph are.

use super::Weak;
use crate::{Access, Cell, Machine, Step, Tid};
use models::{EventId, Graph, Location};

impl Weak<'_, '_, '_> {
    /// A step that frees an object writes all of its bytes: the graph names pieces that somebody accesses.
    pub(super) fn note_freed(&mut self, step: &Step, index: usize, accesses: &[Access]) {
        let Some(whole) = accesses.iter().find(|it| it.write) else {
            return;
        };
        let at = step.thread as usize;
        while let Some(&id) = self.threads.get(at).and_then(|it| it.get(self.done[at])) {
            if !self.graph.frees.contains(&id) {
                break;
            }
            self.done[at] += 1;
            self.steps[id.index()] = Some(index);
            self.accesses[id.index()] = Some(*whole);
            self.freed.push((id, whole.cell));
        }
    }

    /// Is what was freed a part of the object? It is a cell that other steps access.
    pub(super) fn is_part_of(&self, id: EventId, whole: Cell) -> bool {
        let access = self.graph.event(id).action.access();
        let cell = access.and_then(|it| self.cells[it.location.0 as usize]);
        match (cell, whole) {
            (
                Some(Cell::Bytes { start, len }),
                Cell::Bytes {
                    start: first,
                    len: all,
                },
            ) => first <= start && start.saturating_add(len) <= first.saturating_add(all),
            _ => false,
        }
    }

    /// Is the location this cell? It is, if neither has been anything else, no other location has a byte of it,
    /// and its initial value is what the machine says.
    pub(super) fn is_at(&mut self, location: usize, cell: Cell) -> bool {
        if let Some(known) = self.cells[location] {
            return known == cell;
        }
        let taken = self.cells.iter().flatten().any(|it| it.overlaps(cell));
        let initial = self.graph.coherence[location]
            .first()
            .and_then(|&id| self.graph.event(id).action.access())
            .map(|access| access.value);
        if taken || !self.begins_with(cell, initial) {
            return false;
        }
        self.cells[location] = Some(cell);
        true
    }

    /// May the cell hold this value at first? What is not initialised may hold any.
    fn begins_with(&self, cell: Cell, value: Option<u64>) -> bool {
        let machine = self.run.machine;
        if let Some(known) = machine.peek(&machine.initial(), cell) {
            return value == Some(known);
        }
        let Cell::Bytes { start, len } = cell else {
            return false;
        };
        let width = expr::Sort::Bv(8 * len.min(8) as u32);
        let inside = |&(base, size): &(u64, u64)| base <= start && start + len <= base + size;
        match self.zeroed.iter().any(inside) {
            true => value == Some(0),
            false => value.is_some_and(|it| it & width.mask() == it),
        }
    }
}

impl Machine<'_> {
    /// Is the location on the stack of the one thread that accesses it, which always finds what it wrote last?
    pub(super) fn is_private(&self, graph: &Graph, location: Location, cell: Cell) -> bool {
        let Cell::Bytes { start, len } = cell else {
            return false;
        };
        let (mut owner, mut last) = (None, graph.coherence[location.0 as usize][0]);
        for id in graph.ids() {
            let event = graph.event(id);
            let (Some(thread), Some(access)) = (event.thread, event.action.access()) else {
                continue;
            };
            if access.location != location {
                continue;
            }
            let found = graph.reads_from[id.index()].unwrap_or(last);
            if *owner.get_or_insert(thread) != thread || found != last {
                return false;
            }
            if event.action.is_write() {
                last = id;
            }
        }
        owner.is_some_and(|thread| {
            let stack = self.layout.stack_range(Tid(thread), 0);
            stack.start <= start && start.saturating_add(len) <= stack.end
        })
    }
}
