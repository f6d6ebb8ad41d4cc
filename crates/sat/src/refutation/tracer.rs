//! Listens to the solver, checks what it derives, and writes it to a file on request.

use super::acyclic::Acyclic;
use super::checker::{Checker, Id};
use super::file::{Line, Writer};
use cadical_sys::ProofTracer;
use std::io;
use std::path::Path;

/// What the solver has reported so far.
#[derive(Debug, Default)]
pub struct Tracer {
    checker: Checker,
    /// What lemmas are about.
    pub order: Acyclic,
    /// Is the solver running? Then clauses that it is given come from the theory.
    pub solving: bool,
    writer: Option<Writer>,
    /// The first step that was wrong.
    wrong: Option<String>,
    /// The clause at the end of the last search.
    concluded: Option<Vec<i32>>,
}

impl Tracer {
    /// Writes everything to a file, what is known already first.
    pub fn write_to(&mut self, path: &Path) -> io::Result<()> {
        let mut writer = Writer::create(path)?;
        let mut known: Vec<_> = self.checker.clauses().collect();
        known.sort_unstable();
        for (id, clause) in known {
            writer.write(&Line::Input(id, clause.to_vec()));
        }
        self.writer = Some(writer);
        Ok(())
    }

    /// How many clauses were derived and checked.
    pub fn derived(&self) -> u64 {
        self.checker.derived
    }

    /// A search begins.
    pub fn begin(&mut self) {
        self.concluded = None;
        self.solving = true;
    }

    /// The search has ended and says that there is no model under the assumptions: is that so?
    pub fn refuted(&mut self, assumptions: &[i32]) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        if let Some(writer) = &mut self.writer {
            let finished = writer.finish();
            finished.map_err(|error| format!("cannot write the refutation: {error}"))?;
        }
        let concluded = self.concluded.as_ref().ok_or("there is no conclusion")?;
        match concluded.iter().all(|lit| assumptions.contains(&-lit)) {
            true => Ok(()),
            false => Err("the conclusion contradicts more than was assumed".into()),
        }
    }

    fn note(&mut self, line: impl FnOnce() -> Line) {
        if let Some(writer) = &mut self.writer {
            writer.write(&line());
        }
    }

    fn step(&mut self, checked: Result<(), String>) {
        if self.wrong.is_none() {
            self.wrong = checked.err();
        }
    }

    fn lemma(&mut self, id: Id, clause: &[i32]) {
        self.note(|| Line::Lemma(id, clause.to_vec()));
        let holds = self.order.implies(clause);
        self.step(holds.then_some(()).ok_or("a lemma does not hold".into()));
        self.checker.add(id, clause);
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: Id, _: bool, clause: &[i32], restored: bool) {
        if restored {
            self.note(|| Line::Restored(id, clause.to_vec()));
            let checked = self.checker.restore(id, clause);
            self.step(checked);
        } else if self.solving {
            self.lemma(id, clause);
        } else {
            self.note(|| Line::Input(id, clause.to_vec()));
            self.checker.add(id, clause);
        }
    }

    fn add_derived_clause(&mut self, id: Id, _: bool, _: i32, clause: &[i32], hints: &[Id]) {
        self.note(|| Line::Derived(id, clause.to_vec(), hints.to_vec()));
        let checked = self.checker.derive(id, clause, hints);
        self.step(checked);
    }

    fn delete_clause(&mut self, id: Id, _: bool, _: &[i32]) {
        self.note(|| Line::Deleted(id));
        self.checker.delete(id);
    }

    fn weaken_minus(&mut self, id: Id, _: &[i32]) {
        self.note(|| Line::Aside(id));
        self.checker.put_aside(id);
    }

    fn strengthen(&mut self, _: Id) {}

    fn finalize_clause(&mut self, _: Id, _: &[i32]) {}

    fn add_assumption(&mut self, _: i32) {}

    fn add_constraint(&mut self, _: &[i32]) {}

    fn reset_assumptions(&mut self) {}

    fn add_assumption_clause(&mut self, id: Id, clause: &[i32], hints: &[Id]) {
        self.add_derived_clause(id, false, 0, clause, hints);
    }

    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}

    fn conclude_unsat(&mut self, _: i32, ids: &[Id]) {
        let [id] = *ids else {
            return self.step(Err("the conclusion is not one clause".into()));
        };
        self.note(|| Line::Concluded(id));
        self.concluded = self.checker.clause(id).map(<[i32]>::to_vec);
    }

    fn conclude_unknown(&mut self, _: &[i32]) {}
}
