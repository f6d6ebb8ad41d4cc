//! A program and what to check of it.

use crate::{MemoryModel, Program, Refused};
use dataflow::Analysed;
use semantics::{Layout, Property};
use std::sync::Arc;

/// A question for an engine: a program, a property and a memory model.
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
    /// Which executions are possible.
    pub memory_model: Arc<MemoryModel>,
}

impl Task {
    /// Translates a program and makes it ready for a property. A program whose first state would be too
    /// large to keep is refused: nobody could replay an execution of it.
    pub fn prepare(program: &Program, property: Property) -> Result<Task, Refused> {
        let mut xcfa = program.prepare(property)?;
        if let Some(object) = Layout::of(&xcfa, property).too_large() {
            let (sources, span) = (xcfa.sources.clone(), xcfa[object].span);
            let what = "more static memory than the interpreter can keep (256 MiB)";
            return Err(Refused::at(sources, span, what));
        }
        if !program.memory_model().is_sc() {
            xcfa.assumptions
                .retain(|assumption| assumption != cfront::WEAK_ORDERS);
        }
        let xcfa = xcfa.into();
        Ok(Task {
            xcfa,
            property,
            memory_model: program.memory_model(),
        })
    }
}
