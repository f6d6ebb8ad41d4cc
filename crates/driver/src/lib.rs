//! The verifier as a library: from C files to a confirmed verdict.
//!
//! [`read`] makes a [`Program`] from C files, [`Task::prepare`] asks a question about it, and [`check`]
//! answers that as a [`Plan`] says: by one engine, or by several until one has an answer. The
//! [`Registry`] is the only list of engines. The command line, the portfolio, the fuzzer, the page of
//! `serve` and the manual read it, so a new engine is one crate and one line there; another program
//! adds an engine of its own with [`Registry::with`].
//!
//! ```
//! use driver::{Plan, Program, Property, SourceFile, Task, Verdict};
//!
//! let text = "extern void abort(void); extern void reach_error(void);
//!     int main(void) { unsigned char x = 255; x++; if (x == 0) reach_error(); return 0; }";
//! // `driver::read` does this for files, with the system's preprocessor.
//! let program = Program::new(vec![SourceFile::new("wrap.c", text)]);
//! let task = Task::prepare(&program, Property::Reach)?;
//! let outcome = driver::check(&task, &Plan::default().with_engine("explore"))?;
//! match outcome.verdict() {
//!     Verdict::Safe(proof) => println!("safe: {proof:?}"),
//!     Verdict::Unsafe(trace) => println!("unsafe, in {} steps", trace.steps.len()),
//!     Verdict::Unknown(reason) => println!("unknown: {reason}"),
//! }
//! assert!(outcome.confirmed.replay().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkers;
mod claim;
mod coverage;
mod input;
mod interleavings;
mod left_out;
mod plan;
mod reading;
mod registry;

pub use checkers::Checkers;
pub use claim::Claim;
pub use coverage::{Coverage, Covered, EngineProgress, FileCoverage};
pub use engine::{Engine, Evidence, Options};
pub use input::{
    Constant, Region, Screened, Smaller, constants, line_or_read, read, region, screen, shown,
    split_words,
};
pub use interleavings::race_freedom_suffices;
pub use left_out::{LeftOut, without};
pub use plan::{CheckResult, Plan, check, check_watched, first_turns};
pub use portfolio::{Attempt, Running};
pub use reading::{Reading, is_standard};
pub use registry::Registry;
pub use verdict::{Budget, Confirmed, Environment, Program, Property, Refused, Task, Verdict};
pub use xcfa::SourceFile;
