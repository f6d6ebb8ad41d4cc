//! The experiment of "Finding Termination and Time Improvement in Predicate Abstraction with
//! Under-Approximation and Abstract Matching": states drawn from seven models, and how soon each
//! strategy finds them.

use crate::args::{LabArgs, Switch};
use crate::failure::{Exit, Failure};
use crate::output;
use matching::{Config, Hit, Strategy, Targets, hunt};
use plots::Bars;
use std::fmt::Write;
use std::path::Path;
use verdict::Budget;

const METHODS: [(&str, Strategy); 7] = [
    ("AMCS", Strategy::Amcs),
    ("RandDFS", Strategy::RandomDfs),
    ("NoTP", Strategy::NoProver),
    ("MinOnly", Strategy::MinOnly),
    ("MaxOverlap", Strategy::MaxOverlap),
    ("AddAll", Strategy::AddAll),
    ("MinSet", Strategy::MinSet),
];

const MODELS: [(&str, &str); 7] = [
    ("Branches", "branches.c"),
    ("SumToN", "sum_to_n.c"),
    ("CustWorkers", "customers_workers.c"),
    ("MultiplyToN", "multiply_to_n.c"),
    ("Hyman", "hyman.c"),
    ("DiningPhil", "philosophers.c"),
    ("Barbershop", "barbershop.c"),
];

/// Larger models are not drawn from.
const MOST_STATES: usize = 3_000_000;

/// By method: how each of the drawn states was found.
type Hits = Vec<Vec<Option<Hit>>>;

/// A measure of which less is better; nothing if the method has none.
type Measure = fn(Strategy, &Hit) -> Option<u64>;

/// The tables after the first: how often a method is best.
const MEASURES: [(&str, &str, Measure); 4] = [
    ("time", "time", |_, hit| Some(hit.time.as_millis() as u64)),
    ("states", "states", |_, hit| Some(hit.states)),
    ("error depth", "depth", |_, hit| Some(hit.depth)),
    // Random search has no predicates to count.
    ("predicates", "predicates", |strategy, hit| {
        (strategy != Strategy::RandomDfs).then_some(hit.predicates)
    }),
];

/// How many states were stored.
type Stored = fn(&Hit) -> u64;

/// The tables that compare with a plain search.
const STORED: [(&str, &str, Stored); 2] = [
    ("states stored when an error is found", "stored", |hit| {
        hit.states
    }),
    (
        "most states stored before an error is found",
        "stored-at-most",
        |hit| hit.peak,
    ),
];

/// A model with what was drawn from it and what was found.
struct Row {
    name: &'static str,
    targets: Targets,
    hits: Hits,
}

/// A table of the experiment.
struct Table {
    title: String,
    /// For the name of its picture.
    name: &'static str,
    rows: Vec<(&'static str, Vec<f64>)>,
}

/// Prints how many states were found as soon as a model is done, and the tables in the end.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    let mut rows = Vec::new();
    for (name, file) in MODELS {
        if super::wanted(args, name) {
            let row = search(args, name, file)?;
            let found = row.hits.iter().map(|hits| hits.iter().flatten().count());
            let found: Vec<String> = found.map(|count| format!("{count:>4}")).collect();
            let states = row.targets.states;
            let found = found.concat();
            output::print(&format!("{name:<12}{states:>9} states, found{found}\n"));
            rows.push(row);
        }
    }
    for table in tables(&rows) {
        output::print(&table.text());
        if let Some(folder) = &args.draw {
            table.draw(folder)?;
        }
    }
    Ok(Exit::Safe)
}

