//! A program and what to check of it.

use semantics::Property;
use xcfa::Xcfa;

/// What an engine is asked.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program, with calls inlined.
    pub xcfa: Xcfa,
    /// What to check.
    pub property: Property,
}
