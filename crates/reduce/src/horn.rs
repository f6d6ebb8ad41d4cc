//! Asks Spacer for invariants of the reduced product, and makes sure of them.

use crate::repair::repaired;
use crate::rules::Rules;
use crate::runs::Runs;
use abstraction::Program;
use expr::{Node, Op, Sort, Term, Terms, VarId};
use smt::horn::{
    Arithmetic, FactSearch, HornSystem, Parts, Proposal, Question, Reached, Rule, is_solution,
    propose,
};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What became of the clauses.
pub enum Solution {
    /// A formula for each predicate; every clause was checked with the machine's arithmetic.
    Proved(Vec<Term>),
    /// For integers without bounds there are no invariants.
    Refuted,
    /// Nothing is known, with the reason.
    Open(String),
}

/// The least time for the check of invariants that were found.
const CHECKING: Duration = Duration::from_secs(4);

/// It may take this long to see that no simple invariants exclude the errors.
const GLANCE: Duration = Duration::from_millis(300);

/// The clauses, and what was found out about them without Spacer.
pub struct Problem {
    /// The clauses.
    pub rules: Rules,
    naturals: BTreeSet<VarId>,
    /// The search for simple invariants, once it was begun and until it has ended.
    search: Option<(FactSearch, Runs)>,
    /// Do runs show that simple invariants do not exclude the errors?
    hopeless: bool,
    /// Invariants that hold whatever wraps, once they were searched for.
    facts: Option<Parts>,
    /// The clauses with these invariants.
    strong: HornSystem,
}

impl Problem {
    /// Nothing has been found out yet.
    pub fn new(program: &Program, terms: &Terms, rules: Rules) -> Problem {
        Problem {
            naturals: naturals(program, terms, &rules),
            search: None,
            hopeless: false,
            facts: None,
            strong: rules.system.clone(),
            rules,
        }
    }

    /// Are all simple invariants known?
    pub fn is_simple_done(&self) -> bool {
        self.facts.is_some()
    }

    /// Is it certain that simple invariants alone do not exclude the errors?
    pub fn is_hopeless(&self) -> bool {
        self.hopeless
    }

    /// Searches for simple invariants for this long, unless they are known, and as long again to see
    /// whether they are enough.
    pub fn prove_simply(&mut self, terms: &mut Terms, time: Duration) -> Option<Vec<Term>> {
        if self.facts.is_some() {
            return None;
        }
        let deadline = Instant::now() + time;
        let system = &self.rules.system;
        let naturals = &self.naturals;
        let is_new = self.search.is_none();
        let (search, runs) = self
            .search
            .get_or_insert_with(|| begun(terms, system, naturals));
        if is_new {
            self.hopeless = search.is_hopeless(terms, system, GLANCE.min(time));
            if self.hopeless {
                return None;
            }
        }
        let mut go_on = |terms: &mut Terms, from: &Reached| runs.go_on(terms, system, from);
        let Some(facts) = search.run(terms, system, deadline, &mut go_on) else {
            self.hopeless = self.hopeless || search.is_hopeless(terms, system, GLANCE.min(time));
            return None;
        };
        let formulas: Vec<Term> = facts
            .iter()
            .map(|own| terms.and_all(own.iter().copied()))
            .collect();
        // Only whether errors are excluded is left to be seen.
        if is_solution(terms, &goals(system), &formulas, Some(time)) {
            return Some(formulas);
        }
        self.strong = strengthened(terms, system, &facts);
        self.facts = Some(facts);
        self.search = None;
        None
    }

