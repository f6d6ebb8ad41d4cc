//! Table 1 and Figure 6 of "Symbolic Pruning of Concurrent Program Executions": exploration with
//! the help of a solver against dynamic partial order reduction alone.

use super::{task, wanted};
use crate::args::LabArgs;
use crate::failure::{Exit, Failure};
use crate::output;
use fusion::Config;
use std::fmt::Write;
use std::time::Instant;
use verdict::{Budget, Task, Verdict};

/// A row of the table.
struct Row {
    name: String,
    file: &'static str,
    define: Vec<String>,
    threads: u32,
    safe: bool,
}

fn row(family: &str, file: &'static str, n: u32, threads: u32, safe: bool) -> Row {
    let mut define = vec![format!("N={n}")];
    if family == "batch-ok" {
        define.push("OK".into());
    }
    Row {
        name: format!("{family}-{n}"),
        file,
        define,
        threads,
        safe,
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend([1, 5, 10].map(|n| row("account", "account.c", n, 2, false)));
    rows.extend([4, 7, 10].map(|n| row("batch", "batch.c", n, 2, false)));
    rows.extend([1, 3, 4, 5].map(|n| row("batch-ok", "batch.c", n, 2, true)));
    rows.extend((2..=8).map(|n| row("records", "records.c", n, n, false)));
    rows.extend((10..=20).map(|n| row("indexer", "indexer.c", n, n, n < 12)));
    rows
}

/// Prints the table.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    let mut head = format!("{:<12} {:>7} {:>6}", "program", "threads", "holds");
    for method in ["fusion", "dpor"] {
        for figure in ["traces", "transitions", "seconds"] {
            let _ = write!(head, " {:>18}", format!("{method} {figure}"));
        }
    }
    output::print(&format!("{head}\n"));
    let helped = Config {
        check: true,
        prune: true,
        ..Config::default()
    };
    let alone = Config {
        check: false,
        prune: false,
        ..Config::default()
    };
    for row in rows().into_iter().filter(|row| wanted(args, &row.name)) {
        let task = task(args, "fusion", row.file, &row.define)?;
        let holds = if row.safe { "yes" } else { "no" };
        let mut line = format!("{:<12} {:>7} {holds:>6}", row.name, row.threads);
        for config in [&helped, &alone] {
            for figure in cells(args, &row, &task, config) {
                let _ = write!(line, " {figure:>18}");
            }
        }
        output::print(&format!("{line}\n"));
    }
    Ok(Exit::Safe)
}

/// Traces, transitions and time; `T/O` if it took too long, `?` if the answer is not the expected.
fn cells(args: &LabArgs, row: &Row, task: &Task, config: &Config) -> [String; 3] {
    let budget = Budget::unlimited().with_timeout(args.timeout);
    let start = Instant::now();
    let answer = fusion::check(task, config, &budget);
    let seconds = start.elapsed().as_secs_f64();
    let figure = |name| answer.stats.get(name).unwrap_or(0);
    // An execution that is cut short by an error is one too.
    let error = u64::from(matches!(answer.verdict, Verdict::Unsafe(_)));
    let found_by_running = error.saturating_sub(figure("errors predicted"));
    let traces = figure("executions") + found_by_running;
    let time = match answer.verdict {
        Verdict::Unknown(_) => "T/O".into(),
        Verdict::Safe(_) if row.safe => format!("{seconds:.1}"),
        Verdict::Unsafe(_) if !row.safe => format!("{seconds:.1}"),
        _ => "?".into(),
    };
    let more = if time == "T/O" { ">" } else { "" };
    let transitions = figure("transitions");
    [
        format!("{more}{traces}"),
        format!("{more}{transitions}"),
        time,
    ]
}
