//! Orders in which several threads are before certain events at once.
//!
//! Two threads that are before conflicting accesses race; threads that each are before taking a
//! lock that the next one holds are in a deadlock.

use super::formula::Formula;
use super::solve::{events_before, reaches_one, set_answers};
use super::{Point, TraceProgram};
use expr::{Op as Operator, Term};

/// An order of events after which the threads of one group are before its events; with the group.
pub fn standing_order(
    program: &mut TraceProgram,
    groups: &[Vec<usize>],
    calls: &mut u64,
) -> Option<(Vec<usize>, usize)> {
    if groups.is_empty() {
        return None;
    }
    let mut formula = Formula::new(program);
    let reached: Vec<Term> = groups
        .iter()
        .map(|group| {
            let all: Vec<Term> = group.iter().map(|&op| stands(&mut formula, op)).collect();
            formula.program.terms.and_all(all)
        })
        .collect();
    let mut solver = reaches_one(&mut formula, reached.iter().copied(), calls)?;
    let terms = &formula.program.terms;
    let mut holds = |term| solver.value(terms, term) == Some(1);
    let group = reached.iter().position(|&reached| holds(reached))?;
    let order = events_before(&formula, &mut solver)?;
    set_answers(&mut formula, &mut solver);
    Some((order, group))
}

/// The thread of an event has come to it, and it has not happened.
fn stands(formula: &mut Formula<'_>, op: usize) -> Term {
    let goal = formula.goal;
    let guard = formula.program.ops[op].guard;
    let before: Vec<usize> = formula
        .program
        .order
        .iter()
        .filter_map(|order| match (order.first, order.second) {
            (Point::Op(first), Point::Op(second)) if second == op => Some(first),
            _ => None,
        })
        .collect();
    let later = formula.less(goal, formula.times[op]);
    let mut all = vec![guard, later];
    for first in before {
        let time = formula.times[first];
        all.push(formula.program.terms.binary(Operator::Ule, time, goal));
    }
    formula.program.terms.and_all(all)
}