    /// Searches for invariants for this long, and as long again to check them.
    pub fn prove(&mut self, terms: &mut Terms, arithmetic: Arithmetic, time: Duration) -> Solution {
        if let Some(formulas) = self.prove_simply(terms, time.max(CHECKING)) {
            return Solution::Proved(formulas);
        }
        let question = Question {
            arithmetic,
            global: true,
            naturals: self.naturals.clone(),
        };
        let formulas = match propose(terms, &self.strong, &question, time) {
            Proposal::Formulas(formulas) => formulas,
            Proposal::Derivable => return Solution::Refuted,
            Proposal::Unknown(why) => return Solution::Open(why),
        };
        let time = time.max(CHECKING);
        let none = vec![Vec::new(); formulas.len()];
        let facts = self.facts.as_ref().unwrap_or(&none);
        let with_facts = formulas.iter().zip(facts);
        let all: Vec<Term> = with_facts
            .map(|(&formula, own)| {
                let own = terms.and_all(own.iter().copied());
                terms.and(own, formula)
            })
            .collect();
        if is_solution(terms, &self.rules.system, &all, Some(time)) {
            return Solution::Proved(all);
        }
        match repaired(terms, &self.rules.system, &formulas, facts, time) {
            Some(solution) => Solution::Proved(solution),
            None => Solution::Open("the invariants do not hold if numbers wrap".into()),
        }
    }
}

/// A search that knows the states that runs from the start reach.
fn begun(terms: &mut Terms, system: &HornSystem, naturals: &BTreeSet<VarId>) -> (FactSearch, Runs) {
    let mut search = FactSearch::new(terms, system, naturals);
    let mut runs = Runs::new(terms, system);
    for reached in runs.start(terms, system) {
        search.add(terms, system, &reached);
    }
    (search, runs)
}

/// The same predicates without clauses.
fn without_rules(system: &HornSystem) -> HornSystem {
    let mut empty = HornSystem::new();
    for predicate in system.predicates() {
        empty.predicate(&predicate.name, predicate.params.clone());
    }
    for (&object, &base) in system.bases() {
        empty.bind_base(object, base);
    }
    empty
}

/// The clauses that say that there are no errors.
fn goals(system: &HornSystem) -> HornSystem {
    let mut goals = without_rules(system);
    for rule in system.rules().iter().filter(|rule| rule.head.is_none()) {
        goals.rule(rule.clone());
    }
    goals
}

/// The clauses with invariants in their bodies.
fn strengthened(terms: &mut Terms, system: &HornSystem, facts: &Parts) -> HornSystem {
    let mut strong = without_rules(system);
    for rule in system.rules() {
        let mut constraint = rule.constraint;
        for body in &rule.body {
            for &fact in &facts[body.pred.index()] {
                if is_plain(terms, fact) {
                    let fact = system.instance(terms, body, fact);
                    constraint = terms.and(constraint, fact);
                }
            }
        }
        strong.rule(Rule::new(rule.body.clone(), constraint, rule.head.clone()));
    }
    strong
}

/// Does a formula mean the same for integers without bounds, most likely?
fn is_plain(terms: &Terms, fact: Term) -> bool {
    let mut plain = true;
    terms.for_each_subterm(fact, &mut |_, node| {
        if let Node::Binary(Op::Mul, a, b) = node {
            let large = |term: Term| terms.as_const(term).is_some_and(|bits| bits > 1 << 16);
            plain &= !large(a) && !large(b);
        }
    });
    plain
}

/// The variables that are numbers without a sign: declared so, or only ever compared so.
fn naturals(program: &Program, terms: &Terms, rules: &Rules) -> BTreeSet<VarId> {
    let (mut unsigned, mut signed) = (BTreeSet::new(), BTreeSet::new());
    let declared = &program.unrolled.xcfa.vars;
    for (number, var) in declared.iter().enumerate() {
        let number_without_sign = !var.temp && !var.signed && !var.pointer;
        if number_without_sign && matches!(var.sort, Sort::Bv(2..)) {
            unsigned.insert(VarId(number as u32));
        }
    }
    for rule in rules.system.rules() {
        for term in rule.terms() {
            terms.for_each_subterm(term, &mut |_, node| match node {
                Node::Binary(Op::Slt | Op::Sle, a, b) => {
                    signed.extend(terms.vars(a).into_iter().chain(terms.vars(b)));
                }
                Node::Binary(Op::Ult | Op::Ule, a, b) => {
                    unsigned.extend(terms.vars(a).into_iter().chain(terms.vars(b)));
                }
                _ => {}
            });
        }
    }
    &unsigned - &signed
}
