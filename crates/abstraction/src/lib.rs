//! What engines that work with abstractions share.
//!
//! [`Program`] is the program as these engines see it: a fixed set of threads, each run at most
//! once or a template of many that are alike ([`Crowd`]), and actions that are a guard and
//! simultaneous assignments over variables; no memory, no locks, no calls. [`Precision`] says what
//! of the data is examined, [`Data`] is what is known about it, and [`Post`] is the one definition
//! of what an action does to it. [`por`] chooses the actions that have to be explored.
//!
//! Nothing here decides a property: that is for the engines.

mod action;
mod always_enabled;
mod control;
mod crowd;
mod data;
mod partial;
pub mod por;
mod post;
mod precision;
mod program;
pub mod query;
mod trace;

pub use action::{Action, ActionId, Input};
pub use always_enabled::always_enabled_locations;
pub use control::Control;
pub use crowd::{Count, Crowd, Member, Thresholds};
pub use data::{Data, Shape, Truth};
pub use partial::Evaluator;
pub use post::{Post, Splitting, twin};
pub use precision::{Precision, Predicate};
pub use program::{
    AccessKind, Addition, BlockedOrExiting, GivenUp, Memory, MemoryAccess, Program, StateVar,
    Thread, ThreadVars, View,
};
pub use trace::{Actor, PathStep, follow, planned, trace};
