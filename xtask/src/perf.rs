//! `cargo xtask perf`: has something become slower? Instructions under valgrind are compared with
//! the figures in `perf/instructions.txt`, which do not depend on how busy the machine is; then the
//! benches of the hot paths run, which tell times and compare with the run before.

use crate::{cargo, passes, root, target};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::{fs, io};

/// What is measured: a name, and the arguments of `mazurka` in the folder of the workspace.
const TASKS: &[(&str, &str)] = &[
    (
        "front end",
        "cfa examples/real/threadpool/future.c examples/real/threadpool/main.c \
                   examples/real/threadpool/pool.c examples/real/threadpool/queue.c",
    ),
    (
        "explore, lock-free",
        "check --engine explore bench/horn/peterson.c",
    ),
    (
        "explore, philosophers",
        "check --engine explore --property deadlock -D MEALS=2 bench/matching/philosophers.c",
    ),
    (
        "bmc, ordering",
        "check --engine bmc examples/peterson_without_turn.c",
    ),
    (
        "bmc, scheduler",
        "check --engine bmc --encoding scheduler examples/lost_update_fixed.c",
    ),
    ("cegar, product", "check --engine cegar examples/peterson.c"),
    (
        "cegar, predicates",
        "check --engine cegar --domain pred-cart examples/lost_update_fixed.c",
    ),
    (
        "horn, safety",
        "check --engine horn examples/producer_consumer_fixed.c",
    ),
    (
        "horn, termination",
        "check --engine horn --property termination examples/two_locks_fixed.c",
    ),
    (
        "fusion, optimal",
        "check --engine fusion examples/producer_consumer_fixed.c",
    ),
    (
        "fusion, pruning",
        "check --engine fusion --prune on examples/two_locks_fixed.c",
    ),
    (
        "matching",
        "check --engine matching bench/matching/barbershop.c",
    ),
    (
        "lockset",
        "check --engine lockset --property race examples/producer_consumer_fixed.c",
    ),
];

/// So much more than the committed figure is a slowdown; solvers and hash tables with other
/// addresses make a little difference.
const TOLERANCE: f64 = 1.05;

/// Measures and compares; with `--update` the figures are written down instead.
pub fn run(args: &[String]) -> bool {
    let update = match args {
        [] => false,
        [word] if word == "--update" => true,
        _ => {
            eprintln!("error: `perf` accepts only `--update`");
            return false;
        }
    };
    let build = ["--release", "--package", "mazurka"];
    passes(cargo("build").args(build))
        && compare(update)
        && (update || passes(cargo("bench").args(["--package", "testkit"])))
}

fn compare(update: bool) -> bool {
    let before = match figures() {
        Ok(figures) => figures,
        Err(error) => {
            eprintln!("error: {}: {error}", file().display());
            return false;
        }
    };
    let (mut text, mut good) = (String::new(), true);
    println!(
        "{:<24} {:>15} {:>15} {:>7}",
        "task", "before", "now", "ratio"
    );
    for (name, args) in TASKS {
        let Some(now) = instructions(args) else {
            eprintln!(
                "error: cannot count the instructions of `mazurka {args}`; is valgrind there?"
            );
            return false;
        };
        text += &format!("{now:>15}  {name}\n");
        let old = before.get(*name);
        let ratio = old.map(|&old| now as f64 / old as f64);
        good &= ratio.is_none_or(|ratio| ratio <= TOLERANCE);
        let old = old.map_or("-".into(), u64::to_string);
        let ratio = ratio.map_or("-".into(), |ratio| format!("{ratio:.3}"));
        println!("{name:<24} {old:>15} {now:>15} {ratio:>7}");
    }
    if update {
        return write(&text);
    }
    if !good {
        eprintln!("error: slower than before; `cargo xtask perf --update` if it has to be");
    }
    good
}

/// The committed figures: lines with a number and the name of a task.
fn figures() -> io::Result<BTreeMap<String, u64>> {
    let text = match fs::read_to_string(file()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other?,
    };
    let figure = |line: &str| {
        let (number, name) = line.trim().split_once("  ")?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    Ok(text.lines().filter_map(figure).collect())
}

fn write(figures: &str) -> bool {
    let file = file();
    let folder = file.parent().expect("the file is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, figures));
    if let Err(error) = &written {
        eprintln!("error: {}: {error}", file.display());
    }
    written.is_ok()
}

fn file() -> PathBuf {
    root().join("perf/instructions.txt")
}

/// The instructions of one run, as callgrind counts them.
fn instructions(args: &str) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(target().join("release/mazurka"));
    let output = command
        .args(args.split_whitespace())
        .current_dir(root())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said.lines().find(|line| line.contains("Collected : "))?;
    line.rsplit(' ').next()?.parse().ok()
}
