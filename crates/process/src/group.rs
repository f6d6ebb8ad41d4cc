//! What a process group uses, from `/proc`. Where there is no `/proc` the answer is 0, and only the
//! child's own budget limits it. A process that leaves the group is not seen any more.

use crate::memory::resident;
use crate::sys;
use std::fs;

/// What a group of processes uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// Seconds of processor time, with that of children that have been waited for.
    pub cpu_s: f64,
    /// Bytes of resident memory.
    pub memory: u64,
}

impl Used {
    /// The larger one of each.
    pub fn at_least(self, other: Used) -> Used {
        Used {
            cpu_s: self.cpu_s.max(other.cpu_s),
            memory: self.memory.max(other.memory),
        }
    }
}

/// What every process of the group uses together.
pub fn used(group: u32) -> Used {
    let mut sum = Used::default();
    let Ok(entries) = fs::read_dir("/proc") else {
        return sum;
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    let pids = names.filter_map(|name| name.to_str()?.parse::<u32>().ok());
    for pid in pids {
        if let Some((of, ticks)) = stat(pid)
            && of == group
        {
            sum.memory += resident(pid);
            sum.cpu_s += ticks as f64 / sys::ticks_per_second();
        }
    }
    sum
}

/// The group of a process and its processor time in ticks. The name before these fields is in
/// parentheses and may contain anything.
fn stat(pid: u32) -> Option<(u32, u64)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let group = fields.get(2)?.parse().ok()?;
    // User and system time, of the process and of the children that it has waited for.
    let times = fields.get(11..15)?.iter();
    let ticks = times.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some((group, ticks))
}
