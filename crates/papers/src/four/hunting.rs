//! Tables 5.1 to 5.5: states are drawn from each model, and seven methods search for them.

use super::points::{Found, Measure, normalised, stored};
use super::{Four, METHODS, published};
use crate::summary::Spread;
use crate::table::Table;
use crate::{Cell, Id, Part, Program, Record, Results, RunResult, Seen, Settings};
use matching::{Config, Strategy, Targets, hunt};
use plots::{Bars, bars};
use std::time::Duration;
use verdict::{Budget, Stats, Task, grouped};

const TABLE: &str = "Tables 5.1 to 5.5";
const COLUMN: &str = "hunt";

/// The models, with their names in the paper.
const MODELS: [(&str, &str, &str); 7] = [
    ("Branches", "Branches", "branches.c"),
    ("SumToN", "SumToNBig", "sum_to_n.c"),
    ("CustWorkers", "CustWorkers", "customers_workers.c"),
    ("MultiplyToN", "MultiplyToN", "multiply_to_n.c"),
    ("Hyman", "Hyman", "hyman.c"),
    ("DiningPhil", "DiningPhil", "philosophers.c"),
    ("Barbershop", "Barbershop", "barbershop.c"),
];

/// Larger models are not drawn from.
const MOST_STATES: usize = 3_000_000;
/// For drawing the states.
const DRAWING: Duration = Duration::from_secs(120);

/// What is to be measured: for each model one process, in which all methods look for the same
/// states, one after the other.
pub fn cells(four: &Four, settings: &Settings) -> Vec<Cell> {
    let cell = |(model, _, file): (&str, &str, &str)| {
        let (count, seed, time) = (four.count, four.seed, settings.timeout);
        let base = Config {
            // States are searched for one by one, so that none may stand for another.
            por: false,
            symmetry: false,
            search: four.search,
            frugal: four.frugal,
            ..Config::default()
        };
        Cell {
            id: Id::new(TABLE, model, COLUMN),
            program: Program::new(&settings.folder, file, &[]),
            limit: DRAWING + time * (METHODS.len() as u32 + 1),
            repeat: settings.repeat,
            work: Box::new(move |task, budget, run| {
                let seed = seed + u64::from(run);
                let config = Config { seed, ..base };
                hunts(task, budget, count, &config, time)
            }),
        }
    };
    MODELS.map(cell).into()
}

fn hunts(task: &Task, budget: &Budget, count: usize, base: &Config, time: Duration) -> Seen {
    let targets = match Targets::draw(task, count, base.seed, MOST_STATES, budget) {
        Ok(targets) => targets,
        Err(reason) => return Seen::ended(RunResult::NoAnswer(reason.to_string())),
    };
    let hits = METHODS.map(|(_, _, strategy)| {
        let config = Config {
            strategy,
            frugal: base.frugal && strategy.splits(),
            ..*base
        };
        hunt(task, &config, &targets, &budget.at_most(time))
    });
    let mut figures = Stats::default();
    figures.set("states", targets.states as u64);
    Seen {
        outcome: RunResult::Right,
        figures,
        more: Found::new(&targets, &hits).to_json(),
    }
}

/// How often a method is best, in the order of the paper's tables.
const MEASURES: [(&str, &str, &str, Measure); 4] = [
    ("5.1", "table-5-1", "Table 5.1: time", |_, hit| {
        Some(hit.micros)
    }),
    ("5.3", "table-5-3", "Table 5.3: states", |_, hit| {
        Some(hit.states)
    }),
    ("5.4", "table-5-4", "Table 5.4: error depth", |_, hit| {
        Some(hit.depth)
    }),
    // Random search has no predicates to count.
    (
        "5.5",
        "table-5-5",
        "Table 5.5: predicates",
        |strategy, hit| (strategy != Strategy::RandomDfs).then_some(hit.predicates),
    ),
];

/// The five tables of the paper, and one that compares with a search that stores every state.
pub fn parts(results: &Results) -> Vec<Part> {
    let models: Vec<Model> = MODELS
        .iter()
        .filter_map(|model| Model::of(results, *model))
        .collect();
    let mut parts = Vec::new();
    let time = MEASURES[0];
    parts.push(best(&models, time));
    parts.push(found(&models));
    parts.extend(MEASURES[1..].iter().map(|measure| best(&models, *measure)));
    parts.push(storage(&models));
    parts
}

/// A model with what was found in each run.
struct Model {
    name: &'static str,
    theirs: &'static str,
    states: u64,
    runs: Vec<Found>,
}

impl Model {
    fn of(
        results: &Results,
        (name, theirs, _): (&'static str, &'static str, &str),
    ) -> Option<Model> {
        let records = results.runs(TABLE, name, COLUMN);
        let read = |record: &&Record| Found::from_json(&record.seen.more);
        let runs: Vec<Found> = records.iter().filter_map(read).collect();
        let first = records.first().filter(|_| !runs.is_empty())?;
        Some(Model {
            name,
            theirs,
            states: first.seen.figures.get("states")?,
            runs,
        })
    }

