//! Locations that a thread can always leave.
//!
//! A reduction that runs some threads first has to be sure that one of them can run, whatever the
//! values are that the abstraction does not know; otherwise it would wait for ever for a thread
//! that is stuck, and lose what the others do.

use crate::{ActionId, Evaluator, Program};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Check, Solver};
use verdict::Budget;
use xcfa::LocId;

/// The effort per query; an unanswered query counts as false. It is no time limit, so that the same
/// query always has the same answer. Conditions are easy or very hard, with little in between.
const EFFORT: u32 = 100_000;

/// By location: can a thread there move in every state? No, where there is no time to ask.
///
/// An atomic section counts as one step, so it must be possible to get through it.
pub fn always_enabled_locations(
    program: &Program,
    terms: &mut Terms,
    budget: &Budget,
) -> Vec<bool> {
    let mut coverage = Coverage::new(program);
    let mut covers = |loc| {
        budget.exceeded(0).is_none() && coverage.covers(terms, program.out(LocId(loc as u32)))
    };
    let mut total: Vec<bool> = (0..program.locations()).map(&mut covers).collect();
    let plain = total.clone();
    for (loc, is_total) in total.iter_mut().enumerate() {
        let sections = program.out(LocId(loc as u32)).iter();
        let mut sections = sections.filter(|&&action| program[action].nesting > 0);
        *is_total &= sections.all(|&action| passes_through(program, &plain, action));
    }
    total
}

/// How many states are tried before a solver is asked.
const TRIES: u64 = 8;

/// Asks whether one of some conditions holds in every state: the cheapest way first.
struct Coverage<'a> {
    program: &'a Program,
    solver: Solver,
    evaluator: Evaluator,
    /// Boolean variables that stand for comparisons.
    atoms: FxHashMap<Term, Term>,
}

impl Coverage<'_> {
    fn new(program: &Program) -> Coverage<'_> {
        let mut solver = Solver::new();
        solver.set_effort(EFFORT);
        Coverage {
            program,
            solver,
            evaluator: Evaluator::default(),
            atoms: FxHashMap::default(),
        }
    }

    /// Does one of the conditions hold in every state? Inputs may be chosen as needed, so the same
    /// places of different edges may as well get the same inputs.
    fn covers(&mut self, terms: &mut Terms, out: &[ActionId]) -> bool {
        let mut any = terms.bool(false);
        let mut shared: FxHashMap<(usize, Sort), VarId> = FxHashMap::default();
        for &action in out {
            let guard = same_inputs(self.program, terms, action, &mut shared);
            any = terms.or(any, guard);
        }
        if let Some(value) = terms.as_const(any) {
            return value != 0;
        }
        if self.fails_somewhere(terms, any) {
            return false;
        }
        // Guards that are large exclude each other by their structure; their numbers need not be known.
        let skeleton = self.skeleton(terms, any);
        self.is_valid(terms, skeleton) || self.is_valid(terms, any)
    }

    /// Is it false in one of a few states?
    fn fails_somewhere(&mut self, terms: &Terms, condition: Term) -> bool {
        (0..TRIES).any(|state| {
            let value = |var: VarId| {
                let sort = self.program.vars[var.0 as usize].sort;
                Some(drawn(state, var) & sort.mask())
            };
            self.evaluator.forget();
            self.evaluator.eval(terms, condition, &value) == Some(0)
        })
    }

    fn is_valid(&mut self, terms: &mut Terms, condition: Term) -> bool {
        let fails = terms.not(condition);
        self.solver.check(terms, &[fails]) == Check::Unsat
    }

    /// The condition with a Boolean variable for every comparison. If it holds for all their values, so
    /// does the condition.
    fn skeleton(&mut self, terms: &mut Terms, condition: Term) -> Term {
        if let Some(&known) = self.atoms.get(&condition) {
            return known;
        }
        let is_bool = |terms: &Terms, term| terms.sort(term) == Sort::Bool;
        let skeleton = match terms.node(condition) {
            Node::Const(..) | Node::Var(..) => condition,
            Node::Unary(Op::Not, a) => {
                let a = self.skeleton(terms, a);
                terms.not(a)
            }
            Node::Binary(op @ (Op::And | Op::Or | Op::Eq), a, b) if is_bool(terms, a) => {
                let (a, b) = (self.skeleton(terms, a), self.skeleton(terms, b));
                terms.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let c = self.skeleton(terms, c);
                let (a, b) = (self.skeleton(terms, a), self.skeleton(terms, b));
                terms.ite(c, a, b)
            }
            _ => {
                let fresh = self.program.vars.len() + self.atoms.len();
                terms.var(VarId(fresh as u32), Sort::Bool)
            }
        };
        self.atoms.insert(condition, skeleton);
        skeleton
    }
}

/// The value of a variable in one of the states that are tried: all zeros, all ones, or any numbers.
fn drawn(state: u64, var: VarId) -> u64 {
    match state {
        0 => 0,
        1 => u64::MAX,
        2 => 1,
        _ => {
            // A step of the generator `splitmix64`: small numbers are likely to meet small constants.
            let mixed = (u64::from(var.0) << 8 | state).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29) % if state.is_multiple_of(2) { 4 } else { u64::MAX }
        }
    }
}

fn same_inputs(
    program: &Program,
    terms: &mut Terms,
    action: ActionId,
    shared: &mut FxHashMap<(usize, Sort), VarId>,
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
