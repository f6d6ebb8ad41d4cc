//! Orders in which several threads are before certain events at once.
//!
//! Two threads that are before conflicting accesses race; threads that each are before taking a
//! lock that the next one holds are in a deadlock.

use super::formula::Formula;
use super::solve::on_trace;
use super::{Point, TraceProgram};
use sat::Lit;
use sat::blast::Refused;

/// An order of events after which the threads of one group are before its events; with the group.
pub fn standing_order(
    program: &mut TraceProgram,
    groups: &[Vec<usize>],
    calls: &mut u64,
) -> Option<(Vec<usize>, usize)> {
    let mut formula = Formula::new(program).ok()?;
    let mut reached: Vec<Lit> = Vec::new();
    for group in groups {
        let mut all = Vec::new();
        for &op in group {
            all.push(stands(&mut formula, op).ok()?);
        }
        reached.push(formula.all(all));
    }
    let mut question = on_trace(formula, &reached, calls)?;
    let group = reached.iter().position(|&lit| question.holds(lit))?;
    let order = question.events_before(None)?;
    let answers = question.answers();
    program.set_answers(answers);
    Some((order, group))
}

/// The thread of an event has come to it, and it has not happened.
fn stands(formula: &mut Formula<'_>, op: usize) -> Result<Lit, Refused> {
    let program = formula.program;
    let later = !formula.happens(op);
    let mut all = vec![formula.lit(program.ops[op].guard)?, later];
    for order in &program.order {
        if let (Point::Op(first), Point::Op(second)) = (order.first, order.second)
            && second == op
        {
            all.push(formula.happens(first));
        }
    }
    Ok(formula.all(all))
}
