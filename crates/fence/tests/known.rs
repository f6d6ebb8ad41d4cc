//! Algorithms whose weakest orders are known: the search finds them.

use engine::{Engine, Options};
use fence::{First, Found, Sites, weakest};
use graphs::Graphs;
use std::path::Path;
use std::process::Command;
use verdict::{Budget, MemoryModel, Program, Property, Task};
use xcfa::SourceFile;

/// A program of `examples/weak`, preprocessed.
fn read(name: &str) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/weak");
    let made = Command::new("cc").arg("-E").arg(folder.join(name)).output();
    let text = String::from_utf8(made.expect("a preprocessor").stdout).expect("text");
    Program::new(vec![SourceFile::new(name, text)])
}

/// By site: line, kind, what is written and what is found.
fn table(name: &str, model: &str, first: First) -> String {
    let model = MemoryModel::shipped(model).expect("a model");
    let program = read(name).with_memory_model(model);
    let properties = [Property::Reach, Property::Race];
    let sites = Sites::of(&program, &properties).expect("a program");
    let mut ask = |task: &Task| {
        let checker = Graphs.configure(task.property, &Options::default());
        let answer = checker.expect("no options")(task, &Budget::unlimited());
        answer.confirm(task).into_verdict()
    };
    let outcome = weakest(&sites, first, &mut ask);
    let Found::Levels {
        levels,
        violated,
        undecided,
    } = outcome.found
    else {
        return format!("{:?}\n", outcome.found);
    };
    assert!(undecided.is_empty(), "{undecided:?}");
    let violated = violated.map(|it| format!("violates {it}\n"));
    let rows = sites.all.iter().zip(levels).map(|(site, level)| {
        let (line, kind, written) = (site.place.line, site.kind.name(), site.written);
        format!("{line} {kind}: {written} -> {level}\n")
    });
    violated.unwrap_or_default() + &rows.collect::<String>()
}

#[track_caller]
fn check(name: &str, first: First, expected: &str) {
    let expected: String = expected
        .lines()
        .map(|line| line.trim_start().to_owned() + "\n")
        .skip(1)
        .collect();
    let expected = expected.trim_end().to_owned() + "\n";
    assert_eq!(table(name, "rc11", first), expected, "{name}");
}

#[test]
fn ticket_lock() {
    check(
        "ticket_lock.c",
        First::Fences,
        "
        10 exchange: seq_cst -> relaxed
        11 load: seq_cst -> acquire
        16 load: seq_cst -> relaxed
        17 store: seq_cst -> release
        ",
    );
}

#[test]
fn a_ticket_lock_that_is_too_weak() {
    check(
        "ticket_lock_weak.c",
        First::Fences,
        "
        violates reach
        10 exchange: relaxed -> relaxed
        11 load: acquire -> acquire
        16 load: relaxed -> relaxed
        17 store: relaxed -> release
        ",
    );
}

#[test]
fn mcs_lock() {
    check(
        "mcs_lock.c",
        First::Fences,
        "
        18 exchange: seq_cst -> acq_rel
        20 store: seq_cst -> release
        21 load: seq_cst -> acquire
        27 load: seq_cst -> acquire
        30 exchange: seq_cst -> release
        30 failed exchange: seq_cst -> relaxed
        32 load: seq_cst -> acquire
        35 store: seq_cst -> release
        ",
    );
}

#[test]
fn treiber_stack() {
    check(
        "treiber_stack.c",
        First::Fences,
        "
        15 load: seq_cst -> relaxed
        18 exchange: seq_cst -> release
        18 failed exchange: seq_cst -> relaxed
        22 load: seq_cst -> acquire
        23 exchange: seq_cst -> relaxed
        23 failed exchange: seq_cst -> acquire
        ",
    );
}

/// Fences let accesses be relaxed; without them, the accesses to the data have to order what the fences did.
#[test]
fn seqlock() {
    check(
        "seqlock.c",
        First::Accesses,
        "
        9 load: seq_cst -> relaxed
        10 store: seq_cst -> relaxed
        11 fence: seq_cst -> release
        12 store: seq_cst -> relaxed
        13 store: seq_cst -> relaxed
        14 store: seq_cst -> release
        19 load: seq_cst -> acquire
        20 load: seq_cst -> relaxed
        21 load: seq_cst -> relaxed
        22 fence: seq_cst -> acquire
        23 load: seq_cst -> relaxed
        ",
    );
    check(
        "seqlock.c",
        First::Fences,
        "
        9 load: seq_cst -> relaxed
        10 store: seq_cst -> relaxed
        11 fence: seq_cst -> none
        12 store: seq_cst -> release
        13 store: seq_cst -> release
        14 store: seq_cst -> release
        19 load: seq_cst -> acquire
        20 load: seq_cst -> acquire
        21 load: seq_cst -> acquire
        22 fence: seq_cst -> none
        23 load: seq_cst -> relaxed
        ",
    );
}

#[test]
fn ring_buffer() {
    check(
        "ring_buffer.c",
        First::Fences,
        "
        14 load: seq_cst -> relaxed
        15 load: seq_cst -> acquire
        18 store: seq_cst -> release
        25 load: seq_cst -> relaxed
        26 load: seq_cst -> acquire
        29 store: seq_cst -> release
        ",
    );
}

/// Without the fence, the load of the other's flag has to be `seq_cst`. The stores of plain flags stay `seq_cst`: `release` does not keep
/// the other thread's store to `turn` from coming between.
#[test]
fn peterson() {
    check(
        "peterson.c",
        First::Accesses,
        "
        10 store: seq_cst -> seq_cst
        11 store: seq_cst -> seq_cst
        12 fence: seq_cst -> seq_cst
        13 load: seq_cst -> acquire
        13 load: seq_cst -> relaxed
        20 store: seq_cst -> release
        27 store: seq_cst -> release
        ",
    );
    check(
        "peterson.c",
        First::Fences,
        "
        10 store: seq_cst -> seq_cst
        11 store: seq_cst -> seq_cst
        12 fence: seq_cst -> none
        13 load: seq_cst -> seq_cst
        13 load: seq_cst -> relaxed
        20 store: seq_cst -> release
        27 store: seq_cst -> release
        ",
    );
}

/// Where orders mean nothing, none is needed.
#[test]
fn other_models() {
    let found = table("ticket_lock.c", "ra", First::Fences);
    assert_eq!(found.matches("-> relaxed").count(), 4, "{found}");
}
