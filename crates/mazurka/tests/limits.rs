//! Limits are kept whatever the command is doing: here it reads a program that never comes, or asks a
//! solver that does not listen.

mod common;

use common::Folder;
use common::processes::{assert_gone, children, signal};
use serde_json::Value;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The limit is a second; on a machine that is very busy the end takes a while to be seen.
const SOON: Duration = Duration::from_secs(8);

/// A program whose clauses keep the solver busy for minutes, deaf to everything.
const HARD: &str = r#"#include <assert.h>
#include <pthread.h>
unsigned cells[48];
unsigned __VERIFIER_nondet_uint(void);
void *worker(void *arg)
{
    for (unsigned i = 0; i < 900; i++)
        cells[__VERIFIER_nondet_uint() % 48] += i;
    return arg;
}
int main(void)
{
    pthread_t threads[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], 0);
    assert(cells[0] != 98765);
    return 0;
}
"#;

/// A file that is opened and never written.
fn silent_file(folder: &Folder, name: &str) {
    let made = Command::new("mkfifo")
        .arg(folder.path().join(name))
        .status();
    assert!(made.is_ok_and(|status| status.success()));
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("mazurka"));
    let command = command.current_dir(folder.path()).args(args);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What it prints, if it ends soon and leaves no process behind.
fn ends(child: Child, started: Instant) -> Output {
    std::thread::sleep(Duration::from_millis(500));
    let mut began = children(child.id());
    began.extend(began.clone().into_iter().flat_map(children));
    let output = child.wait_with_output().unwrap();
    let took = started.elapsed();
    assert!(took < SOON, "it took {took:?}");
    assert_gone(&began);
    output
}

#[test]
fn a_program_that_never_comes() {
    let folder = Folder::new();
    silent_file(&folder, "a.c");
    silent_file(&folder, "b.i");
    // Here it is the preprocessor that waits.
    folder.write("c.c", "#include \"a.c\"\n");
    let check = ["check", "--format", "json", "--timeout", "1"];
    for engine in ["auto", "explore", "horn"] {
        for file in ["a.c", "b.i", "c.c"] {
            let started = Instant::now();
            let args = [&check[..], &["--engine", engine, file]].concat();
            let output = ends(start(&folder, &args), started);
            assert_eq!(output.status.code(), Some(2));
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(answer["verdict"], "unknown");
            assert_eq!(answer["reason"], "out of time");
            assert_eq!(answer["engine"], engine);
        }
    }
    let started = Instant::now();
    let output = ends(
        start(&folder, &["simulate", "--timeout", "1", "b.i"]),
        started,
    );
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("UNKNOWN  reach: out of time"), "{text}");
}

#[test]
fn files_of_an_answer_that_does_not_come() {
    let folder = Folder::new();
    silent_file(&folder, "a.i");
    let wanted = ["--html", "a.html", "--sarif", "a.sarif", "--junit", "a.xml"];
    let check = ["check", "--timeout", "1", "--evidence", "out", "a.i"];
    let started = Instant::now();
    let child = start(&folder, &[&check[..], &wanted].concat());
    std::thread::sleep(Duration::from_millis(500));
    folder.write("out/refutation.txt", "the beginning of one");
    let output = ends(child, started);
    assert_eq!(output.status.code(), Some(2));
    for (file, sign) in [
        ("a.html", "Out of time"),
        ("a.sarif", "unknown: out of time"),
        ("a.xml", "out of time"),
    ] {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains(sign), "{file}: {text}");
    }
    assert!(!folder.path().join("out/refutation.txt").exists());
}

#[test]
fn interrupts_are_heard() {
    let folder = Folder::new();
    silent_file(&folder, "a.i");
    for name in ["-INT", "-TERM"] {
        let child = start(&folder, &["check", "--engine", "cegar", "a.i"]);
        // By then the handler is there.
        std::thread::sleep(Duration::from_secs(1));
        let started = Instant::now();
        signal(name, child.id());
        let output = ends(child, started);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("UNKNOWN  reach: interrupted"), "{text}");
    }
}

/// Z3 takes Ctrl-C for itself if it is allowed to, and all that ends is one question.
#[test]
fn interrupts_reach_us_while_a_solver_works() {
    let folder = Folder::new();
    folder.write("hard.c", HARD);
    for engine in ["cegar", "horn", "bmc"] {
        let child = start(&folder, &["check", "--engine", engine, "hard.c"]);
        std::thread::sleep(Duration::from_secs(2));
        let started = Instant::now();
        signal("-INT", child.id());
        let output = ends(child, started);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("UNKNOWN  reach: interrupted"), "{text}");
    }
}

#[test]
fn solvers_that_do_not_listen() {
    let folder = Folder::new();
    folder.write("hard.c", HARD);
    for engine in ["horn", "cegar"] {
        let started = Instant::now();
        let child = start(
            &folder,
            &["check", "--engine", engine, "--timeout", "1", "hard.c"],
        );
        let output = ends(child, started);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("UNKNOWN  reach: out of time"), "{text}");
    }
}
