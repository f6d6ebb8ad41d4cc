//! The file that `check --trace` writes and `replay` reads.

use crate::about::{About, ProgramFile};
use serde::{Deserialize, Serialize};
use verdict::Trace;

/// A counterexample.
#[derive(Debug, Serialize, Deserialize)]
pub struct TraceFile {
    /// The program.
    #[serde(flatten)]
    pub about: About,
    /// The steps, and what goes wrong at their end.
    pub trace: Trace,
}

impl ProgramFile for TraceFile {
    const FORMAT: &'static str = "mazurka-trace";
    const WHAT: &'static str = "a trace";

    fn about(&self) -> &About {
        &self.about
    }
}
