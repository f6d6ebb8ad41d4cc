//! States of the predicates that are found by running the clauses.
//!
//! A run starts with a clause that has no body and takes one clause after the other, with inputs that are
//! guessed, or asked of a solver where guessing fails. A state that a run reaches belongs to every
//! solution, so it takes away what does not hold there much faster than a question about all states
//! could. Nothing else depends on runs: what they do not show, a solver is asked for.

use expr::{Env, Node, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{HornSystem, Reached, Rule};
use smt::{Check, Solver};
use statespace::Random;
use std::collections::BTreeMap;

/// So many runs, of so many steps at most.
const RUNS: usize = 60;
const LENGTH: usize = 30;

/// How often inputs are guessed before a solver is asked, and how often a solver is asked about a clause.
const GUESSES: usize = 6;
const QUESTIONS: usize = 12;

/// What one question may cost.
const EFFORT: u32 = 200_000;

/// So many runs go on from a state that a solver found.
const RUNS_ON: usize = 3;

/// Runs the clauses of a system in which no clause has more than one predicate in its body.
pub struct Runs {
    random: Random,
    /// The clauses without body.
    starts: Vec<usize>,
    /// By predicate: the clauses that start there.
    next: Vec<Vec<usize>>,
    /// By clause: its variables that are no parameters of its body.
    inputs: Vec<Vec<(VarId, Sort)>>,
    /// By clause: the constants in it.
    constants: Vec<Vec<u64>>,
    /// By clause: how often a solver may still be asked.
    patience: Vec<usize>,
}

/// Values of variables, on top of the addresses of a system.
struct Values<'a> {
    vars: FxHashMap<VarId, u64>,
    bases: &'a BTreeMap<ObjId, u64>,
}

impl Env for Values<'_> {
    fn var(&self, var: VarId) -> u64 {
        self.vars.get(&var).copied().unwrap_or(0)
    }

    fn base(&self, object: ObjId) -> u64 {
        self.bases.get(&object).copied().unwrap_or(0)
    }
}

/// The variables of a clause that its body does not give a value, and its constants.
fn free(terms: &Terms, system: &HornSystem, rule: &Rule) -> (Vec<(VarId, Sort)>, Vec<u64>) {
    let bodies = rule.body.iter();
    let given = bodies.flat_map(|body| system.predicates()[body.pred.index()].params.iter());
    let given: Vec<VarId> = given.filter_map(|&param| terms.as_var(param)).collect();
    let (mut vars, mut constants) = (BTreeMap::new(), Vec::new());
    let mut note = |term: Term| {
        terms.for_each_subterm(term, &mut |_, node| match node {
            Node::Var(var, sort) if !given.contains(&var) => {
                vars.insert(var, sort);
            }
            Node::Const(Sort::Bv(2..), bits) if !constants.contains(&bits) => constants.push(bits),
            _ => {}
        });
    };
    note(rule.constraint);
    for arg in rule.head.iter().flat_map(|head| head.args.iter()) {
        note(*arg);
    }
    (vars.into_iter().collect(), constants)
}

impl Runs {
    /// Nothing has been run yet.
    pub fn new(terms: &Terms, system: &HornSystem) -> Runs {
        let mut runs = Runs {
            random: Random::new(1),
            starts: Vec::new(),
            next: vec![Vec::new(); system.predicates().len()],
            inputs: Vec::new(),
            constants: Vec::new(),
            patience: vec![QUESTIONS; system.rules().len()],
        };
        for (number, rule) in system.rules().iter().enumerate() {
            match &rule.body[..] {
                [] => runs.starts.push(number),
                [body] => runs.next[body.pred.index()].push(number),
                // Such a clause is never taken.
                _ => {}
            }
            let (inputs, constants) = free(terms, system, rule);
            runs.inputs.push(inputs);
            runs.constants.push(constants);
        }
        runs
    }

    /// States that runs from the start reach.
    pub fn start(&mut self, terms: &mut Terms, system: &HornSystem) -> Vec<Reached> {
        let mut found = Vec::new();
        for _ in 0..RUNS {
            for start in self.starts.clone() {
                if let Some(first) = self.step(terms, system, start, None) {
                    self.run(terms, system, first, &mut found);
                }
            }
        }
        found
    }

    /// States that runs from a state reach.
    pub fn go_on(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        from: &Reached,
    ) -> Vec<Reached> {
        let mut found = Vec::new();
        for _ in 0..RUNS_ON {
            self.run(terms, system, from.clone(), &mut found);
        }
        found
    }

