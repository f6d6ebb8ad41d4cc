//! Counts and points, by the rules of the competition on software verification (SV-COMP).

use crate::{Cell, Record, Status};
use std::fmt;

/// How many tasks ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Right verdicts.
    pub correct: usize,
    /// Wrong ones.
    pub wrong: usize,
    /// None.
    pub unknown: usize,
    /// Verdicts on tasks that do not say what is right.
    pub unrated: usize,
    /// Points.
    pub score: i64,
    /// Processor time: the sums of the least, the median and the most of each task.
    pub cpu_s: [f64; 3],
}

/// The points of a run: 2 for a right *safe*, 1 for a right *unsafe*, -16 for a false alarm, -32
/// for a bug that was overlooked.
pub fn points(record: &Record) -> i64 {
    match (record.status, record.verdict.as_str()) {
        (Status::Correct, "safe") => 2,
        (Status::Correct, _) => 1,
        (Status::Wrong, "safe") => -32,
        (Status::Wrong, _) => -16,
        (Status::Unknown | Status::Unrated, _) => 0,
    }
}

/// The most points that a task can give.
pub fn most_points(expected: &str) -> i64 {
    match expected {
        "" => 0,
        "true" => 2,
        _ => 1,
    }
}

impl Counts {
    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        self.count(record);
        let sums = self.cpu_s.iter_mut();
        sums.for_each(|sum| *sum += record.cpu_s);
    }

    /// Counts all repetitions of a task as one.
    pub fn add_cell(&mut self, cell: &Cell) {
        self.count(cell.worst());
        let spread = cell.spread(|record| Some(record.cpu_s));
        for (sum, value) in self.cpu_s.iter_mut().zip(spread.unwrap_or_default()) {
            *sum += value;
        }
    }

    fn count(&mut self, record: &Record) {
        *match record.status {
            Status::Correct => &mut self.correct,
            Status::Wrong => &mut self.wrong,
            Status::Unknown => &mut self.unknown,
            Status::Unrated => &mut self.unrated,
        } += 1;
        self.score += points(record);
    }
}

/// `12 correct, 0 wrong, 3 unknown`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            correct,
            wrong,
            unknown,
            unrated,
            ..
        } = self;
        write!(f, "{correct} correct, {wrong} wrong, {unknown} unknown")?;
        match unrated {
            0 => Ok(()),
            unrated => write!(f, ", {unrated} unrated"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn a_missed_bug_costs_most() {
        let of = |status, verdict: &str| {
            points(&Record {
                verdict: verdict.into(),
                ..record("a", status)
            })
        };
        assert_eq!(of(Status::Correct, "safe"), 2);
        assert_eq!(of(Status::Correct, "unsafe"), 1);
        assert_eq!(of(Status::Wrong, "unsafe"), -16);
        assert_eq!(of(Status::Wrong, "safe"), -32);
        assert_eq!(of(Status::Unknown, "unknown"), 0);
        assert_eq!(of(Status::Unrated, "safe"), 0);
        let most = ["true", "false", "false(valid-free)", ""].map(most_points);
        assert_eq!(most, [2, 1, 1, 0]);
    }

    #[test]
    fn counts_and_their_text() {
        let mut counts = Counts::default();
        let rows = Status::ALL.map(|status| record("a", status));
        rows.iter().for_each(|row| counts.add(row));
        assert_eq!(
            counts.to_string(),
            "1 correct, 1 wrong, 1 unknown, 1 unrated"
        );
        assert_eq!((counts.score, counts.cpu_s), (2 - 16, [2.0; 3]));
    }
}
