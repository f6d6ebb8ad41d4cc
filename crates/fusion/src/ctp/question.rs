//! A formula that a solver is asked about, and what the model tells.

use super::TraceProgram;
use crate::event::Answers;
use expr::{Node as TermNode, Term};
use sat::blast::Blaster;
use sat::order::{Node, Order};
use sat::{Lit, Satisfiability};
use std::cell::RefCell;
use std::rc::Rc;

/// A formula in a solver.
pub struct Question<'p> {
    program: &'p TraceProgram,
    blaster: Blaster,
    order: Rc<RefCell<Order>>,
    goal: Node,
}

impl<'p> Question<'p> {
    /// About this program.
    pub fn new(
        program: &'p TraceProgram,
        blaster: Blaster,
        order: Rc<RefCell<Order>>,
        goal: Node,
    ) -> Question<'p> {
        Question {
            program,
            blaster,
            order,
            goal,
        }
    }

    /// Is there an order in which all of these hold? Counts the question.
    pub fn ask(&mut self, assumed: &[Lit], calls: &mut u64) -> Satisfiability {
        *calls += 1;
        let sat = &mut self.blaster.gates.sat;
        sat.solve(assumed, &self.program.budget)
    }

    /// Does this hold in the order that was found?
    pub fn holds(&mut self, lit: Lit) -> bool {
        self.blaster.gates.sat.is_true(lit)
    }

    /// The events that happen before an event, or else before the goal, in order.
    pub fn events_before(&mut self, event: Option<usize>) -> Option<Vec<usize>> {
        let sat = &mut self.blaster.gates.sat;
        let ranks = self.order.borrow().ranks(|lit| sat.is_true(lit)).ok()?;
        let end = ranks[event.map_or(self.goal, |at| at as Node) as usize];
        let mut before = Vec::new();
        for (at, op) in self.program.ops.iter().enumerate() {
            let guard = self.blaster.lit(&self.program.terms, op.guard).ok()?;
            if ranks[at] < end && self.holds(guard) {
                before.push(at);
            }
        }
        before.sort_unstable_by_key(|&at| ranks[at]);
        Some(before)
    }

    /// By event: its answers in the order that was found, where inputs are all that it asks for.
    pub fn answers(&mut self) -> Vec<Answers> {
        let ops = self.program.ops.iter();
        ops.map(|op| match op.has_free_inputs() {
            true => {
                let inputs = op.inputs.iter().zip(&op.answers);
                let values = inputs.map(|(&(input, _), &was)| self.value(input).unwrap_or(was));
                values.collect()
            }
            false => op.answers.clone(),
        })
        .collect()
    }

    /// The value of a variable, if the formula mentions it.
    fn value(&mut self, variable: Term) -> Option<u64> {
        let TermNode::Var(var, _) = self.program.terms.node(variable) else {
            return None;
        };
        let bits = self.blaster.known_var(var)?.clone();
        let sat = &mut self.blaster.gates.sat;
        let bits = bits.into_iter().enumerate();
        Some(bits.fold(0, |value, (at, bit)| {
            value | u64::from(sat.is_true(bit)) << at
        }))
    }
}
