//! `--engine auto`: engines in child processes, and what happens when one of them dies.

mod common;

use common::processes::{assert_gone, children, is_alive, signal};
use common::{ENDLESS, Folder, LOST_UPDATE};
use serde_json::Value;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two threads count under a lock, and main looks at the end: safe.
const LOCKED: &str = r#"#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;
void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
"#;

fn start(folder: &Folder, args: &[&str], fault: Option<&str>) -> Child {
    let program = assert_cmd::cargo::cargo_bin("mazurka");
    let mut command = Command::new(program);
    command.current_dir(folder.path()).args(args);
    if let Some(fault) = fault {
        command.env("MAZURKA_FAULT", fault);
    }
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn answer(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The engines that this process has started: copies of itself, unlike the preprocessor.
fn engines(of: u32) -> Vec<u32> {
    let is_engine = |pid: &u32| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
        name.is_ok_and(|name| name.trim() == "mazurka")
    };
    children(of).into_iter().filter(is_engine).collect()
}

/// Waits for engines that stay: a process that is about to become the preprocessor looks like one
/// for a moment.
fn wait_for_engines(of: u32) -> Vec<u32> {
    let started = Instant::now();
    loop {
        let before = engines(of);
        std::thread::sleep(Duration::from_millis(150));
        let mut found = engines(of);
        found.retain(|pid| before.contains(pid) && is_alive(*pid));
        if !found.is_empty() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "no engine");
    }
}

#[test]
fn an_engine_that_fails_leaves_the_answer_to_the_others() {
    let folder = Folder::new();
    folder.write("locked.c", LOCKED);
    folder.write("lost.c", LOST_UPDATE);
    let faults = [
        ("panic", "a fault was injected"),
        ("abort", "killed by signal 6"),
        ("silence", "ended without an answer"),
        ("memory", "out of memory"),
    ];
    for (file, verdict) in [("locked.c", "safe"), ("lost.c", "unsafe")] {
        for (fault, told) in faults {
            let args = ["check", "--format", "json", "--memory", "600", file];
            let fault = format!("explore={fault}");
            let answer = answer(start(&folder, &args, Some(&fault)));
            assert_eq!(answer["verdict"], verdict, "{fault}: {answer:#}");
            assert_ne!(answer["engine"], "explore", "{fault}: {answer:#}");
            let tried = answer["tried"].as_array().unwrap();
            let failed = tried.iter().find(|tried| tried["engine"] == "explore");
            let result = failed.unwrap()["result"].as_str().unwrap();
            // The answer of another engine may come before the memory is full.
            let overtaken = fault.contains("memory") && result.contains("not needed");
            assert!(result.contains(told) || overtaken, "{fault}: {answer:#}");
        }
    }
}

#[test]
fn when_every_engine_fails_the_verdict_is_unknown() {
    let folder = Folder::new();
    folder.write("locked.c", LOCKED);
    for fault in ["all=panic", "all=abort", "all=silence"] {
        let args = ["check", "--format", "json", "locked.c"];
        let answer = answer(start(&folder, &args, Some(fault)));
        assert_eq!(answer["verdict"], "unknown", "{fault}: {answer:#}");
    }
}

#[test]
fn an_engine_that_hangs_is_killed_at_the_end_of_its_time() {
    let folder = Folder::new();
    folder.write("locked.c", LOCKED);
    let args = ["check", "--format", "json", "--timeout", "20", "locked.c"];
    let answer = answer(start(&folder, &args, Some("explore=hang")));
    assert_eq!(answer["verdict"], "safe", "{answer:#}");
}

#[test]
fn a_killed_engine_leaves_the_others_running() {
    let folder = Folder::new();
    folder.write("locked.c", LOCKED);
    // Explore hangs, so that there is a process to kill.
    let args = ["check", "--format", "json", "--cores", "1", "locked.c"];
    let child = start(&folder, &args, Some("explore=hang"));
    let engines = wait_for_engines(child.id());
    signal("-KILL", engines[0]);
    let answer = answer(child);
    assert_eq!(answer["verdict"], "safe", "{answer:#}");
    let first = &answer["tried"][0];
    assert_eq!(first["engine"], "explore", "{answer:#}");
    assert_eq!(first["result"], "killed by signal 9", "{answer:#}");
}

#[test]
fn nothing_is_left_behind() {
    let folder = Folder::new();
    folder.write("endless.c", ENDLESS);
    let args = [
        "check",
        "--property",
        "termination",
        "--timeout",
        "2",
        "endless.c",
    ];
    let child = start(&folder, &args, None);
    let engines = wait_for_engines(child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_gone(&engines);
    // Not even if the command itself is killed.
    let mut child = start(&folder, &["check", "endless.c"], None);
    let engines = wait_for_engines(child.id());
    signal("-KILL", child.id());
    child.wait().unwrap();
    assert_gone(&engines);
}

#[test]
fn an_interrupt_ends_everything_and_says_so() {
    let folder = Folder::new();
    folder.write("endless.c", ENDLESS);
    let child = start(&folder, &["check", "--explain", "endless.c"], None);
    let engines = wait_for_engines(child.id());
    signal("-INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("UNKNOWN  reach: interrupted"), "{text}");
    assert!(text.contains("how the answer was found"), "{text}");
    assert_gone(&engines);
}

#[test]
fn two_opinions() {
    let folder = Folder::new();
    folder.write("locked.c", LOCKED);
    let args = ["check", "--paranoid", "--format", "json", "locked.c"];
    let answer = answer(start(&folder, &args, None));
    assert_eq!(answer["verdict"], "safe", "{answer:#}");
    let tried = answer["tried"].as_array().unwrap();
    let safe = tried.iter().filter(|tried| tried["result"] == "safe");
    assert!(safe.count() >= 2, "{answer:#}");
}

#[test]
fn what_only_auto_does_is_refused_elsewhere() {
    let folder = Folder::new();
    folder.write("locked.c", LOCKED);
    for option in ["--explain", "--paranoid"] {
        let args = ["check", "--engine", "bmc", option, "locked.c"];
        folder.mazurka(&args).exits(64);
    }
}
