//! A path, executed symbolically.
//!
//! Most of a path is determined, so most conditions evaluate as they are met. Only what is left
//! over is shown to a solver; and the contradiction, once found, is examined again with every
//! assignment that it depends on as a formula of its own, so that a small core can be found.

use super::core::{Core, Item};
use crate::steps::Steps;
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Check, Solver};
use std::time::{Duration, Instant};

/// The result of checking a path.
pub enum Solved {
    /// By step: what the environment may have chosen ([`abstraction::Action::chosen`]).
    Model(Vec<Vec<u64>>),
    Core(Core),
    Unknown(String),
}

/// A core is made smaller with at most this many questions.
const MOST_TRIALS: usize = 120;

/// An assignment, condition or initial value of the path.
struct Part {
    item: Item,
    /// In single assignment form.
    formula: Term,
    /// The parts that set what it reads, by number.
    reads: Vec<usize>,
    /// The variables that it reads, with their symbols.
    symbols: FxHashMap<VarId, Term>,
}

/// The value of a variable at some point.
#[derive(Clone, Copy)]
struct Version {
    /// Over inputs, as far as it can be evaluated.
    value: Term,
    symbol: Term,
    /// The part that sets it.
    part: Option<usize>,
}

/// A path in the middle of its execution.
pub struct Path<'a> {
    steps: &'a Steps<'a>,
    terms: &'a mut Terms,
    now: FxHashMap<VarId, Version>,
    parts: Vec<Part>,
    /// Conditions that have not been evaluated: the number of the part, and what is left of it.
    open: Vec<(usize, Term)>,
    /// By step: what the environment may have chosen.
    chosen: Vec<Vec<Term>>,
    /// The next number for a symbol.
    next: u32,
    pub calls: u64,
}

