//! Locations that a thread can always leave.
//!
//! A reduction that runs some threads first has to be sure that one of them can run, whatever the
//! values are that the abstraction does not know; otherwise it would wait for ever for a thread
//! that is stuck, and lose what the others do.

use crate::{ActionId, Program};
use expr::{Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Check, Solver};
use xcfa::LocId;

/// The effort per query; an unanswered query counts as false. It is no time limit, so that the same
/// query always has the same answer. Conditions are easy or very hard, with little in between.
const EFFORT: u32 = 100_000;

/// By location: can a thread there move in every state?
///
/// An atomic section counts as one step, so it must be possible to get through it.
pub fn always_enabled_locations(program: &Program, terms: &mut Terms) -> Vec<bool> {
    let mut solver = Solver::new();
    solver.set_effort(EFFORT);
    let mut total: Vec<bool> = (0..program.locations())
        .map(|loc| covers(program, terms, &mut solver, program.out(LocId(loc as u32))))
        .collect();
    let plain = total.clone();
    for (loc, is_total) in total.iter_mut().enumerate() {
        let sections = program.out(LocId(loc as u32)).iter();
        let mut sections = sections.filter(|&&action| program[action].nesting > 0);
        *is_total &= sections.all(|&action| passes_through(program, &plain, action));
    }
    total
}

/// Does one of the conditions hold in every state? Inputs may be chosen as needed, so the same
/// places of different edges may as well get the same inputs.
fn covers(program: &Program, terms: &mut Terms, solver: &mut Solver, out: &[ActionId]) -> bool {
    let mut any = terms.bool(false);
    let mut shared: FxHashMap<(usize, expr::Sort), VarId> = FxHashMap::default();
    for &action in out {
        let guard = same_inputs(program, terms, action, &mut shared);
        any = terms.or(any, guard);
    }
    match terms.as_const(any) {
        Some(value) => value != 0,
        None => {
            let none = terms.not(any);
            solver.check(terms, &[none]) == Check::Unsat
        }
    }
}

fn same_inputs(
    program: &Program,
    terms: &mut Terms,
    action: ActionId,
    shared: &mut FxHashMap<(usize, expr::Sort), VarId>,
) -> Term {
    let action = &program[action];
    let mut renamed = FxHashMap::default();
    for (place, input) in action.inputs.iter().enumerate() {
        let sort = program.vars[input.symbol.0 as usize].sort;
        let symbol = *shared.entry((place, sort)).or_insert(input.symbol);
        renamed.insert(input.symbol, terms.var(symbol, sort));
    }
    terms.substitute(action.guard, &renamed)
}

/// Can a section that begins with this action always be left again?
fn passes_through(program: &Program, total: &[bool], action: ActionId) -> bool {
    let first = &program[action];
    let mut work = vec![(first.target, first.depth_after(0))];
    let mut seen: FxHashSet<(LocId, i32)> = work.iter().copied().collect();
    while let Some((loc, depth)) = work.pop() {
        if !total[loc.0 as usize] && program.error(loc).is_none() {
            return false;
        }
        for &next in program.out(loc) {
            let next = &program[next];
            if next.backward {
                return false;
            }
            let depth = next.depth_after(depth);
            if depth > 0 && seen.insert((next.target, depth)) {
                work.push((next.target, depth));
            }
        }
    }
    true
}
