//! Questions about a trace program.

use super::formula::Formula;
use super::{Goal, GoalKind, TraceProgram};
use expr::{Op as Operator, Term};
use smt::{Check, Solver};
use std::time::Instant;

/// The events before an error, in order, and the one that branches to it; `calls` counts queries.
pub fn violating_order(program: &mut TraceProgram, calls: &mut u64) -> Option<(Vec<usize>, usize)> {
    let goals = program.goals.clone();
    let mut formula = Formula::new(program);
    let terms = &formula.program.terms;
    let possible = |goal: &&Goal| terms.as_const(goal.guard) != Some(0);
    let errors = goals.iter().filter(|goal| goal.kind == GoalKind::Error);
    let errors: Vec<&Goal> = errors.filter(possible).collect();
    let reached: Vec<(usize, Term)> = errors
        .into_iter()
        .map(|goal| (goal.op, reaches(&mut formula, goal.op, goal.guard)))
        .collect();
    if reached.is_empty() {
        return None;
    }
    let some = reached.iter().map(|(_, reached)| *reached);
    let mut solver = reaches_one(&mut formula, some, calls)?;
    let terms = &formula.program.terms;
    let mut holds = |term| solver.value(terms, term) == Some(1);
    let (goal, _) = reached.into_iter().find(|(_, reached)| holds(*reached))?;
    let time = solver.value(&formula.program.terms, formula.goal)?;
    let mut order = events_before(&formula, &mut solver)?;
    let terms = &formula.program.terms;
    order.retain(|&at| at != goal && solver.value(terms, formula.times[at]) < Some(time));
    set_answers(&mut formula, &mut solver);
    Some((order, goal))
}

/// A solver with an order of the trace's own events in which one of these holds, if there is one.
pub(super) fn reaches_one(
    formula: &mut Formula<'_>,
    reached: impl Iterator<Item = Term>,
    calls: &mut u64,
) -> Option<Solver> {
    let mut solver = solver(formula);
    let some = formula.program.terms.or_all(reached);
    for needed in stays_on_trace(formula).into_iter().chain([some]) {
        solver.assert(&formula.program.terms, needed);
    }
    *calls += 1;
    let found = solver.check(&formula.program.terms, &[]) == Check::Sat;
    found.then_some(solver)
}

/// The shortest prefix of the execution behind which no execution of the program has an error, by
/// the number of its events in the trace program; among those up to `longest`, which is tried
/// first.
pub fn safe_prefix(program: &mut TraceProgram, longest: usize, calls: &mut u64) -> Option<usize> {
    if !program.complete {
        return None;
    }
    let (start, patience) = (Instant::now(), program.patience);
    let goals = program.goals.clone();
    let mut formula = Formula::new(program);
    let mut solver = solver(&mut formula);
    let reached: Vec<Term> = goals
        .iter()
        .map(|goal| reaches(&mut formula, goal.op, goal.guard))
        .collect();
    let some = formula.program.terms.or_all(reached);
    solver.assert(&formula.program.terms, some);
    let mut is_safe = |length: usize| {
        let prefix = prefix(&mut formula, length);
        *calls += 1;
        start.elapsed() < 4 * patience
            && solver.check(&formula.program.terms, &[prefix]) == Check::Unsat
    };
    if !is_safe(longest) {
        return None;
    }
    // A longer prefix has fewer executions behind it.
    let (mut unsafe_below, mut safe) = (0, longest);
    while unsafe_below < safe {
        let middle = (unsafe_below + safe) / 2;
        match is_safe(middle) {
            true => safe = middle,
            false => unsafe_below = middle + 1,
        }
    }
    Some(safe)
}

fn solver(formula: &mut Formula<'_>) -> Solver {
    let mut solver = Solver::new();
    solver.set_timeout(Some(formula.program.patience));
    for constraint in formula.constraints() {
        solver.assert(&formula.program.terms, constraint);
    }
    solver
}

/// No phantom edge is taken: the trace program proper. Inputs are free, unless an event asks for other
/// things as well.
fn stays_on_trace(formula: &mut Formula<'_>) -> Vec<Term> {
    let mut all = Vec::new();
    for phantom in formula.program.phantoms.clone() {
        let later = formula.less(formula.goal, formula.times[phantom.after]);
        let not_taken = formula.program.terms.not(phantom.guard);
        all.push(formula.program.terms.or(later, not_taken));
    }
    for at in 0..formula.program.ops.len() {
        if !formula.program.ops[at].has_free_inputs() {
            all.push(inputs(formula, at));
        }
    }
    all
}

/// The answers become those of the order that was found.
pub(super) fn set_answers(formula: &mut Formula<'_>, solver: &mut Solver) {
    for at in 0..formula.program.ops.len() {
        let op = &formula.program.ops[at];
        if !op.has_free_inputs() {
            continue;
        }
        let terms = &formula.program.terms;
        let values = op.inputs.iter().zip(&op.answers);
        let values = values.map(|((input, _), &was)| solver.value(terms, *input).unwrap_or(was));
        formula.program.ops[at].answers = values.collect();
    }
}

fn inputs(formula: &mut Formula<'_>, at: usize) -> Term {
    let inputs = formula.program.ops[at].inputs.clone();
    let terms = &mut formula.program.terms;
    let fixed: Vec<Term> = inputs
        .into_iter()
        .map(|(input, was)| {
            let sort = terms.sort(input);
            let was = terms.constant(sort, was & sort.mask());
            terms.eq(input, was)
        })
        .collect();
    terms.and_all(fixed)
}

/// The goal is reached during an event.
fn reaches(formula: &mut Formula<'_>, op: usize, guard: Term) -> Term {
    let (goal, time) = (formula.goal, formula.times[op]);
    let then = formula.program.terms.eq(goal, time);
    formula.program.terms.and(then, guard)
}

/// The first events happen as they did, and everything else after them.
fn prefix(formula: &mut Formula<'_>, length: usize) -> Term {
    let mut all = Vec::new();
    let first_after = formula.moment(length);
    for at in 0..formula.program.ops.len() {
        let time = formula.times[at];
        if at < length {
            let when = formula.moment(at);
            all.push(formula.program.terms.eq(time, when));
            // With whatever inputs the events go the way they went.
            all.push(formula.program.ops[at].guard);
        } else {
            let terms = &mut formula.program.terms;
            all.push(terms.binary(Operator::Ule, first_after, time));
        }
    }
    let goal = formula.goal;
    let terms = &mut formula.program.terms;
    all.push(terms.binary(Operator::Ule, first_after, goal));
    terms.and_all(all)
}

/// The events up to the goal, in order.
pub(super) fn events_before(formula: &Formula<'_>, solver: &mut Solver) -> Option<Vec<usize>> {
    let terms = &formula.program.terms;
    let goal = solver.value(terms, formula.goal)?;
    let mut when: Vec<(u64, usize)> = Vec::new();
    for (at, &time) in formula.times.iter().enumerate() {
        let time = solver.value(terms, time)?;
        if time <= goal && solver.value(terms, formula.program.ops[at].guard)? != 0 {
            when.push((time, at));
        }
    }
    when.sort_unstable();
    Some(when.into_iter().map(|(_, at)| at).collect())
}
