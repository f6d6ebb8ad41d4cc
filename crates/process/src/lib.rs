//! Child processes under limits of time and memory, of which nothing is left behind.
//!
//! [`run`] is for other programs: the child leads a process group of its own, and when the call
//! returns the whole group is gone. [`Cgroups`] let the kernel do the counting. [`Fork`] is for a
//! part of this program that may crash or use up all memory: the child goes on with a copy of
//! everything that is known here, and what it writes comes back through a pipe. [`Confinement`]
//! keeps files from a child. [`Attached`] shares our terminal. Should this process itself be
//! killed, the kernel kills its children.

mod attached;
mod cgroup;
mod command;
mod confine;
mod descendants;
mod fork;
mod group;
mod memory;
mod sys;

pub use attached::Attached;
pub use cgroup::{Cgroup, Cgroups};
pub use command::{Finished, Limits, run, run_heard, run_in};
pub use confine::{Confinement, most};
pub use descendants::kill_descendants;
pub use fork::Fork;
pub use sys::{exit_now, own_usage};

/// What a child used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Seconds on the clock.
    pub wall_s: f64,
    /// Seconds of processor time, of the child and of what it started.
    pub cpu_s: f64,
    /// Largest resident memory in KiB.
    pub rss_kb: u64,
}

/// How a child came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this status.
    Exit(i32),
    /// By a signal that we did not send.
    Signal(i32),
    /// Killed by us: its time was up.
    OutOfTime,
    /// Killed by us: it used too much memory.
    OutOfMemory,
    /// Killed by us: it is not needed any more.
    Stopped,
}
