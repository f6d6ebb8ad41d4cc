//! Tables I and II of "Reduction for Compositional Verification of Multi-Threaded Programs":
//! compositional proofs that no error is reached, and that every execution ends, with and without
//! reduction.

use crate::summary::{count_text, seconds_text};
use crate::table::Table;
use crate::{Cell, Experiment, Id, Part, Program, Published, Results, Seen, Settings};
use horn::Config;
use verdict::Property;

struct Row {
    name: &'static str,
    /// The name in the paper, if it is there.
    theirs: &'static str,
    file: &'static str,
    /// Macros, with blanks between them.
    define: &'static str,
    threads: &'static str,
    holds: bool,
}

const fn row(
    name: &'static str,
    theirs: &'static str,
    file: &'static str,
    define: &'static str,
    threads: &'static str,
    holds: bool,
) -> Row {
    Row {
        name,
        theirs,
        file,
        define,
        threads,
        holds,
    }
}

const SAFETY: &[Row] = &[
    row("P1-1", "P1-1", "p1.c", "N=1", "3", true),
    row("P1-5", "P1-5", "p1.c", "N=5", "3", true),
    row("P1-10", "P1-10", "p1.c", "N=10", "3", true),
    row("P1-50", "P1-50", "p1.c", "N=50", "3", true),
    row("P2-5", "P2-5", "p1.c", "N=5 RACE", "3", true),
    row("P2-10", "P2-10", "p1.c", "N=10 RACE", "3", true),
    row("P2-50", "P2-50", "p1.c", "N=50 RACE", "3", true),
    row("stack-safe-5", "stack-safe-5", "stack.c", "N=5", "3", true),
    row(
        "stack-safe-10",
        "stack-safe-10",
        "stack.c",
        "N=10",
        "3",
        true,
    ),
    row(
        "stack-unsafe-5",
        "stack-unsafe-5",
        "stack.c",
        "N=5 BUG",
        "3",
        false,
    ),
    row(
        "stack-unsafe-10",
        "stack-unsafe-10",
        "stack.c",
        "N=10 BUG",
        "3",
        false,
    ),
    row("queue", "pbzip2-safe", "queue.c", "", "4", true),
    row(
        "twostage-3",
        "twostage-3-unsafe",
        "twostage.c",
        "N=3",
        "5",
        false,
    ),
    // Beyond the paper: threads that never end, and threads without number.
    row("peterson", "", "peterson.c", "", "3", true),
    row("dekker", "", "dekker.c", "", "3", true),
    row("ticket", "", "ticket.c", "", "3", true),
    row("rwlock", "", "rwlock.c", "", "4", true),
    row("counter", "", "counter.c", "", "any", true),
];

const TERMINATION: &[Row] = &[
    row("balance", "fig2-tacas12", "balance.c", "", "3", true),
    row("signals", "sync01-safe-fixed", "signals.c", "", "3", true),
    row(
        "philosophers",
        "dining-philo",
        "philosophers.c",
        "",
        "4",
        true,
    ),
    // Beyond the paper's table: the same with their errors, a longer one, and Example 2.
    row("signals-bug", "", "signals.c", "BUG", "3", false),
    row("signals-5", "", "signals.c", "N=5", "3", true),
    row("philosophers-bug", "", "philosophers.c", "BUG", "4", false),
    row("P1-loop", "", "p1.c", "LOOP", "3", true),
    // Sums with factors become smaller, which no list of terms contains.
    row("exchange", "", "exchange.c", "", "3", true),
    row("refill", "", "refill.c", "", "3", true),
];

/// The methods: their names here and in the paper.
const METHODS: [(&str, &str, bool); 2] = [("Comp", "comp", false), ("RedComp", "redcomp", true)];

/// The tables, with what is proved and the column of the paper that says whether it holds.
const TABLES: [(&str, &str, &[Row], Property); 2] = [
    ("Table I", "table-1", SAFETY, Property::Reach),
    ("Table II", "table-2", TERMINATION, Property::Termination),
];

