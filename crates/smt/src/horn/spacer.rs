//! The way to Spacer and back.

use super::{Application, HornSystem, back, derivation, recheck};
use crate::translate::{Translator, Value, var_name};
use crate::{Check, Interrupt, raw::Fixedpoint};
use expr::{Node, Sort, Term, Terms, VarId};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use z3::FuncDecl;
use z3::ast::{Ast, Bool, Dynamic, forall_const};

/// What became of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// For each predicate, by its number, a truth value over its formal parameters. Every rule
    /// has been checked with it.
    Solution(Vec<Term>),
    /// Falsity can be derived. If the derivation is a chain, the numbers of its rules, from the
    /// first fact to the rule without a head, checked by a plain solver; else Spacer's word.
    Refuted(Option<Vec<usize>>),
    /// Neither is known, with the reason.
    Unknown(String),
}

/// The name of the predicate that stands for falsity.
const FALSITY: &str = "falsity";

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
    let mut encoder = Encoder::new(terms, system);
    let engine = Fixedpoint::spacer(&[], timeout.map(millis));
    encoder.load(&engine);
    let query = encoder.falsity.clone();
    match Interrupt::of_this_thread().guard(|| engine.query(&query)) {
        None => HornAnswer::Unknown("interrupted".into()),
        Some(None) => HornAnswer::Unknown(engine.reason()),
        Some(Some(true)) => refute(terms, system, engine.rule_names(), deadline),
        Some(Some(false)) => match engine.answer() {
            None => HornAnswer::Unknown("Spacer has no solution to show".into()),
            Some(answer) => believe(terms, system, &answer, deadline),
        },
    }
}

/// Reads a solution and checks it.
fn believe(
    terms: &mut Terms,
    system: &HornSystem,
    answer: &Dynamic,
    deadline: Option<Instant>,
) -> HornAnswer {
    let names: Vec<String> = (0..system.predicates().len())
        .map(|index| predicate_name(system, index))
        .collect();
    let solution = match back::solution(terms, system, &names, answer) {
        Ok(solution) => solution,
        Err(reason) => return HornAnswer::Unknown(reason),
    };
    match recheck::check(terms, system, &solution, deadline) {
        Check::Unsat => HornAnswer::Solution(solution),
        Check::Sat => HornAnswer::Unknown("Spacer's solution does not check".into()),
        Check::Unknown(reason) => {
            HornAnswer::Unknown(format!("Spacer's solution was not checked: {reason}"))
        }
    }
}

/// A derivation that was read is checked; one that cannot be read stands on Spacer's word.
fn refute(
    terms: &mut Terms,
    system: &HornSystem,
    names: Option<String>,
    deadline: Option<Instant>,
) -> HornAnswer {
    let chain = names.and_then(|names| derivation::chain(system, &names));
    let Some(chain) = chain else {
        return HornAnswer::Refuted(None);
    };
    match derivation::replay(terms, system, &chain, deadline) {
        Check::Sat => HornAnswer::Refuted(Some(chain)),
        Check::Unsat => HornAnswer::Unknown("Spacer's derivation does not check".into()),
        Check::Unknown(_) => HornAnswer::Refuted(None),
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
    falsity: Bool,
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
            falsity: Bool::new_const(FALSITY),
        }
    }

    fn load(&mut self, engine: &Fixedpoint) {
        engine.register(&Dynamic::from_ast(&self.falsity));
        for (index, predicate) in self.system.predicates().iter().enumerate() {
            let params = predicate.params.iter();
            let args: Vec<Dynamic> = params.map(|&p| self.value(p).dynamic()).collect();
            engine.register(&self.apply(index, &args));
        }
        for (number, rule) in self.system.rules().iter().enumerate() {
            let mut body = vec![self.translator.truth(self.terms, rule.constraint)];
            for application in &rule.body {
                body.push(self.application(application));
            }
            let head = match &rule.head {
                Some(application) => self.application(application),
                None => self.falsity.clone(),
            };
            let implication = Bool::and(&body).implies(&head);
            let vars = variables(self.terms, &rule.terms());
            let closed = close(&vars, &implication);
            engine.add_rule(&closed, &format!("r{number}"));
        }
    }

    fn value(&mut self, term: Term) -> Value {
        self.translator.value(self.terms, term)
    }

    fn application(&mut self, application: &Application) -> Bool {
        let args = application.args.iter();
        let args: Vec<Dynamic> = args.map(|&arg| self.value(arg).dynamic()).collect();
        let applied = self.apply(application.pred.index(), &args);
        applied.as_bool().expect("predicates are truth values")
    }

    fn apply(&self, index: usize, args: &[Dynamic]) -> Dynamic {
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        self.predicates[index].apply(&args)
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
