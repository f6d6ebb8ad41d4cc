//! Searches for our own wrong verdicts (`mazurka fuzz`).
//!
//! A [`Campaign`] makes one random program after the other and lets several [`contestant`]s answer
//! for one of the properties, each program in a child process of its own, so that a crash is a
//! finding and not the end. Exhaustive exploration is always among them; every *unsafe* has been
//! replayed when it is reported, and every piece of evidence is checked again. Some programs are also
//! compiled and run under random schedules ([`native`]): a run that fails an assertion is proof
//! enough.
//!
//! Programs are plain ones, or about one of the classes of [`generator::Class`], as often as the [`Mix`]
//! says. Those come with an oracle of their own: their maker knows the verdict, or a compiled run
//! gives the values that they must find ([`values`]), or sanitizers observe runs ([`sanitize`]).
//!
//! Instead of random programs, given ones can be changed here and there ([`mutate`]).
//!
//! It stops at the first contradictions, crashes or hangs, makes the program small while it still shows
//! the same, and says how to repeat it.

mod campaign;
mod case;
mod compile;
mod constructs;
mod contest;
mod contestant;
mod draw;
mod message;
mod mix;
mod mutate;
mod native;
mod outline;
mod reduce;
mod sanitize;
mod source;
mod summary;
mod tokens;
mod values;

pub use campaign::{Campaign, Finding};
pub use case::Case;
pub use contest::Trouble;
pub use message::Who;
pub use mix::{Mix, name as class_name};
pub use source::{Original, originals};
pub use summary::Summary;
