//! `mazurka bench` on tiny suites.

mod common;

use common::processes::children;
use common::{ENDLESS, Folder, LOST_UPDATE};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

fn task(input: &str, expected: bool) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{input}'\nproperties:\n  \
         - property_file: ../properties/unreach-call.prp\n    expected_verdict: {expected}\n\
         options:\n  language: C\n  data_model: LP64\n"
    )
}

/// One right, one that the task file itself gets wrong, one refused, one not a task at all.
fn suite() -> Folder {
    let folder = Folder::new();
    folder.write("properties/unreach-call.prp", REACH);
    folder.write("counters/lost.c", LOST_UPDATE);
    folder.write("counters/lost.yml", &task("lost.c", false));
    folder.write("counters/mistaken.yml", &task("lost.c", true));
    folder.write("broken/syntax.c", "int main(void) { return 0 0; }\n");
    folder.write("broken/syntax.yml", &task("syntax.c", true));
    folder.write("broken/no_task.yml", "format_version: [\n");
    folder
}

#[test]
fn a_suite_with_everything() {
    let folder = suite();
    let ran = folder
        .mazurka(&["bench", ".", "--timeout", "60", "--jobs", "2"])
        .exits(1);
    assert!(
        ran.stdout
            .starts_with("WRONG VERDICTS\n  counters/mistaken"),
        "{ran:#?}"
    );
    assert!(
        ran.stderr.contains("no_task.yml is not a task definition"),
        "{ran:#?}"
    );
    ran.prints(&["1 correct, 1 wrong, 1 unknown"]);
    let rows = folder.read("results.csv");
    assert!(
        rows.starts_with("family,task,property,expected,verdict,status,"),
        "{rows}"
    );
    assert!(
        rows.contains("counters,lost,unreach-call,false,unsafe,correct,"),
        "{rows}"
    );
    assert!(
        rows.contains("counters,mistaken,unreach-call,true,unsafe,wrong,"),
        "{rows}"
    );
    assert!(
        rows.contains("broken,syntax,unreach-call,true,unknown,unknown,"),
        "{rows}"
    );
    assert!(rows.contains("refused: "), "{rows}");
}

#[test]
fn filters_and_resuming() {
    let folder = suite();
    folder
        .mazurka(&["bench", ".", "--filter", "counters/lost"])
        .exits(0);
    assert_eq!(folder.read("results.csv").lines().count(), 2);
    folder
        .mazurka(&["bench", ".", "--property", "race", "--resume"])
        .exits(0);
    assert_eq!(folder.read("results.csv").lines().count(), 2);
    // The row that is there is counted and not made again.
    let ran = folder
        .mazurka(&["bench", ".", "--property", "reach", "--resume"])
        .exits(1);
    ran.prints(&["1 correct, 1 wrong, 1 unknown"]);
    let rows = folder.read("results.csv");
    assert_eq!(rows.matches("counters,lost,").count(), 1);
    assert_eq!(rows.lines().count(), 4);
    // Without `--resume`, nothing is lost either.
    folder
        .mazurka(&["bench", ".", "--filter", "counters/lost"])
        .exits(0);
    assert_eq!(folder.read("results.csv.old"), rows);
}

#[test]
fn an_unusable_suite() {
    let folder = Folder::new();
    folder
        .mazurka(&["bench", "nowhere"])
        .exits(65)
        .complains(&["cannot read nowhere"]);
    folder.write("only/bad.yml", "input_files: x\n");
    let ran = folder.mazurka(&["bench", "only"]).exits(65);
    ran.complains(&[
        "bad.yml is not a task definition",
        "format_version",
        "no usable task",
    ]);
}

#[test]
fn a_time_limit_makes_a_row() {
    let folder = Folder::new();
    folder.write("properties/unreach-call.prp", REACH);
    folder.write("slow/endless.c", ENDLESS);
    folder.write("slow/endless.yml", &task("endless.c", true));
    folder
        .mazurka(&["bench", ".", "--engine", "explore", "--timeout", "0.5"])
        .exits(0)
        .prints(&["1 unknown"]);
    assert!(folder.read("results.csv").contains(",out of time"));
}

#[test]
fn an_interrupt_keeps_the_rows_and_leaves_nothing_behind() {
    let folder = suite();
    folder.write("slow/endless.c", ENDLESS);
    folder.write("slow/endless.yml", &task("endless.c", true));
    let mut bench = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .args(["bench", ".", "--engine", "explore", "--timeout", "600"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until(|| folder.path().join("results.csv").exists());
    wait_until(|| folder.read("results.csv").lines().count() == 4);
    wait_until(|| !children(bench.id()).is_empty());
    let children = children(bench.id());

    let interrupt = Command::new("kill")
        .args(["-INT", &bench.id().to_string()])
        .status();
    assert!(interrupt.is_ok_and(|status| status.success()));
    assert_eq!(bench.wait().unwrap().code(), Some(2));
    assert_eq!(folder.read("results.csv").lines().count(), 4);
    for child in children {
        assert!(
            !std::path::Path::new(&format!("/proc/{child}")).exists(),
            "{child} is alive"
        );
    }
}

fn wait_until(mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "waited in vain"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
