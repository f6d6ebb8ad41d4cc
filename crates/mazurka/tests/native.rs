//! `mazurka replay --native`: unsafe programs fail natively, every time.

mod common;

use common::{Folder, LOST_UPDATE, Ran};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Finds the counterexample and follows it natively.
fn native(folder: &Folder, program: &Path, property: &str) -> Ran {
    let program = program.display().to_string();
    let check = ["check", &program, "--property", property];
    let limits = ["--timeout", "60", "--trace", "trace.json"];
    folder.mazurka(&[&check[..], &limits[..]].concat()).exits(1);
    folder.mazurka(&["replay", "--native", "--run", "trace.json", "-o", "repro.c"])
}

/// The unsafe lines of a folder's `expect.toml`.
fn unsafe_programs(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = root().join(folder);
    let text = std::fs::read_to_string(folder.join("expect.toml")).unwrap();
    let mut name = "";
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(table) = line.strip_prefix('[') {
            name = table.trim_end_matches(']');
        } else if let Some((property, "\"unsafe\"")) = line.split_once(" = ") {
            found.push((folder.join(format!("{name}.c")), property.to_owned()));
        }
    }
    found
}

#[test]
fn every_unsafe_example_fails_natively() {
    let programs = unsafe_programs("examples");
    assert!(programs.len() >= 12, "{programs:?}");
    for (program, property) in programs {
        let folder = Folder::new();
        let ran = native(&folder, &program, &property);
        assert_eq!(ran.status, Some(1), "{program:?} {property}\n{ran:#?}");
        ran.prints(&["it fails natively, as predicted"]);
    }
}

/// The assertion that is reported is the one that the C library names when the program runs natively.
#[test]
fn the_reported_assertion_is_the_one_that_fails_natively() {
    let programs = unsafe_programs("examples");
    let programs = programs.iter().filter(|(_, property)| property == "reach");
    let mut compared = 0;
    for (program, _) in programs {
        let folder = Folder::new();
        let path = program.display().to_string();
        let limits = [
            "--timeout",
            "60",
            "--trace",
            "trace.json",
            "--format",
            "json",
        ];
        let ran = folder
            .mazurka(&[&["check", &path][..], &limits[..]].concat())
            .exits(1);
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let failure = &answer["failure"];
        if failure["kind"] != "assertion" {
            continue;
        }
        folder
            .mazurka(&["replay", "--native", "trace.json", "-o", "repro.c"])
            .exits(1);
        let command = "gcc -w -pthread repro.c -o repro -lm && timeout 20 ./repro";
        let output = std::process::Command::new("sh")
            .args(["-c", command])
            .current_dir(folder.path())
            .output();
        let said = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
        // Not every program can be followed natively; those that fail name an assertion.
        let Some(line) = said.lines().find(|line| line.contains(": Assertion `")) else {
            continue;
        };
        let (place, expression) = (&failure["place"], failure["expression"].as_str().unwrap());
        let at = format!("{}:{}: ", place["file"].as_str().unwrap(), place["line"]);
        assert!(line.contains(&at), "{path}: {at} {line}");
        let named = format!("Assertion `{expression}' failed");
        assert!(line.contains(&named), "{path}: {named} {line}");
        compared += 1;
    }
    assert!(compared >= 5, "only {compared} programs were compared");
}

/// One litmus test for each way in which threads wait for each other, and for each property.
#[test]
fn whatever_threads_wait_for() {
    let tests = [
        ("rwlock_write_under_read", "race"),
        ("semaphore_starved", "deadlock"),
        ("barrier_too_few", "termination"),
        ("trylock_fails", "reach"),
        ("spurious_wakeup", "reach"),
        ("signal_wakes_one", "deadlock"),
        ("exit_in_section", "reach"),
        ("bitfield_neighbours", "race"),
        ("overflow_add", "overflow"),
        ("double_free", "memsafety"),
        ("endless_spin", "termination"),
        ("input_bool_wrong", "reach"),
    ];
    for (name, property) in tests {
        let folder = Folder::new();
        let program = root().join(format!("litmus/{name}.c"));
        let ran = native(&folder, &program, property);
        assert_eq!(ran.status, Some(1), "{name} {property}\n{ran:#?}");
    }
}

/// A program of several files becomes a folder of them.
#[test]
fn several_files() {
    let folder = Folder::new();
    let pool = root().join("examples/real/threadpool");
    let files = ["future.c", "main.c", "pool.c", "queue.c"];
    let files: Vec<String> = files
        .iter()
        .map(|file| pool.join(file).display().to_string())
        .collect();
    let mut args = vec!["check", "-D", "WORKERS=2", "-D", "TASKS=2"];
    args.extend(["-D", "BUG_UNLOCKED_STATS", "--trace", "trace.json"]);
    args.extend(files.iter().map(String::as_str));
    folder.mazurka(&args).exits(1);
    let ran = folder.mazurka(&["replay", "--native", "--run", "trace.json", "-o", "repro"]);
    ran.exits(1).prints(&["it fails natively, as predicted"]);
    assert!(folder.path().join("repro/2-pool.c").exists());
}

/// The schedule makes the difference: ten runs fail ten times, and the file needs nothing else.
#[test]
fn it_fails_every_time() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    native(&folder, Path::new("lost.c"), "reach").exits(1);
    let gcc = ["-w", "-pthread", "repro.c", "-o", "repro"];
    let gcc = std::process::Command::new("gcc")
        .current_dir(folder.path())
        .args(gcc)
        .status();
    assert!(gcc.unwrap().success());
    for _ in 0..10 {
        let run = std::process::Command::new(folder.path().join("repro")).output();
        let said = String::from_utf8_lossy(&run.unwrap().stderr).into_owned();
        assert!(said.contains("Assertion `counter == 2' failed"), "{said}");
    }
}

/// A schedule that the threads cannot follow is told, and is not taken for the failure.
#[test]
fn a_schedule_of_another_program_is_noticed() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    native(&folder, Path::new("lost.c"), "reach").exits(1);
    // The first reading of the counter is now expected of a thread that never gets there.
    let text = folder.read("repro.c");
    let (before, table) = text.split_once("mz_schedule[] = {\n").unwrap();
    let broken = table.replacen("{1, ", "{9, ", 1);
    assert_ne!(broken, table);
    folder.write("repro.c", &format!("{before}mz_schedule[] = {{\n{broken}"));
    let gcc = ["-w", "-pthread", "repro.c", "-o", "repro"];
    let gcc = std::process::Command::new("gcc")
        .current_dir(folder.path())
        .args(gcc)
        .status();
    assert!(gcc.unwrap().success());
    let run = std::process::Command::new(folder.path().join("repro")).output();
    let run = run.unwrap();
    assert_eq!(run.status.code(), Some(3), "{run:?}");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("the schedule does not go on"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder
        .mazurka(&["check", "lost.c", "--trace", "trace.json"])
        .exits(1);
    let ran = folder.mazurka(&["replay", "--native", "trace.json"]);
    assert_eq!(ran.status, Some(64), "{ran:#?}");
    assert!(ran.stderr.contains("--output"), "{ran:#?}");
    let ran = folder.mazurka(&["replay", "--native", "trace.json", "-o", "no/such/folder.c"]);
    assert!(ran.stderr.contains("cannot write"), "{ran:#?}");
}
