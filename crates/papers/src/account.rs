//! How the results of a page came about, and how far they can be trusted.

use crate::summary::{Spread, seconds};
use crate::{Part, Record, Results, RunResult};
use std::collections::BTreeMap;

/// Shorter runs than this are mostly the clock's own grain.
const LONG: f64 = 0.1;

/// The first part of every page: command, machine, limits, noise, wrong verdicts.
pub fn account(results: &Results, cells: usize) -> Part {
    let mut part = Part::new("account", "How this was measured");
    let mut all: BTreeMap<&crate::Id, Vec<&Record>> = BTreeMap::new();
    for record in results.iter() {
        all.entry(&record.id).or_default().push(record);
    }
    let head = &results.head;
    let measured = match all.len() {
        done if done >= cells => format!("All {cells} cells were measured"),
        done => format!("{done} of {cells} cells were measured"),
    };
    let most = all.values().map(Vec::len).max().unwrap_or(0);
    let cpu: f64 = results.iter().map(|record| record.cpu_s).sum();
    let ended = |outcome: &RunResult| {
        let of = |runs: &&Vec<&Record>| runs.iter().any(|run| run.seen.outcome == *outcome);
        all.values().filter(of).count()
    };
    part.add(format!(
        "`{}` ({}) on {}. {measured}, up to {most} times each, in {cpu:.0} s of processor time; {} ran out of time (`t/o`), {} out of \
         memory (`m/o`). An empty cell was not measured, `?` is no answer.",
        head.command,
        head.limits,
        head.machine,
        ended(&RunResult::OutOfTime),
        ended(&RunResult::OutOfMemory),
    ));
    part.add(format!("{} {}", noise(&all), wrong(results)));
    part
}

fn noise(all: &BTreeMap<&crate::Id, Vec<&Record>>) -> String {
    let repeated = all.values().filter(|runs| runs.len() > 1);
    let spreads = repeated.filter_map(|runs| seconds(runs));
    let long = spreads.filter(|spread| spread.median >= LONG);
    let shares: Vec<f64> = long.map(|s| 2.0 * s.half / s.median).collect();
    let worst = shares.iter().copied().fold(0.0, f64::max);
    let what = "Times are seconds of processor time, limits are on the clock.";
    match Spread::of(shares.clone()) {
        None => {
            format!("{what} No cell of {LONG} s or more was run twice, so their noise is unknown.")
        }
        Some(middle) => format!(
            "{what} A number is the median of its runs, ± half the distance between the least and the \
             most. Of the {} cells of {LONG} s or more, the slowest run took {:.0} % of the median longer \
             than the fastest in the middle, {:.0} % at worst.",
            shares.len(),
            100.0 * middle.median,
            100.0 * worst,
        ),
    }
}

fn wrong(results: &Results) -> String {
    let wrong = results
        .iter()
        .filter_map(|record| match &record.seen.outcome {
            RunResult::Wrong(what) => Some(format!("{}: {what}", record.id)),
            _ => None,
        });
    let wrong: Vec<String> = wrong.collect();
    match wrong.is_empty() {
        true => "No verdict is wrong.".to_owned(),
        false => format!("WRONG verdicts: {}.", wrong.join("; ")),
    }
}
