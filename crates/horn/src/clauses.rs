//! The paper's own way to find locks and phases: as Horn clauses (HC1 and HC2 of section V).
//!
//! The data-flow passes in [`crate::locks`] and [`crate::blocks`] compute the same by following
//! actions. Here one unknown formula for each location says which locks its thread holds,
//! or whether the block is before its commit, and the smallest solution is the answer. What
//! the predicates of the paper do not mention is left out from the start. A condition that a lock
//! be free is kept, so a thread never takes what it holds; the passes ignore that.

use crate::movers::Mover;
use abstraction::{ActionId, Program};
use dataflow::BitSet;
use expr::{Sort, Term, Terms, VarId};
use smt::horn::{Application, Enumerated, HornSystem, PredId, Rule, enumerate};
use smt::{Check, Solver};
use std::time::Duration;
use xcfa::LocId;

/// All facts are derived in this time, or there is no answer.
const LIMIT: Duration = Duration::from_secs(10);

/// Truth values about each location, as unknown formulas.
struct Flow<'a> {
    program: &'a Program,
    system: HornSystem,
    params: Vec<Term>,
    preds: Vec<PredId>,
}

impl<'a> Flow<'a> {
    /// Nothing is known about this many truth values.
    fn new(program: &'a Program, terms: &mut Terms, values: usize) -> Flow<'a> {
        let first = program.vars.len() as u32;
        let params: Vec<Term> = (0..values as u32)
            .map(|number| terms.var(VarId(first + number), Sort::Bool))
            .collect();
        let mut system = HornSystem::new();
        let preds = (0..program.locations())
            .map(|loc| system.predicate(&format!("at{loc}"), params.clone()))
            .collect();
        Flow {
            program,
            system,
            params,
            preds,
        }
    }

    fn at(&self, loc: LocId, args: Vec<Term>) -> Application {
        let pred = self.preds[loc.0 as usize];
        Application { pred, args }
    }

    /// These values are possible at a location.
    fn fact(&mut self, terms: &mut Terms, loc: LocId, args: Vec<Term>) {
        let head = Some(self.at(loc, args));
        self.system
            .rule(Rule::new(Vec::new(), terms.bool(true), head));
    }

    /// An action leads from its source, if the constraint holds, with these values to its target.
    fn follow(&mut self, id: ActionId, constraint: Term, args: Vec<Term>) {
        let action = &self.program[id];
        let body = vec![self.at(action.source, self.params.clone())];
        let head = Some(self.at(action.target, args));
        self.system.rule(Rule::new(body, constraint, head));
    }

    /// The smallest solution, by location; nothing if it was not found in time.
    fn solve(&self, terms: &mut Terms) -> Option<Vec<Term>> {
        match enumerate(terms, &self.system, LIMIT)? {
            Enumerated::Solution(formulas) => Some(formulas),
            Enumerated::Falsity { .. } => None,
        }
    }
}

/// HC1: by location, the words that its thread holds whenever it is there; nothing for locations
/// to which it does not come. No answer if there are too many facts.
pub fn held(
    program: &Program,
    terms: &mut Terms,
    words: &BitSet,
    acquired: &[BitSet],
    released: &[BitSet],
) -> Option<Vec<Option<BitSet>>> {
    let words: Vec<usize> = words.iter().collect();
    let mut flow = Flow::new(program, terms, words.len());
    let free = vec![terms.bool(false); words.len()];
    for thread in &program.threads {
        flow.fact(terms, thread.init, free.clone());
    }
    for id in program.action_ids() {
        let (mut constraint, mut after) = (terms.bool(true), flow.params.clone());
        for (at, &word) in words.iter().enumerate() {
            if acquired[id.0 as usize].contains(word) {
                let is_free = terms.not(flow.params[at]);
                constraint = terms.and(constraint, is_free);
                after[at] = terms.bool(true);
            }
            if released[id.0 as usize].contains(word) {
                after[at] = terms.bool(false);
            }
        }
        flow.follow(id, constraint, after);
    }
    let formulas = flow.solve(terms)?;
    let mut solver = Solver::new();
    let mut excludes = |terms: &Terms, parts: &[Term]| solver.check(terms, parts) == Check::Unsat;
    let mut at = |formula: Term| {
        if excludes(terms, &[formula]) {
            return None;
        }
        let mut held = BitSet::new();
        for (&word, &param) in words.iter().zip(&flow.params) {
            let is_free = terms.not(param);
            if excludes(terms, &[formula, is_free]) {
                held.insert(word);
            }
        }
        Some(held)
    };
    Some(formulas.into_iter().map(&mut at).collect())
}

/// HC2: locations that can be reached before the commit of a block, and after it. A location that
/// is not inside begins a block; what happens to it there does not reach beyond it.
pub fn phases(
    program: &Program,
    terms: &mut Terms,
    kinds: &[Mover],
    is_inside: impl Fn(LocId) -> bool,
) -> Option<(BitSet, BitSet)> {
    let mut flow = Flow::new(program, terms, 1);
    let before = flow.params[0];
    let (yes, no) = (terms.bool(true), terms.bool(false));
    for loc in (0..program.locations()).map(|loc| LocId(loc as u32)) {
        if !is_inside(loc) {
            flow.fact(terms, loc, vec![yes]);
        }
    }
    for id in program.action_ids() {
        if is_inside(program[id].target) {
            let after = match kinds[id.0 as usize] {
                Mover::Right => yes,
                Mover::Both => before,
                Mover::Left | Mover::Non => no,
            };
            flow.follow(id, yes, vec![after]);
        }
    }
    let formulas = flow.solve(terms)?;
    let mut solver = Solver::new();
    let (mut early, mut late) = (BitSet::new(), BitSet::new());
    let not_before = terms.not(before);
    for (loc, formula) in formulas.into_iter().enumerate() {
        for (phase, found) in [(before, &mut early), (not_before, &mut late)] {
            if solver.check(terms, &[formula, phase]) != Check::Unsat {
                found.insert(loc);
            }
        }
    }
    Some((early, late))
}
