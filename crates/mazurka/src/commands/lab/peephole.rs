//! Table 1 of "Peephole Partial Order Reduction": four reductions of the scheduler encoding.

use super::{task, wanted};
use crate::args::LabArgs;
use crate::failure::{Exit, Failure};
use crate::output;
use bmc::{Config, Encoding, Reduction};
use std::fmt::Write;
use std::time::Instant;
use verdict::{Answer, Budget, Reason, Task, Verdict};

/// A row of the table: a program with a bound on its steps.
struct Row {
    name: String,
    file: &'static str,
    define: Vec<String>,
    steps: u32,
    reachable: bool,
}

const METHODS: [(&str, Reduction); 4] = [
    ("none", Reduction::None),
    ("static", Reduction::Static),
    ("simple", Reduction::Simple),
    ("full", Reduction::Full),
];

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
    for (less, reachable) in [(1, false), (0, true)] {
        for n in 2..=5 {
            rows.push(Row {
                name: format!("indexer{n}"),
                file: "indexer.c",
                define: vec![format!("N={n}")],
                steps: 6 * n + 1 - less,
                reachable,
            });
        }
    }
    rows
}

/// Prints the table.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    let mut head = format!("{:<10} {:>5} {:>4}", "program", "steps", "sat");
    for figure in ["seconds", "conflicts", "decisions"] {
        for (name, _) in METHODS {
            let _ = write!(head, " {:>10}", format!("{} {name}", &figure[..1]));
        }
    }
    output::print(&format!("{head}\n"));
    for row in rows().into_iter().filter(|row| wanted(args, &row.name)) {
        let task = task(args, "peephole", row.file, &row.define)?;
        let cells: Vec<[String; 3]> = METHODS
            .iter()
            .map(|&(_, reduction)| cell(args, &row, &task, reduction))
            .collect();
        let sat = if row.reachable { "yes" } else { "no" };
        let mut line = format!("{:<10} {:>5} {sat:>4}", row.name, row.steps);
        for figure in 0..3 {
            for cell in &cells {
                let _ = write!(line, " {:>10}", cell[figure]);
            }
        }
        output::print(&format!("{line}\n"));
    }
    Ok(Exit::Safe)
}

/// Time, conflicts and decisions; `T/O` if it took too long, `?` if the answer is not the expected.
fn cell(args: &LabArgs, row: &Row, task: &Task, reduction: Reduction) -> [String; 3] {
    let config = Config {
        encoding: Encoding::Scheduler,
        reduction,
        steps: Some(row.steps),
        ..Config::default()
    };
    let budget = Budget::unlimited().with_timeout(args.timeout);
    let start = Instant::now();
    let Answer { verdict, stats } = bmc::check(task, &config, &budget);
    let seconds = start.elapsed().as_secs_f64();
    let time = match verdict {
        Verdict::Unknown(Reason::Timeout) => "T/O".into(),
        Verdict::Unsafe(_) if row.reachable => format!("{seconds:.1}"),
        Verdict::Unknown(Reason::Beyond(_)) if !row.reachable => format!("{seconds:.1}"),
        _ => "?".into(),
    };
    let figure = |name| stats.get(name).unwrap_or(0).to_string();
    [time, figure("conflicts"), figure("decisions")]
}
