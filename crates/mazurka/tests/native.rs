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

/// What the library prints when a program fails natively, and what was reported about it.
#[derive(Debug, PartialEq)]
enum Compared {
    Same,
    /// No assertion is reported: an error function is called.
    NoAssertion,
    /// The schedule is not followed up to an assertion natively, or the program cannot be built.
    Silent,
    Different {
        reported: String,
        printed: String,
    },
}

/// Compares the line and the expression that are reported with those that the C library prints.
fn compare(program: &Path, data_model: &str) -> Compared {
    let folder = Folder::new();
    let path = program.display().to_string();
    let check = [
        "check",
        &path,
        "--timeout",
        "60",
        "--data-model",
        data_model,
    ];
    let wanted = ["--trace", "trace.json", "--format", "json"];
    let ran = folder.mazurka(&[&check[..], &wanted].concat()).exits(1);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("an answer");
    let failure = &answer["failure"];
    if failure["kind"] != "assertion" {
        assert_is_called_there(program, failure);
        return Compared::NoAssertion;
    }
    folder.mazurka(&["replay", "--native", "trace.json", "-o", "repro.c"]);
    let command = match data_model {
        "ilp32" => "gcc -m32 -w -pthread repro.c -o repro -lm && timeout 20 ./repro",
        _ => "gcc -w -pthread repro.c -o repro -lm && timeout 20 ./repro",
    };
    let output = std::process::Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.path())
        .output();
    let said = String::from_utf8_lossy(&output.expect("a shell").stderr).into_owned();
    let Some(printed) = said.lines().find(|line| line.contains(": Assertion `")) else {
        return Compared::Silent;
    };
    let (place, expression) = (&failure["place"], &failure["expression"]);
    let (file, expression) = (place["file"].as_str(), expression.as_str());
    let at = format!("{}:{}: ", file.unwrap_or_default(), place["line"]);
    let what = format!("Assertion `{}' failed", expression.unwrap_or_default());
    match printed.contains(&at) && printed.contains(&what) {
        true => Compared::Same,
        false => Compared::Different {
            reported: at + &what,
            printed: printed.to_owned(),
        },
    }
}

/// The error function that is reported is called in the line that is reported.
fn assert_is_called_there(program: &Path, failure: &serde_json::Value) {
    let call = failure["call"].as_str();
    let call = call.unwrap_or_else(|| panic!("{program:?}: {failure}"));
    let name = call.split('(').next().unwrap_or_default();
    let place = &failure["place"];
    // What a line marker names is not there.
    let Ok(file) = std::fs::read_to_string(place["file"].as_str().expect("a file")) else {
        return;
    };
    let line = place["line"].as_u64().expect("a line") as usize;
    let text = file.lines().nth(line - 1).expect("a line of the program");
    assert!(text.contains(name), "{program:?}: no {call} in {text}");
}

/// The assertion that is reported is the one that the C library names when the program runs natively: its line, and its
/// expression.
fn same_assertions(folder: &str, least: usize) {
    let programs = unsafe_programs(folder).into_iter();
    let mut same = 0;
    for (program, _) in programs.filter(|(_, property)| property == "reach") {
        match compare(&program, "lp64") {
            Compared::Same => same += 1,
            Compared::NoAssertion | Compared::Silent => {}
            different => panic!("{program:?}: {different:?}"),
        }
    }
    assert!(same >= least, "only {same} programs were compared");
}

#[test]
fn assertions_of_the_examples_are_those_that_fail_natively() {
    same_assertions("examples", 5);
}

#[test]
fn assertions_of_litmus_programs_are_those_that_fail_natively() {
    same_assertions("litmus", 25);
}

/// The same for public verification tasks. None of them has an assertion of its own that fails: they call an error function, and
/// then the line that is reported is one that does.
#[test]
fn assertions_of_public_tasks_are_those_that_fail_natively() {
    let Some(corpus) = testkit::corpus_dir() else {
        return;
    };
    let list = std::fs::read_to_string(corpus.join("tasks.csv")).expect("the list of tasks");
    let rows = list.lines().skip(1).map(|row| row.split(',').collect());
    let wanted = rows.filter_map(|row: Vec<&str>| match row[..] {
        [family, task, "unreach-call", "false", model] => Some((family, task, model)),
        _ => None,
    });
    let mut compared = 0;
    for (family, task, data_model) in wanted {
        let program = corpus.join(family).join(format!("{task}.i"));
        let outcome = compare(&program, &data_model.to_lowercase());
        assert!(
            !matches!(outcome, Compared::Different { .. }),
            "{program:?}: {outcome:?}"
        );
        compared += 1;
    }
    assert!(compared > 0, "no task has an error that can be reached");
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
