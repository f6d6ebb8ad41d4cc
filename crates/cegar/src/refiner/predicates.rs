//! Predicates that rule a path out, from its contradicting parts.

use super::Unreal;
use super::core::Item;
use crate::steps::Steps;
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A predicate with more parts than this is useless.
const MOST_PARTS: usize = 120;

/// Collects predicates, each once and never with its negation.
#[derive(Default)]
struct Found {
    predicates: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Found {
    /// Takes the atoms of a formula over the program's variables only.
    fn atoms(&mut self, steps: &Steps<'_>, terms: &mut Terms, formula: Term) {
        match terms.node(formula) {
            Node::Const(..) => {}
            Node::Unary(Op::Not, a) => self.atoms(steps, terms, a),
            Node::Binary(Op::And | Op::Or, a, b) => {
                self.atoms(steps, terms, a);
                self.atoms(steps, terms, b);
            }
            Node::Binary(Op::Eq, a, b) if terms.sort(a) == Sort::Bool => {
                self.atoms(steps, terms, a);
                self.atoms(steps, terms, b);
            }
            Node::Ite(c, a, b) => {
                for part in [c, a, b] {
                    self.atoms(steps, terms, part);
                }
            }
            _ => self.atom(steps, terms, formula),
        }
    }

    fn atom(&mut self, steps: &Steps<'_>, terms: &Terms, atom: Term) {
        if !self.seen.insert(atom) {
            return;
        }
        let is_state = |var: &VarId| {
            let about = steps.vars.get(var.0 as usize);
            about.is_some_and(|about| !about.input)
        };
        let mut parts = 0;
        terms.for_each_subterm(atom, &mut |_, _| parts += 1);
        if parts <= MOST_PARTS && terms.vars(atom).iter().all(is_state) {
            self.predicates.push(atom);
        }
    }
}

/// What formulas are made of.
pub fn of_formulas(unreal: &Unreal<'_>, terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let steps = unreal.steps;
    let mut found = Found::default();
    for &formula in formulas {
        found.atoms(steps, terms, formula);
    }
    found.predicates
}

/// What must not hold before each step if the rest of the core is to fail: backwards from the end.
pub fn weakest(unreal: &Unreal<'_>, terms: &mut Terms) -> Vec<Term> {
    let (steps, core) = (unreal.steps, &unreal.core);
    let mut found = Found::default();
    // Conditions of the core behind this point, in terms of the variables here.
    let mut pending: Vec<Term> = Vec::new();
    let mut dead = steps.vars.len() as u32;
    for (step, action) in steps.actions.iter().enumerate().rev() {
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for &(var, value) in &action.updates {
            let value = match core.contains(Item::Update(step, var)) {
                true => value,
                false => {
                    dead += 1;
                    terms.var(VarId(dead), steps.vars[var.0 as usize].sort)
                }
            };
            with.insert(var, value);
        }
        for cond in &mut pending {
            *cond = terms.substitute(*cond, &with);
        }
        for (number, part) in terms.conjuncts(action.guard).into_iter().enumerate() {
            if core.contains(Item::Guard(step, number)) {
                pending.push(part);
            }
        }
        // Inputs of this step do not exist before it.
        let mut fresh: FxHashMap<VarId, Term> = FxHashMap::default();
        for input in &action.inputs {
            dead += 1;
            let sort = steps.vars[input.symbol.0 as usize].sort;
            fresh.insert(input.symbol, terms.var(VarId(dead), sort));
        }
        for cond in &mut pending {
            *cond = terms.substitute(*cond, &fresh);
            found.atoms(steps, terms, *cond);
        }
        pending.retain(|&cond| terms.as_const(cond).is_none());
    }
    found.predicates
}

/// What holds after each step of the core: forwards from the start.
pub fn strongest(unreal: &Unreal<'_>, terms: &mut Terms) -> Vec<Term> {
    let (steps, core) = (unreal.steps, &unreal.core);
    let mut found = Found::default();
    for item in core.items() {
        if let Item::Init(var) = item {
            let about = &steps.vars[var.0 as usize];
            let value = terms.constant(about.sort, about.init.unwrap_or(0));
            equation(steps, terms, *var, value, &mut found);
        }
    }
    for (step, action) in steps.actions.iter().enumerate() {
        for (number, part) in terms.conjuncts(action.guard).into_iter().enumerate() {
            if core.contains(Item::Guard(step, number)) {
                found.atoms(steps, terms, part);
            }
        }
        for &(var, value) in &action.updates {
            if core.contains(Item::Update(step, var)) && !terms.vars(value).contains(&var) {
                equation(steps, terms, var, value, &mut found);
            }
        }
    }
    found.predicates
}

fn equation(steps: &Steps<'_>, terms: &mut Terms, var: VarId, value: Term, found: &mut Found) {
    let sort = steps.vars[var.0 as usize].sort;
    let read = terms.var(var, sort);
    let equal = terms.eq(read, value);
    found.atoms(steps, terms, equal);
}
