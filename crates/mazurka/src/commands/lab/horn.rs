//! Tables I and II of "Reduction for Compositional Verification of Multi-Threaded Programs":
//! compositional proofs that no error is reached, and that every execution ends, with and without
//! reduction.

use super::{task_for, wanted};
use crate::args::LabArgs;
use crate::failure::{Exit, Failure};
use crate::output;
use horn::Config;
use std::fmt::Write;
use std::time::Instant;
use verdict::{Budget, Property, Task, Verdict};

/// A row of the table.
struct Row {
    name: &'static str,
    file: &'static str,
    define: &'static [&'static str],
    threads: u32,
    safe: bool,
}

const fn row(
    name: &'static str,
    file: &'static str,
    define: &'static [&'static str],
    threads: u32,
    safe: bool,
) -> Row {
    Row {
        name,
        file,
        define,
        threads,
        safe,
    }
}

const ROWS: &[Row] = &[
    row("P1-1", "p1.c", &["N=1"], 3, true),
    row("P1-5", "p1.c", &["N=5"], 3, true),
    row("P1-10", "p1.c", &["N=10"], 3, true),
    row("P1-50", "p1.c", &["N=50"], 3, true),
    row("P2-5", "p1.c", &["N=5", "RACE"], 3, true),
    row("P2-10", "p1.c", &["N=10", "RACE"], 3, true),
    row("P2-50", "p1.c", &["N=50", "RACE"], 3, true),
    row("stack-safe-5", "stack.c", &["N=5"], 3, true),
    row("stack-safe-10", "stack.c", &["N=10"], 3, true),
    row("stack-unsafe-5", "stack.c", &["N=5", "BUG"], 3, false),
    row("stack-unsafe-10", "stack.c", &["N=10", "BUG"], 3, false),
    row("queue", "queue.c", &[], 4, true),
    row("twostage-3", "twostage.c", &["N=3"], 5, false),
    // Beyond the paper: threads that never end, and threads without number.
    row("peterson", "peterson.c", &[], 3, true),
    row("dekker", "dekker.c", &[], 3, true),
    row("ticket", "ticket.c", &[], 3, true),
    row("rwlock", "rwlock.c", &[], 4, true),
    row("counter", "counter.c", &[], 1, true),
];

/// Programs that end, or do not.
const ENDING: &[Row] = &[
    row("balance", "balance.c", &[], 3, true),
    row("signals-bug", "signals.c", &["BUG"], 3, false),
    row("signals", "signals.c", &[], 3, true),
    row("signals-5", "signals.c", &["N=5"], 3, true),
    row("philosophers", "philosophers.c", &[], 4, true),
    row("philosophers-bug", "philosophers.c", &["BUG"], 4, false),
    // Example 2.
    row("P1-loop", "p1.c", &["LOOP"], 3, true),
];

/// Prints the table.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    let mut head = format!("{:<16} {:>7} {:>6}", "program", "threads", "holds");
    for method in ["without", "reduced"] {
        for figure in ["steps", "clauses", "seconds"] {
            let _ = write!(head, " {:>16}", format!("{method} {figure}"));
        }
    }
    output::print(&format!("{head}\n"));
    let (rows, property) = match args.table {
        1 => (ROWS, Property::Reach),
        _ => (ENDING, Property::Termination),
    };
    for row in rows.iter().filter(|row| wanted(args, row.name)) {
        let define: Vec<String> = row.define.iter().map(|&d| d.to_owned()).collect();
        let task = task_for(args, "horn", row.file, &define, property)?;
        let holds = if row.safe { "yes" } else { "no" };
        let mut line = format!("{:<16} {:>7} {holds:>6}", row.name, row.threads);
        for reduction in [false, true] {
            for figure in cells(args, row, &task, reduction) {
                let _ = write!(line, " {figure:>16}");
            }
        }
        output::print(&format!("{line}\n"));
    }
    Ok(Exit::Safe)
}

/// Steps, clauses and time; `T/O` if it took too long, `?` if there is no answer otherwise, and a
/// cry if the answer is wrong.
fn cells(args: &LabArgs, row: &Row, task: &Task, reduction: bool) -> [String; 3] {
    let config = Config {
        reduction,
        ..Config::default()
    };
    let budget = Budget::unlimited().with_timeout(args.timeout);
    let start = Instant::now();
    let answer = horn::check(task, &config, &budget);
    let seconds = start.elapsed();
    let figure = |name| answer.stats.get(name).unwrap_or(0).to_string();
    let time = match (&answer.verdict, row.safe) {
        (Verdict::Safe(_), true) | (Verdict::Unsafe(_), false) => {
            format!("{:.2}", seconds.as_secs_f64())
        }
        (Verdict::Unknown(_), _) if seconds >= args.timeout => "T/O".to_owned(),
        (Verdict::Unknown(_), _) => "?".to_owned(),
        _ => "WRONG".to_owned(),
    };
    [figure("steps"), figure("clauses"), time]
}
