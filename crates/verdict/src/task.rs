//! A program and what to check of it.

use crate::{MemoryModel, Program, Refused};
use dataflow::Analysed;
use semantics::{Layout, Property};
use std::collections::BTreeMap;
use std::sync::Arc;
use xcfa::{EdgeId, MemoryOrder, Span, Xcfa};

/// A question for an engine: a program, a property and a memory model.
///
/// Law: there is one way to make a task, [`Task::prepare`], which alone knows how the program has to
/// be translated and prepared for the property. A program that was prepared for another property
/// may have lost what matters for this one. ([`Task::with_orders`] changes what no preparation looks at.)
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Task {
    /// The program, with calls inlined, and what analyses say about it.
    pub xcfa: Analysed,
    /// What to check.
    pub property: Property,
    /// Which executions are possible.
    pub memory_model: Arc<MemoryModel>,
    /// Is every access of the text and every fence a step of its own, as it takes to judge executions by a memory model?
    pub is_ordered: bool,
    /// Where the text of the functions that can be called has something to execute, whatever the preparation has made of
    /// it: in order, each place once.
    pub statements: Arc<[Span]>,
}

impl Task {
    /// Translates a program and makes it ready for a property. A program whose first state would be too
    /// large to keep is refused: nobody could replay an execution of it.
    pub fn prepare(program: &Program, property: Property) -> Result<Task, Refused> {
        let (mut xcfa, statements) = program.prepare(property)?;
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
            is_ordered: program.is_ordered(),
            statements: statements.into(),
        })
    }

    /// The same program with other memory orders on these edges, which are atomic accesses or fences. `None` is for a
    /// fence that is not there.
    pub fn with_orders(&self, orders: &BTreeMap<EdgeId, Option<MemoryOrder>>) -> Task {
        let mut xcfa = Xcfa::clone(&self.xcfa);
        for (&id, &order) in orders {
            let edge = &mut xcfa.edges[id.0 as usize];
            assert!(edge.atomic, "only what is atomic has an order");
            assert!(
                order.is_some() || edge.labels.is_empty(),
                "only a fence can go"
            );
            (edge.atomic, edge.order) = (order.is_some(), order);
        }
        Task {
            xcfa: xcfa.into(),
            property: self.property,
            memory_model: Arc::clone(&self.memory_model),
            is_ordered: self.is_ordered,
            statements: Arc::clone(&self.statements),
        }
    }
}