    /// A number for each method, over the runs.
    fn over_runs(&self, of: impl Fn(&Found) -> Vec<f64>) -> Vec<Option<Spread>> {
        let runs: Vec<Vec<f64>> = self.runs.iter().map(of).collect();
        let method = |at: usize| mean(runs.iter().map(|run| run[at]).collect());
        (0..METHODS.len()).map(method).collect()
    }
}

/// The mean, as in the paper, with half the distance between the least and the most.
fn mean(numbers: Vec<f64>) -> Option<Spread> {
    let numbers: Vec<f64> = numbers.into_iter().filter(|n| n.is_finite()).collect();
    let sum: f64 = numbers.iter().sum();
    let mean = sum / numbers.len() as f64;
    Some(Spread {
        median: mean,
        ..Spread::of(numbers)?
    })
}

fn text(cell: &Option<Spread>) -> String {
    match cell {
        None => "-".into(),
        Some(Spread { median, half }) if *half < 0.005 => format!("{median:.2}"),
        Some(Spread { median, half }) => format!("{median:.2} ±{half:.2}"),
    }
}

fn best(
    models: &[Model],
    (number, name, title, measure): (&str, &'static str, &str, Measure),
) -> Part {
    let mut part = Part::new(name, title);
    let rows = models.iter().map(|model| {
        let cells = model.over_runs(|found| normalised(found, measure));
        (model, cells)
    });
    beside(&mut part, number, rows.collect());
    part
}

fn found(models: &[Model]) -> Part {
    let mut part = Part::new("table-5-2", "Table 5.2: errors found, of all");
    let rows = models
        .iter()
        .map(|model| (model, model.over_runs(Found::shares)));
    beside(&mut part, "5.2", rows.collect());
    if models.is_empty() {
        return part;
    }
    let sizes = models
        .iter()
        .map(|m| format!("{} {}", m.name, grouped(m.states)));
    let sizes: Vec<String> = sizes.collect();
    part.add(format!("States of the models: {}.", sizes.join(", ")));
    part
}

/// A table with ours and the paper's, and a picture of ours.
fn beside(part: &mut Part, number: &str, rows: Vec<(&Model, Vec<Option<Spread>>)>) {
    let theirs = published(number);
    let head = METHODS.map(|(name, ..)| name.to_owned()).into_iter();
    let mut paper = METHODS.map(|(_, name, _)| name.to_owned());
    paper[0] = format!("paper: {}", paper[0]);
    let mut table = Table::new(["model".to_owned()].into_iter().chain(head).chain(paper));
    for (model, cells) in &rows {
        let mut line = vec![model.name.to_owned()];
        line.extend(cells.iter().map(text));
        let paper = METHODS.map(|(_, name, _)| theirs.text(model.theirs, name).to_owned());
        line.extend(paper);
        table.row(line);
    }
    if rows.is_empty() {
        return;
    }
    part.add(table);
    let title = part.text.lines().next().unwrap_or_default();
    let title = title.trim_start_matches("### ").to_owned();
    let rows: Vec<(&str, Vec<f64>)> = rows
        .iter()
        .map(|(model, cells)| {
            let numbers = cells
                .iter()
                .map(|cell| cell.map_or(f64::NAN, |cell| cell.median));
            (model.name, numbers.collect())
        })
        .collect();
    let svg = bars(&Bars {
        title: &title,
        figure: "",
        columns: &METHODS.map(|(name, ..)| name),
        rows: &rows,
        log: false,
    });
    let file = format!("4-table-{}.svg", number.replace('.', "-"));
    part.picture(&file, &title, svg);
}

/// What is stored when an error is found, and the most before, by what a plain search stores.
fn storage(models: &[Model]) -> Part {
    let mut part = Part::new(
        "storage",
        "Beyond the paper: stored states, by those of a plain search",
    );
    for (what, peak) in [
        (
            "When an error is found (median over the errors that a method finds):",
            false,
        ),
        ("At most, at any time before:", true),
    ] {
        let mut table = Table::new(["model"].into_iter().chain(METHODS.map(|(name, ..)| name)));
        for model in models {
            let cells = model.over_runs(|found| stored(found, peak));
            let name = [model.name.to_owned()].into_iter();
            table.row(name.chain(cells.iter().map(text)));
        }
        if !table.is_empty() {
            part.add(what);
            part.add(table);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_and_method_of_the_paper_is_there() {
        for number in ["5.1", "5.2", "5.3", "5.4", "5.5"] {
            let theirs = published(number);
            let names: Vec<&str> = theirs.names().collect();
            assert_eq!(names, MODELS.map(|(_, name, _)| name));
            for name in names {
                for (_, method, _) in METHODS {
                    assert!(theirs.number(name, method).is_some(), "{name} {method}");
                }
            }
        }
    }
}
