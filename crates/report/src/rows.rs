//! Consecutive statements of one thread on one line make a row, as in the terminal.

use semantics::Moment;
use std::ops::Range;
use xcfa::{Place, Sources};

/// The moments of each row. Steps from `loop_start` on repeat for ever and start a row of their own.
pub fn ranges(
    sources: &Sources,
    moments: &[Moment<'_>],
    loop_start: Option<usize>,
) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut last: Option<(u32, Place, bool)> = None;
    let mut before = None;
    for (at, moment) in moments.iter().enumerate() {
        let place = sources.place(moment.statement.span);
        let now = (moment.thread, Place { column: 0, ..place }, moment.ends);
        let repeats = loop_start == Some(moment.step) && before != Some(moment.step);
        before = Some(moment.step);
        let goes_on = last.as_ref() == Some(&now) && !repeats && moment.wakes.is_none();
        match ranges.last_mut() {
            Some(range) if goes_on => range.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
        last = Some(now);
    }
    ranges
}
