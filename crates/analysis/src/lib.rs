//! What engines that work with abstractions share.
//!
//! [`Program`] is the program as these engines see it: a fixed set of threads, each run at most
//! once or a template of many that are alike ([`Crowd`]), and actions that are a guard and simultaneous assignments over variables; no memory, no
//! locks, no calls. [`Precision`] says what of the data is looked at, [`Data`] is what is known
//! about it, and [`Post`] is the one definition of what an action does to it. [`por`] chooses the
//! actions that have to be explored.
//!
//! Nothing here decides anything about a program: that is for the engines.

mod action;
mod control;
mod crowd;
mod data;
mod flatten;
mod partial;
pub mod por;
mod post;
mod precision;
mod program;
pub mod query;
mod signals;
mod total;
mod trace;

pub use action::{Action, ActionId, Input};
pub use control::Control;
pub use crowd::{Count, Crowd, Member, Thresholds};
pub use data::{Data, Shape, Truth};
pub use flatten::{Flat, flatten};
pub use partial::Evaluator;
pub use post::{Post, Splitting, twin};
pub use precision::{Precision, Predicate};
pub use program::{Program, StateVar, Staying, Thread, ThreadVars};
pub use total::total_locations;
pub use trace::{Actor, PathStep, follow, trace};
