//! What was tried.

use serde::Serialize;
use verdict::Stats;

/// One engine's turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// The engine.
    pub engine: &'static str,
    /// Seconds after the start of the check.
    pub started_s: f64,
    /// Seconds of wall-clock time that it took.
    pub wall_s: f64,
    /// Seconds of CPU time that it used.
    pub cpu_s: f64,
    /// Largest resident memory in KiB.
    pub rss_kb: u64,
    /// `safe`, `unsafe`, or why there is no answer.
    pub result: String,
    /// What it said last about how far it was; nothing if it never did.
    pub progress: String,
    /// What it counted, if it came back.
    pub stats: Stats,
}
