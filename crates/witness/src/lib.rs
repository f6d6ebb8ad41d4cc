//! Witnesses in the formats of the field: written from verdicts, read from other tools, checked.
//!
//! A *violation witness* describes executions that violate a property, a *correctness witness* gives
//! invariants that help to prove it. Two families of formats exist: automata in GraphML (1.0) and
//! sequences of waypoints or sets of invariants in YAML (2.0 and later).
//!
//! | part | files |
//! | --- | --- |
//! | what a witness says about its task | [`Meta`], `moment` |
//! | program text as witnesses see it | [`Places`], [`Outline`] |
//! | an execution in terms of its source | [`AnnotatedTrace`] |
//! | the formats | [`yaml`], [`graphml`], `waypoints`, [`lint`] |
//! | executions that obey a witness | `automaton`, `condition`, `search`, [`lift()`] |
//!
//! The search runs on a program in which no step was merged or dropped
//! ([`verdict::Preparation::Written`]), so that every line and every variable of the text is still
//! there. An execution that was found does not count until the caller has replayed it, as for every
//! engine.
//!
//! This crate reads and writes text, not files.

mod annotated_program;
mod annotated_trace;
mod automaton;
mod condition;
mod document;
mod from_graphml;
mod from_yaml;
mod ghosts;
pub mod graphml;
mod instrument;
mod invariants;
mod lift;
pub mod lint;
mod meta;
mod moment;
mod names;
mod obey;
mod outline;
mod places;
mod position;
mod search;
mod waypoints;
pub mod yaml;

pub use annotated_program::AnnotatedProgram;
pub use annotated_trace::{AnnotatedStep, AnnotatedTrace, Event};
pub use automaton::{Automaton, Trouble};
pub use document::Document;
pub use from_graphml::from_graphml;
pub use from_yaml::from_yaml;
pub use ghosts::lock_ghosts;
pub use instrument::{Instrumented, instrument};
pub use invariants::loop_invariants;
pub use lift::lift;
pub use meta::{InputFile, Meta, sha256, specification};
pub use moment::utc;
pub use obey::obeys;
pub use outline::Outline;
pub use places::{Places, SourcePosition};
pub use search::{Found, Hints, search};
pub use waypoints::violation_sequence;
