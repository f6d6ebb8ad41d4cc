//! The processes that this one has started, and those that they have started, from `/proc`. Where there
//! is no `/proc` none are known.

use crate::sys;
use std::fs;
use std::time::Duration;

/// Kills every process that this one has started, directly or not, and that still has its parent.
pub fn kill_descendants() {
    let family = family(std::process::id());
    family[1..].iter().for_each(|&pid| sys::kill(pid));
}

/// The processor time of a process and its descendants.
pub(crate) fn processor_time(pid: u32) -> Duration {
    let ticks: u64 = family(pid).into_iter().filter_map(ticks).sum();
    Duration::from_secs_f64(ticks as f64 / sys::ticks_per_second())
}

/// A process and its descendants.
fn family(pid: u32) -> Vec<u32> {
    let mut known = vec![pid];
    let all = parents();
    let mut at = 0;
    while at < known.len() {
        let parent = known[at];
        for &(pid, _) in all.iter().filter(|(_, of)| *of == parent) {
            if !known.contains(&pid) {
                known.push(pid);
            }
        }
        at += 1;
    }
    known
}

/// What a process has used, with the children that it has waited for.
fn ticks(pid: u32) -> Option<u64> {
    let used = fields(pid)?;
    let times = used.get(11..15)?.iter();
    times.map(|time| time.parse::<u64>().ok()).sum()
}

fn parents() -> Vec<(u32, u32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let pids = names.filter_map(|name| name.to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, parent(pid)?))).collect()
}

fn parent(pid: u32) -> Option<u32> {
    fields(pid)?.get(1)?.parse().ok()
}

/// What `/proc` says of a process, behind its name, which is in parentheses and may contain anything.
fn fields(pid: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let behind = stat.rsplit_once(')')?.1;
    Some(behind.split_whitespace().map(str::to_owned).collect())
}