fn search(args: &LabArgs, name: &'static str, file: &str) -> Result<Row, Failure> {
    let task = super::task(args, "matching", file, &[])?;
    let all = Budget::unlimited();
    let drawn = Targets::draw(&task, args.count, args.seed, MOST_STATES, &all);
    let targets = drawn.map_err(|reason| Failure::usage(format!("{name}: {reason}")))?;
    let hits = METHODS.map(|(_, strategy)| {
        let budget = Budget::unlimited().with_timeout(args.timeout);
        // States are looked for one by one, so that none may stand for another.
        let config = Config {
            strategy,
            seed: args.seed,
            por: false,
            symmetry: false,
            frugal: args.frugal == Switch::On && strategy.splits(),
            search: args.search.of_matching(),
        };
        hunt(&task, &config, &targets, &budget)
    });
    Ok(Row {
        name,
        targets,
        hits: hits.into(),
    })
}

/// The five of the paper, and two that compare with a search that stores every state.
fn tables(rows: &[Row]) -> Vec<Table> {
    let table = |title: &str, name, cells: &dyn Fn(&Row) -> Vec<f64>| Table {
        title: title.to_owned(),
        name,
        rows: rows.iter().map(|row| (row.name, cells(row))).collect(),
    };
    let found = |row: &Row| {
        let share =
            |hits: &Vec<Option<Hit>>| hits.iter().flatten().count() as f64 / hits.len() as f64;
        row.hits.iter().map(share).collect()
    };
    let mut tables = vec![table("errors found, of all", "found", &found)];
    for (what, name, measure) in MEASURES {
        let title = format!("{what}: how often a method is best, normalised");
        tables.push(table(&title, name, &|row| normalised(&row.hits, measure)));
    }
    for (when, name, measure) in STORED {
        let title = format!("{when}, by those that a plain search stores (median)");
        let mut table = table(&title, name, &|row| stored(&[row], measure));
        let all: Vec<&Row> = rows.iter().collect();
        table.rows.push(("all", stored(&all, measure)));
        tables.push(table);
    }
    tables
}

impl Table {
    fn text(&self) -> String {
        let mut text = format!("\n{}\n{:<12}", self.title, "");
        for (method, _) in METHODS {
            let _ = write!(text, "{method:>11}");
        }
        text.push('\n');
        for (name, cells) in &self.rows {
            let _ = write!(text, "{name:<12}");
            for cell in cells {
                let _ = match cell.is_nan() {
                    true => write!(text, "{:>11}", "-"),
                    false => write!(text, "{cell:>11.2}"),
                };
            }
            text.push('\n');
        }
        text
    }

    fn draw(&self, folder: &Path) -> Result<(), Failure> {
        let svg = plots::bars(&Bars {
            title: &self.title,
            figure: "",
            columns: &METHODS.map(|(name, _)| name),
            rows: &self.rows,
            log: false,
        });
        let path = folder.join(self.name).with_extension("svg");
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, svg));
        written.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
    }
}

/// A point for every drawn state that a method finds with the least measure, by the most points.
fn normalised(hits: &Hits, measure: Measure) -> Vec<f64> {
    let mut points = vec![0.0; hits.len()];
    for state in 0..hits[0].len() {
        let measured = hits.iter().zip(METHODS).map(|(hits, (_, strategy))| {
            let hit = hits[state].as_ref()?;
            measure(strategy, hit)
        });
        let measured: Vec<Option<u64>> = measured.collect();
        let best = measured.iter().flatten().min().copied();
        for (points, value) in points.iter_mut().zip(measured) {
            if value.is_some() && value == best {
                *points += 1.0;
            }
        }
    }
    let most = points.iter().copied().fold(1.0, f64::max);
    points.iter().map(|points| points / most).collect()
}

/// The median, over the states that a method finds, of what it stores by what a plain search does.
fn stored(rows: &[&Row], measure: Stored) -> Vec<f64> {
    let of_method = |method: usize| {
        let pairs = rows.iter().flat_map(|row| {
            let hits = row.hits[method].iter();
            hits.zip(&row.targets.plain)
        });
        let found = pairs.filter_map(|(hit, &plain)| Some((measure(hit.as_ref()?), plain)));
        let mut shares: Vec<f64> = found
            .map(|(states, plain)| states as f64 / plain as f64)
            .collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() / 2).copied().unwrap_or(f64::NAN)
    };
    (0..METHODS.len()).map(of_method).collect()
}
