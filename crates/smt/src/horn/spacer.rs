//! The way to Spacer and back.

use super::{Application, HornSystem, back, derivation, recheck};
use crate::translate::{Translator, Value, var_name};
use crate::{Check, Interrupt};
use expr::{Node, Sort, Term, Terms, VarId};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Config, FuncDecl, Params, SatResult, with_z3_config};

/// What became of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// For each predicate, by its number, a truth value over its formal parameters. Every rule
    /// has been checked with it.
    Solution(Vec<Term>),
    /// Falsity can be derived. The numbers of the rules of a shortest derivation, from the fact
    /// to the rule without a head, if a plain solver has found one; else it is Spacer's word.
    Refuted(Option<Vec<usize>>),
    /// Neither is known, with the reason.
    Unknown(String),
}

/// Leaves the rules as they are.
const PLAIN: &[&str] = &[
    "fp.xform.inline_eager",
    "fp.xform.inline_linear",
    "fp.xform.slice",
];

/// Solves a system within a time limit. New formulas go into `terms`.
///
/// A solution has been checked when it is returned. So has a derivation with its rules; one
/// without has to be replayed by whoever believes it.
pub fn solve(terms: &mut Terms, system: &HornSystem, timeout: Option<Duration>) -> HornAnswer {
    crate::check_version();
    if let Err(reason) = system.validate(terms) {
        return HornAnswer::Unknown(reason);
    }
    let deadline = timeout.map(|limit| Instant::now() + limit);
    let first = attempt(terms, system, &[], deadline);
    let Err(reason) = first else {
        return first.unwrap_or_else(HornAnswer::Unknown);
    };
    // Where Spacer merges rules, it brings quantifiers into solutions.
    match attempt(terms, system, PLAIN, deadline) {
        Ok(answer @ (HornAnswer::Solution(_) | HornAnswer::Refuted(_))) => answer,
        _ => HornAnswer::Unknown(reason),
    }
}

/// One run of Spacer; an error is an answer that did not pass our check.
fn attempt(
    terms: &mut Terms,
    system: &HornSystem,
    off: &[&str],
    deadline: Option<Instant>,
) -> Result<HornAnswer, String> {
    // A context of its own: Spacer switches the production of proofs on and off as it goes.
    let outcome = with_z3_config(&Config::new(), || run(terms, system, off, deadline));
    let solution = match outcome {
        Outcome::Unknown(reason) => return Ok(HornAnswer::Unknown(reason)),
        Outcome::Derivable => {
            let chain = derivation::search(terms, system, deadline)?;
            return Ok(HornAnswer::Refuted(chain));
        }
        Outcome::Solved(solution) => solution?,
    };
    match recheck::check(terms, system, &solution, deadline) {
        Check::Unsat => Ok(HornAnswer::Solution(solution)),
        Check::Sat => Err("Spacer's solution does not check".into()),
        Check::Unknown(reason) => Ok(HornAnswer::Unknown(format!(
            "Spacer's solution was not checked: {reason}"
        ))),
    }
}

/// What Spacer said, free of its context.
enum Outcome {
    Solved(Result<Vec<Term>, String>),
    Derivable,
    Unknown(String),
}

/// Asks Spacer whether all rules can hold.
///
/// Through Z3's solver for the logic of Horn clauses: its fixedpoint engine, which asks the same
/// Spacer, crashes on multiplications of bit vectors in version 4.16.0.
fn run(terms: &mut Terms, system: &HornSystem, off: &[&str], deadline: Option<Instant>) -> Outcome {
    let Some(solver) = z3::Solver::new_for_logic("HORN") else {
        return Outcome::Unknown("Z3 has no solver for Horn clauses".into());
    };
    let mut params = Params::new();
    for &name in off {
        params.set_bool(name, false);
    }
    if let Some(deadline) = deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        params.set_u32("timeout", millis(left));
    }
    solver.set_params(&params);
    let mut encoder = Encoder::new(terms, system);
    encoder.load(&solver);
    let predicates = encoder.predicates;
    match Interrupt::of_this_thread().guard(|| solver.check()) {
        None => Outcome::Unknown("interrupted".into()),
        Some(SatResult::Unknown) => {
            let reason = solver.get_reason_unknown();
            Outcome::Unknown(reason.unwrap_or_else(|| "no reason given".into()))
        }
        Some(SatResult::Unsat) => Outcome::Derivable,
        Some(SatResult::Sat) => Outcome::Solved(match solver.get_model() {
            None => Err("Spacer has no solution to show".into()),
            Some(model) => back::solution(terms, system, &predicates, &model),
        }),
    }
}

