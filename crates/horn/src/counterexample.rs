//! From a chain of steps to an execution of the program.

use crate::steps::Step;
use analysis::{ActionId, Actor, PathStep, Program, trace};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::{Check, Solver};
use std::time::Duration;
use verdict::{Task, Trace};

/// Runs the steps one after the other; nothing if no inputs make that possible.
pub fn execution(
    program: &Program,
    terms: &mut Terms,
    task: &Task,
    chain: &[&Step],
    patience: Duration,
) -> Option<Trace> {
    let ids: Vec<ActionId> = chain.iter().flat_map(|step| step.actions.clone()).collect();
    let inputs = inputs(program, terms, &ids, patience)?;
    let started: Vec<Vec<Actor>> = ids
        .iter()
        .map(|&id| program[id].starts.iter().map(|&t| (t, 0)).collect())
        .collect();
    let path = ids.iter().enumerate().map(|(at, &id)| PathStep {
        action: &program[id],
        actor: (program[id].thread, 0),
        started: &started[at],
        inputs: &inputs[at],
    });
    trace(program, &task.xcfa, task.property, path)
}

/// Inputs with which all conditions hold, by action.
fn inputs(
    program: &Program,
    terms: &mut Terms,
    ids: &[ActionId],
    patience: Duration,
) -> Option<Vec<Vec<u64>>> {
    let mut next = program.vars.len() as u32;
    let mut now: FxHashMap<VarId, Term> = FxHashMap::default();
    for (number, var) in program.vars.iter().enumerate() {
        let first = match var.init {
            Some(init) => terms.constant(var.sort, init),
            None => {
                next += 1;
                terms.var(VarId(next - 1), var.sort)
            }
        };
        now.insert(VarId(number as u32), first);
    }
    let mut conditions = Vec::new();
    let mut symbols = Vec::new();
    for &id in ids {
        let action = &program[id];
        let mut chosen = Vec::new();
        for input in &action.inputs {
            next += 1;
            let symbol = terms.var(VarId(next - 1), program.vars[input.symbol.0 as usize].sort);
            now.insert(input.symbol, symbol);
            chosen.push(symbol);
        }
        symbols.push(chosen);
        conditions.push(terms.substitute(action.guard, &now));
        let updates = action.updates.iter();
        let new: Vec<(VarId, Term)> = updates
            .map(|&(var, value)| (var, terms.substitute(value, &now)))
            .collect();
        now.extend(new);
    }
    let mut solver = Solver::new();
    solver.set_timeout(Some(patience));
    if solver.check(terms, &conditions) != Check::Sat {
        return None;
    }
    let of_action = |symbols: &Vec<Term>| -> Option<Vec<u64>> {
        symbols.iter().map(|&s| solver.value(terms, s)).collect()
    };
    symbols.iter().map(of_action).collect()
}
