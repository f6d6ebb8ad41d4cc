//! `mazurka fuzz`: it ends well when nothing is wrong, and finds out a liar.

mod common;

use common::Folder;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn fuzz(folder: &Folder, args: &[&str], liar: Option<&str>) -> (Option<i32>, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("mazurka"));
    command.current_dir(folder.path()).arg("fuzz").args(args);
    if let Some(liar) = liar {
        command.env("MAZURKA_LIAR", liar);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

#[test]
fn nothing_is_wrong_with_a_few_programs() {
    let folder = Folder::new();
    let args = [
        "--programs",
        "24",
        "--minutes",
        "10",
        "--seed",
        "77000",
        "--keep",
        ".",
    ];
    let (status, text) = fuzz(&folder, &args, None);
    assert_eq!(status, Some(0), "{text}");
    // Some use what is not accepted.
    assert!(text.contains("from 77000: 2"), "{text}");
    assert!(text.contains("nothing wrong"), "{text}");
}

#[test]
fn a_liar_is_found_out_with_a_small_program() {
    let folder = Folder::new();
    let args = [
        "--programs",
        "400",
        "--minutes",
        "5",
        "--classes",
        "plain",
        "--keep",
        ".",
    ];
    let (status, text) = fuzz(&folder, &args, Some("bmc"));
    assert_eq!(status, Some(1), "{text}");
    let liar = text.lines().find(|line| line.contains("WRONG"));
    let liar = liar.unwrap_or_default();
    assert!(liar.contains("bmc --"), "{text}");
    assert!(liar.contains("says safe, explore says unsafe"), "{text}");
    let kept = std::fs::read_dir(folder.path()).unwrap().flatten().next();
    let kept = std::fs::read_to_string(kept.unwrap().path()).unwrap();
    assert!(kept.lines().count() < 40, "it is not small:\n{kept}");
}

#[test]
fn mutants_end_well_and_are_counted() {
    let folder = Folder::new();
    let litmus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus");
    let litmus = litmus.to_string_lossy();
    let args = [
        "--programs",
        "30",
        "--minutes",
        "3",
        "--keep",
        ".",
        "--mutate",
        &litmus,
    ];
    let (status, text) = fuzz(&folder, &args, None);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("mutations:"), "{text}");
    assert!(text.contains("statement dropped"), "{text}");
}

#[test]
fn a_liar_is_found_out_with_a_mutant_that_is_made_small() {
    let folder = Folder::new();
    let program = folder.path().join("original.c");
    let text = "#include <assert.h>\n#include <pthread.h>\nint x, unused;\n\
        void *f(void *a) { unused = 2; x = 1; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (unused > 5) unused = 1; \
        pthread_join(t, 0); assert(x == 1); assert(unused == 2); return 0; }\n";
    std::fs::write(&program, text).unwrap();
    let kept = folder.path().join("kept");
    std::fs::create_dir(&kept).unwrap();
    let args = [
        "--programs",
        "400",
        "--minutes",
        "5",
        "--keep",
        "kept",
        "--mutate",
        "original.c",
    ];
    let (status, said) = fuzz(&folder, &args, Some("bmc"));
    assert_eq!(status, Some(1), "{said}");
    let file = std::fs::read_dir(&kept).unwrap().flatten().next().unwrap();
    let small = std::fs::read_to_string(file.path()).unwrap();
    assert!(small.contains("from original.c"), "{small}");
    let (note, rest) = small.split_once('\n').unwrap();
    assert!(note.starts_with("// "), "{small}");
    assert!(rest.len() < text.len() / 2, "it is not small:\n{small}");
}

#[test]
fn an_interrupt_prints_what_was_done() {
    interrupted_by(&["-INT"]);
}

/// The command `timeout` sends its signal to the process and to its group.
#[test]
fn a_request_that_comes_twice_is_one_request() {
    interrupted_by(&["-TERM", "-TERM"]);
}

fn interrupted_by(signals: &[&str]) {
    let folder = Folder::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .current_dir(folder.path())
        .args(["fuzz", "--minutes", "5", "--keep", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(4));
    let pid = child.id().to_string();
    for &signal in signals {
        let kill = Command::new("kill")
            .args([signal, pid.as_str()])
            .status()
            .unwrap();
        assert!(kill.success());
    }
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{text}");
    assert!(text.contains("programs in 0."), "{text}");
    assert!(text.contains("engine and setting"), "{text}");
}

#[test]
fn a_crash_is_a_finding() {
    let folder = Folder::new();
    let args = ["--programs", "1", "--keep", "."];
    let (status, text) = fuzz(&folder, &args, Some("crash"));
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("killed by signal 6"), "{text}");
}
