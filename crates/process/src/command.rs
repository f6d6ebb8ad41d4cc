//! Another program under limits of time and memory.

use crate::cgroup::Cgroup;
use crate::group::{self, Used};
use crate::{Ended, Usage, sys};
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How much a child may use before it is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time on the clock.
    pub wall: Duration,
    /// Processor time of the whole group, if that is limited.
    pub cpu: Option<Duration>,
    /// Resident memory of the whole group, in bytes.
    pub memory: u64,
}

/// Everything about a child that has ended.
#[derive(Debug)]
pub struct Finished {
    /// How the process ended.
    pub ended: Ended,
    /// At what cost.
    pub usage: Usage,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

/// Memory and processor time are examined this often: often enough to catch a runaway child before
/// it hurts the machine, seldom enough to cost nothing.
const PERIOD: Duration = Duration::from_millis(100);

/// Runs a command to its end or to its limits, or until `stop` is set.
pub fn run(command: &mut Command, limits: &Limits, stop: &AtomicBool) -> io::Result<Finished> {
    run_in(command, limits, stop, None)
}

/// The same in a control group, if there is one: then the kernel limits the memory, and everything
/// that the child starts is counted and killed, wherever it goes.
pub fn run_in(
    command: &mut Command,
    limits: &Limits,
    stop: &AtomicBool,
    cgroup: Option<&Cgroup>,
) -> io::Result<Finished> {
    watched(command, limits, stop, cgroup, |_| {})
}

/// Runs a command and hands over every line of standard error as soon as it is there.
pub fn run_heard(
    command: &mut Command,
    limits: &Limits,
    stop: &AtomicBool,
    heard: impl FnMut(&str) + Send + 'static,
) -> io::Result<Finished> {
    watched(command, limits, stop, None, heard)
}

fn watched(
    command: &mut Command,
    limits: &Limits,
    stop: &AtomicBool,
    cgroup: Option<&Cgroup>,
    heard: impl FnMut(&str) + Send + 'static,
) -> io::Result<Finished> {
    sys::own_group(command);
    if let Some(cgroup) = cgroup {
        cgroup.hold(command)?;
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = listen(child.stderr.take(), heard);

    let (killed, most) = watch(child.id(), started, limits, stop, cgroup);
    // The leader is dead or about to be killed, but not yet reaped, so its number is still taken
    // and the signal reaches no other group.
    sys::kill_group(child.id());
    if let Some(cgroup) = cgroup {
        cgroup.kill();
    }
    let (ended, usage) = sys::reap(child.id())?;
    let wall_s = started.elapsed().as_secs_f64();
    let starved = cgroup.is_some_and(Cgroup::out_of_memory);
    Ok(Finished {
        ended: match killed {
            None if starved => Ended::OutOfMemory,
            killed => killed.unwrap_or(ended),
        },
        usage: total(Usage { wall_s, ..usage }, most, cgroup),
        stdout: collect(stdout),
        stderr: collect(stderr),
    })
}

/// What the run used: what the kernel says of the child, and what was seen of the group.
fn total(child: Usage, most: Used, cgroup: Option<&Cgroup>) -> Usage {
    let peak = cgroup.and_then(Cgroup::peak).unwrap_or(most.memory);
    Usage {
        wall_s: child.wall_s,
        cpu_s: cgroup
            .map_or(0.0, Cgroup::cpu_s)
            .max(child.cpu_s)
            .max(most.cpu_s),
        rss_kb: child.rss_kb.max(peak >> 10),
    }
}

/// Waits for the child to end by itself (`None`), or says why it must be killed; and the most that
/// the group was seen to use.
fn watch(
    pid: u32,
    started: Instant,
    limits: &Limits,
    stop: &AtomicBool,
    cgroup: Option<&Cgroup>,
) -> (Option<Ended>, Used) {
    let mut most = Used::default();
    let mut due = started + PERIOD;
    loop {
        if sys::has_ended(pid) {
            return (None, most);
        }
        if stop.load(Ordering::Relaxed) {
            return (Some(Ended::Stopped), most);
        }
        let now = Instant::now();
        if now - started > limits.wall {
            return (Some(Ended::OutOfTime), most);
        }
        if now >= due {
            let used = match cgroup {
                Some(cgroup) => Used {
                    cpu_s: cgroup.cpu_s(),
                    memory: cgroup.memory(),
                },
                None => group::used(pid),
            };
            most = most.at_least(used);
            if used.memory > limits.memory {
                return (Some(Ended::OutOfMemory), most);
            }
            if limits.cpu.is_some_and(|cpu| used.cpu_s > cpu.as_secs_f64()) {
                return (Some(Ended::OutOfTime), most);
            }
            due = now + PERIOD;
        }
        // Short runs are timed finely; long ones are not disturbed.
        let pause = (now - started) / 20;
        std::thread::sleep(pause.clamp(Duration::from_millis(1), Duration::from_millis(25)));
    }
}

/// What a child writes beyond this is read and forgotten.
const MOST_OUTPUT: u64 = 256 << 20;

/// Reads a pipe to its end on a thread, so that a child that writes much never blocks.
fn drain(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A broken pipe only means that there is no more to read.
            let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        bytes
    })
}

