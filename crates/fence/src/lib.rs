//! Which memory orders a program needs: how weak its atomic accesses may be, and which of its fences can go,
//! without losing a property; and what has to be stronger, if it fails.
//!
//! A [`Site`] is an atomic access or a fence of the program's text. [`weakest`] searches among the [`Level`]s of all
//! sites for an assignment that cannot be weakened at any one site. Every step is a question to a verifier, which the
//! caller brings: nothing here reasons about memory models. It deliberately adds no fences where none are, and looks at
//! what the given program does, with its threads and its inputs, and at nothing else.

mod level;
mod search;
mod site;

pub use level::{Kind, Level};
pub use search::{Advice, First, Found, Outcome, Undecided, weakest};
pub use site::{Site, Sites};
