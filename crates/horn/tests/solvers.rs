//! Other solvers as processes: small scripts that stand for good and bad ones, and Z3 if it is there.

use horn::{Config, Index};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use verdict::{Budget, Property, Task, Verdict};
use xcfa::SourceFile;

/// One thread, and a number that is never 3.
const SAFE: &str = "extern void reach_error(void); extern _Bool __VERIFIER_nondet_bool(void);\n\
    int main(void) { unsigned x = 0; while (__VERIFIER_nondet_bool()) { if (x < 2) x = x + 1; }\n\
    if (x == 3) reach_error(); return 0; }";

fn task(text: &str) -> Task {
    testkit::task(SourceFile::new("test.i", text), Property::Reach).expect("a program")
}

/// The verdict if the solver is this command.
fn verdict(text: &str, command: &str, seconds: u64) -> Verdict {
    let config = Config {
        index: Index::Threads(1),
        solver: Some(command.to_owned()),
        ..Config::default()
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    horn::check(&task(text), &config, &budget).verdict
}

/// The verdict if the solver is a script.
fn by_script(text: &str, script: &str, seconds: u64) -> Verdict {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("solver");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("a script that can be run");
    verdict(text, &format!("{} --quiet", path.display()), seconds)
}

fn reason(verdict: Verdict) -> String {
    match verdict {
        Verdict::Unknown(reason) => reason.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A script that defines every predicate of one parameter; the others are true without it.
fn definitions(of_one: &str) -> String {
    format!(
        "echo sat; echo '('; test \"$1\" = --quiet || exit 3\n\
         grep '^(declare-fun' \"$2\" | while read -r _ name sorts; do\n\
         case \"$name $sorts\" in\n\
         *' ((_ BitVec 32)) Bool)') echo \"(define-fun $name ((x (_ BitVec 32))) Bool {of_one})\";;\n\
         'failure '*) echo '(define-fun failure () Bool false)';;\n\
         esac; done; echo ')'"
    )
}

#[test]
fn solutions_are_checked() {
    let good = by_script(SAFE, &definitions("(bvult x #x00000003)"), 60);
    assert!(matches!(good, Verdict::Safe(_)), "{good:?}");
    for wrong in ["true", "false", "(= x #x00000000)"] {
        let why = reason(by_script(SAFE, &definitions(wrong), 60));
        assert!(why.contains("does not check"), "{why}");
    }
}

#[test]
fn words_are_no_proof() {
    for (script, says) in [
        ("echo sat", "cannot be read"),
        ("echo sat; echo '(define-fun'", "cannot be read"),
        ("echo unsat", "no solution"),
        ("echo unknown", "says: unknown"),
        ("echo '(error \"what?\")'; exit 1", "error"),
        ("exit 7", "failed"),
        ("true", "says nothing"),
    ] {
        let why = reason(by_script(SAFE, script, 6));
        assert!(why.contains(says), "{script}: {why}");
    }
    let why = reason(verdict(SAFE, "no-such-solver --at-all", 60));
    assert!(why.contains("cannot run no-such-solver"), "{why}");
}

/// A solver that hangs is stopped, and so is what it has started.
#[test]
fn a_solver_that_hangs_is_stopped() {
    let start = Instant::now();
    let answer = by_script(SAFE, "sleep 1000 & sleep 1000", 2);
    assert!(matches!(answer, Verdict::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// If it says that there is no solution, an execution is searched for and replayed.
#[test]
fn errors_are_replayed() {
    let unsafe_text = SAFE.replace("x == 3", "x == 2");
    let answer = by_script(&unsafe_text, "echo unsat", 60);
    assert!(matches!(answer, Verdict::Unsafe(_)), "{answer:?}");
}

/// Z3 as a process; the test says so where there is none.
#[test]
fn z3_as_a_process() {
    let is_there = std::process::Command::new("z3").arg("--version").output();
    if is_there.is_err() {
        eprintln!("LEFT OUT: Z3 as a process, because there is no program `z3`");
        return;
    }
    let answer = verdict(SAFE, "z3", 60);
    assert!(matches!(answer, Verdict::Safe(_)), "{answer:?}");
}
