//! A path as a formula in single assignment form.

use super::core::{Core, Item};
use analysis::{ActionId, Program};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Check, Solver};
use std::time::{Duration, Instant};

/// What the solver says about a path.
pub enum Solved {
    /// By step: the values of its inputs.
    Model(Vec<Vec<u64>>),
    Core(Core),
    Unknown(String),
}

/// A core is made smaller with at most so many questions.
const MOST_TRIALS: usize = 120;

/// The formula of a path.
pub struct Path {
    /// Its parts as formulas.
    items: Vec<(Item, Term)>,
    /// By step: the symbols of its inputs.
    inputs: Vec<Vec<Term>>,
    solver: Solver,
}

struct Builder<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    /// What stands for the variable now.
    now: FxHashMap<VarId, Term>,
    items: Vec<(Item, Term)>,
    /// The next number for a symbol.
    next: u32,
}

impl Path {
    pub fn new(program: &Program, terms: &mut Terms, actions: &[ActionId]) -> Path {
        let needed = needed_updates(program, terms, actions);
        let mut builder = Builder {
            program,
            terms,
            now: FxHashMap::default(),
            items: Vec::new(),
            next: program.vars.len() as u32,
        };
        let mut inputs = Vec::new();
        for (step, &action) in actions.iter().enumerate() {
            inputs.push(builder.step(step, action, &needed[step]));
        }
        Path {
            items: builder.items,
            inputs,
            solver: Solver::new(),
        }
    }

    pub fn calls(&self) -> u64 {
        self.solver.counters().checks
    }

    /// A model, or a small core.
    pub fn solve(&mut self, terms: &Terms, patience: Option<Duration>) -> Solved {
        self.solver.set_timeout(patience);
        let formulas: Vec<Term> = self.items.iter().map(|&(_, formula)| formula).collect();
        match self.solver.check(terms, &formulas) {
            Check::Sat => match self.model(terms) {
                Some(model) => Solved::Model(model),
                None => Solved::Unknown("a model without values".into()),
            },
            Check::Unknown(why) => Solved::Unknown(why),
            Check::Unsat => Solved::Core(self.small_core(terms, patience)),
        }
    }

    fn model(&mut self, terms: &Terms) -> Option<Vec<Vec<u64>>> {
        let mut values = Vec::new();
        for step in &self.inputs {
            let mut of_step = Vec::new();
            for &input in step {
                of_step.push(self.solver.value(terms, input)?);
            }
            values.push(of_step);
        }
        Some(values)
    }

    /// Leaves out parts one by one as long as the rest is still a contradiction.
    fn small_core(&mut self, terms: &Terms, patience: Option<Duration>) -> Core {
        let deadline = patience.map(|patience| Instant::now() + patience / 4);
        let mut core: Vec<Term> = self.solver.core().unwrap_or_default().to_vec();
        let mut at = 0;
        let mut trials = 0;
        while at < core.len() && trials < MOST_TRIALS {
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                break;
            }
            let mut fewer = core.clone();
            fewer.remove(at);
            trials += 1;
            match self.solver.check(terms, &fewer) {
                Check::Unsat => {
                    let left = self.solver.core().unwrap_or_default().to_vec();
                    // What is in front has been found necessary and stays necessary.
                    core = left;
                }
                Check::Sat | Check::Unknown(_) => at += 1,
            }
        }
        let core: FxHashSet<Term> = core.into_iter().collect();
        let items = self.items.iter();
        let items = items.filter(|(_, formula)| core.contains(formula));
        Core::new(items.map(|&(item, _)| item).collect())
    }
}

impl Builder<'_> {
    fn step(&mut self, step: usize, action: ActionId, needed: &FxHashSet<VarId>) -> Vec<Term> {
        let program = self.program;
        let action = &program[action];
        let mut inputs = Vec::new();
        for input in &action.inputs {
            let symbol = self.symbol(program.vars[input.symbol.0 as usize].sort);
            self.now.insert(input.symbol, symbol);
            inputs.push(symbol);
        }
        for (number, part) in conjuncts(self.terms, action.guard).into_iter().enumerate() {
            let formula = self.read(part);
            self.items.push((Item::Guard(step, number), formula));
        }
        let mut after = Vec::new();
        for &(var, value) in &action.updates {
            if needed.contains(&var) {
                let value = self.read(value);
                let symbol = self.symbol(program.vars[var.0 as usize].sort);
                let formula = self.terms.eq(symbol, value);
                self.items.push((Item::Update(step, var), formula));
                after.push((var, symbol));
            }
        }
        self.now.extend(after);
        inputs
    }

    fn symbol(&mut self, sort: Sort) -> Term {
        self.next += 1;
        self.terms.var(VarId(self.next - 1), sort)
    }

    /// The term over the symbols of this moment.
    fn read(&mut self, term: Term) -> Term {
        for var in self.terms.vars(term) {
            if self.now.contains_key(&var) {
                continue;
            }
            let about = &self.program.vars[var.0 as usize];
            let (sort, init) = (about.sort, about.init);
            let symbol = self.symbol(sort);
            if let Some(init) = init {
                let value = self.terms.constant(sort, init);
                let formula = self.terms.eq(symbol, value);
                self.items.push((Item::Init(var), formula));
            }
            self.now.insert(var, symbol);
        }
        self.terms.substitute(term, &self.now)
    }
}

/// The parts of a conjunction.
pub fn conjuncts(terms: &mut Terms, cond: Term) -> Vec<Term> {
    match terms.node(cond) {
        Node::Binary(Op::And, a, b) => {
            let mut parts = conjuncts(terms, a);
            parts.extend(conjuncts(terms, b));
            parts
        }
        Node::Const(_, 1) => Vec::new(),
        Node::Unary(Op::Not, inner) => match terms.node(inner) {
            Node::Binary(Op::Or, a, b) => {
                let (a, b) = (terms.not(a), terms.not(b));
                let mut parts = conjuncts(terms, a);
                parts.extend(conjuncts(terms, b));
                parts
            }
            _ => vec![cond],
        },
        _ => vec![cond],
    }
}

/// By step: the variables whose new values a later condition depends on.
fn needed_updates(program: &Program, terms: &Terms, actions: &[ActionId]) -> Vec<FxHashSet<VarId>> {
    let mut wanted: FxHashSet<VarId> = FxHashSet::default();
    let mut needed = vec![FxHashSet::default(); actions.len()];
    for (step, &action) in actions.iter().enumerate().rev() {
        let action = &program[action];
        let mut reads = terms.vars(action.guard);
        for &(var, value) in &action.updates {
            if wanted.remove(&var) {
                needed[step].insert(var);
                reads.extend(terms.vars(value));
            }
        }
        wanted.extend(reads);
    }
    needed
}
