//! Questions to a solver about terms over symbols.

use crate::values::Values;
use expr::{Op, Sort, Term, VarId};
use smt::{Check, Solver};
use std::time::Duration;

/// A run has fewer threads than this: the machine has no room for more (decision 2).
const MOST_THREADS: u64 = 1 << 20;

/// The longest that a question may take.
const PATIENCE: Duration = Duration::from_millis(500);

/// Numbers of variables that are no symbols; symbols are numbered from below.
const FIRST_UNKNOWN: u32 = 1 << 30;

/// Asks one question after the other.
#[derive(Default)]
pub struct Prover {
    solver: Option<Solver>,
    unknowns: u32,
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

    /// A value about which nothing is known.
    pub fn unknown(&mut self, values: &mut Values, sort: Sort) -> Term {
        self.unknowns += 1;
        values.terms.var(VarId(FIRST_UNKNOWN + self.unknowns), sort)
    }

    /// The number of a thread among those of a run, as 64 bits: a value with the condition that bounds
    /// it.
    pub fn number(&mut self, values: &mut Values) -> (Term, Term) {
        let number = self.unknown(values, Sort::Bv(64));
        (number, Prover::is_number(values, number))
    }

    /// The condition that the number of a thread obeys.
    pub fn is_number(values: &mut Values, number: Term) -> Term {
        let most = values.terms.bv(64, MOST_THREADS);
        values.terms.binary(Op::Ult, number, most)
    }

    /// What a value is after so many steps.
    pub fn after_steps(values: &mut Values, first: Term, step: u64, steps: Term) -> Term {
        let width = values.terms.width(first);
        let steps = values.terms.resize(steps, width, false);
        let step = values.terms.bv(width, step);
        let passed = values.terms.binary(Op::Mul, steps, step);
        values.terms.add(first, passed)
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
}
