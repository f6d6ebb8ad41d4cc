//! Questions to a solver about terms over symbols.

use crate::linear::{Linear, Numbers, can_meet, linear, unextended};
use crate::values::Values;
use expr::{Node, Op, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use smt::{Check, Solver};
use std::time::Duration;

/// A run has fewer than 2^20 threads: the machine has no room for more (decision 2). So this many bits
/// are enough to number them, and rounds of loops that start a thread each.
const NUMBER_BITS: u32 = 20;

/// The longest that a question may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Numbers of variables that are no symbols; symbols are numbered from below.
const FIRST_UNKNOWN: u32 = 1 << 30;

/// Asks one question after the other.
#[derive(Default)]
pub struct Prover {
    solver: Option<Solver>,
    unknowns: u32,
    numbers: Vec<Term>,
    unknown: Vec<VarId>,
    /// Questions so far.
    pub asked: u64,
}

impl Prover {
    /// Is it certain that these conditions never hold together?
    pub fn excludes(&mut self, values: &Values, conditions: &[Term]) -> bool {
        if conditions
            .iter()
            .any(|&it| values.terms.as_const(it) == Some(0))
        {
            return true;
        }
        self.asked += 1;
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = Solver::new();
            solver.set_timeout(Some(PATIENCE));
            solver
        });
        solver.push();
        for &condition in conditions {
            solver.assert(&values.terms, condition);
        }
        let result = solver.check(&values.terms, &[]);
        solver.pop();
        result == Check::Unsat
    }

    /// The number of a thread among those of a run.
    pub fn number(&mut self, values: &mut Values) -> Term {
        self.unknowns += 1;
        let var = VarId(FIRST_UNKNOWN + self.unknowns);
        let number = values.terms.var(var, Sort::Bv(NUMBER_BITS));
        self.numbers.push(number);
        number
    }

    /// The term as one thread sees it: symbols that others that live at the same time may see with another
    /// value get names of their own, the same ones for the same `names`.
    pub fn renamed(
        &mut self,
        values: &mut Values,
        term: Term,
        names: &mut FxHashMap<VarId, Term>,
    ) -> Term {
        for &symbol in values.mentioned(term).iter() {
            let is_shared = values
                .symbol(symbol)
                .is_some_and(|it| it.site.is_shared_by_living());
            if is_shared || names.contains_key(&symbol) {
                continue;
            }
            self.unknowns += 1;
            let var = VarId(FIRST_UNKNOWN + self.unknowns);
            let Some(sort) = sort_of(values, term, symbol) else {
                continue;
            };
            let own = values.terms.var(var, sort);
            names.insert(symbol, own);
        }
        values.terms.substitute(term, names)
    }

    /// What a value is after this many steps.
    pub fn after_steps(values: &mut Values, first: Term, step: u64, steps: Term) -> Term {
        let width = values.terms.width(first);
        let steps = values.terms.resize(steps, width, false);
        let step = values.terms.bv(width, step);
        let passed = values.terms.binary(Op::Mul, steps, step);
        values.terms.add(first, passed)
    }

    /// Is it certain that two ranges of bytes have none in common, if these numbers are different?
    pub fn never_overlap(
        &mut self,
        values: &mut Values,
        a: (Term, u64),
        b: (Term, u64),
        different: &[(Term, Term)],
    ) -> bool {
        let width = values.terms.width(a.0);
        let numbers = Numbers {
            bits: NUMBER_BITS,
            all: &self.numbers,
        };
        let (from, to) = (linear(values, &numbers, a.0), linear(values, &numbers, b.0));
        let difference = to.plus(&from, -1).wrapped(width);
        let sums = unextended(values, &numbers, difference);
        let meet = sums
            .iter()
            .map(|sum| can_meet(values, &numbers, sum, width, (a.1, b.1), different))
            .try_fold(false, |any, meet| Some(any || meet?));
        if meet == Some(false) {
            return true;
        }
        let all = [a.0, b.0];
        let is_decided = sums.len() == 1 && meet.is_some() && self.has_only_numbers(&sums[0]);
        if is_decided || all.iter().any(|&term| self.is_vague(values, term)) {
            return false;
        }
        let pairs = different.iter();
        let mut conditions: Vec<Term> = pairs.map(|&(x, y)| values.terms.ne(x, y)).collect();
        conditions.push(overlap(values, a, b));
        self.excludes(values, &conditions)
    }

    fn has_only_numbers(&self, sum: &Linear) -> bool {
        sum.factors.keys().all(|atom| self.numbers.contains(atom))
    }

    /// Does the term depend on an unknown value? Then a solver would search long and find little.
    fn is_vague(&self, values: &mut Values, term: Term) -> bool {
        let vars = values.mentioned(term);
        vars.iter().any(|var| self.unknown.contains(var))
    }

    /// A value about which nothing is known.
    pub fn unknown(&mut self, values: &mut Values, sort: Sort) -> Term {
        self.unknowns += 1;
        let var = VarId(FIRST_UNKNOWN + self.unknowns);
        self.unknown.push(var);
        values.terms.var(var, sort)
    }

    /// Are two terms certainly equal?
    pub fn are_equal(&mut self, values: &mut Values, a: Term, b: Term) -> bool {
        if values.terms.sort(a) != values.terms.sort(b) {
            return false;
        }
        let numbers = Numbers {
            bits: NUMBER_BITS,
            all: &self.numbers,
        };
        if a == b || linear(values, &numbers, a) == linear(values, &numbers, b) {
            return true;
        }
        let different = values.terms.ne(a, b);
        self.excludes(values, &[different])
    }
}

/// The condition that two ranges of bytes have one in common.
pub fn overlap(values: &mut Values, a: (Term, u64), b: (Term, u64)) -> Term {
    let width = values.terms.width(a.0);
    let behind = values.terms.binary(Op::Sub, b.0, a.0);
    let before = values.terms.binary(Op::Sub, a.0, b.0);
    let (of_a, of_b) = (values.terms.bv(width, a.1), values.terms.bv(width, b.1));
    let starts_in_a = values.terms.binary(Op::Ult, behind, of_a);
    let starts_in_b = values.terms.binary(Op::Ult, before, of_b);
    values.terms.or(starts_in_a, starts_in_b)
}

fn sort_of(values: &Values, term: Term, var: VarId) -> Option<Sort> {
    let mut found = None;
    values.terms.for_each_subterm(term, &mut |_, node| {
        if let Node::Var(other, sort) = node
            && other == var
        {
            found = Some(sort);
        }
    });
    found
}
