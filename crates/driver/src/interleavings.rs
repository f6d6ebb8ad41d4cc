//! Programs that a memory model treats as interleavings, so that what is proved of those holds.
//!
//! The theorem is that of data-race freedom for C11 as repaired (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017,
//! DOI 10.1145/3062341.3062352): if all atomic accesses are `seq_cst`, and nothing races in any interleaving, every execution
//! is an interleaving. Locks that are only taken and released keep it, though they do no more than acquire and release: all
//! accesses to one lock are ordered. The models of machines allow less, because of how C's atomics are compiled for them.
//! `ra` treats `seq_cst` accesses as weaker ones, so nothing follows there.
//!
//! The conditions are on the program as it is judged ([`race_freedom_suffices`]), and that nothing races is proved by any engines. A lock
//! that is tried, destroyed or looked at in other ways is more than a lock here, unless no thread has been started: one who
//! finds it taken learns what the holder did before, without any order.

use crate::{CheckResult, Plan, Registry, plan};
use dataflow::pointsto::Offset;
use dataflow::{Storage, Touch, locations_before_threads, touches};
use engine::{BadOption, Evidence};
use portfolio::{Attempt, Running};
use std::sync::Arc;
use std::time::Duration;
use verdict::{Answer, Budget, Check, MemoryModel, Proof, Property, Stats, Task, Verdict};
use xcfa::{Edge, Label, LockMode, MemoryOrder};

/// The models of which the theorem speaks.
const MODELS: [&str; 3] = ["tso", "pso", "rc11"];

/// The engines that know the model have this share of the time first, in percent, and no more than this.
const FIRST: (u32, Duration) = (25, Duration::from_secs(20));

/// The share of what is left then, in percent, that proofs about interleavings have.
const PROOFS: u32 = 60;

/// If nothing races in any interleaving, are all executions that the memory model allows interleavings? Those are the
/// conditions that the text of the program and the model have to fulfil.
pub fn race_freedom_suffices(task: &Task) -> bool {
    let model = &task.memory_model;
    let is_known = model.is_shipped() && MODELS.contains(&model.name());
    let is_asked = matches!(
        task.property,
        Property::Reach | Property::Race | Property::Robust
    );
    is_known && is_asked && has_only_strong_orders(task)
}

fn has_only_strong_orders(task: &Task) -> bool {
    let xcfa = &task.xcfa;
    let alone = locations_before_threads(xcfa);
    let edges = || {
        let edges = xcfa.edges.iter();
        edges.filter(|edge| !alone[edge.source.0 as usize])
    };
    let touched = |edge: &Edge| -> Vec<Touch> {
        // Memory that ends holds what it held.
        let ends = |label: &&Label| matches!(label, Label::Free(_) | Label::Dealloc(_));
        let labels = edge.labels.iter().filter(|label| !ends(label));
        let all = labels.flat_map(|label| touches(xcfa, xcfa.points_to(), label));
        all.collect()
    };
    let locks: Vec<Touch> = edges()
        .filter(|edge| locks(edge))
        .flat_map(&touched)
        .collect();
    let mut edges = edges();
    edges.all(|edge| {
        let refused = edge.labels.iter().any(|label| match label {
            Label::AtomicBegin | Label::AtomicEnd | Label::Await(_) => true,
            Label::Lock { mode, .. } | Label::Unlock { mode, .. } => *mode != LockMode::Exclusive,
            other => other.is_signalling(),
        });
        let here = touched(edge);
        match (refused, locks_only(edge)) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => {
                // What is not atomic races with whoever uses a lock, if it accesses the lock at all.
                let is_strong = edge.order == Some(MemoryOrder::SeqCst);
                let meets = |touch: &Touch| locks.iter().any(|lock| may_meet(lock, touch));
                !edge.atomic || here.is_empty() || is_strong && !here.iter().any(meets)
            }
        }
    })
}

fn may_meet(a: &Touch, b: &Touch) -> bool {
    match (a.place, b.place) {
        (Storage::Memory(x, length), Storage::Memory(y, other)) => {
            let apart = match (x.offset, y.offset) {
                (Offset::At(i), Offset::At(j)) => i + length as i64 <= j || j + other as i64 <= i,
                _ => false,
            };
            x.object == y.object && !apart
        }
        (a, b) => a == b,
    }
}

fn locks(edge: &Edge) -> bool {
    let mut labels = edge.labels.iter();
    labels.any(|label| matches!(label, Label::Lock { .. } | Label::Unlock { .. }))
}

