//! From a chain of steps to an execution of the program.

use crate::steps::Step;
use abstraction::{ActionId, Actor, PathStep, Program, follow, trace};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use semantics::{Machine, Outcome, Script, Tid, Violation};
use smt::{Check, Solver};
use std::time::Duration;
use verdict::{Task, Trace, Verdict, confirm};
use xcfa::EdgeId;

/// Runs the steps one after the other; nothing if no inputs make that possible.
pub fn execution(
    program: &Program,
    terms: &mut Terms,
    task: &Task,
    chain: &[&Step],
    patience: Duration,
) -> Option<Trace> {
    let ids = actions(chain);
    let run = Run::of(program, terms, &ids, None);
    let chosen = run.solve(terms, &[], patience)?;
    let started = started(program, &ids);
    let path = path(program, &ids, &started, &chosen);
    trace(program, &task.xcfa, task.property, path).ok()
}

/// Runs the steps one after the other, from the step with number `from` on again and again: the
/// execution never ends, which is replayed. Without it, some thread waits for ever after the last
/// step. The variables `repeated` are the same after a round as before it.
pub fn endless_execution(
    program: &Program,
    terms: &mut Terms,
    task: &Task,
    chain: &[&Step],
    again: Option<(usize, &[VarId])>,
    patience: Duration,
) -> Option<Trace> {
    let ids = actions(chain);
    let first = again.map(|(from, _)| actions(&chain[..from]).len());
    let run = Run::of(program, terms, &ids, first);
    let mut repeats = Vec::new();
    if let (Some(first), Some((_, repeated))) = (first, again) {
        for var in repeated {
            let equal = terms.eq(run.values[first][var], run.values[ids.len()][var]);
            repeats.push(equal);
        }
    }
    let chosen = run.solve(terms, &repeats, patience)?;
    let started = started(program, &ids);
    (0..MOST_WAITERS).find_map(|wakes| {
        let path = path(program, &ids, &started, &chosen);
        let (steps, violation) = follow(program, &task.xcfa, task.property, path, wakes).ok()?;
        let trace = Trace {
            violation: Violation::NonTermination,
            steps,
            loop_start: first,
            graph: None,
        };
        if violation.is_some() || needs_luck(task, &trace) {
            return None;
        }
        match confirm(task, Verdict::Unsafe(trace)) {
            Verdict::Unsafe(trace) => Some(trace),
            _ => None,
        }
    })
}

/// Is there a spurious wake-up in what is repeated?
fn needs_luck(task: &Task, trace: &Trace) -> bool {
    let machine = Machine::new(&task.xcfa, task.property);
    let mut state = machine.initial();
    let repeated = trace.loop_start.unwrap_or(usize::MAX);
    trace.steps.iter().enumerate().any(|(at, step)| {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let mut host = Script::new(&step.choices);
        let outcome = machine.step(&mut state, tid, edge, &mut host);
        at >= repeated && outcome == Outcome::Moved { spurious: true }
    })
}

/// Which of several waiting threads a signal wakes is tried for this many.
const MOST_WAITERS: u64 = 4;

fn actions(chain: &[&Step]) -> Vec<ActionId> {
    chain.iter().flat_map(|step| step.actions.clone()).collect()
}

/// By action: the threads that it starts.
fn started(program: &Program, ids: &[ActionId]) -> Vec<Vec<Actor>> {
    let of = |&id: &ActionId| program[id].starts.iter().map(|&t| (t, 0)).collect();
    ids.iter().map(of).collect()
}

fn path<'a>(
    program: &'a Program,
    ids: &'a [ActionId],
    started: &'a [Vec<Actor>],
    chosen: &'a [Vec<u64>],
) -> impl Iterator<Item = PathStep<'a>> {
    ids.iter().enumerate().map(|(at, &id)| PathStep {
        action: &program[id],
        actor: (program[id].thread, 0),
        started: &started[at],
        chosen: &chosen[at],
    })
}

/// A run along some actions, with symbols for what the environment chooses.
struct Run {
    /// By action, and after the last one: the values of variables before it.
    values: Vec<FxHashMap<VarId, Term>>,
    /// What has to hold so that the actions can be done.
    conditions: Vec<Term>,
    /// By action: what the environment may have chosen ([`abstraction::Action::chosen`]).
    chosen: Vec<Vec<Term>>,
}

impl Run {
    /// From the action with number `steady` on no wake-up is spurious.
    fn of(program: &Program, terms: &mut Terms, ids: &[ActionId], steady: Option<usize>) -> Run {
        let mut next = program.vars.len() as u32;
        let mut fresh = |terms: &mut Terms, sort| {
            next += 1;
            terms.var(VarId(next - 1), sort)
        };
        let mut now: FxHashMap<VarId, Term> = FxHashMap::default();
        for (number, var) in program.vars.iter().enumerate() {
            let first = match var.init {
                Some(init) => terms.constant(var.sort, init),
                None => fresh(terms, var.sort),
            };
            now.insert(VarId(number as u32), first);
        }
        let mut run = Run {
            values: vec![now.clone()],
            conditions: Vec::new(),
            chosen: Vec::new(),
        };
        for (at, &id) in ids.iter().enumerate() {
            if let Some(spurious) = program.spurious {
                let allowed = steady.is_none_or(|steady| at < steady);
                now.insert(spurious, terms.bool(allowed));
            }
            let action = &program[id];
            for input in &action.inputs {
                let symbol = fresh(terms, program.vars[input.symbol.0 as usize].sort);
                now.insert(input.symbol, symbol);
            }
            let chosen = action.chosen.iter();
            let chosen = chosen.map(|&(_, value)| terms.substitute(value, &now));
            run.chosen.push(chosen.collect());
            run.conditions.push(terms.substitute(action.guard, &now));
            let updates = action.updates.iter();
            let new: Vec<(VarId, Term)> = updates
                .map(|&(var, value)| (var, terms.substitute(value, &now)))
                .collect();
            now.extend(new);
            run.values.push(now.clone());
        }
        run
    }

    /// Choices with which all conditions hold, and some more, by action.
    fn solve(&self, terms: &Terms, more: &[Term], patience: Duration) -> Option<Vec<Vec<u64>>> {
        let mut solver = Solver::new();
        solver.set_timeout(Some(patience));
        let all = [&self.conditions[..], more].concat();
        if solver.check(terms, &all) != Check::Sat {
            return None;
        }
        let mut of_action = |chosen: &Vec<Term>| -> Option<Vec<u64>> {
            let values = chosen.iter().map(|&term| solver.value(terms, term));
            values.collect()
        };
        self.chosen.iter().map(&mut of_action).collect()
    }
}
