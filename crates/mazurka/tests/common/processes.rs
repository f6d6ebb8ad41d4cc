//! Processes that a test has started, and what they have started themselves.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// The processes whose parent is `of`.
pub fn children(of: u32) -> Vec<u32> {
    let parent = |child: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).ok()?;
        let fields = stat.rsplit_once(')')?.1;
        fields.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&child| parent(child) == Some(of)).collect()
}

/// Is it there, and more than a record of its end?
pub fn is_alive(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"));
    status.is_ok_and(|text| !text.contains("State:\tZ"))
}

/// Waits for the end of all of them.
#[track_caller]
pub fn assert_gone(pids: &[u32]) {
    let started = Instant::now();
    while pids.iter().any(|&pid| is_alive(pid)) {
        assert!(started.elapsed() < Duration::from_secs(20), "{pids:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal, `-INT` for example.
pub fn signal(name: &str, pid: u32) {
    let mut kill = Command::new("kill");
    let status = kill.args([name, &pid.to_string()]).status();
    assert!(status.unwrap().success());
}

/// Presses Ctrl-C, which must end the process in order and soon.
#[track_caller]
pub fn interrupt(child: &mut Child) {
    signal("-INT", child.id());
    let begun = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        assert!(begun.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
