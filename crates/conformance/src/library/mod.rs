//! Do the models of the C library do what the C library does?
//!
//! A [`Call`] is C code that calls functions with generated arguments, and what it reads
//! afterwards. It runs natively, which gives the values ([`native`]). Then every value becomes an
//! assertion about the model: where the model is exact the program must be safe, and with one
//! value changed unsafe; where the standard leaves something open the values must be among those
//! that the model allows ([`disagreements`]).

mod calls;
mod exempt;
mod judge;
mod locks;
mod native;
mod reach;
mod strings;
mod system;
mod values;

pub use calls::{Call, calls};
pub use exempt::{Reason, exempt};
pub use judge::{Disagreement, disagreements};
pub use native::{Case, run};
pub use reach::{Declared, Reached};