    fn run(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        from: Reached,
        found: &mut Vec<Reached>,
    ) {
        let mut here = from;
        for _ in 0..LENGTH {
            let mut clauses = self.next[here.0].clone();
            let mut after = None;
            while after.is_none() && !clauses.is_empty() {
                let chosen = clauses.swap_remove(self.random.below(clauses.len()));
                after = self.step(terms, system, chosen, Some(&here));
            }
            if !found.contains(&here) {
                found.push(here);
            }
            let Some(after) = after else { return };
            here = after;
        }
    }

    /// Takes a clause; nothing if it cannot be taken, or leads to no predicate.
    fn step(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        number: usize,
        from: Option<&Reached>,
    ) -> Option<Reached> {
        let rule = &system.rules()[number];
        let head = rule.head.as_ref()?;
        let mut values = Values {
            vars: FxHashMap::default(),
            bases: system.bases(),
        };
        let state = from.map_or(&[][..], |(_, state)| state);
        if let Some((at, _)) = from {
            let params = system.predicates()[*at].params.iter();
            let vars = params.filter_map(|&param| terms.as_var(param));
            values.vars.extend(vars.zip(state.iter().copied()));
        }
        let taken = self.guess(terms, rule, number, state, &mut values)
            || self.ask(terms, system, number, state, &mut values);
        if !taken {
            return None;
        }
        let args = head.args.iter();
        let after = args.map(|&arg| terms.eval(arg, &values)).collect();
        Some((head.pred.index(), after))
    }

    /// Guesses inputs.
    fn guess(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        number: usize,
        state: &[u64],
        values: &mut Values<'_>,
    ) -> bool {
        let tries = match self.inputs[number].is_empty() {
            true => 1,
            false => GUESSES,
        };
        (0..tries).any(|_| {
            for at in 0..self.inputs[number].len() {
                let (var, sort) = self.inputs[number][at];
                let value = self.draw(number, sort, state);
                values.vars.insert(var, value);
            }
            terms.eval(rule.constraint, values) == 1
        })
    }

    /// A value that may be of interest: small, or what something else is.
    fn draw(&mut self, number: usize, sort: Sort, state: &[u64]) -> u64 {
        let constants = &self.constants[number];
        let value = match self.random.below(8) {
            3 => (self.random.below(4) as u64).wrapping_neg(),
            4 if !constants.is_empty() => constants[self.random.below(constants.len())],
            5 => self.random.below(1 << 20) as u64,
            6.. if !state.is_empty() => state[self.random.below(state.len())],
            _ => self.random.below(6) as u64,
        };
        value & sort.mask()
    }

    /// Asks a solver for inputs, and changes what can be changed.
    fn ask(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        number: usize,
        state: &[u64],
        values: &mut Values<'_>,
    ) -> bool {
        if self.patience[number] == 0 || self.inputs[number].is_empty() {
            return false;
        }
        let rule = &system.rules()[number];
        let mut known = FxHashMap::default();
        let bodies = rule.body.iter();
        let params = bodies.flat_map(|body| &system.predicates()[body.pred.index()].params);
        for (&param, &bits) in params.zip(state) {
            let sort = terms.sort(param);
            if let Some(var) = terms.as_var(param) {
                known.insert(var, terms.constant(sort, bits));
            }
        }
        let constraint = terms.substitute(rule.constraint, &known);
        if terms.as_const(constraint) == Some(0) {
            return false;
        }
        self.patience[number] -= 1;
        let mut solver = Solver::new();
        solver.set_effort(EFFORT);
        for (&object, &base) in system.bases() {
            solver.bind_base(object, base);
        }
        solver.assert(terms, constraint);
        let Some(model) = (match solver.check(terms, &[]) {
            Check::Sat => solver.model(),
            _ => None,
        }) else {
            return false;
        };
        for &(var, _) in &self.inputs[number] {
            values.vars.insert(var, model.var(var));
        }
        for at in 0..self.inputs[number].len() {
            let (var, sort) = self.inputs[number][at];
            let other = self.draw(number, sort, state);
            let old = values.vars.insert(var, other);
            if terms.eval(rule.constraint, values) == 0 {
                values.vars.insert(var, old.unwrap_or(0));
            }
        }
        terms.eval(rule.constraint, values) == 1
    }
}
