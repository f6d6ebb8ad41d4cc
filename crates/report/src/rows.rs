//! Consecutive steps of one thread on one line make a row, as in the terminal.

use semantics::ReplayStep;
use std::ops::Range;
use xcfa::{Place, Sources};

/// The steps of each row. Steps from `loop_start` on repeat for ever and start a row of their own.
pub fn ranges(
    sources: &Sources,
    steps: &[ReplayStep],
    loop_start: Option<usize>,
) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut last: Option<(u32, Place, bool)> = None;
    for (at, step) in steps.iter().enumerate() {
        let place = sources.place(step.span);
        let now = (step.thread, Place { column: 0, ..place }, step.ends);
        match ranges.last_mut() {
            Some(range) if last.as_ref() == Some(&now) && loop_start != Some(at) => {
                range.end = at + 1;
            }
            _ => ranges.push(at..at + 1),
        }
        last = Some(now);
    }
    ranges
}
