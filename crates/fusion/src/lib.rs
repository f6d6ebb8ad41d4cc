//! Stateless exploration: the program is run again and again, under one schedule after the other.
//!
//! [`check`] drives whole executions on the machine of the crate `semantics`. Dynamic partial order
//! reduction ([`Dpor`]) leaves out schedules that differ from one that was run only in the order of
//! independent events; with wake-up trees every equivalence class is run once. No state is stored,
//! so memory stays flat however long the search takes. See [its page in the
//! manual](../../../docs/engines/fusion.md).
//!
//! An *unsafe* is an execution that was run. *Safe* needs every class to have been run to its end,
//! with every value of every input.

mod cells;
mod check;
mod clocks;
mod concolic;
mod config;
mod counters;
mod ctp;
mod engine;
mod event;
mod history;
mod inputs;
mod node;
mod pool;
mod runner;
mod search;
mod snapshots;
mod statics;
mod wakeup;
mod workers;

pub use self::engine::Fusion;
pub use check::check;
pub use config::{Config, Dpor};
