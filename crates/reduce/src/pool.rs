//! The literals that an invariant of a predicate may be made of.
//!
//! Conditions of the program, as they look before and after each rule. What a condition says about inputs
//! is said about the variables that keep them; what it says about a variable that is counted up is
//! said about the new value. Literals then travel along rules in both directions, through copies
//! forwards and by substitution backwards.

use crate::repair::{Parts, applied};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::horn::{Application, HornSystem, Predicate};
use std::collections::BTreeSet;

/// At most this many literals for a predicate.
const MOST_LITERALS: usize = 40;

/// And this many with those that are learnt.
const MOST_LEARNT: usize = 80;

/// Larger literals are left out.
const LARGEST: usize = 24;

/// Numbers of more bits are addresses mostly, which are hard for a solver; equalities of them are found
/// otherwise.
const WIDEST: u32 = 32;

/// Literals travel at most this far.
const ROUNDS: usize = 6;

/// Pairs of this many variables of one sort may be equal.
const MOST_PAIRED: usize = 9;

/// By predicate: what its invariant may be made of.
pub struct Pool {
    params: Vec<BTreeSet<VarId>>,
    /// The literals, those that were found first coming first.
    pub literals: Parts,
}

impl Pool {
    /// The literals that the rules of a system suggest.
    pub fn of(terms: &mut Terms, system: &HornSystem) -> Pool {
        let params = |it: &Predicate| {
            it.params
                .iter()
                .filter_map(|&it| terms.as_var(it))
                .collect()
        };
        let mut pool = Pool {
            params: system.predicates().iter().map(params).collect(),
            literals: vec![Vec::new(); system.predicates().len()],
        };
        for rule in system.rules() {
            for atom in atoms(terms, rule.constraint) {
                for body in &rule.body {
                    pool.add(terms, body.pred.index(), atom, MOST_LITERALS);
                }
                if let Some(head) = &rule.head {
                    let after = after(terms, system, head, atom);
                    pool.add(terms, head.pred.index(), after, MOST_LITERALS);
                }
            }
        }
        pool.spread(terms, system);
        pool.pair(terms, system);
        pool
    }

    /// The same literals for parts of the predicates, given what they are parts of.
    pub fn of_parts(&self, origins: &[usize]) -> Pool {
        Pool {
            params: origins.iter().map(|&it| self.params[it].clone()).collect(),
            literals: origins
                .iter()
                .map(|&it| self.literals[it].clone())
                .collect(),
        }
    }

    /// Adds what the parts of a formula for a predicate say. Is anything of it new?
    pub fn learn(&mut self, terms: &mut Terms, pred: usize, formula: Term) -> bool {
        let before = self.literals[pred].len();
        for atom in atoms(terms, formula) {
            self.add(terms, pred, atom, MOST_LEARNT);
        }
        for part in terms.conjuncts(formula) {
            self.add(terms, pred, part, MOST_LEARNT);
        }
        self.literals[pred].len() > before
    }

    /// Adds an atom and its negation if they are about the parameters.
    fn add(&mut self, terms: &mut Terms, pred: usize, atom: Term, most: usize) {
        let params = &self.params[pred];
        let foreign = |var: &VarId| !params.contains(var);
        let vars = terms.vars(atom);
        if vars.is_empty() || vars.iter().any(foreign) || size(terms, atom) > LARGEST {
            return;
        }
        let mut literals = vec![atom, terms.not(atom)];
        if let Node::Binary(op @ (Op::Slt | Op::Ult), a, b) = terms.node(atom) {
            let weak = if op == Op::Slt { Op::Sle } else { Op::Ule };
            literals.push(terms.binary(weak, a, b));
        }
        for literal in literals {
            let own = &mut self.literals[pred];
            if own.len() < most && !own.contains(&literal) {
                own.push(literal);
            }
        }
    }

    fn spread(&mut self, terms: &mut Terms, system: &HornSystem) {
        let mut done: FxHashSet<(usize, Term, bool)> = FxHashSet::default();
        for _ in 0..ROUNDS {
            let before: usize = self.literals.iter().map(Vec::len).sum();
            for (number, rule) in system.rules().iter().enumerate() {
                let (Some(body), Some(head)) = (rule.body.first(), &rule.head) else {
                    continue;
                };
                let (from, to) = (body.pred.index(), head.pred.index());
                for literal in self.literals[from].clone() {
                    if done.insert((number, literal, true)) {
                        let after = after(terms, system, head, literal);
                        self.travel(terms, to, literal, after);
                    }
                }
                for literal in self.literals[to].clone() {
                    if done.insert((number, literal, false)) {
                        let before = applied(terms, system, head, literal);
                        self.travel(terms, from, literal, before);
                    }
                }
            }
            if self.literals.iter().map(Vec::len).sum::<usize>() == before {
                return;
            }
        }
    }

