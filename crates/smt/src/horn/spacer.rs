//! The way to Spacer and back.

use super::constants::Smaller;
use super::integers::Integers;
use super::{Application, HornSystem, back, derivation, recheck};
use crate::interrupt::deaf_to_signals;
use crate::translate::{Translator, Value, var_name};
use crate::{Check, Interrupt};
use expr::{Node, Sort, Term, Terms, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Config, FuncDecl, SatResult, with_z3_config};

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

impl HornAnswer {
    /// Was the time up? Z3 says so in prose, which is read only here.
    pub fn is_out_of_time(&self) -> bool {
        let time = |why: &str| why.contains("timeout") || why.contains("canceled");
        matches!(self, HornAnswer::Unknown(why) if time(why))
    }
}

/// What Spacer is shown instead of bit vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Bit vectors themselves.
    Bits,
    /// Integers without bounds.
    Ideal,
    /// Integers that are brought back into their range.
    Wrapped,
}

/// How Spacer is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is shown instead of bit vectors.
    pub arithmetic: Arithmetic,
    /// Does it generalise over groups of lemmas that look alike (`spacer.global`)?
    pub global: bool,
    /// Variables that are numbers without a sign.
    pub naturals: BTreeSet<VarId>,
}

impl From<Arithmetic> for Question {
    fn from(arithmetic: Arithmetic) -> Question {
        Question {
            arithmetic,
            global: false,
            naturals: BTreeSet::new(),
        }
    }
}

/// What Spacer says to a question. Nothing of it has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// For each predicate, by its number, a truth value over its formal parameters.
    Formulas(Vec<Term>),
    /// Falsity can be derived.
    Derivable,
    /// Neither is known, with the reason.
    Unknown(String),
}

/// Asks Spacer for a solution, which may be wrong: the caller checks it, or makes one of it that
/// passes the check.
pub fn propose(
    terms: &mut Terms,
    system: &HornSystem,
    question: &Question,
    timeout: Duration,
) -> Proposal {
    crate::check_version();
    if let Err(reason) = system.validate(terms) {
        return Proposal::Unknown(reason);
    }
    let deadline = Some(Instant::now() + timeout);
    let smaller = Smaller::of(terms, system);
    let outcome = with_z3_config(&Config::new(), || {
        run(terms, &smaller.system, question, PLAIN, deadline)
    });
    match outcome {
        SpacerAnswer::Unknown(reason) | SpacerAnswer::Solved(Err(reason)) => {
            Proposal::Unknown(reason)
        }
        SpacerAnswer::Derivable => Proposal::Derivable,
        SpacerAnswer::Solved(Ok(solution)) => {
            Proposal::Formulas(smaller.whole(terms, system, &solution))
        }
    }
}

/// Leaves the rules as they are.
const PLAIN: &[&str] = &[
    "fp.xform.inline_eager",
    "fp.xform.inline_linear",
    "fp.xform.slice",
];

/// Solves a system within a time limit. New formulas go into `terms`.
///
/// A solution has been checked when it is returned. So has a derivation with its rules; the caller
/// must replay one without.
pub fn solve(terms: &mut Terms, system: &HornSystem, timeout: Option<Duration>) -> HornAnswer {
    solve_as(terms, system, Arithmetic::Bits, timeout)
}

/// The same with the arithmetic that Spacer is to use. A solution has been checked with bit
/// vectors in any case; that there is none is Spacer's word about its own arithmetic.
pub fn solve_as(
    terms: &mut Terms,
    system: &HornSystem,
    arithmetic: Arithmetic,
    timeout: Option<Duration>,
) -> HornAnswer {
    crate::check_version();
    if let Err(reason) = system.validate(terms) {
        return HornAnswer::Unknown(reason);
    }
    let deadline = timeout.map(|limit| Instant::now() + limit);
    if arithmetic != Arithmetic::Bits {
        return solve_smaller(terms, system, arithmetic, deadline);
    }
    let first = attempt(terms, system, arithmetic, &[], deadline);
    let Err(reason) = first else {
        return first.unwrap_or_else(HornAnswer::Unknown);
    };
    // Where Spacer merges rules, it brings quantifiers into solutions.
    match attempt(terms, system, arithmetic, PLAIN, deadline) {
        Ok(answer @ (HornAnswer::Solution(_) | HornAnswer::Refuted(_))) => answer,
        _ => HornAnswer::Unknown(reason),
    }
}

/// Solves a system without what is constant in it.
fn solve_smaller(
    terms: &mut Terms,
    system: &HornSystem,
    arithmetic: Arithmetic,
    deadline: Option<Instant>,
) -> HornAnswer {
    let began = Instant::now();
    let smaller = Smaller::of(terms, system);
    let outcome = with_z3_config(&Config::new(), || {
        run(terms, &smaller.system, &arithmetic.into(), PLAIN, deadline)
    });
    let solution = match outcome {
        SpacerAnswer::Unknown(reason) | SpacerAnswer::Solved(Err(reason)) => {
            return HornAnswer::Unknown(reason);
        }
        SpacerAnswer::Derivable => return HornAnswer::Refuted(None),
        SpacerAnswer::Solved(Ok(solution)) => smaller.whole(terms, system, &solution),
    };
    // The check of a solution gets as much time again.
    let deadline = deadline.map(|deadline| deadline + (deadline - began));
    match recheck::check(terms, system, &solution, deadline) {
        Check::Unsat => HornAnswer::Solution(solution),
        Check::Sat => HornAnswer::Unknown("Spacer's solution does not check".into()),
        Check::Unknown(reason) => {
            HornAnswer::Unknown(format!("Spacer's solution was not checked: {reason}"))
        }
    }
}

