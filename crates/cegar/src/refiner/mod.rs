//! Is an abstract counterexample real? If not, what was overlooked?
//!
//! The path becomes a formula in single assignment form, one assumption for each condition,
//! assignment and initial value. If it is satisfiable, the model has the inputs of a real run. If
//! not, a core says which of them contradict each other, and only these are examined: explicit
//! values of the variables that carry the contradiction, or predicates in the manner of Newton
//! (Dietsch et al., FSE 2017, doi:10.1145/3106237.3106307), where everything outside the core is
//! arbitrary.

mod core;
mod interpolants;
mod path;
mod predicates;

use crate::steps::Steps;
use crate::{Config, Domain, Refine};
use abstraction::Actor;
use abstraction::{ActionId, Precision};
use core::{Core, Item};
use expr::{Term, Terms, VarId};
use interpolants::interpolants;
use path::{Path, Solved};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What came of a counterexample.
pub enum Refinement {
    /// It is real; by step: the values of what the environment may have chosen, in order.
    Feasible(Vec<Vec<u64>>),
    /// It is not. The precision is finer now; nothing before this step was wrong.
    Spurious { from: usize },
    /// It is not, but nothing new was found to rule it out; or the solver gave up.
    Stuck(String),
}

/// How hard to look for something new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effort {
    /// Values of variables.
    Values,
    /// Predicates of the chosen kind.
    Predicates,
    /// Predicates of all kinds.
    AllPredicates,
}

/// A path that no run follows.
struct Unreal<'a> {
    steps: &'a Steps<'a>,
    core: Core,
    /// How long solvers may take.
    patience: Duration,
}

/// Refines a precision.
pub struct Refiner {
    domain: Domain,
    kind: Refine,
    /// The effort spent on each path.
    seen: FxHashMap<Vec<(ActionId, Actor)>, Effort>,
    /// Paths examined.
    pub paths: u64,
    pub solver_calls: u64,
}

impl Refiner {
    pub fn new(config: &Config) -> Refiner {
        Refiner {
            domain: config.domain,
            kind: config.refine,
            seen: FxHashMap::default(),
            paths: 0,
            solver_calls: 0,
        }
    }

    /// Decides about a path and refines the precision. `known` tells whether the state before a
    /// step knows the value in a slot.
    pub fn refine(
        &mut self,
        steps: &Steps<'_>,
        terms: &mut Terms,
        precision: &mut Precision,
        known: &dyn Fn(usize, usize) -> bool,
        patience: Duration,
    ) -> Refinement {
        self.paths += 1;
        let mut path = Path::new(steps, terms);
        let solved = path.solve(patience);
        self.solver_calls += path.calls;
        let core = match solved {
            Solved::Model(chosen) => return Refinement::Feasible(chosen),
            Solved::Core(core) => core,
            Solved::Unknown(why) => return Refinement::Stuck(format!("the solver gave up: {why}")),
        };
        let unreal = Unreal {
            steps,
            core,
            patience,
        };
        let ids = steps.ids.iter().copied();
        let name: Vec<(ActionId, Actor)> = ids.zip(steps.actors.iter().copied()).collect();
        let mut effort = self.first_effort(&name);
        loop {
            if self.add(effort, &unreal, terms, precision) {
                let again = self.seen.insert(name, effort).is_some();
                let from = match effort {
                    Effort::Values if !again => first_unknown(&unreal, precision, known),
                    _ => unreal.core.first_step(),
                };
                return Refinement::Spurious { from };
            }
            effort = match (effort, self.domain) {
                (Effort::Values, Domain::Explicit) => {
                    return Refinement::Stuck("values of variables are not enough".into());
                }
                (Effort::Values, _) => Effort::Predicates,
                (Effort::Predicates, _) => Effort::AllPredicates,
                (Effort::AllPredicates, _) => {
                    return Refinement::Stuck("no new predicate rules the path out".into());
                }
            };
        }
    }

    fn first_effort(&self, path: &[(ActionId, Actor)]) -> Effort {
        let least = match self.domain {
            Domain::Explicit | Domain::Product => Effort::Values,
            Domain::Cartesian | Domain::Boolean => Effort::Predicates,
        };
        // What did not help the first time does not help the second.
        let next = self.seen.get(path).map(|effort| match effort {
            Effort::Values => Effort::Predicates,
            Effort::Predicates | Effort::AllPredicates => Effort::AllPredicates,
        });
        match (next, self.domain) {
            (Some(_), Domain::Explicit) | (None, _) => least,
            (Some(next), _) => next,
        }
    }

    fn add(
        &self,
        effort: Effort,
        unreal: &Unreal<'_>,
        terms: &mut Terms,
        precision: &mut Precision,
    ) -> bool {
        let mut added = false;
        if effort == Effort::Values {
            for var in unreal.core.carriers() {
                added |= precision.track(unreal.steps.original(var));
            }
            return added;
        }
        for predicate in self.predicates(effort, unreal, terms) {
            let Some(predicate) = unreal.steps.generalised(terms, predicate) else {
                continue;
            };
            let vars = terms.vars(predicate);
            let is_control = |var: &VarId| unreal.steps.vars[var.0 as usize].control;
            // Values of control variables are known anyway.
            if !vars.iter().all(is_control) {
                added |= precision.track_predicate(terms, predicate);
            }
        }
        added
    }

    fn predicates(&self, effort: Effort, unreal: &Unreal<'_>, terms: &mut Terms) -> Vec<Term> {
        let all = effort == Effort::AllPredicates;
        let mut found = Vec::new();
        if all || self.kind == Refine::Wp {
            found.extend(predicates::weakest(unreal, terms));
        }
        if all || self.kind == Refine::Sp {
            found.extend(predicates::strongest(unreal, terms));
        }
        if all || self.kind == Refine::Spacer {
            let formulas = interpolants(unreal, terms);
            found.extend(predicates::of_formulas(unreal, terms, &formulas));
        }
        found
    }
}

/// The first step at which the values that carry the contradiction were not all known: where one
/// of the variables is first written without its value being known afterwards, or the start if its
/// initial value matters.
fn first_unknown(
    unreal: &Unreal<'_>,
    precision: &Precision,
    known: &dyn Fn(usize, usize) -> bool,
) -> usize {
    let mut first = unreal.steps.actions.len() - 1;
    for var in unreal.core.carriers() {
        let Some(slot) = precision.slot(var) else {
            continue;
        };
        if unreal.core.contains(Item::Init(var)) && !known(0, slot) {
            return 0;
        }
        let writes = |step: &usize| unreal.steps.actions[*step].writes.contains(var.0 as usize);
        let lost = |step: &usize| !known(step + 1, slot);
        let step = (0..first).find(|step| writes(step) && lost(step));
        first = step.unwrap_or(first);
    }
    first
}
