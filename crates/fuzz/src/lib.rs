//! Hunting our own wrong verdicts (`mazurka fuzz`).
//!
//! A [`Campaign`] makes one random program after the other and lets several [`contestant`]s answer
//! for one of the properties, each program in a child process of its own, so that a crash is a
//! finding and not the end. Exhaustive exploration is always among them; every *unsafe* has been
//! replayed when it is told, and every piece of evidence is checked again. Some programs are also
//! compiled and run under random schedules ([`native`]): a run that fails an assertion is proof
//! enough.
//!
//! Instead of random programs, given ones can be changed here and there ([`mutate`]).
//!
//! It stops at the first contradiction, crash or hang, makes the program small while it still shows
//! the same, and says how to repeat it.

mod campaign;
mod case;
mod constructs;
mod contest;
mod contestant;
mod draw;
mod mutate;
mod native;
mod outline;
mod reduce;
mod source;
mod summary;
mod tokens;

pub use campaign::{Campaign, Finding};
pub use case::Case;
pub use contest::Trouble;
pub use source::{Original, originals};
pub use summary::Summary;
