//! Asks Spacer for invariants of the reduced product, and makes sure of them.

use crate::exact::{CHECKING, Exact};
use crate::pool::Pool;
use crate::repair::{Parts, applied, repaired};
use crate::rules::Rules;
use crate::split::Split;
use abstraction::Program;
use expr::{Node, Op, Sort, Term, Terms, VarId};
use smt::horn::{Arithmetic, HornSystem, Proposal, Question, Rule, propose};
use std::collections::BTreeSet;
use std::time::Duration;

/// What became of the clauses.
pub enum Outcome {
    /// A formula for each predicate; every clause was checked with the machine's arithmetic.
    Proved(Vec<Term>),
    /// For integers without bounds there are no invariants.
    Refuted,
    /// Nothing is known, with the reason.
    Open(String),
}

/// The clauses, and what was found out about them.
pub struct Problem {
    /// The clauses.
    pub rules: Rules,
    naturals: BTreeSet<VarId>,
    exact: Exact,
    /// The clauses with more predicates; nothing if there are too many.
    finer: Option<(Split, Exact)>,
    /// The clauses with what always holds, for Spacer.
    strong: HornSystem,
    /// The turns so far.
    turns: u32,
}

impl Problem {
    /// Nothing has been found out yet.
    pub fn new(program: &Program, terms: &mut Terms, rules: Rules) -> Problem {
        let pool = Pool::of(terms, &rules.system);
        let finer = Split::of(&rules.system).map(|split| {
            let exact = Exact::new(split.system.clone(), pool.of_parts(&split.origins));
            (split, exact)
        });
        Problem {
            naturals: naturals(program, terms, &rules),
            exact: Exact::new(rules.system.clone(), pool),
            finer,
            strong: rules.system.clone(),
            turns: 0,
            rules,
        }
    }

    /// Searches for invariants for about this long in each of three ways, and checks what it finds. The first
    /// turn leaves out disjunctions, which take longest.
    pub fn prove(&mut self, terms: &mut Terms, arithmetic: Arithmetic, time: Duration) -> Outcome {
        if let Some(formulas) = self.by_facts(terms, time) {
            return Outcome::Proved(formulas);
        }
        if self.turns > 0
            && let Some(formulas) = self.by_disjuncts(terms, time)
        {
            return Outcome::Proved(formulas);
        }
        self.turns += 1;
        let question = Question {
            arithmetic,
            global: true,
            naturals: self.naturals.clone(),
        };
        let formulas = match propose(terms, &self.strong, &question, time) {
            Proposal::Formulas(formulas) => formulas,
            Proposal::Derivable => return Outcome::Refuted,
            Proposal::Unknown(why) => return Outcome::Open(why),
        };
        match self.by_proposal(terms, &formulas, time) {
            Some(solution) => Outcome::Proved(solution),
            None => Outcome::Open("the invariants do not hold if numbers wrap".into()),
        }
    }

    /// What always holds.
    fn by_facts(&mut self, terms: &mut Terms, time: Duration) -> Option<Vec<Term>> {
        if self.exact.has_facts() {
            return None;
        }
        let solution = self.exact.by_facts(terms, &self.naturals, time);
        if solution.is_none() && self.exact.has_facts() {
            let facts = &self.exact.facts;
            self.strong = strengthened(terms, &self.rules.system, facts);
            if let Some((split, exact)) = &mut self.finer {
                exact.assume(&split.parts(facts));
            }
        }
        solution
    }

    /// Disjunctions, of what holds at the predicates that are told apart, and of literals.
    fn by_disjuncts(&mut self, terms: &mut Terms, time: Duration) -> Option<Vec<Term>> {
        let Some((split, exact)) = &mut self.finer else {
            return self.exact.by_disjuncts(terms, time);
        };
        let formulas = exact.by_facts(terms, &self.naturals, time);
        let formulas = formulas.or_else(|| exact.by_disjuncts(terms, time))?;
        let formulas = split.merged(terms, &self.rules.system, &formulas);
        self.exact.solution(terms, &formulas, time)
    }

    /// What holds for integers without bounds, as far as it holds.
    fn by_proposal(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
        time: Duration,
    ) -> Option<Vec<Term>> {
        let solution = self.exact.solution(terms, formulas, time);
        if solution.is_some() {
            return solution;
        }
        let limit = time.max(CHECKING);
        let Exact { clauses, facts, .. } = &mut self.exact;
        let solution = repaired(terms, clauses, formulas, facts, limit);
        if solution.is_some() {
            return solution;
        }
        match &mut self.finer {
            Some((split, exact)) => exact.learn(terms, &split.parts(formulas)),
            None => self.exact.learn(terms, formulas),
        }
        None
    }
}

/// The clauses with invariants in their bodies.
fn strengthened(terms: &mut Terms, system: &HornSystem, facts: &Parts) -> HornSystem {
    let mut strong = HornSystem::new();
    for predicate in system.predicates() {
        strong.predicate(&predicate.name, predicate.params.clone());
    }
    for (&object, &base) in system.bases() {
        strong.bind_base(object, base);
    }
    for rule in system.rules() {
        let mut constraint = rule.constraint;
        for body in &rule.body {
            for &fact in &facts[body.pred.index()] {
                if is_plain(terms, fact) {
                    let fact = applied(terms, system, body, fact);
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
