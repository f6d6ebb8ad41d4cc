//! Table 1 and Figure 8 of "Peephole Partial Order Reduction": four reductions of the scheduler
//! encoding.

use crate::summary::{count, count_text, seconds, seconds_text};
use crate::table::Table;
use crate::{Cell, Experiment, Id, Part, Program, Published, Results, RunResult, Seen, Settings};
use bmc::{Config, Encoding, Reduction};
use plots::{Line, Lines, lines};
use verdict::{Answer, Bound, Budget, Reason, Task, Verdict};

/// The methods: their names here and in the paper.
const METHODS: [(&str, &str, Reduction); 4] = [
    ("none", "none", Reduction::None),
    ("static", "static", Reduction::Static),
    ("simple", "s-ppor", Reduction::Simple),
    ("full", "f-ppor", Reduction::Full),
];

const TABLE: &str = "Table 1";
const FIGURE: &str = "Figure 8";

/// The depths of Figure 8.
const DEPTHS: [u32; 8] = [15, 30, 45, 60, 75, 90, 105, 120];

/// A row of the table: a program with a bound on its steps.
struct Row {
    name: String,
    file: &'static str,
    define: Vec<String>,
    steps: u32,
    reachable: bool,
}

/// The experiment.
pub struct Three;

impl Experiment for Three {
    fn cells(&self, settings: &Settings) -> Result<Vec<Cell>, String> {
        let mut cells = Vec::new();
        for (table, row) in rows().into_iter().map(|row| (TABLE, row)).chain(deep()) {
            for (method, _, reduction) in METHODS {
                let (steps, reachable) = (row.steps, row.reachable);
                cells.push(Cell {
                    id: Id::new(table, &row.name, method),
                    program: Program::new(&settings.folder, row.file, &row.define),
                    limit: settings.timeout,
                    repeat: settings.repeat,
                    work: Box::new(move |task, budget, _| {
                        solve(task, budget, reduction, steps, reachable)
                    }),
                });
            }
        }
        Ok(cells)
    }

