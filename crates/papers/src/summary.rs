//! Several runs of one cell as a text: the median, and the spread of the runs.

use crate::{Record, RunResult};
use verdict::grouped;

/// What there is in a table about one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The middle one of the runs.
    pub median: f64,
    /// Half the distance between the least and the most.
    pub half: f64,
}

impl Spread {
    /// Of at least one number.
    pub fn of(mut numbers: Vec<f64>) -> Option<Spread> {
        numbers.sort_by(f64::total_cmp);
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        let middle = numbers.len() / 2;
        let median = match numbers.len().is_multiple_of(2) {
            true => f64::midpoint(numbers[middle - 1], numbers[middle]),
            false => numbers[middle],
        };
        Some(Spread {
            median,
            half: (last - first) / 2.0,
        })
    }
}

/// The text for a cell that has no number: it was not run, or one of its runs did not end well.
fn without_number(runs: &[&Record]) -> Option<&'static str> {
    let mut text = runs.is_empty().then_some("");
    for run in runs {
        text = match &run.seen.outcome {
            RunResult::Wrong(_) => return Some("WRONG"),
            RunResult::OutOfTime => Some("t/o"),
            RunResult::OutOfMemory => Some("m/o"),
            RunResult::NoAnswer(_) => text.or(Some("?")),
            RunResult::Right => text,
        };
    }
    text
}

/// The times of runs that all ended well.
pub fn seconds(runs: &[&Record]) -> Option<Spread> {
    let times = runs.iter().map(|run| run.cpu_s).collect();
    without_number(runs).map_or(Spread::of(times), |_| None)
}

/// What runs that all ended well have counted under a name.
pub fn count(runs: &[&Record], name: &str) -> Option<Spread> {
    let counts = runs.iter().filter_map(|run| run.seen.figures.get(name));
    let counts = counts.map(|count| count as f64).collect();
    without_number(runs).map_or(Spread::of(counts), |_| None)
}

/// The times as text; `t/o` for a run out of time, `?` for one without an answer, `WRONG`.
pub fn seconds_text(runs: &[&Record]) -> String {
    let text = without_number(runs).map(str::to_owned);
    text.unwrap_or_else(|| seconds(runs).map_or(String::new(), in_seconds))
}

/// A count as text, or why there is none.
pub fn count_text(runs: &[&Record], name: &str) -> String {
    let text = without_number(runs).map(str::to_owned);
    text.unwrap_or_else(|| count(runs, name).map_or("-".into(), in_numbers))
}

fn in_seconds(spread: Spread) -> String {
    let digits = match spread.median {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    let Spread { median, half } = spread;
    match half < 0.005 {
        true => format!("{median:.digits$}"),
        false => format!("{median:.digits$} ±{half:.digits$}"),
    }
}

fn in_numbers(spread: Spread) -> String {
    let median = grouped(spread.median.round() as u64);
    match spread.half < 0.5 {
        true => median,
        false => format!("{median} ±{}", grouped(spread.half.round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, Seen};

    fn run(cpu_s: f64, outcome: RunResult) -> Record {
        Record {
            id: Id::new("t", "r", "c"),
            run: 0,
            program: String::new(),
            cpu_s,
            seen: Seen::ended(outcome),
        }
    }

    fn text(runs: &[Record]) -> String {
        seconds_text(&runs.iter().collect::<Vec<_>>())
    }

    #[test]
    fn median_and_spread() {
        let right = |cpu_s| run(cpu_s, RunResult::Right);
        assert_eq!(text(&[right(1.0), right(3.0), right(1.5)]), "1.50 ±1.00");
        assert_eq!(text(&[right(20.0), right(21.0)]), "20.5 ±0.5");
        assert_eq!(text(&[right(0.25)]), "0.25");
        let spread = |n| Spread {
            median: n,
            half: 0.0,
        };
        assert_eq!(in_numbers(spread(1_234_567.0)), "1,234,567");
    }

    #[test]
    fn no_number_for_what_did_not_end_well() {
        let wrong = RunResult::Wrong("safe".into());
        let open = RunResult::NoAnswer("too hard".into());
        let right = || run(1.0, RunResult::Right);
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[right(), run(9.0, RunResult::OutOfTime)]), "t/o");
        assert_eq!(text(&[right(), run(9.0, open)]), "?");
        assert_eq!(
            text(&[run(9.0, RunResult::OutOfTime), run(1.0, wrong)]),
            "WRONG"
        );
    }
}
