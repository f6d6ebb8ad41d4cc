//! The model that every engine shares: extended control flow automata (XCFA).
//!
//! An [`Xcfa`] is a set of [`Procedure`]s over common variables and memory objects. Each procedure
//! is an automaton of [`Location`]s and [`Edge`]s; an edge carries [`Label`]s that happen as one
//! indivisible step. What a label *does* is defined once, in the crate `semantics`.
//!
//! # Invariants
//! - An edge touches shared memory at most once, unless its program text is atomic as a whole
//!   (an atomic built-in, a synchronisation operation, or an atomic section that large-block
//!   encoding has folded into one edge): then [`Edge::atomic`] is set. One exception is not atomic:
//!   an edge that starts a thread also stores the new thread's handle.
//! - Terms never contain a memory access: memory is read by [`Label::Load`] into a variable.
//! - A scalar whose address is never taken is a [`Var`]; everything else is an [`Object`].
//!
//! Ids are numbers into arenas of one `Xcfa` and mean nothing in another.

mod builder;
mod dot;
mod dump;
mod label;
mod misuse;
mod object;
mod order;
mod procedure;
mod scale;
mod source;
mod unsupported;
mod xcfa;

pub use label::{Callee, HavocOrigin, Label, Leaving, LockMode, argument};
pub use misuse::Misuse;
pub use object::{Object, ObjectKind, Shape};
pub use order::MemoryOrder;
pub use procedure::{Edge, EdgeId, ErrorKind, LocId, Location, ProcId, Procedure, Statement};
pub use scale::Scaled;
pub use source::{FileId, Place, SourceFile, Sources, Span};
pub use unsupported::Unsupported;
pub use xcfa::{DESTROYED, DETACHED, DataModel, Inexact, Scope, Var, Xcfa};