/// One run of Spacer; an error is an answer that did not pass our check.
fn attempt(
    terms: &mut Terms,
    system: &HornSystem,
    arithmetic: Arithmetic,
    off: &[&str],
    deadline: Option<Instant>,
) -> Result<HornAnswer, String> {
    // A context of its own: Spacer switches the production of proofs on and off as it goes.
    let outcome = with_z3_config(&Config::new(), || {
        run(terms, system, &arithmetic.into(), off, deadline)
    });
    let solution = match outcome {
        SpacerAnswer::Unknown(reason) => return Ok(HornAnswer::Unknown(reason)),
        SpacerAnswer::Derivable if arithmetic != Arithmetic::Bits => {
            return Ok(HornAnswer::Refuted(None));
        }
        SpacerAnswer::Derivable => {
            let chain = derivation::search(terms, system, deadline)?;
            return Ok(HornAnswer::Refuted(chain));
        }
        SpacerAnswer::Solved(solution) => solution?,
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
enum SpacerAnswer {
    Solved(Result<Vec<Term>, String>),
    Derivable,
    Unknown(String),
}

/// Asks Spacer whether all rules can hold.
///
/// Through Z3's solver for the logic of Horn clauses: its fixedpoint engine, which asks the same
/// Spacer, crashes on multiplications of bit vectors in version 4.16.0.
fn run(
    terms: &mut Terms,
    system: &HornSystem,
    question: &Question,
    off: &[&str],
    deadline: Option<Instant>,
) -> SpacerAnswer {
    let Some(solver) = z3::Solver::new_for_logic("HORN") else {
        return SpacerAnswer::Unknown("Z3 has no solver for Horn clauses".into());
    };
    let mut params = deaf_to_signals();
    for &name in off {
        params.set_bool(name, false);
    }
    if question.global {
        params.set_bool("fp.spacer.global", true);
    }
    // The newer way to get rid of hypotheses in proofs reads through a null in version 4.16.0.
    params.set_bool("fp.spacer.iuc.old_hyp_reducer", true);
    if let Some(deadline) = deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        params.set_u32("timeout", millis(left));
    }
    solver.set_params(&params);
    let predicates = match question.arithmetic {
        Arithmetic::Bits => {
            let mut encoder = Encoder::new(terms, system);
            encoder.load(&solver);
            encoder.predicates
        }
        _ => load_integers(terms, system, question, &solver),
    };
    match Interrupt::of_this_thread().guard(|| solver.check()) {
        None => SpacerAnswer::Unknown("interrupted".into()),
        Some(SatResult::Unknown) => {
            let reason = solver.get_reason_unknown();
            SpacerAnswer::Unknown(reason.unwrap_or_else(|| "no reason given".into()))
        }
        Some(SatResult::Unsat) => SpacerAnswer::Derivable,
        Some(SatResult::Sat) => SpacerAnswer::Solved(match solver.get_model() {
            None => Err("Spacer has no solution to show".into()),
            Some(model) => back::solution(terms, system, &predicates, &question.naturals, &model),
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
        let predicates = declare(terms, system, z3_sort);
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
        apply(&self.predicates[application.pred.index()], &args)
    }
}

fn apply(predicate: &FuncDecl, args: &[Dynamic]) -> Bool {
    let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
    let applied = predicate.apply(&args);
    applied.as_bool().expect("predicates are truth values")
}

/// The predicates on Z3's side, with parameters of the sorts that `sort_of` gives.
fn declare(
    terms: &Terms,
    system: &HornSystem,
    sort_of: impl Fn(Sort) -> z3::Sort,
) -> Vec<FuncDecl> {
    let predicates = system.predicates().iter().enumerate();
    let predicates = predicates.map(|(index, predicate)| {
        let sorts = predicate.params.iter().map(|&p| sort_of(terms.sort(p)));
        let sorts: Vec<z3::Sort> = sorts.collect();
        let sorts: Vec<&z3::Sort> = sorts.iter().collect();
        FuncDecl::new(predicate_name(system, index), &sorts, &z3::Sort::bool())
    });
    predicates.collect()
}

/// Shows all rules to the solver as rules about integers.
fn load_integers(
    terms: &Terms,
    system: &HornSystem,
    question: &Question,
    solver: &z3::Solver,
) -> Vec<FuncDecl> {
    let predicates = declare(terms, system, |sort| match sort {
        Sort::Bool => z3::Sort::bool(),
        _ => z3::Sort::int(),
    });
    let mut integers = Integers::new(
        terms,
        system.bases(),
        question.arithmetic,
        &question.naturals,
    );
    for rule in system.rules() {
        integers.next_rule();
        let mut application = |application: &Application| {
            let args = application.args.iter();
            let args: Vec<Dynamic> = args.map(|&arg| integers.value(arg).dynamic()).collect();
            apply(&predicates[application.pred.index()], &args)
        };
        let mut body: Vec<Bool> = rule.body.iter().map(&mut application).collect();
        let head = rule.head.as_ref().map(&mut application);
        body.push(integers.truth(rule.constraint));
        body.append(&mut integers.ranges);
        let head = head.unwrap_or_else(|| Bool::from_bool(false));
        let bound = integers.vars.values().chain(&integers.anything);
        let bound: Vec<&dyn Ast> = bound.map(|var| var as &dyn Ast).collect();
        let implication = Bool::and(&body).implies(&head);
        solver.assert(match bound.is_empty() {
            true => implication,
            false => forall_const(&bound, &[], &implication),
        });
    }
    predicates
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
