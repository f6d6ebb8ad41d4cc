//! `mazurka fuzz`: it ends well when nothing is wrong, and finds out a liar.

mod common;

use common::Folder;
use std::process::Command;

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
        "3",
        "--seed",
        "77000",
        "--keep",
        ".",
    ];
    let (status, text) = fuzz(&folder, &args, None);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("24 programs"), "{text}");
    assert!(text.contains("nothing wrong"), "{text}");
}

#[test]
fn a_liar_is_found_out_with_a_small_program() {
    let folder = Folder::new();
    let args = ["--programs", "400", "--minutes", "5", "--keep", "."];
    let (status, text) = fuzz(&folder, &args, Some("bmc"));
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains("bmc says safe, explore says unsafe"),
        "{text}"
    );
    let kept = std::fs::read_dir(folder.path()).unwrap().flatten().next();
    let kept = std::fs::read_to_string(kept.unwrap().path()).unwrap();
    assert!(kept.lines().count() < 40, "it is not small:\n{kept}");
}

#[test]
fn a_crash_is_a_finding() {
    let folder = Folder::new();
    let args = ["--programs", "1", "--keep", "."];
    let (status, text) = fuzz(&folder, &args, Some("crash"));
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("killed by signal 6"), "{text}");
}
