//! Hunting our own wrong verdicts (`mazurka fuzz`).
//!
//! A [`Campaign`] makes one random program after the other and lets several [`contestants`] answer
//! for one of the properties, each program in a child process of its own, so that a crash is a
//! finding and not the end. Exhaustive exploration is always among them; every *unsafe* has been
//! replayed when it is told, and every piece of evidence is checked again. Some programs are also
//! compiled and run on one core ([`native`]): a run that fails an assertion is proof enough.
//!
//! It stops at the first contradiction, crash or hang, makes the program small while it still shows
//! the same, and says how to repeat it.

mod campaign;
mod contest;
mod contestants;
mod native;
mod summary;

pub use campaign::{Campaign, Finding};
pub use contest::{Case, Trouble};
pub use summary::Summary;