impl<'a> Path<'a> {
    pub fn new(steps: &'a Steps<'a>, terms: &'a mut Terms) -> Path<'a> {
        Path {
            next: steps.vars.len() as u32,
            steps,
            terms,
            now: FxHashMap::default(),
            parts: Vec::new(),
            open: Vec::new(),
            chosen: Vec::new(),
            calls: 0,
        }
    }

    /// A model, or a small core.
    pub fn solve(&mut self, patience: Duration) -> Solved {
        for step in 0..self.steps.actions.len() {
            if let Some(failed) = self.step(step) {
                return Solved::Core(self.small_core(&[failed], patience));
            }
        }
        let mut solver = Solver::new();
        solver.set_timeout(Some(patience));
        let conditions: Vec<Term> = self.open.iter().map(|&(_, left)| left).collect();
        self.calls += 1;
        match solver.check(self.terms, &conditions) {
            Check::Unknown(why) => Solved::Unknown(why),
            Check::Sat => match self.model(&mut solver) {
                Some(model) => Solved::Model(model),
                None => Solved::Unknown("a model without values".into()),
            },
            Check::Unsat => {
                let core: FxHashSet<Term> =
                    solver.core().unwrap_or_default().iter().copied().collect();
                let open = self.open.iter();
                let failed = open.filter(|(_, left)| core.contains(left));
                let failed: Vec<usize> = failed.map(|&(part, _)| part).collect();
                Solved::Core(self.small_core(&failed, patience))
            }
        }
    }

    fn model(&self, solver: &mut Solver) -> Option<Vec<Vec<u64>>> {
        let of_step = |step: &Vec<Term>| -> Option<Vec<u64>> {
            let values = step.iter().map(|&value| solver.value(self.terms, value));
            values.collect()
        };
        self.chosen.iter().map(of_step).collect()
    }

    /// Executes a step; gives the part that cannot be, if there is one.
    fn step(&mut self, step: usize) -> Option<usize> {
        let steps = self.steps;
        let action = &steps.actions[step];
        for input in &action.inputs {
            let symbol = self.symbol(steps.vars[input.symbol.0 as usize].sort);
            let version = Version {
                value: symbol,
                symbol,
                part: None,
            };
            self.now.insert(input.symbol, version);
        }
        let chosen = action.chosen.iter();
        let chosen = chosen.map(|&(_, value)| self.read(Item::Guard(step, 0), value).0);
        let chosen = chosen.collect();
        self.chosen.push(chosen);
        for (number, part) in self.terms.conjuncts(action.guard).into_iter().enumerate() {
            let (value, part) = self.read(Item::Guard(step, number), part);
            match self.terms.as_const(value) {
                Some(0) => return Some(self.add(part)),
                Some(_) => {}
                None => {
                    let part = self.add(part);
                    self.open.push((part, value));
                }
            }
        }
        let mut after = Vec::new();
        for &(var, value) in &action.updates {
            let (value, mut part) = self.read(Item::Update(step, var), value);
            let symbol = self.symbol(steps.vars[var.0 as usize].sort);
            part.formula = self.terms.eq(symbol, part.formula);
            let part = Some(self.add(part));
            let version = Version {
                value,
                symbol,
                part,
            };
            after.push((var, version));
        }
        self.now.extend(after);
        None
    }

    fn add(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn symbol(&mut self, sort: Sort) -> Term {
        self.next += 1;
        self.terms.var(VarId(self.next - 1), sort)
    }

    /// A term as a value, and as a part of the path.
    fn read(&mut self, item: Item, term: Term) -> (Term, Part) {
        let mut values = FxHashMap::default();
        let mut symbols = FxHashMap::default();
        let mut reads = Vec::new();
        for var in self.terms.vars(term) {
            let version = match self.now.get(&var) {
                Some(version) => *version,
                None => self.first_version(var),
            };
            values.insert(var, version.value);
            symbols.insert(var, version.symbol);
            reads.extend(version.part);
        }
        let value = self.terms.substitute(term, &values);
        let part = Part {
            item,
            formula: self.terms.substitute(term, &symbols),
            reads,
            symbols,
        };
        (value, part)
    }

    fn first_version(&mut self, var: VarId) -> Version {
        let about = &self.steps.vars[var.0 as usize];
        let (sort, init) = (about.sort, about.init);
        let symbol = self.symbol(sort);
        let version = match init {
            None => Version {
                value: symbol,
                symbol,
                part: None,
            },
            Some(init) => {
                let value = self.terms.constant(sort, init);
                let formula = self.terms.eq(symbol, value);
                let part = Some(self.add(Part {
                    item: Item::Init(var),
                    formula,
                    reads: Vec::new(),
                    symbols: FxHashMap::default(),
                }));
                Version {
                    value,
                    symbol,
                    part,
                }
            }
        };
        self.now.insert(var, version);
        version
    }

    /// The failed conditions and everything they depend on.
    fn slice(&self, failed: &[usize]) -> Vec<usize> {
        let mut inside: FxHashSet<usize> = failed.iter().copied().collect();
        let mut work = failed.to_vec();
        while let Some(part) = work.pop() {
            for &read in &self.parts[part].reads {
                if inside.insert(read) {
                    work.push(read);
                }
            }
        }
        let mut slice: Vec<usize> = inside.into_iter().collect();
        slice.sort_unstable();
        slice
    }

    /// Leaves out parts one by one as long as the rest is still a contradiction.
    fn small_core(&mut self, failed: &[usize], patience: Duration) -> Core {
        let deadline = Instant::now() + patience / 4;
        let slice = self.slice(failed);
        let mut core: Vec<Term> = slice.iter().map(|&part| self.parts[part].formula).collect();
        let mut solver = Solver::new();
        solver.set_timeout(Some(patience / 4));
        self.calls += 1;
        if solver.check(self.terms, &core) == Check::Unsat {
            core = solver.core().unwrap_or_default().to_vec();
            let mut at = 0;
            let mut trials = 0;
            while at < core.len() && trials < MOST_TRIALS && Instant::now() < deadline {
                let mut fewer = core.clone();
                fewer.remove(at);
                trials += 1;
                self.calls += 1;
                match solver.check(self.terms, &fewer) {
                    // What is in front has been found necessary and stays necessary.
                    Check::Unsat => core = solver.core().unwrap_or_default().to_vec(),
                    Check::Sat | Check::Unknown(_) => at += 1,
                }
            }
        }
        let core: FxHashSet<Term> = core.into_iter().collect();
        let parts = slice.iter().map(|&part| &self.parts[part]);
        let parts: Vec<&Part> = parts.filter(|part| core.contains(&part.formula)).collect();
        let free = self.free(&parts);
        Core::new(parts.iter().map(|part| part.item).collect(), free)
    }

    /// The variables that parts of several steps look at though none of the parts sets them.
    fn free(&self, parts: &[&Part]) -> Vec<VarId> {
        let mut first: FxHashMap<Term, usize> = FxHashMap::default();
        let mut free = Vec::new();
        for part in parts {
            let (Item::Guard(step, _) | Item::Update(step, _)) = part.item else {
                continue;
            };
            let mut symbols: Vec<_> = part.symbols.iter().collect();
            symbols.sort_unstable();
            for (&var, &symbol) in symbols {
                let known = *first.entry(symbol).or_insert(step);
                let is_state = !self.steps.vars[var.0 as usize].input;
                if known != step && is_state && !free.contains(&var) {
                    free.push(var);
                }
            }
        }
        let set = |var: &VarId| {
            let mut items = parts.iter().map(|part| part.item);
            items.any(|item| matches!(item, Item::Init(v) | Item::Update(_, v) if v == *var))
        };
        free.retain(|var| !set(var));
        free
    }
}