/// The experiment.
pub struct Two;

impl Experiment for Two {
    fn cells(&self, settings: &Settings) -> Result<Vec<Cell>, String> {
        let mut cells = Vec::new();
        for (table, _, rows, property) in TABLES {
            for row in rows {
                let define = row.define.split_ascii_whitespace().map(str::to_owned);
                let define: Vec<String> = define.collect();
                let program = Program {
                    property,
                    ..Program::new(&settings.folder, row.file, &define)
                };
                for (method, _, reduction) in METHODS {
                    let config = Config {
                        reduction,
                        ..Config::default()
                    };
                    let holds = row.holds;
                    cells.push(Cell {
                        id: Id::new(table, row.name, method),
                        program: program.clone(),
                        limit: settings.timeout,
                        repeat: settings.repeat,
                        work: Box::new(move |task, budget, _| {
                            Seen::answer(
                                horn::check(task, &config, budget)
                                    .confirm(task)
                                    .into_answer(),
                                holds,
                            )
                        }),
                    });
                }
            }
        }
        Ok(cells)
    }

    fn parts(&self, results: &Results) -> Vec<Part> {
        let parts = TABLES.map(|(table, name, rows, _)| {
            let theirs = published(table);
            let mut part = Part::new(name, table);
            let made = shown(results, table, rows, &theirs);
            if !made.is_empty() {
                part.add(made);
            }
            part
        });
        parts.into()
    }
}

/// The table of this name as the paper prints it.
pub fn published(table: &str) -> Published {
    Published::read(match table {
        "Table I" => include_str!("../data/2-table-1.csv"),
        _ => include_str!("../data/2-table-2.csv"),
    })
}

fn shown(results: &Results, name: &str, rows: &[Row], theirs: &Published) -> Table {
    let others: &[&str] = match name {
        "Table I" => &["impara", "threader", "comp", "redcomp"],
        _ => &["comp", "redcomp"],
    };
    let mut head: Vec<String> = ["program", "threads", "holds"].map(str::to_owned).to_vec();
    for (method, ..) in METHODS {
        head.extend(["steps", "clauses", "s"].map(|figure| format!("{method} {figure}")));
    }
    head.push("paper's name".into());
    head.extend(others.iter().map(|other| format!("{other} s")));
    let mut table = Table::new(head);
    for row in rows {
        let cells: Vec<String> = METHODS
            .iter()
            .flat_map(|(method, ..)| {
                let runs = results.runs(name, row.name, method);
                let counts = ["steps", "clauses"].map(|figure| count_text(&runs, figure));
                counts.into_iter().chain([seconds_text(&runs)])
            })
            .collect();
        if cells.iter().all(String::is_empty) {
            continue;
        }
        let holds = if row.holds { "yes" } else { "no" };
        let mut line = [row.name, row.threads, holds].map(str::to_owned).to_vec();
        line.extend(cells);
        line.push(
            if row.theirs.is_empty() {
                "-"
            } else {
                row.theirs
            }
            .into(),
        );
        line.extend(
            others
                .iter()
                .map(|other| theirs.text(row.theirs, other).to_owned()),
        );
        table.row(line);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_paper_has_a_program() {
        for (table, _, rows, _) in TABLES {
            let theirs = published(table);
            let holds = if table == "Table I" {
                "safe"
            } else {
                "terminates"
            };
            for name in theirs.names() {
                let row = rows.iter().find(|row| row.theirs == name);
                let row = row.unwrap_or_else(|| panic!("{name} is missing"));
                let expected = if row.holds { "yes" } else { "no" };
                assert_eq!(theirs.text(name, holds), expected, "{name}");
            }
        }
        assert_eq!(published("Table I").names().count(), 13);
        assert_eq!(published("Table II").names().count(), 3);
    }
}
