//! Vector clocks: what each event of the current execution knows to have happened before it.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cells;
    use crate::event::{LockOp, tests::event, tests::shape};

    #[test]
    fn an_event_knows_what_it_merged() {
        let (mut clocks, mut clock) = (Clocks::default(), Vec::new());
        clocks.widen(2);
        let mut cells = Cells::default();
        let mut step = |index, tid| event(index, 1, shape(&mut cells, tid, "w0"), LockOp::None);
        let (first, second, apart) = (step(0, 0), step(1, 1), step(2, 2));

        clocks.begin(None, &mut clock);
        clock[0] = 1;
        clocks.push(&clock);
        clocks.begin(None, &mut clock);
        clocks.merge(&mut clock, 0);
        clock[1] = 1;
        clocks.push(&clock);
        clocks.begin(None, &mut clock);
        clock[2] = 1;
        clocks.push(&clock);

        assert!(clocks.is_after(&second, &first) && !clocks.is_after(&first, &second));
        assert!(!clocks.is_after(&apart, &first) && !clocks.is_after(&second, &apart));
        assert!(knows(clocks.row(1), &first) && !knows(clocks.row(2), &first));
    }

    #[test]
    fn more_threads_change_no_clock() {
        let mut clocks = Clocks::default();
        clocks.widen(4);
        clocks.push(&[1, 2, 3, 4]);
        clocks.push(&[5, 6, 7, 8]);
        clocks.widen(5);
        assert_eq!(clocks.row(0), [1, 2, 3, 4, 0, 0, 0, 0]);
        assert_eq!(clocks.row(1), [5, 6, 7, 8, 0, 0, 0, 0]);
        clocks.pop();
        let mut clock = Vec::new();
        clocks.begin(Some(0), &mut clock);
        assert_eq!(clock, clocks.row(0));
    }
}
