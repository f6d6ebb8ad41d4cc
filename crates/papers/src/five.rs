//! Table 1 and Figure 6 of "Symbolic Pruning of Concurrent Program Executions": exploration with
//! the help of a solver against dynamic partial order reduction alone.

use crate::summary::{count, count_text, seconds, seconds_text};
use crate::table::Table;
use crate::{Cell, Experiment, Id, Part, Program, Published, Results, Seen, Settings};
use fusion::Config;
use plots::{Line, Lines, lines};
use verdict::{Budget, Task, Verdict};

struct Row {
    name: String,
    /// The name in the paper.
    theirs: String,
    file: &'static str,
    define: Vec<String>,
    threads: u32,
    safe: bool,
}

fn row(names: (&str, &str), file: &'static str, n: (u32, u32), threads: u32, safe: bool) -> Row {
    let mut define = vec![format!("N={}", n.0)];
    if names.0 == "batch-ok" {
        define.push("OK".into());
    }
    Row {
        name: format!("{}-{}", names.0, n.0),
        theirs: format!("{}-{}", names.1, n.1),
        file,
        define,
        threads,
        safe,
    }
}

/// The first set: parameters of ours and of the paper's program.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let account = |n| row(("account", "fa02"), "account.c", (n, n), 2, false);
    rows.extend([1, 5, 10].map(account));
    let batch = |n| row(("batch", "pBch4"), "batch.c", n, 2, false);
    rows.extend([(4, 5), (7, 10), (10, 20)].map(batch));
    let ok = |n| row(("batch-ok", "pBch4ok"), "batch.c", (n, n), 2, true);
    rows.extend([1, 3, 4, 5].map(ok));
    // A thread for each record but one; the paper counts from the smallest.
    let records = |n| row(("records", "dynRec"), "records.c", (n, n - 2), n, false);
    rows.extend((2..=8).map(records));
    rows
}

/// The indexer of Figure 6.
fn indexers() -> impl Iterator<Item = Row> {
    (10..=20).map(|n| row(("indexer", "indexer"), "indexer.c", (n, n), n, n < 12))
}

const TABLE: &str = "Table 1";
const FIGURE: &str = "Figure 6";
const METHODS: [&str; 2] = ["fusion", "dpor"];

/// The experiment.
pub struct Five;

impl Experiment for Five {
    fn cells(&self, settings: &Settings) -> Result<Vec<Cell>, String> {
        let mut cells = Vec::new();
        let both = rows().into_iter().map(|row| (TABLE, row));
        for (table, row) in both.chain(indexers().map(|row| (FIGURE, row))) {
            for method in METHODS {
                let helped = method == "fusion";
                let config = Config {
                    check: helped,
                    prune: helped,
                    ..Config::default()
                };
                let safe = row.safe;
                cells.push(Cell {
                    id: Id::new(table, &row.name, method),
                    program: Program::new(&settings.folder, row.file, &row.define),
                    limit: settings.timeout,
                    repeat: settings.repeat,
                    work: Box::new(move |task, budget, _| explore(task, budget, &config, safe)),
                });
            }
        }
        Ok(cells)
    }

    fn parts(&self, results: &Results) -> Vec<Part> {
        vec![table(results), figure(results)]
    }
}

fn explore(task: &Task, budget: &Budget, config: &Config, safe: bool) -> Seen {
    let answer = fusion::check(task, config, budget)
        .confirm(task)
        .into_answer();
    let figure = |name| answer.stats.get(name).unwrap_or(0);
    // An execution that is cut short by an error is one too.
    let error = u64::from(matches!(answer.verdict, Verdict::Unsafe(_)));
    let traces = figure("executions") + error.saturating_sub(figure("errors predicted"));
    let mut seen = Seen::answer(answer, safe);
    seen.figures.set("traces", traces);
    seen
}

/// The table as the paper prints it.
pub fn published() -> Published {
    Published::read(include_str!("../data/5-table-1.csv"))
}

fn table(results: &Results) -> Part {
    let mut part = Part::new("table-1", "Table 1");
    let theirs = published();
    for (method, what) in METHODS.into_iter().zip([
        "Fusion: executions are checked and pruned by a solver.",
        "Dynamic partial order reduction alone.",
    ]) {
        let head = ["program", "threads", "holds", "paper's name"].into_iter();
        let pairs = ["traces", "transitions", "solver calls", "s"].into_iter();
        let paper = ["paper: traces", "transitions", "s"].into_iter();
        let mut table = Table::new(head.chain(pairs).chain(paper));
        for row in rows() {
            let runs = results.runs(TABLE, &row.name, method);
            if runs.is_empty() {
                continue;
            }
            let holds = if row.safe { "yes" } else { "no" };
            let mut line = vec![row.name.clone(), row.threads.to_string(), holds.into()];
            line.push(row.theirs.clone());
            let figures = ["traces", "transitions", "solver calls"];
            line.extend(figures.map(|figure| count_text(&runs, figure)));
            line.push(seconds_text(&runs));
            let columns = ["traces", "transitions", "time"].map(|name| format!("{method} {name}"));
            line.extend(columns.map(|column| theirs.text(&row.theirs, &column).to_owned()));
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
        "figure-6",
        "Figure 6: the indexer, by the number of threads",
    );
    let head = METHODS.into_iter().flat_map(|method| {
        ["traces", "transitions", "s"].map(|figure| format!("{method} {figure}"))
    });
    let first = ["threads", "holds"].map(str::to_owned).into_iter();
    let mut table = Table::new(first.chain(head));
    let empty = || {
        METHODS.map(|name| Line {
            name: name.into(),
            points: Vec::new(),
        })
    };
    let (mut traces, mut times) = (empty(), empty());
    for row in indexers() {
        let holds = if row.safe { "yes" } else { "no" };
        let mut line = vec![row.threads.to_string(), holds.to_owned()];
        let x = f64::from(row.threads);
        for (at, method) in METHODS.into_iter().enumerate() {
            let runs = results.runs(FIGURE, &row.name, method);
            line.extend(["traces", "transitions"].map(|figure| count_text(&runs, figure)));
            line.push(seconds_text(&runs));
            let point = |spread: crate::summary::Spread| (x, spread.median);
            traces[at].points.extend(count(&runs, "traces").map(point));
            times[at].points.extend(seconds(&runs).map(point));
        }
        if line[2..].iter().any(|cell| !cell.is_empty()) {
            table.row(line);
        }
    }
    if table.is_empty() {
        return part;
    }
    part.add(table);
    for (what, y, file, series) in [
        ("runtime", "seconds", "5-figure-6-seconds.svg", &times),
        ("executions", "executions", "5-figure-6-traces.svg", &traces),
    ] {
        let title = format!("Figure 6: {what} on the indexer");
        let svg = lines(&Lines {
            title: &title,
            x: "threads",
            y,
            lines: series,
        });
        part.picture(file, &title, svg);
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
        assert_eq!(theirs.names().count(), 17);
        for name in theirs.names() {
            let row = rows.iter().find(|row| row.theirs == name);
            let row = row.unwrap_or_else(|| panic!("{name} is missing"));
            let threads = row.threads.to_string();
            assert_eq!(theirs.text(name, "threads"), threads, "{name}");
            let holds = if row.safe { "true" } else { "false" };
            assert_eq!(theirs.text(name, "property"), holds, "{name}");
        }
        assert_eq!(indexers().count(), 11);
    }
}
