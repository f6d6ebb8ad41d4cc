//! Sequence interpolants of a core, from Spacer.
//!
//! Between any two steps of the core there is an unknown relation over the variables that carry the
//! contradiction. Spacer solves the chain, and the solution says what has to be known where.

use super::Unreal;
use super::core::Item;
use crate::steps::Steps;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Application, HornAnswer, HornSystem, PredId, Rule, solve};
use std::time::Duration;

/// Spacer is asked for no longer than this about one path.
const LONGEST: Duration = Duration::from_secs(10);

/// One formula between each two steps of the core; nothing if Spacer gives up.
pub fn interpolants(unreal: &Unreal<'_>, terms: &mut Terms) -> Vec<Term> {
    let steps = unreal.steps;
    let carriers = unreal.core.carriers();
    let params = carriers.iter().map(|&var| read(steps, terms, var));
    let mut chain = Chain {
        unreal,
        params: params.collect(),
        next: steps.vars.len() as u32,
        system: HornSystem::new(),
        last: None,
        carriers,
    };
    chain.start(terms);
    for step in 0..steps.actions.len() {
        chain.step(terms, step);
    }
    let constraint = terms.bool(true);
    chain
        .system
        .rule(Rule::new(chain.before(), constraint, None));
    match solve(terms, &chain.system, Some(unreal.patience.min(LONGEST))) {
        HornAnswer::Solution(formulas) => formulas,
        HornAnswer::Refuted(_) | HornAnswer::Unknown(_) => Vec::new(),
    }
}

fn read(steps: &Steps<'_>, terms: &mut Terms, var: VarId) -> Term {
    terms.var(var, steps.vars[var.0 as usize].sort)
}

/// The chain of rules, as far as it has been built.
struct Chain<'a> {
    unreal: &'a Unreal<'a>,
    carriers: Vec<VarId>,
    /// The carriers, as terms.
    params: Vec<Term>,
    /// The next number for a symbol.
    next: u32,
    system: HornSystem,
    last: Option<PredId>,
}

impl Chain<'_> {
    fn anything(&mut self, terms: &mut Terms, var: VarId) -> Term {
        self.next += 1;
        terms.var(
            VarId(self.next),
            self.unreal.steps.vars[var.0 as usize].sort,
        )
    }

    /// What is known so far, about the variables as they are now.
    fn before(&self) -> Vec<Application> {
        let args = self.params.clone();
        let known = self.last.map(|pred| Application { pred, args });
        known.into_iter().collect()
    }

    fn link(&mut self, constraint: Term, args: Vec<Term>) {
        let body = self.before();
        let name = format!("before {}", self.system.predicates().len());
        let pred = self.system.predicate(&name, self.params.clone());
        let head = Some(Application { pred, args });
        self.system.rule(Rule::new(body, constraint, head));
        self.last = Some(pred);
    }

    fn start(&mut self, terms: &mut Terms) {
        let mut args = Vec::new();
        for var in self.carriers.clone() {
            let about = &self.unreal.steps.vars[var.0 as usize];
            args.push(match about.init {
                Some(init) if self.unreal.core.contains(Item::Init(var)) => {
                    terms.constant(about.sort, init)
                }
                _ => self.anything(terms, var),
            });
        }
        let truth = terms.bool(true);
        self.link(truth, args);
    }

    /// A step of which nothing is in the core still overwrites variables.
    fn step(&mut self, terms: &mut Terms, step: usize) {
        let Unreal { steps, core, .. } = self.unreal;
        let action = &steps.actions[step];
        let parts = terms.conjuncts(action.guard).into_iter().enumerate();
        let parts: Vec<Term> = parts
            .filter(|(number, _)| core.contains(Item::Guard(step, *number)))
            .map(|(_, part)| part)
            .collect();
        let updates: FxHashMap<VarId, Term> = action.updates.iter().copied().collect();
        let mut args = Vec::new();
        let mut idle = parts.is_empty();
        for var in self.carriers.clone() {
            args.push(match updates.get(&var) {
                None => read(steps, terms, var),
                Some(&value) => {
                    idle = false;
                    match core.contains(Item::Update(step, var)) {
                        true => value,
                        false => self.anything(terms, var),
                    }
                }
            });
        }
        if !idle {
            let guard = terms.and_all(parts);
            self.link(guard, args);
        }
    }
}
