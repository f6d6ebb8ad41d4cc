//! Conditions that are to hold together, and the search for values that do.
//!
//! Most questions are small. A circuit and a few conflicts answer them in less time than Z3 takes to begin; what is open
//! after that, and what has no circuit, is Z3's.

use expr::{Env, Node, ObjId, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use sat::blast::Blaster;
use sat::{Sat, Satisfiability};
use smt::{Check, Model, Solver};
use verdict::{Budget, Reason};

/// After so many conflicts a question is given to Z3.
const CONFLICTS: u32 = 2_000;

/// What one question may cost there; what is not answered is open.
const EFFORT: u32 = 3_000_000;

/// What was found.
pub enum Found {
    /// They can hold together: with these values.
    Values(Values),
    /// They cannot.
    Nothing,
    /// Nobody knows.
    Open,
}

/// Values of variables; what is not mentioned may be anything.
pub enum Values {
    /// Read off a circuit.
    Circuit(FxHashMap<VarId, u64>),
    /// Z3's.
    Z3(Model),
}

impl Env for Values {
    fn var(&self, var: VarId) -> u64 {
        match self {
            Values::Circuit(values) => values.get(&var).copied().unwrap_or(0),
            Values::Z3(model) => model.var(var),
        }
    }

    fn base(&self, object: ObjId) -> u64 {
        match self {
            // Such a term has no circuit.
            Values::Circuit(_) => 0,
            Values::Z3(model) => model.base(object),
        }
    }
}

/// Some conditions, and what is asked about them.
pub struct Formula<'a> {
    budget: &'a Budget,
    parts: Vec<Term>,
    /// As a circuit; none if one of them has none, or was too hard.
    circuit: Option<Blaster>,
}

impl<'a> Formula<'a> {
    /// Conditions that hold in every question.
    pub fn new(terms: &Terms, parts: Vec<Term>, budget: &'a Budget) -> Formula<'a> {
        let mut blaster = Blaster::default();
        blaster.gates.sat = Sat::of_conflicts(CONFLICTS);
        let mut has_circuit = true;
        for &part in &parts {
            match blaster.lit(terms, part) {
                Ok(lit) => blaster.gates.sat.clause(&[lit]),
                Err(_) => has_circuit = false,
            }
        }
        Formula {
            budget,
            parts,
            circuit: has_circuit.then_some(blaster),
        }
    }

    /// Can this one hold as well?
    pub fn ask(&mut self, terms: &Terms, last: Term) -> Result<Found, Reason> {
        if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
            return Err(reason);
        }
        if let Some(found) = self.ask_circuit(terms, last) {
            return Ok(found);
        }
        self.circuit = None;
        Ok(self.ask_z3(terms, last))
    }

    fn ask_circuit(&mut self, terms: &Terms, last: Term) -> Option<Found> {
        let blaster = self.circuit.as_mut()?;
        let lit = blaster.lit(terms, last).ok()?;
        match blaster.gates.sat.solve(&[lit], self.budget) {
            Satisfiability::Unsatisfiable => Some(Found::Nothing),
            Satisfiability::Satisfiable => {
                let mut values = FxHashMap::default();
                for &part in self.parts.iter().chain([&last]) {
                    read(blaster, terms, part, &mut values);
                }
                Some(Found::Values(Values::Circuit(values)))
            }
            Satisfiability::Stopped(_) => None,
        }
    }

    fn ask_z3(&self, terms: &Terms, last: Term) -> Found {
        let mut solver = Solver::new();
        solver.set_effort(EFFORT);
        for &part in self.parts.iter().chain([&last]) {
            solver.assert(terms, part);
        }
        solver.set_timeout(self.budget.remaining());
        match solver.check(terms, &[]) {
            Check::Unsat => Found::Nothing,
            Check::Sat => solver
                .model()
                .map_or(Found::Open, |model| Found::Values(Values::Z3(model))),
            Check::Unknown(_) => Found::Open,
        }
    }
}

/// The values of the variables of a term.
fn read(blaster: &mut Blaster, terms: &Terms, term: Term, values: &mut FxHashMap<VarId, u64>) {
    terms.for_each_subterm(term, &mut |_, node| {
        let Node::Var(var, _) = node else { return };
        let Some(word) = blaster.known_var(var).cloned() else {
            return;
        };
        values.entry(var).or_insert_with(|| {
            let bits = word.iter().enumerate();
            bits.filter(|&(_, &bit)| blaster.gates.sat.is_true(bit))
                .fold(0, |all, (at, _)| all | 1 << at)
        });
    });
}
