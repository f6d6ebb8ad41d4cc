//! Analyses of automata.
//!
//! An analysis is a type with a constructor `of`; it states as its law what it over-approximates,
//! and goes stale when the program is changed. A program that no longer changes is an [`Analysed`],
//! which keeps each result once it has been computed.
//!
//! | analysis | answers |
//! | --- | --- |
//! | [`PointsTo`] | which objects can a term be the address of? |
//! | [`Alignment`] | how far can a pointer be from the start of its object? |
//! | [`Validity`] | which accesses are certainly inside a living object? |
//! | [`CallGraph`], [`Threads`] | which procedure calls or starts which, and how often? |
//! | [`Sharing`], [`Accesses`] | what can more than one thread reach, and which steps touch it? |
//! | [`JoinTargets`] | which thread does a join certainly wait for? |
//! | [`Liveness`] | which variables can still be read? |
//! | [`Loops`] | which loops are there, and how often do they go round? |
//! | [`Executions`] | how often can an edge be taken in one run? |
//! | [`doubtful_joins`], [`foreign_access`], [`address_use`] and its neighbours | does the program depend on what C leaves open? |
//! | [`Facts`] | a summary of all that |
//!
//! Nothing here changes a program (that is for `passes`), runs one, or asks a solver.

mod access;
mod alignment;
mod analysed;
mod bits;
mod calls;
mod executions;
mod facts;
mod foreign;
pub mod graph;
mod join_targets;
mod joins;
mod liveness;
mod loops;
pub mod pointsto;
mod residue;
mod sharing;
mod threads;
mod touch;
mod unspecified;
mod validity;

pub use access::{Accesses, EdgeAccess, SharedCell};
pub use alignment::Alignment;
pub use analysed::Analysed;
pub use bits::BitSet;
pub use calls::CallGraph;
pub use executions::Executions;
pub use facts::Facts;
pub use foreign::{foreign_access, uninitialised_access};
pub use join_targets::JoinTargets;
pub use joins::{Doubt, DoubtfulJoin, doubtful_joins};
pub use liveness::{Liveness, is_local};
pub use loops::{Loop, Loops};
pub use pointsto::{Cells, PointsTo};
pub use residue::Residue;
pub use sharing::{Sharing, escaped_objects, locations_before_threads};
pub use threads::{Threads, exclude_each_other};
pub use touch::{Storage, Touch, touches};
pub use unspecified::{
    AddressUse, address_use, constant_write, handle_use, mark_reuse, resized_in_place, stack_reuse,
};
pub use validity::{Validity, split};
