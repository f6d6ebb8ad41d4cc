//! The executable meaning of automata: the one definition that every engine is held to.
//!
//! A [`Machine`] gives an [`xcfa::Xcfa`] its meaning: [`Machine::initial`] is the first [`State`],
//! [`Machine::step`] executes one edge of one thread. Whatever is not determined by the state (an
//! input, the thread that a signal wakes) is asked from a [`Host`], which also sees every access
//! to shared memory. A [`Trace`] is plain data, and [`replay`] runs it again.
//!
//! The crate is small because it is trusted: it knows no abstraction, no reduction and no search.

mod access;
mod attempt;
mod clock;
mod clocks;
mod effect;
mod failure;
mod heap_names;
mod host;
mod layout;
mod machine;
mod memory;
mod memory_parts;
mod naming;
mod open;
mod property;
mod property_file;
mod reachable;
mod reached;
mod replay;
mod state;
mod step;
mod sync;
mod trace;
mod view;

pub use access::{Access, Cell};
pub use attempt::Saved;
pub use clocks::{Clocks, Race};
pub use effect::{Effect, Seen, is_fence};
pub use failure::{
    Computed, Failure, RacingAccess, SourcePlace, Target, ThreadName, WaitingThread, What,
};
pub use heap_names::HeapNames;
pub use host::{Choice, Host, Script};
pub use layout::Layout;
pub use machine::{Machine, Outcome};
pub use memory::{Fault, Instance, Memory, Vacancy};
pub use memory_parts::MemoryParts;
pub use open::{Open, Openness};
pub use property::{Property, PropertyError};
pub use reached::{Mark, Reached};
pub use replay::{
    Change, Execution, Mismatch, Moment, Pending, Reading, Replay, ReplayStatement, ReplayStep,
    Stuck, Wait, Wakes, replay, replay_graph,
};
pub use state::{Frame, State, Status, Thread, Tid};
pub use trace::{Lost, Step, Trace, Violation};