/// Does an edge take or release one lock, and nothing else?
fn locks_only(edge: &Edge) -> bool {
    edge.labels.len() == 1 && locks(edge)
}

/// The same question about interleavings.
fn sequential(task: &Task, property: Property) -> Task {
    let mut task = task.clone();
    task.property = property;
    task.memory_model = Arc::new(MemoryModel::sc());
    task
}

/// Answers a task to which the theorem may apply: the engines that know the model go first, and last.
pub(crate) fn check(
    task: &Task,
    plan: &Plan,
    watch: &mut dyn FnMut(&[Running<'_>]),
) -> Result<CheckResult, BadOption> {
    let (share, most) = FIRST;
    let first = part(&plan.budget, share).map_or(most, |it| it.min(most));
    let direct = plan::by_portfolio(task, &with_time(plan, Some(first)), watch)?;
    if !matches!(direct.verdict(), Verdict::Unknown(_)) || plan.budget.exceeded(0).is_some() {
        return Ok(direct);
    }
    let mut tried = attempts(&direct);
    let middle = with_time(plan, part(&plan.budget, PROOFS));
    let proved = prove(task, &middle, watch, &mut tried)?;
    let last = match proved {
        Some(proved) => proved,
        None if plan.budget.exceeded(0).is_some() => direct,
        None => {
            let last = plan::by_portfolio(task, plan, watch)?;
            tried.extend(attempts(&last));
            last
        }
    };
    let facts = *task.xcfa.facts();
    Ok(CheckResult {
        tried: Some((facts, tried)),
        ..last
    })
}

/// A proof about interleavings that holds under the model, if there is one.
fn prove(
    task: &Task,
    plan: &Plan,
    watch: &mut dyn FnMut(&[Running<'_>]),
    tried: &mut Vec<Attempt>,
) -> Result<Option<CheckResult>, BadOption> {
    let half = with_time(plan, part(&plan.budget, 50));
    let mut ask = |property, plan: &Plan| -> Result<_, BadOption> {
        let asked = plan::by_portfolio(&sequential(task, property), plan, watch)?;
        tried.extend(attempts(&asked));
        Ok(match asked.verdict() {
            Verdict::Safe(proof) => Some((Box::new(proof.clone()), asked)),
            _ => None,
        })
    };
    let Some((races, mut last)) = ask(Property::Race, &half)? else {
        return Ok(None);
    };
    let mut errors = None;
    if task.property == Property::Reach {
        let Some((proof, asked)) = ask(Property::Reach, plan)? else {
            return Ok(None);
        };
        (errors, last) = (Some(proof), asked);
    }
    let proof = Proof::Interleavings {
        model: task.memory_model.name().to_owned(),
        races,
        errors,
    };
    let answer = Answer::new(Verdict::Safe(proof), Stats::default());
    Ok(Some(CheckResult {
        confirmed: answer.confirm(task),
        ..last
    }))
}

fn attempts(result: &CheckResult) -> Vec<Attempt> {
    let tried = result.tried.as_ref();
    tried.map_or_else(Vec::new, |(_, tried)| tried.clone())
}

fn part(budget: &Budget, percent: u32) -> Option<Duration> {
    budget.remaining().map(|left| left * percent / 100)
}

fn with_time(plan: &Plan, time: Option<Duration>) -> Plan {
    let budget = match time {
        Some(time) => plan.budget.at_most(time),
        None => plan.budget.clone(),
    };
    plan.clone().with_budget(budget)
}

impl Registry {
    /// Checks a proof about interleavings: the conditions of the theorem, and both parts.
    pub(crate) fn proves_interleavings(
        &self,
        task: &Task,
        races: &Proof,
        errors: Option<&Proof>,
        budget: &Budget,
    ) -> Check {
        if !race_freedom_suffices(task) {
            return Check::Rejected("the program may do what no interleaving does".into());
        }
        let mut parts = vec![(Property::Race, races)];
        match (task.property, errors) {
            (Property::Reach, Some(proof)) => parts.push((Property::Reach, proof)),
            (Property::Reach, None) => return Check::Rejected("nothing is said of errors".into()),
            _ => {}
        }
        for (property, proof) in parts {
            let artifacts = None;
            let check = self.proves(
                &sequential(task, property),
                &Evidence { proof, artifacts },
                budget,
            );
            if !matches!(check, Check::Accepted) {
                return check;
            }
        }
        Check::Accepted
    }
}
