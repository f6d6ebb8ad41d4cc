//! Parameters that always have the same value.
//!
//! What holds in every derivation can be found by following the rules with values that are known
//! or not. A parameter with a known value is left out of its predicate, which makes the rules
//! smaller, often by most of their parameters; predicates that cannot be derived at all and the
//! rules that need them go as well. A solution of the smaller system is one of the larger, with
//! the values put back in.

use super::{Application, HornSystem, PredId, Rule};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// What is known about the parameters of a predicate; nothing at all if it cannot be derived.
type Known = Option<Vec<Option<Term>>>;

/// A system without what is constant.
pub(super) struct Smaller {
    pub(super) system: HornSystem,
    /// By predicate of the smaller system: which one it was.
    origin: Vec<PredId>,
    /// By rule of the smaller system: which one it was.
    rules: Vec<usize>,
    known: Vec<Known>,
}

impl Smaller {
    pub(super) fn of(terms: &mut Terms, system: &HornSystem) -> Smaller {
        let known = known(terms, system);
        let mut smaller = Smaller {
            system: HornSystem::new(),
            origin: Vec::new(),
            rules: Vec::new(),
            known,
        };
        for (&obj, &value) in system.bases() {
            smaller.system.bind_base(obj, value);
        }
        let mut numbers: FxHashMap<PredId, PredId> = FxHashMap::default();
        for (number, predicate) in system.predicates().iter().enumerate() {
            let Some(known) = &smaller.known[number] else {
                continue;
            };
            let both = predicate.params.iter().zip(known);
            let left = both.filter(|(_, known)| known.is_none());
            let left = left.map(|(&param, _)| param).collect();
            let old = PredId::new(number);
            numbers.insert(old, smaller.system.predicate(&predicate.name, left));
            smaller.origin.push(old);
        }
        for (number, rule) in system.rules().iter().enumerate() {
            if let Some(rule) = smaller.rule(terms, rule, &numbers) {
                smaller.system.rule(rule);
                smaller.rules.push(number);
            }
        }
        smaller
    }

    /// The rule with known values put in; nothing if it can never be used.
    fn rule(
        &self,
        terms: &mut Terms,
        rule: &Rule,
        numbers: &FxHashMap<PredId, PredId>,
    ) -> Option<Rule> {
        let (with, constraint) = enter(terms, rule, &self.known)?;
        let body = rule.body.iter();
        let body = body.map(|part| self.application(terms, part, numbers, &with));
        let head = rule.head.as_ref();
        Some(Rule::new(
            body.collect(),
            constraint,
            head.map(|head| self.application(terms, head, numbers, &with)),
        ))
    }

    fn application(
        &self,
        terms: &mut Terms,
        application: &Application,
        numbers: &FxHashMap<PredId, PredId>,
        with: &FxHashMap<VarId, Term>,
    ) -> Application {
        let known = self.known[application.pred.index()].iter().flatten();
        let both = application.args.iter().zip(known);
        let left = both.filter(|(_, known)| known.is_none());
        let args = left.map(|(&arg, _)| terms.substitute(arg, with)).collect();
        Application::new(numbers[&application.pred], args)
    }

    /// Rules of the smaller system as rules of the system itself.
    pub(super) fn rules_of(&self, rules: &[usize]) -> Vec<usize> {
        rules.iter().map(|&rule| self.rules[rule]).collect()
    }

    /// A solution of the smaller system as one of the system itself.
    pub(super) fn whole(
        &self,
        terms: &mut Terms,
        system: &HornSystem,
        solution: &[Term],
    ) -> Vec<Term> {
        let nothing = terms.bool(false);
        let mut whole = vec![nothing; system.predicates().len()];
        for (&formula, &old) in solution.iter().zip(&self.origin) {
            let params = &system.predicates()[old.index()].params;
            let known = self.known[old.index()].iter().flatten();
            let mut formula = formula;
            for (&param, known) in params.iter().zip(known) {
                if let Some(value) = *known {
                    let equal = terms.eq(param, value);
                    formula = terms.and(equal, formula);
                }
            }
            whole[old.index()] = formula;
        }
        whole
    }
}

/// Follows the rules until nothing new is learnt.
fn known(terms: &mut Terms, system: &HornSystem) -> Vec<Known> {
    let mut known: Vec<Known> = vec![None; system.predicates().len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); known.len()];
    for (number, rule) in system.rules().iter().enumerate() {
        for part in &rule.body {
            users[part.pred.index()].push(number);
        }
    }
    let mut work: Vec<usize> = (0..system.rules().len()).rev().collect();
    while let Some(number) = work.pop() {
        let rule = &system.rules()[number];
        let Some(head) = &rule.head else { continue };
        let Some((with, _)) = enter(terms, rule, &known) else {
            continue;
        };
        let mut now = Vec::new();
        for &arg in &head.args {
            let value = terms.substitute(arg, &with);
            now.push(terms.as_const(value).map(|_| value));
        }
        let slot = &mut known[head.pred.index()];
        let merged = match slot {
            None => now,
            Some(before) => {
                let both = before.iter().zip(&now);
                both.map(|(a, b)| a.filter(|_| a == b)).collect()
            }
        };
        if slot.as_ref() != Some(&merged) {
            *slot = Some(merged);
            work.extend(&users[head.pred.index()]);
        }
    }
    known
}

/// The values that variables have in a rule, and what is left of its constraint; nothing if the
/// rule can never be used.
fn enter(
    terms: &mut Terms,
    rule: &Rule,
    known: &[Known],
) -> Option<(FxHashMap<VarId, Term>, Term)> {
    let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
    let mut clash = false;
    let mut conditions = Vec::new();
    for part in &rule.body {
        let known = known[part.pred.index()].as_ref()?;
        for (&arg, value) in part.args.iter().zip(known) {
            let Some(value) = *value else { continue };
            match terms.as_var(arg) {
                Some(var) => clash |= *with.entry(var).or_insert(value) != value,
                None => conditions.push((arg, value)),
            }
        }
    }
    if clash {
        return None;
    }
    let mut constraint = terms.substitute(rule.constraint, &with);
    for (arg, value) in conditions {
        let arg = terms.substitute(arg, &with);
        let equal = terms.eq(arg, value);
        constraint = terms.and(constraint, equal);
    }
    (terms.as_const(constraint) != Some(0)).then_some((with, constraint))
}
