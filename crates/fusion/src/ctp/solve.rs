//! Questions about a trace program.

use super::formula::Formula;
use super::question::Question;
use super::{GoalKind, TraceProgram};
use crate::event::Answers;
use sat::blast::Refused;
use sat::order::Node;
use sat::{Lit, Satisfiability};

/// The events before an error, in order, and the one that branches to it; `calls` counts queries.
pub fn violating_order(program: &mut TraceProgram, calls: &mut u64) -> Option<(Vec<usize>, usize)> {
    let mut formula = Formula::new(program).ok()?;
    let errors = formula.program.goals.iter();
    let mut reached: Vec<(usize, Lit)> = Vec::new();
    for goal in errors.filter(|goal| goal.kind == GoalKind::Error) {
        reached.push((goal.op, formula.reaches(goal).ok()?));
    }
    let lits: Vec<Lit> = reached.iter().map(|&(_, lit)| lit).collect();
    let mut question = on_trace(formula, &lits, calls)?;
    let (goal, _) = reached.into_iter().find(|&(_, lit)| question.holds(lit))?;
    let order = question.events_before(Some(goal))?;
    let answers = question.answers();
    program.set_answers(answers);
    Some((order, goal))
}

/// The question whether one of these holds in an order of the trace's own events, if that is so.
pub(super) fn on_trace<'p>(
    mut formula: Formula<'p>,
    reached: &[Lit],
    calls: &mut u64,
) -> Option<Question<'p>> {
    if reached.iter().all(|&lit| lit == Lit::FALSE) {
        return None;
    }
    stay_on_trace(&mut formula).ok()?;
    formula.clause(reached);
    let mut question = formula.question();
    let found = question.ask(&[], calls) == Satisfiability::Satisfiable;
    found.then_some(question)
}

/// No phantom edge is taken: the trace program proper. Inputs are free, unless an event asks for other
/// things as well.
fn stay_on_trace(formula: &mut Formula<'_>) -> Result<(), Refused> {
    let program = formula.program;
    for phantom in &program.phantoms {
        let (happens, guard) = (formula.happens(phantom.after), formula.lit(phantom.guard)?);
        formula.clause(&[!happens, !guard]);
    }
    for (at, op) in program.ops.iter().enumerate() {
        if !op.has_free_inputs() {
            formula.keep_inputs(at)?;
        }
    }
    Ok(())
}

/// The shortest prefix of the execution behind which no execution of the program has an error, by
/// the number of its events in the trace program; among those up to `longest`, which is tried
/// first.
pub fn safe_prefix(program: &TraceProgram, longest: usize, calls: &mut u64) -> Option<usize> {
    if !program.complete {
        return None;
    }
    let mut formula = Formula::new(program).ok()?;
    let mut reached = Vec::new();
    for goal in &program.goals {
        reached.push(formula.reaches(goal).ok()?);
    }
    formula.clause(&reached);
    let prefixes = Prefixes::of(&mut formula).ok()?;
    let mut question = formula.question();
    let mut is_safe = |length: usize| {
        question.ask(&prefixes.begins(length), calls) == Satisfiability::Unsatisfiable
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

/// Literals that say how an execution begins. There is a moment up to which it goes as the trace.
struct Prefixes {
    /// By event: is it before that moment?
    inside: Vec<Lit>,
    /// By event: is it before the next one of the trace?
    in_turn: Vec<Lit>,
    /// By event: does its thread come to it? With whatever inputs, events go the way they went.
    guards: Vec<Lit>,
    /// The goal is behind that moment.
    goal: Lit,
}

impl Prefixes {
    fn of(formula: &mut Formula<'_>) -> Result<Prefixes, Refused> {
        let (end, count) = (formula.moment(), formula.program.ops.len());
        let ops = 0..count as Node;
        let next = ops.clone().zip(ops.clone().skip(1));
        let mut guards = Vec::new();
        for op in &formula.program.ops {
            guards.push(formula.lit(op.guard)?);
        }
        Ok(Prefixes {
            inside: ops.map(|at| formula.is_before(at, end)).collect(),
            in_turn: next.map(|(at, next)| formula.is_before(at, next)).collect(),
            guards,
            goal: formula.is_ahead_of_goal(end),
        })
    }

    /// The first events happen as they did, and all others and the goal after them.
    fn begins(&self, length: usize) -> Vec<Lit> {
        let (first, others) = self.inside.split_at(length);
        let in_turn = &self.in_turn[..length.saturating_sub(1)];
        let hold = first.iter().chain(in_turn).chain(&self.guards[..length]);
        let not = others.iter().map(|&lit| !lit);
        hold.copied().chain(not).chain([self.goal]).collect()
    }
}

impl TraceProgram {
    /// The answers become those of the order that was found.
    pub(super) fn set_answers(&mut self, answers: Vec<Answers>) {
        for (op, answers) in self.ops.iter_mut().zip(answers) {
            op.answers = answers;
        }
    }
}