/// The same, line by line.
fn listen(
    pipe: Option<impl Read + Send + 'static>,
    mut heard: impl FnMut(&str) + Send + 'static,
) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let Some(pipe) = pipe else { return bytes };
        let mut pipe = BufReader::new(pipe);
        loop {
            let start = bytes.len();
            match pipe.read_until(b'\n', &mut bytes) {
                Ok(1..) => heard(String::from_utf8_lossy(&bytes[start..]).trim_end()),
                _ => return bytes,
            }
        }
    })
}

fn collect(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, wall_ms: u64, memory: u64) -> Finished {
        let limits = Limits {
            wall: Duration::from_millis(wall_ms),
            cpu: None,
            memory,
        };
        let stop = AtomicBool::new(false);
        run(Command::new("sh").arg("-c").arg(script), &limits, &stop).unwrap()
    }

    #[test]
    fn output_and_status_come_back() {
        let finished = shell("echo out; echo err >&2; exit 3", 10_000, 1 << 30);
        assert_eq!(finished.ended, Ended::Exit(3));
        assert_eq!(
            (finished.stdout.as_str(), finished.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert!(finished.usage.rss_kb > 0);
    }

    #[test]
    fn lines_are_heard_while_it_runs() {
        let limits = Limits {
            wall: Duration::from_secs(20),
            cpu: None,
            memory: 1 << 30,
        };
        // The child ends only because what it said was heard.
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let heard = stop.clone();
        let mut command = Command::new("sh");
        command.args(["-c", "echo ready >&2; sleep 60"]);
        let finished = run_heard(&mut command, &limits, &stop, move |line| {
            heard.store(line == "ready", Ordering::Relaxed);
        });
        let finished = finished.unwrap();
        assert_eq!(finished.ended, Ended::Stopped);
        assert_eq!(finished.stderr, "ready\n");
    }

    #[test]
    fn time_kills_the_whole_group() {
        let finished = shell("sleep 60 & echo $!; wait", 200, 1 << 30);
        assert_eq!(finished.ended, Ended::OutOfTime);
        assert!(finished.usage.wall_s < 10.0);
        assert_gone(finished.stdout.trim());
    }

    #[test]
    fn what_the_child_leaves_behind_is_killed_too() {
        let finished = shell("sleep 60 >/dev/null 2>&1 & echo $!", 10_000, 1 << 30);
        assert_eq!(finished.ended, Ended::Exit(0));
        assert_gone(finished.stdout.trim());
    }

    #[test]
    fn memory_kills() {
        let hog = "python3 -c 'x = bytearray(300 << 20); import time; time.sleep(30)'";
        let finished = shell(hog, 20_000, 100 << 20);
        assert_eq!(finished.ended, Ended::OutOfMemory);
    }

    #[test]
    fn processor_time_kills_and_counts_children() {
        let limits = Limits {
            wall: Duration::from_secs(60),
            cpu: Some(Duration::from_millis(300)),
            memory: 1 << 30,
        };
        // The child itself only waits; its own child is the one that works.
        let script = "sh -c 'while :; do :; done' & wait";
        let stop = AtomicBool::new(false);
        let finished = run(Command::new("sh").args(["-c", script]), &limits, &stop).unwrap();
        assert_eq!(finished.ended, Ended::OutOfTime);
        assert!(finished.usage.cpu_s >= 0.3, "{:?}", finished.usage);
        assert!(finished.usage.wall_s < 50.0);
    }

    #[test]
    fn a_stop_kills() {
        let limits = Limits {
            wall: Duration::from_secs(60),
            cpu: None,
            memory: 1 << 30,
        };
        let stop = AtomicBool::new(true);
        let finished = run(Command::new("sleep").arg("60"), &limits, &stop).unwrap();
        assert_eq!(finished.ended, Ended::Stopped);
    }

    /// A killed orphan disappears as soon as `init` has reaped it; a zombie is as good as gone.
    fn assert_gone(pid: &str) {
        let status = format!("/proc/{pid}/status");
        for _ in 0..200 {
            match std::fs::read_to_string(&status) {
                Ok(text) if !text.contains("State:\tZ") => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ => return,
            }
        }
        panic!("process {pid} is still alive");
    }
}
