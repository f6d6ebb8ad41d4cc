//! A satisfiability solver: clauses, assumptions, models, failed assumptions, limits, figures.
//!
//! A thin and safe layer over CaDiCaL, with room for one theory that takes part in the search. It
//! deliberately knows nothing of what the variables mean.

use crate::Lit;
use crate::limits::Limits;
use crate::refutation::{Acyclic, Tracer};
use cadical_sys::{CaDiCal, ExternalPropagator, Status};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use verdict::{Budget, Reason};

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiability {
    /// There is a model, to be read by [`Sat::is_true`].
    Satisfiable,
    /// There is none under the assumptions.
    Unsatisfiable,
    /// It had to stop before it knew.
    Stopped(Reason),
}

/// Figures of the search, which do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Variables.
    pub vars: u64,
    /// Clauses that were added.
    pub clauses: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Propagations.
    pub propagations: u64,
    /// Derived clauses that were checked.
    pub checked: u64,
}

/// A solver with its clauses.
pub struct Sat {
    solver: CaDiCal,
    vars: i32,
    clauses: u64,
    kept: Option<Vec<Vec<Lit>>>,
    /// A search ends after so many conflicts.
    most_conflicts: Option<u32>,
    tracer: Rc<RefCell<Tracer>>,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

impl Sat {
    /// A solver in which only [`Lit::TRUE`] exists.
    pub fn new() -> Sat {
        Sat::with_options(&[])
    }

    /// A solver for small questions: every search stops after so many conflicts, and does not try simple assignments first,
    /// which takes longer than most such searches.
    pub fn of_conflicts(most: u32) -> Sat {
        Sat {
            most_conflicts: Some(most),
            ..Sat::with_options(&[("lucky", 0)])
        }
    }

    fn with_options(more: &[(&str, i32)]) -> Sat {
        let mut solver = CaDiCal::new();
        // A theory relies on assignments being undone in the order in which they were made.
        let always = [("chrono", 0), ("ilb", 0), ("factor", 0)];
        for &(option, value) in always.iter().chain(more) {
            solver.set(option, value);
        }
        let tracer = Rc::new(RefCell::new(Tracer::default()));
        solver.connect_proof_tracer1(Rc::clone(&tracer), true, false);
        solver.clause1(Lit::TRUE.number());
        Sat {
            solver,
            vars: 1,
            clauses: 0,
            kept: None,
            most_conflicts: None,
            tracer,
        }
    }

    /// Keeps a copy of every clause from now on, for [`Sat::dimacs`].
    pub fn keep_clauses(&mut self) {
        self.kept = Some(Vec::new());
    }

    /// The kept clauses, without literals that never hold.
    pub fn kept(&self) -> impl Iterator<Item = Vec<i32>> + '_ {
        let kept = self.kept.iter().flatten().map(|clause| {
            let lits = clause.iter().filter(|&&lit| lit != Lit::FALSE);
            lits.map(|lit| lit.number()).collect()
        });
        kept.chain([vec![Lit::TRUE.number()]])
    }

    /// Writes the refutation to a file, step by step.
    pub fn write_refutation(&mut self, path: &Path) -> std::io::Result<()> {
        self.tracer.borrow_mut().write_to(path)
    }

    /// What the theory's lemmas have to be about.
    pub fn set_order(&mut self, order: Acyclic) {
        self.tracer.borrow_mut().order = order;
    }

    /// A new variable.
    pub fn fresh(&mut self) -> Lit {
        self.vars = self.vars.checked_add(1).expect("fewer than 2^31 variables");
        Lit::from_number(self.vars)
    }

    /// Adds a clause.
    pub fn clause(&mut self, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        self.clauses += 1;
        for lit in lits.iter().filter(|&&lit| lit != Lit::FALSE) {
            self.solver.add(lit.number());
        }
        self.solver.add(0);
        if let Some(kept) = &mut self.kept {
            kept.push(lits.to_vec());
        }
    }

    /// `a` implies `b`.
    pub fn imply(&mut self, a: Lit, b: Lit) {
        self.clause(&[!a, b]);
    }

