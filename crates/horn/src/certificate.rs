//! Invariants to be checked again: a formula for each unknown of the clauses.
//!
//! The clauses are made anew from the program, and every one of them is checked with the formulas
//! by a plain solver. So nothing in a certificate is trusted: its numbers only say which clauses to
//! make, and they matter only for whether the check succeeds.

use crate::attempts::Proved;
use crate::{Config, Inference};
use expr::{Portable, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use smt::horn::HornSystem;

/// What the invariants of a proof are about.
#[derive(Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// How often loops that start threads are unrolled; 0 if their threads are templates.
    pub rounds: u32,
    /// Are actions merged into blocks?
    pub reduction: bool,
    /// How locks and phases were found, on which the blocks depend.
    pub inference: Inference,
    /// No error is reached.
    pub errors: Part,
    /// No execution goes on beyond the unrolling, if there is one.
    pub unwound: Option<Part>,
}

/// Why some locations are out of reach.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part {
    /// How many threads an invariant is about.
    pub index: usize,
    /// By unknown: a formula over its parameters, which are numbered.
    solution: Vec<Portable>,
}

impl Certificate {
    /// As engines hand it over.
    pub fn of(rounds: u32, config: &Config, errors: &Proved, unwound: Option<&Proved>) -> Value {
        let part = |proved: &Proved| Part {
            index: proved.index,
            solution: proved.solution.clone(),
        };
        let certificate = Certificate {
            rounds,
            reduction: config.reduction,
            inference: config.inference,
            errors: part(errors),
            unwound: unwound.map(part),
        };
        // Numbers, names and lists: nothing of this can fail to become a value.
        serde_json::to_value(&certificate).unwrap_or_default()
    }
}

/// The formulas with their parameters numbered, so that it does not matter what they were called.
pub fn portable(terms: &mut Terms, system: &HornSystem, solution: &[Term]) -> Vec<Portable> {
    let mut formulas = Vec::new();
    for (predicate, &formula) in system.predicates().iter().zip(solution) {
        let mut numbers = FxHashMap::default();
        for (at, &param) in predicate.params.iter().enumerate() {
            let sort = terms.sort(param);
            if let Some(var) = terms.as_var(param) {
                numbers.insert(var, terms.var(VarId(at as u32), sort));
            }
        }
        let numbered = terms.substitute(formula, &numbers);
        formulas.push(Portable::of(terms, &[numbered]));
    }
    formulas
}

impl Part {
    /// The formulas over the parameters of the clauses; nothing if they do not fit.
    pub fn formulas(&self, terms: &mut Terms, system: &HornSystem) -> Option<Vec<Term>> {
        if self.solution.len() != system.predicates().len() {
            return None;
        }
        let both = system.predicates().iter().zip(&self.solution);
        both.map(|(predicate, formula)| {
            let sorts: Vec<Sort> = predicate.params.iter().map(|&p| terms.sort(p)).collect();
            let sort_of = |var: VarId| sorts.get(var.0 as usize).copied();
            let [numbered] = formula.build(terms, sort_of)?[..] else {
                return None;
            };
            let params = predicate.params.iter().enumerate();
            let params = params
                .map(|(at, &param)| (VarId(at as u32), param))
                .collect();
            let is_formula = terms.sort(numbered) == Sort::Bool;
            is_formula.then(|| terms.substitute(numbered, &params))
        })
        .collect()
    }
}
