//! Vector clocks: what each event of the execution at hand knows to have happened before it.

use crate::event::Event;

/// By thread: how many of its events are known to have happened.
pub type Clock = [u32];

/// The clocks of all events, one row each, in one piece of memory.
#[derive(Debug, Default)]
pub struct Clocks {
    rows: Vec<u32>,
    width: usize,
}

impl Clocks {
    /// Makes room for this many threads.
    pub fn widen(&mut self, threads: usize) {
        if threads <= self.width {
            return;
        }
        let width = threads.next_power_of_two().max(4);
        let mut rows = Vec::with_capacity(self.rows.len() / self.width.max(1) * width);
        for row in self.rows.chunks(self.width.max(1)) {
            rows.extend_from_slice(row);
            rows.resize(rows.len() + width - row.len(), 0);
        }
        (self.rows, self.width) = (rows, width);
    }

    /// The clock of an event.
    pub fn row(&self, event: usize) -> &Clock {
        &self.rows[event * self.width..(event + 1) * self.width]
    }

    /// The clock of the next event.
    pub fn push(&mut self, clock: &Clock) {
        debug_assert_eq!(clock.len(), self.width);
        self.rows.extend_from_slice(clock);
    }

    /// Takes the last one away.
    pub fn pop(&mut self) {
        self.rows.truncate(self.rows.len() - self.width);
    }

    /// Starts a clock as a copy of an event's, or with nothing known.
    pub fn begin(&self, from: Option<usize>, clock: &mut Vec<u32>) {
        clock.clear();
        match from {
            Some(event) => clock.extend_from_slice(self.row(event)),
            None => clock.resize(self.width, 0),
        }
    }

    /// Did `earlier` happen before `later`?
    pub fn is_after(&self, later: &Event, earlier: &Event) -> bool {
        let at = later.index as usize * self.width + earlier.tid as usize;
        self.rows[at] >= earlier.count
    }

    /// Adds what an event knows.
    pub fn merge(&self, into: &mut Clock, event: usize) {
        for (mine, theirs) in into.iter_mut().zip(self.row(event)) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// Does a clock cover an event?
pub fn knows(clock: &Clock, event: &Event) -> bool {
    clock[event.tid as usize] >= event.count
}
