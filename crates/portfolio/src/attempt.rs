//! What was tried.

use crate::Engine;
use serde::{Serialize, Serializer};

/// One engine's turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// Who.
    pub engine: Engine,
    /// Seconds after the beginning.
    pub started_s: f64,
    /// For so many seconds on the clock.
    pub wall_s: f64,
    /// And of a processor.
    pub cpu_s: f64,
    /// Largest resident memory in KiB.
    pub rss_kb: u64,
    /// `safe`, `unsafe`, or why there is no answer.
    pub result: String,
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
