//! What goes wrong outside of the program: disks, folders, clocks, terminals. The tool says what
//! happened, keeps what it had, and makes no verdict of it.

mod common;

use common::processes::{assert_gone, children, signal};
use common::{ENDLESS, Folder, LOST_UPDATE};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A file system that is always full.
const FULL: &str = "/dev/full";
/// A folder that is read-only even for root.
const READ_ONLY: &str = "/proc";

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_mazurka"))
}

/// The verdict is printed all the same, and what could not be written is told.
#[test]
fn a_full_disk() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    for option in ["--trace", "--html"] {
        let ran = folder.mazurka(&["check", "lost.c", option, FULL]);
        assert!(ran.stdout.starts_with("UNSAFE"), "{option}: {ran:#?}");
        assert!(ran.stderr.contains(FULL), "{option}: {ran:#?}");
        assert_ne!(ran.status, Some(0), "{option}: {ran:#?}");
        assert!(!ran.stderr.contains("panicked"), "{option}: {ran:#?}");
    }
}

#[test]
fn a_full_disk_under_standard_output() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let full = std::fs::OpenOptions::new().write(true).open(FULL).unwrap();
    let output = Command::new(program())
        .current_dir(folder.path())
        .args(["check", "lost.c"])
        .stdout(full)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot write"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_folder_that_is_read_only() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let target = format!("{READ_ONLY}/mazurka");
    // That is said before anything else: nobody waits for a verdict without it.
    for option in ["--trace", "--html", "--evidence"] {
        let ran = folder.mazurka(&["check", "lost.c", option, &target]);
        ran.exits(65).complains(&["cannot write", READ_ONLY]);
    }
}

/// Rows of a suite that cannot be written are told; no file is left that looks complete.
#[test]
fn a_suite_on_a_full_disk() {
    let folder = Folder::new();
    folder.write(
        "properties/unreach-call.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    );
    folder.write("counters/lost.c", LOST_UPDATE);
    folder.write(
        "counters/lost.yml",
        "format_version: '2.0'\ninput_files: 'lost.c'\nproperties:\n  - property_file: \
         ../properties/unreach-call.prp\n    expected_verdict: false\noptions:\n  language: C\n  \
         data_model: LP64\n",
    );
    let ran = folder.mazurka(&["bench", ".", "--timeout", "20", "--out", FULL]);
    assert_ne!(ran.status, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains(FULL), "{ran:#?}");
    assert!(!ran.stderr.contains("panicked"), "{ran:#?}");
}

/// The clock on the wall jumps by a day at every look: limits do not care.
#[test]
fn a_clock_that_jumps() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder.write(
        "jump.c",
        "#define _GNU_SOURCE\n#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n\
         static long jumped;\n\
         int clock_gettime(clockid_t clock, struct timespec *at)\n{\n    \
         int result = syscall(SYS_clock_gettime, clock, at);\n    \
         if (clock == CLOCK_REALTIME) at->tv_sec += (jumped += 86400) * (jumped % 2 ? 1 : -1);\n    \
         return result;\n}\n\
         time_t time(time_t *at)\n{\n    time_t now = (jumped += 86400);\n    \
         if (at) *at = now;\n    return now;\n}\n",
    );
    let built = Command::new("cc")
        .current_dir(folder.path())
        .args(["-shared", "-fPIC", "jump.c", "-o", "jump.so"])
        .status();
    assert!(built.unwrap().success());
    for engine in ["auto", "explore", "bmc"] {
        let output = Command::new(program())
            .current_dir(folder.path())
            .env("LD_PRELOAD", folder.path().join("jump.so"))
            .args(["check", "lost.c", "--engine", engine, "--timeout", "60"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.starts_with("UNSAFE"), "{engine}: {said}");
    }
}

/// The terminal goes away (SIGHUP), or the reader of the output does: everything ends.
#[test]
fn a_terminal_that_closes() {
    let folder = Folder::new();
    folder.write("endless.c", ENDLESS);
    let mut child = Command::new(program())
        .current_dir(folder.path())
        .args(["check", "endless.c", "--timeout", "120"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let children = children(child.id());
    drop((child.stdout.take(), child.stderr.take()));
    signal("-HUP", child.id());
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    // What it started dies with it, if not at once.
    assert_gone(&children);
}

/// The reader of a pipe is gone before the answer comes: no panic, and the status is the verdict's.
#[test]
fn a_reader_that_is_gone() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let mut child = Command::new(program())
        .current_dir(folder.path())
        .args(["check", "lost.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}