    /// Lets a theory take part; it is notified of the variables that [`Sat::observe`] names.
    pub fn attach<T: ExternalPropagator + 'static>(&mut self, theory: Rc<RefCell<T>>) {
        self.solver.connect_external_propagator(Shared(theory));
    }

    /// The theory is notified when this literal's variable is assigned.
    pub fn observe(&mut self, lit: Lit) {
        self.solver.add_observed_var(lit.var() as i32);
    }

    /// Searches for a model in which the assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Satisfiability {
        let limits = Limits::new(budget.clone());
        let stopped = limits.stopped();
        if let Some(reason) = limits.check_now() {
            return Satisfiability::Stopped(reason);
        }
        self.solver.connect_terminator(limits);
        for lit in assumptions {
            self.solver.assume(lit.number());
        }
        if let Some(most) = self.most_conflicts {
            // The solver forgets it after each search.
            let most = i32::try_from(most).unwrap_or(i32::MAX);
            assert!(
                self.solver.limit("conflicts", most),
                "a limit that the solver knows"
            );
        }
        self.tracer.borrow_mut().begin();
        let status = self.solver.solve();
        if status == Status::UNSATISFIABLE {
            // This makes the solver derive what it concludes.
            self.solver.conclude();
        }
        self.solver.disconnect_terminator();
        self.tracer.borrow_mut().solving = false;
        match status {
            Status::SATISFIABLE => Satisfiability::Satisfiable,
            Status::UNSATISFIABLE => {
                let assumed: Vec<i32> = assumptions.iter().map(|lit| lit.number()).collect();
                match self.tracer.borrow_mut().refuted(&assumed) {
                    Ok(()) => Satisfiability::Unsatisfiable,
                    Err(what) => Satisfiability::Stopped(Reason::NotProved(what)),
                }
            }
            Status::UNKNOWN => {
                Satisfiability::Stopped(stopped.take().unwrap_or_else(
                    || match self.most_conflicts {
                        Some(most) => {
                            Reason::Inconclusive(format!("no answer after {most} conflicts"))
                        }
                        None => Reason::OutOfTime,
                    },
                ))
            }
        }
    }

    /// Does the literal hold in the model that was found?
    pub fn is_true(&mut self, lit: Lit) -> bool {
        match lit.as_constant() {
            Some(value) => value,
            // A variable that the solver has never seen counts as false.
            None if lit.var() as i32 > self.solver.vars() => lit.number() < 0,
            None => self.solver.val(lit.number()) == lit.number(),
        }
    }

    /// Figures so far.
    pub fn figures(&self) -> Figures {
        let figure = |name| self.solver.get_statistic_value(name).max(0) as u64;
        Figures {
            vars: self.vars as u64,
            clauses: self.clauses,
            conflicts: figure("conflicts"),
            decisions: figure("decisions"),
            propagations: figure("propagations"),
            checked: self.tracer.borrow().derived(),
        }
    }

    /// The kept clauses in the format of DIMACS.
    pub fn dimacs(&self) -> String {
        use std::fmt::Write;
        let kept = self.kept.as_deref().unwrap_or_default();
        let mut text = format!("p cnf {} {}\n1 0\n", self.vars, kept.len() + 1);
        for clause in kept {
            for lit in clause {
                let _ = write!(text, "{lit:?} ");
            }
            text.push_str("0\n");
        }
        text
    }
}

/// A theory that others look at between two searches.
struct Shared<T>(Rc<RefCell<T>>);

impl<T: ExternalPropagator> ExternalPropagator for Shared<T> {
    fn is_lazy(&mut self) -> bool {
        self.0.borrow_mut().is_lazy()
    }

    fn are_reasons_forgettable(&mut self) -> bool {
        self.0.borrow_mut().are_reasons_forgettable()
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.0.borrow_mut().notify_assignment(lits);
    }

    fn notify_new_decision_level(&mut self) {
        self.0.borrow_mut().notify_new_decision_level();
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.0.borrow_mut().notify_backtrack(new_level);
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.0.borrow_mut().cb_check_found_model(model)
    }

    fn cb_decide(&mut self) -> i32 {
        self.0.borrow_mut().cb_decide()
    }

    fn cb_propagate(&mut self) -> i32 {
        self.0.borrow_mut().cb_propagate()
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        self.0.borrow_mut().cb_add_reason_clause_lit(propagated_lit)
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        self.0.borrow_mut().cb_has_external_clause(is_forgettable)
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.0.borrow_mut().cb_add_external_clause_lit()
    }
}