    /// Adds what became of a literal on its way. What has other constants now would have more with every round.
    fn travel(&mut self, terms: &mut Terms, pred: usize, literal: Term, now: Term) {
        if constants(terms, now).is_subset(&constants(terms, literal)) {
            self.add(terms, pred, now, MOST_LITERALS);
        }
    }

    /// Adds equalities of two parameters, if there are few of a sort.
    fn pair(&mut self, terms: &mut Terms, system: &HornSystem) {
        for (pred, predicate) in system.predicates().iter().enumerate() {
            let sorts: BTreeSet<Sort> = predicate.params.iter().map(|&it| terms.sort(it)).collect();
            for sort in sorts
                .into_iter()
                .filter(|sort| matches!(sort, Sort::Bv(2..=WIDEST)))
            {
                let of_sort = predicate
                    .params
                    .iter()
                    .filter(|&&it| terms.sort(it) == sort);
                let of_sort: Vec<Term> = of_sort.copied().collect();
                if of_sort.len() > MOST_PAIRED {
                    continue;
                }
                for (number, &one) in of_sort.iter().enumerate() {
                    for &other in &of_sort[number + 1..] {
                        let equal = terms.eq(one, other);
                        self.add(terms, pred, equal, MOST_LEARNT);
                    }
                }
            }
        }
    }
}

/// The comparisons and truth values that a condition is made of.
fn atoms(terms: &Terms, condition: Term) -> Vec<Term> {
    let mut found = Vec::new();
    terms.for_each_subterm(condition, &mut |term, node| {
        let is_atom = match node {
            Node::Var(_, sort) => sort == Sort::Bool,
            Node::Binary(Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule, a, _) => {
                matches!(terms.sort(a), Sort::Bv(..=WIDEST))
            }
            _ => false,
        };
        if is_atom && size(terms, term) <= LARGEST {
            found.push(term);
        }
    });
    found
}

fn constants(terms: &Terms, term: Term) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    terms.for_each_subterm(term, &mut |_, node| {
        if let Node::Const(_, bits) = node {
            found.insert(bits);
        }
    });
    found
}

fn size(terms: &Terms, term: Term) -> usize {
    let mut count = 0;
    terms.for_each_subterm(term, &mut |_, _| count += 1);
    count
}

/// What a term over the variables before a rule is in terms of the parameters of its head, as far as
/// that can be said: what cannot keeps variables that are no parameters, or is given a fresh one.
fn after(terms: &mut Terms, system: &HornSystem, head: &Application, term: Term) -> Term {
    let params = &system.predicates()[head.pred.index()].params;
    let mut with: FxHashMap<Term, Term> = FxHashMap::default();
    let mut changed: Vec<Term> = Vec::new();
    for (&param, &arg) in params.iter().zip(&head.args) {
        if arg == param {
            with.insert(arg, param);
        } else {
            changed.push(param);
        }
    }
    for (&param, &arg) in params.iter().zip(&head.args) {
        if arg != param && terms.as_const(arg).is_none() {
            with.entry(arg).or_insert(param);
            if let Some((counted, less)) = counted(terms, param, arg) {
                with.entry(counted).or_insert(less);
            }
        }
    }
    // An old value that is nowhere else must not be taken for the new one.
    let stale = VarId(u32::MAX);
    for param in changed {
        let sort = terms.sort(param);
        let lost = terms.var(stale, sort);
        with.entry(param).or_insert(lost);
    }
    replaced(terms, term, &with)
}

/// If `arg` is `x + c`: `x`, which is `param - c` afterwards.
fn counted(terms: &mut Terms, param: Term, arg: Term) -> Option<(Term, Term)> {
    let Node::Binary(Op::Add, a, b) = terms.node(arg) else {
        return None;
    };
    let (var, constant) = match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(bits)) => (a, bits),
        (Some(bits), None) => (b, bits),
        _ => return None,
    };
    terms.as_var(var)?;
    let sort = terms.sort(var);
    let less = terms.constant(sort, constant.wrapping_neg() & sort.mask());
    Some((var, terms.add(param, less)))
}

/// Replaces subterms, the largest ones first.
fn replaced(terms: &mut Terms, term: Term, with: &FxHashMap<Term, Term>) -> Term {
    if let Some(&other) = with.get(&term) {
        return other;
    }
    match terms.node(term) {
        Node::Const(..) | Node::Var(..) | Node::Base(..) => term,
        Node::Unary(op, a) => {
            let a = replaced(terms, a, with);
            terms.unary(op, a)
        }
        Node::Binary(op, a, b) => {
            let (a, b) = (replaced(terms, a, with), replaced(terms, b, with));
            terms.binary(op, a, b)
        }
        Node::Ite(c, a, b) => {
            let c = replaced(terms, c, with);
            let (a, b) = (replaced(terms, a, with), replaced(terms, b, with));
            terms.ite(c, a, b)
        }
    }
}