fn millis(limit: Duration) -> u32 {
    u32::try_from(limit.as_millis()).unwrap_or(u32::MAX).max(1)
}

/// A name that no other predicate has.
pub(super) fn predicate_name(system: &HornSystem, index: usize) -> String {
    let name = &system.predicates()[index].name;
    let plain = name.chars().map(|c| match c.is_ascii_alphanumeric() {
        true => c,
        false => '_',
    });
    format!("p{index}_{}", plain.collect::<String>())
}

/// The variables of some terms and their sorts, in the order of their numbers.
pub(super) fn variables(terms: &Terms, roots: &[Term]) -> BTreeMap<VarId, Sort> {
    let mut vars = BTreeMap::new();
    for &root in roots {
        terms.for_each_subterm(root, &mut |_, node| {
            if let Node::Var(var, sort) = node {
                vars.insert(var, sort);
            }
        });
    }
    vars
}

/// The system on Z3's side.
struct Encoder<'a> {
    terms: &'a Terms,
    system: &'a HornSystem,
    translator: Translator,
    predicates: Vec<FuncDecl>,
}

impl<'a> Encoder<'a> {
    fn new(terms: &'a Terms, system: &'a HornSystem) -> Encoder<'a> {
        let mut translator = Translator::default();
        for (&obj, &value) in system.bases() {
            translator.bind_base(obj, value);
        }
        let predicates = system.predicates().iter().enumerate();
        let predicates = predicates.map(|(index, predicate)| {
            let sorts = predicate.params.iter().map(|&p| z3_sort(terms.sort(p)));
            let sorts: Vec<z3::Sort> = sorts.collect();
            let sorts: Vec<&z3::Sort> = sorts.iter().collect();
            FuncDecl::new(predicate_name(system, index), &sorts, &z3::Sort::bool())
        });
        let predicates = predicates.collect();
        Encoder {
            terms,
            system,
            translator,
            predicates,
        }
    }

    fn load(&mut self, solver: &z3::Solver) {
        for rule in self.system.rules() {
            let mut body = vec![self.translator.truth(self.terms, rule.constraint)];
            for application in &rule.body {
                body.push(self.application(application));
            }
            let head = match &rule.head {
                Some(application) => self.application(application),
                None => Bool::from_bool(false),
            };
            let implication = Bool::and(&body).implies(&head);
            let vars = variables(self.terms, &rule.terms());
            solver.assert(close(&vars, &implication));
        }
    }

    fn value(&mut self, term: Term) -> Value {
        self.translator.value(self.terms, term)
    }

    fn application(&mut self, application: &Application) -> Bool {
        let args = application.args.iter();
        let args: Vec<Dynamic> = args.map(|&arg| self.value(arg).dynamic()).collect();
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        let applied = self.predicates[application.pred.index()].apply(&args);
        applied.as_bool().expect("predicates are truth values")
    }
}

/// For all values of these variables.
fn close(vars: &BTreeMap<VarId, Sort>, body: &Bool) -> Bool {
    let constants: Vec<Dynamic> = vars
        .iter()
        .map(|(&var, &sort)| Dynamic::new_const(var_name(var), &z3_sort(sort)))
        .collect();
    let bounds: Vec<&dyn Ast> = constants.iter().map(|c| c as &dyn Ast).collect();
    match bounds.is_empty() {
        true => body.clone(),
        false => forall_const(&bounds, &[], body),
    }
}

fn z3_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        _ => z3::Sort::bitvector(sort.width()),
    }
}
