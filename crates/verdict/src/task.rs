//! A program and what to check of it.

use crate::{Program, Refused};
use dataflow::Analysed;
use semantics::Property;

/// A question for an engine: a program and a property.
///
/// Law: there is one way to make a task, [`Task::prepare`], which alone knows how the program has to
/// be translated and prepared for the property. A program that was prepared for another property
/// may have lost what matters for this one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Task {
    /// The program, with calls inlined, and what analyses say about it.
    pub xcfa: Analysed,
    /// What to check.
    pub property: Property,
}

impl Task {
    /// Translates a program and makes it ready for a property.
    pub fn prepare(program: &Program, property: Property) -> Result<Task, Refused> {
        let xcfa = program.prepare(property)?.into();
        Ok(Task { xcfa, property })
    }
}