    fn parts(&self, results: &Results) -> Vec<Part> {
        vec![table(results), figure(results)]
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (what, reachable) in [("PA", false), ("PB", true)] {
        for n in 2..=4 {
            rows.push(Row {
                name: format!("phil{n}-{}", what.to_lowercase()),
                file: "philosophers.c",
                define: vec![format!("N={n}"), what.into()],
                steps: 9 * n + 2,
                reachable,
            });
        }
    }
    // Every thread has five steps, and `main` has one and one for each start.
    for (less, ending, reachable) in [(1, "", false), (0, "-sat", true)] {
        for n in 2..=5 {
            rows.push(Row {
                name: format!("indexer{n}{ending}"),
                file: "indexer.c",
                define: vec![format!("N={n}")],
                steps: 6 * n + 1 - less,
                reachable,
            });
        }
    }
    rows
}

/// Two philosophers that never stop, deeper and deeper.
fn deep() -> impl Iterator<Item = (&'static str, Row)> {
    DEPTHS.into_iter().map(|steps| {
        let define = ["N=2", "PA", "FOREVER"].map(str::to_owned).to_vec();
        let row = Row {
            name: format!("{steps:03}"),
            file: "philosophers.c",
            define,
            steps,
            reachable: false,
        };
        (FIGURE, row)
    })
}

fn solve(task: &Task, budget: &Budget, reduction: Reduction, steps: u32, reachable: bool) -> Seen {
    let config = Config {
        encoding: Encoding::Scheduler,
        reduction,
        steps: Some(steps),
        ..Config::default()
    };
    let Answer { verdict, stats, .. } = bmc::check(task, &config, budget)
        .confirm(task)
        .into_answer();
    // With a bound on the steps, "no error within the bound" is the answer.
    let outcome = match &verdict {
        Verdict::Unknown(Reason::Bound(bound @ Bound::Steps(_))) => match reachable {
            true => RunResult::Wrong(bound.to_string()),
            false => RunResult::Right,
        },
        verdict => RunResult::of(verdict, !reachable),
    };
    Seen {
        figures: stats,
        ..Seen::ended(outcome)
    }
}

/// The table as the paper prints it.
pub fn published() -> Published {
    Published::read(include_str!("../data/3-table-1.csv"))
}

fn table(results: &Results) -> Part {
    let mut part = Part::new("table-1", "Table 1");
    let published = published();
    for (figure, theirs, what) in [
        (
            "conflicts",
            "conflicts",
            "Conflicts; the paper's in thousands.",
        ),
        (
            "decisions",
            "decisions",
            "Decisions; the paper's in thousands.",
        ),
        ("", "time", "Seconds."),
    ] {
        let mut head: Vec<String> = ["program", "sat", "steps"].map(str::to_owned).to_vec();
        head.extend(METHODS.map(|(name, ..)| name.to_owned()));
        head.push("paper: steps".into());
        head.extend(METHODS.map(|(_, name, _)| name.to_owned()));
        let mut table = Table::new(head);
        for row in rows() {
            let cells = METHODS.map(|(method, ..)| {
                let runs = results.runs(TABLE, &row.name, method);
                match figure {
                    "" => seconds_text(&runs),
                    name => count_text(&runs, name),
                }
            });
            if cells.iter().all(String::is_empty) {
                continue;
            }
            let mut line = vec![row.name.clone()];
            line.push(if row.reachable { "yes" } else { "no" }.into());
            line.push(row.steps.to_string());
            line.extend(cells);
            line.push(published.text(&row.name, "steps").into());
            let theirs = METHODS.map(|(_, name, _)| format!("{theirs} {name}"));
            line.extend(theirs.map(|column| published.text(&row.name, &column).to_owned()));
            table.row(line);
        }
        if !table.is_empty() {
            part.add(what);
            part.add(table);
        }
    }
    part
}

fn figure(results: &Results) -> Part {
    let mut part = Part::new(
        "figure-8",
        "Figure 8: two philosophers, property pa, by unrolling depth",
    );
    type Of = fn(&[&crate::Record]) -> (String, Option<f64>);
    let conflicts: Of = |runs| {
        let value = count(runs, "conflicts").map(|spread| spread.median);
        (count_text(runs, "conflicts"), value)
    };
    let time: Of = |runs| {
        (
            seconds_text(runs),
            seconds(runs).map(|spread| spread.median),
        )
    };
    for (what, file, of) in [
        ("conflicts", "3-figure-8-conflicts.svg", conflicts),
        ("seconds", "3-figure-8-seconds.svg", time),
    ] {
        let head = METHODS.map(|(name, ..)| format!("{what}: {name}"));
        let mut table = Table::new(["depth".to_owned()].into_iter().chain(head));
        let mut series = METHODS.map(|(name, ..)| Line {
            name: name.into(),
            points: Vec::new(),
        });
        for (_, row) in deep() {
            let runs = METHODS.map(|(method, ..)| results.runs(FIGURE, &row.name, method));
            let cells = runs.each_ref().map(|runs| of(runs));
            for (series, (_, value)) in series.iter_mut().zip(&cells) {
                series
                    .points
                    .extend(value.map(|value| (f64::from(row.steps), value)));
            }
            if cells.iter().any(|(text, _)| !text.is_empty()) {
                let depth = [row.steps.to_string()].into_iter();
                table.row(depth.chain(cells.map(|(text, _)| text)));
            }
        }
        if !table.is_empty() {
            part.add(table);
            let title = format!("Figure 8: {what} by unrolling depth");
            let svg = lines(&Lines {
                title: &title,
                x: "unrolling depth",
                y: what,
                lines: &series,
            });
            part.picture(file, &title, svg);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_paper_has_a_program() {
        let theirs = published();
        let rows = rows();
        assert_eq!(theirs.names().count(), 14);
        for name in theirs.names() {
            let row = rows.iter().find(|row| row.name == name);
            let row = row.unwrap_or_else(|| panic!("{name} is missing"));
            let sat = if row.reachable { "yes" } else { "no" };
            assert_eq!(theirs.text(name, "sat"), sat, "{name}");
        }
        assert_eq!(deep().count(), 8);
    }
}
