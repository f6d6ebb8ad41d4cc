//! Claims, and how each of them is checked.

use crate::Registry;
use engine::{Evidence, Options};
use std::time::Duration;
use verdict::{Budget, Check, Objection, Proof, Reason, Task, Trace, Verdict, confirm};

/// A claim about a program.
#[derive(Clone, Debug)]
pub enum Claim<'a> {
    /// This execution violates the property.
    Unsafe(&'a Trace),
    /// No execution violates the property, by this proof.
    Safe(Evidence<'a>),
}

/// Engines that give a second opinion if there is no evidence to check.
const SECOND_OPINIONS: [&str; 2] = ["bmc", "cegar"];

impl Registry {
    /// Checks a claim. An answer that is not `Accepted` says nothing about the program, unless the
    /// reason names a violation.
    pub fn verify(&self, task: &Task, claim: &Claim<'_>, budget: &Budget) -> Check {
        // What the last gate before a verdict forbids is not confirmed either.
        let memory = task.property.is_memsafety();
        if let Some(what) = &task.xcfa.foreign
            && (memory || matches!(claim, Claim::Safe(..)))
        {
            return Check::Rejected(what.clone());
        }
        match claim {
            Claim::Unsafe(trace) => {
                let replayed = verdict::replayed(task, trace).map(drop);
                let wrong = |error: semantics::Mismatch| Objection::Wrong(error.to_string());
                match (replayed, verdict::not_exact(task, trace)) {
                    (Ok(()), Some(what)) => Check::Rejected(what),
                    (replayed, _) => replayed.map_err(wrong).into(),
                }
            }
            Claim::Safe(evidence) => self.proves(task, evidence, budget),
        }
    }

    pub(crate) fn proves(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Check {
        if let Some(what) = verdict::not_followed(task, evidence.proof) {
            return Check::Rejected(what);
        }
        if let Proof::WeakUnrolling { model, .. } = evidence.proof
            && model == task.memory_model.name()
        {
            return self.all_graphs(task, budget).into();
        }
        if let Proof::Interleavings {
            model,
            races,
            errors,
        } = evidence.proof
            && model == task.memory_model.name()
        {
            return self.proves_interleavings(task, races, errors.as_deref(), budget);
        }
        let is_graphs = matches!(evidence.proof, Proof::AllGraphs { .. });
        if !is_graphs && !task.memory_model.is_sc() {
            let model = task.memory_model.name();
            return Check::Rejected(format!("such a proof says nothing about {model}"));
        }
        if let Proof::ClosedExploration {
            states,
            transitions,
        } = evidence.proof
        {
            return evidence::visited(task, *states, *transitions, budget).into();
        }
        let mut engines = self.engines();
        let rechecked = engines.find_map(|engine| engine.recheck(task, evidence, budget));
        rechecked.unwrap_or_else(|| self.visited_or_agreed(task, budget).into())
    }

    /// An unrolling under a weak memory model has no refutation that is checked: what was learnt from the model is part of
    /// it. All executions are made instead.
    fn all_graphs(&self, task: &Task, budget: &Budget) -> Result<(), Objection> {
        let open = |what: &str| Objection::from(Reason::Inconclusive(what.to_owned()));
        let engine = self
            .find("graphs")
            .ok_or_else(|| open("there is no engine `graphs`"))?;
        let checker = engine.configure(task.property, &Options::default());
        let checker = checker.map_err(|_| open("`graphs` does not check the property"))?;
        match confirm(task, checker(task, budget).verdict) {
            Verdict::Safe(_) => Ok(()),
            Verdict::Unsafe(_) => Err("there is a violation".into()),
            Verdict::Unknown(reason) => Err(reason.into()),
        }
    }

    /// A search that left executions out is not repeated: either all states are visited, or another
    /// engine, whose proofs are checked by themselves, has to come to the same verdict.
    fn visited_or_agreed(&self, task: &Task, budget: &Budget) -> Result<(), Objection> {
        let quick = budget
            .remaining()
            .map_or(Duration::from_secs(60), |left| left / 3);
        let why_not = match evidence::closed(task, &budget.at_most(quick)) {
            Ok(_) => return Ok(()),
            Err(Objection::Wrong(why)) => return Err(Objection::Wrong(why)),
            Err(Objection::Open(reason)) => reason,
        };
        let mut budgets = [half(budget), budget.clone()].into_iter();
        for name in SECOND_OPINIONS {
            let (Some(engine), Some(budget)) = (self.find(name), budgets.next()) else {
                continue;
            };
            let Ok(checker) = engine.configure(task.property, &Options::default()) else {
                continue;
            };
            match confirm(task, checker(task, &budget).verdict) {
                Verdict::Safe(_) => return Ok(()),
                Verdict::Unsafe(_) => return Err("there is a violation".into()),
                Verdict::Unknown(_) => {}
            }
        }
        Err(match budget.exceeded(0) {
            Some(reason) => reason.into(),
            None => Reason::Inconclusive(format!("{why_not}; and no other engine says so")).into(),
        })
    }
}

fn half(budget: &Budget) -> Budget {
    match budget.remaining() {
        Some(left) => budget.at_most(left / 2),
        None => budget.at_most(Duration::from_secs(600)),
    }
}
