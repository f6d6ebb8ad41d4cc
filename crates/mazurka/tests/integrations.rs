//! The examples of `integrations/` do what they promise, as far as the programs that they are for are installed.

mod common;

use common::Folder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations")
}

/// A copy of a folder, in which `mazurka` is on the path.
fn copy(name: &str) -> Folder {
    let folder = Folder::new();
    for entry in std::fs::read_dir(integrations().join(name)).expect("the example") {
        let entry = entry.expect("a file");
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    folder
}

fn run(folder: &Folder, program: &str, args: &[&str]) -> Output {
    let own = assert_cmd::cargo::cargo_bin("mazurka");
    let own = own.parent().expect("its folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)));
    Command::new(program)
        .current_dir(folder.path())
        .env("PATH", path.expect("a path"))
        .args(args)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// Is there such a program? Where it is not, the test says so and does nothing.
fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("left out: {program} is not installed");
    }
    found
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// A change that makes the program of an example wrong.
fn break_account(folder: &Folder) {
    let text = folder.read("account.c");
    let broken = text.replace("if (balance >= amount)\n        ", "");
    assert_ne!(text, broken);
    folder.write("account.c", &broken);
}

#[test]
fn cmake() {
    if !is_installed("cmake") || !is_installed("ctest") {
        return;
    }
    let folder = copy("cmake");
    let made = run(&folder, "cmake", &["-B", "build"]);
    assert!(made.status.success(), "{}", text(&made));
    let ctest = ["--test-dir", "build", "--output-on-failure"];
    let passed = run(&folder, "ctest", &ctest);
    assert!(
        passed.status.success() && text(&passed).contains("mazurka.account"),
        "{}",
        text(&passed)
    );
    break_account(&folder);
    let failed = run(&folder, "ctest", &ctest);
    assert!(
        !failed.status.success() && text(&failed).contains("assertion `balance >= 0` fails"),
        "{}",
        text(&failed)
    );
}

#[test]
fn meson() {
    if !is_installed("meson") || !is_installed("ninja") {
        return;
    }
    let folder = copy("meson");
    let made = run(&folder, "meson", &["setup", "build"]);
    assert!(made.status.success(), "{}", text(&made));
    let passed = run(&folder, "meson", &["test", "-C", "build"]);
    assert!(
        passed.status.success() && text(&passed).contains("mazurka race"),
        "{}",
        text(&passed)
    );
    break_account(&folder);
    let failed = run(
        &folder,
        "meson",
        &["test", "-C", "build", "--print-errorlogs"],
    );
    assert!(
        !failed.status.success() && text(&failed).contains("assertion `balance >= 0` fails"),
        "{}",
        text(&failed)
    );
}

#[test]
fn pre_commit() {
    if !is_installed("pre-commit") || !is_installed("git") {
        return;
    }
    let folder = copy("pre-commit");
    for args in [&["init", "--quiet"][..], &["add", "--all"]] {
        assert!(run(&folder, "git", args).status.success());
    }
    let passed = run(&folder, "pre-commit", &["run", "--all-files"]);
    assert!(passed.status.success(), "{}", text(&passed));
    break_account(&folder);
    let failed = run(&folder, "pre-commit", &["run", "--all-files"]);
    assert!(
        !failed.status.success() && text(&failed).contains("assertion `balance >= 0` fails"),
        "{}",
        text(&failed)
    );
}

/// The commands of a job, as the runner would give them to a shell.
fn script(file: &str, pointer: &str) -> String {
    let text = std::fs::read_to_string(integrations().join(file)).expect("the job");
    let job: Value = serde_saphyr::from_str(&text).expect("YAML");
    match job
        .pointer(pointer)
        .unwrap_or_else(|| panic!("{file} has no {pointer}"))
    {
        Value::String(script) => script.clone(),
        Value::Array(lines) => lines
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        other => panic!("no commands: {other}"),
    }
}

#[test]
fn gitlab() {
    let folder = copy("pre-commit");
    let script = script("gitlab/.gitlab-ci.yml", "/mazurka/script");
    let passed = run(&folder, "bash", &["-e", "-c", &script]);
    assert!(passed.status.success(), "{}", text(&passed));
    assert_eq!(folder.read("mazurka.xml").matches("<testcase").count(), 2);
    break_account(&folder);
    let failed = run(&folder, "bash", &["-e", "-c", &script]);
    assert_eq!(failed.status.code(), Some(1), "{}", text(&failed));
    assert_eq!(folder.read("mazurka.xml").matches("<failure").count(), 1);
}

#[test]
fn github() {
    let folder = copy("pre-commit");
    let workflow = std::fs::read_to_string(integrations().join("github/mazurka.yml")).expect("it");
    let workflow: Value = serde_saphyr::from_str(&workflow).expect("YAML");
    let steps = workflow["jobs"]["check"]["steps"]
        .as_array()
        .expect("steps");
    let at = steps
        .iter()
        .position(|step| step["name"] == "Check")
        .expect("the check");
    let script = script("github/mazurka.yml", &format!("/jobs/check/steps/{at}/run"));
    let passed = run(&folder, "bash", &["-e", "-c", &script]);
    assert!(passed.status.success(), "{}", text(&passed));
    break_account(&folder);
    let failed = run(&folder, "bash", &["-e", "-c", &script]);
    assert_eq!(failed.status.code(), Some(1), "{}", text(&failed));
    let findings: Value = serde_json::from_str(&folder.read("findings.sarif")).expect("SARIF");
    let results = findings["runs"].as_array().expect("runs").iter();
    let errors = results.flat_map(|run| run["results"].as_array().expect("results"));
    assert_eq!(
        errors.filter(|result| result["level"] == "error").count(),
        1
    );
    // What is known does not fail.
    std::fs::copy(
        folder.path().join("findings.sarif"),
        folder.path().join("mazurka-baseline.sarif"),
    )
    .expect("a copy");
    let known = run(&folder, "bash", &["-e", "-c", &script]);
    assert!(known.status.success(), "{}", text(&known));
}

#[test]
fn vscode() {
    if !is_installed("node") {
        return;
    }
    let folder = copy("vscode");
    let passed = run(&folder, "node", &["test.js"]);
    assert!(passed.status.success(), "{}", text(&passed));
}
