//! Checks facts that are claimed to hold at locations, whatever other threads do.
//!
//! The evidence lists, by location, facts over the variables of the program. The actions are taken
//! from [`abstraction::Program`] one at a time, without any reduction. What has to be shown:
//!
//! 1. the facts at the start of the first thread hold at the start of the program;
//! 2. an action that is possible where the facts before it hold leads to a listed location, and the
//!    facts there hold then; so do those at the start of a thread that it starts;
//! 3. no such action leads to an error, or beyond the unrolling;
//! 4. an action of one thread keeps the facts at every location where another thread may be. These two
//!    threads have different handles: that is a law of the program ([`Program::modular`]).
//!
//! Edges that the ranges of numbers exclude are left out before ([`crate::growth`]).
//!
//! Nothing in the evidence is trusted, and nothing is shared with the engine that searches for facts
//! (`checks`) but the program as actions and the solver.

use crate::growth::Discharged;
use crate::ranks::{Oracle, read_facts, sections};
use abstraction::{Action, Program, View, twin};
use expr::{Portable, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use smt::on_worker;
use std::collections::BTreeMap;
use verdict::{Budget, Objection, Reason, Task};
use xcfa::{Edge, ErrorKind, Label, LocId};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    /// What the program that the facts are about tells apart.
    view: View,
    /// Edges that are left out first.
    discharged: Discharged,
    places: Vec<Claimed>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claimed {
    /// The location.
    at: u32,
    /// What holds there.
    facts: Portable,
}

/// Does the certificate show that no error is reached?
pub fn recheck(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    let over = || budget.exceeded(0).is_some();
    let checked = on_worker(over, || recheck_here(task, certificate, budget));
    checked.unwrap_or_else(|| Err(Reason::NotProved("the check failed".into()).into()))
}

fn recheck_here(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    let certificate = Certificate::deserialize(certificate).map_err(|error| error.to_string())?;
    let silent = || format!("facts about locations say nothing about {}", task.property);
    let target = task.property.target().ok_or_else(silent)?;
    let mut oracle = Oracle { budget };
    let rest = certificate.discharged.check(&task.xcfa, &mut oracle)?;
    let is_left = |edge: &Edge| {
        let never = |label: &Label| matches!(label, Label::Assume(it) if rest.terms.as_const(*it) == Some(0));
        rest[edge.target].error == Some(target) && !edge.labels.iter().any(never)
    };
    if !rest.checks_memory && !rest.edges.iter().any(is_left) {
        return Ok(());
    }
    let program = Program::modular(&rest, certificate.view);
    let (program, mut terms) = program.map_err(|refused| Reason::unsupported(refused.what))?;
    let mut places = BTreeMap::new();
    for claimed in &certificate.places {
        let facts = read_facts(&claimed.facts, &program, &mut terms);
        let facts = facts.ok_or("the facts do not fit the program")?;
        if claimed.at as usize >= program.locations() {
            return Err("there is no such location".into());
        }
        places.insert(LocId(claimed.at), facts);
    }
    let mut places = Places {
        program: &program,
        target,
        places,
        inside: Vec::new(),
        oracle,
    };
    places.check(&mut terms)
}

struct Places<'a> {
    program: &'a Program,
    target: ErrorKind,
    places: BTreeMap<LocId, Vec<Term>>,
    /// By location: is it inside an atomic section?
    inside: Vec<bool>,
    oracle: Oracle<'a>,
}

impl Places<'_> {
    fn check(&mut self, terms: &mut Terms) -> Result<(), Objection> {
        let mut actions = self.program.actions.iter();
        if !actions.any(|action| self.is_error(action.target)) {
            return Ok(());
        }
        self.inside = sections(self.program)?;
        self.own_facts_only(terms)?;
        self.start(terms)?;
        for action in &self.program.actions {
            if let Some(before) = self.places.get(&action.source).cloned() {
                self.action(terms, action, &before)?;
                self.others(terms, action, &before)?;
            }
        }
        Ok(())
    }

    fn is_error(&self, loc: LocId) -> bool {
        let error = self.program.error(loc);
        error == Some(self.target) || error == Some(ErrorKind::Unwound)
    }

    fn thread_at(&self, loc: LocId) -> Option<usize> {
        let mut actions = self.program.actions.iter();
        let near = actions.find(|action| action.source == loc || action.target == loc);
        let starts = || self.program.threads.iter().position(|it| it.init == loc);
        near.map(|action| action.thread).or_else(starts)
    }

    /// A fact at a location is about globals and the variables of its thread, which only that thread
    /// and the action that starts it set.
    fn own_facts_only(&self, terms: &Terms) -> Result<(), Objection> {
        let owner = |var: VarId| self.program.vars[var.0 as usize].owner;
        for (&loc, facts) in &self.places {
            let thread = self.thread_at(loc).ok_or("no thread is ever there")?;
            let mut vars = facts.iter().flat_map(|&fact| terms.vars(fact));
            if vars.any(|var| owner(var).is_some_and(|owner| owner != thread)) {
                return Err("a fact is about the variables of another thread".into());
            }
        }
        for action in &self.program.actions {
            let fine = |owner: usize| owner == action.thread || action.starts.contains(&owner);
            let mut written = action.updates.iter().map(|&(var, _)| owner(var));
            if !written.all(|owner| owner.is_none_or(fine)) {
                return Err("a thread writes what belongs to another".into());
            }
        }
        Ok(())
    }

    /// The values that variables start with: all of them, or those of a thread.
    fn initial(&self, terms: &mut Terms, thread: Option<usize>) -> Vec<Term> {
        let mut values = Vec::new();
        for (at, about) in self.program.vars.iter().enumerate() {
            let meant = thread.is_none() || about.owner == thread;
            if let (Some(init), true, false) = (about.init, meant, about.input) {
                let value = terms.constant(about.sort, init);
                let var = terms.var(VarId(at as u32), about.sort);
                values.push(terms.eq(var, value));
            }
        }
        values
    }

    fn start(&mut self, terms: &mut Terms) -> Result<(), Objection> {
        let first = self.program.threads[0].init;
        let initial = self.initial(terms, None);
        let nothing = FxHashMap::default();
        self.arrive(terms, initial, &nothing, first)
    }

    /// Do the facts at a location follow?
    fn arrive(
        &mut self,
        terms: &mut Terms,
        mut parts: Vec<Term>,
        updates: &FxHashMap<VarId, Term>,
        loc: LocId,
    ) -> Result<(), Objection> {
        let facts = self.places.get(&loc).cloned();
        if let Some(facts) = &facts {
            let all = terms.and_all(facts.iter().copied());
            let all = terms.substitute(all, updates);
            parts.push(terms.not(all));
        }
        match self.oracle.exclude(terms, &parts)? {
            true => Ok(()),
            false if facts.is_some() => Err("a fact need not hold after an action".into()),
            false => Err("an action leads to a place that is not listed".into()),
        }
    }

    fn action(
        &mut self,
        terms: &mut Terms,
        action: &Action,
        before: &[Term],
    ) -> Result<(), Objection> {
        let updates: FxHashMap<VarId, Term> = action.updates.iter().copied().collect();
        let mut parts = before.to_vec();
        parts.push(action.guard);
        if self.is_error(action.target) {
            return match self.oracle.exclude(terms, &parts)? {
                true => Ok(()),
                false => Err("an error is not excluded".into()),
            };
        }
        // Elsewhere the process ends at an error of another kind.
        if self.program.error(action.target).is_none() {
            self.arrive(terms, parts.clone(), &updates, action.target)?;
        }
        for &started in &action.starts {
            let mut parts = parts.clone();
            if !self.program.threads[started].many {
                parts.extend(self.initial(terms, Some(started)));
            }
            let init = self.program.threads[started].init;
            self.arrive(terms, parts, &updates, init)?;
        }
        Ok(())
    }

    /// Does an action keep what holds where another thread is?
    fn others(
        &mut self,
        terms: &mut Terms,
        action: &Action,
        before: &[Term],
    ) -> Result<(), Objection> {
        let updates: FxHashMap<VarId, Term> = action.updates.iter().copied().collect();
        for (loc, facts) in self.places.clone() {
            let thread = self.thread_at(loc).ok_or("no thread is ever there")?;
            let many = self.program.threads[thread].many;
            if thread == action.thread && !many || self.inside[loc.0 as usize] {
                continue;
            }
            let names = self.names(terms, thread, many);
            let named = facts.iter().map(|&fact| terms.substitute(fact, &names));
            let named: Vec<Term> = named.collect();
            let mut broken = terms.bool(false);
            for &fact in &named {
                let after = terms.substitute(fact, &updates);
                if after != fact {
                    let breaks = terms.not(after);
                    broken = terms.or(broken, breaks);
                }
            }
            let mut parts = vec![broken, action.guard];
            parts.push(self.program.apart(terms, action.thread, thread));
            parts.extend(before);
            parts.extend(named);
            if !self.oracle.exclude(terms, &parts)? {
                return Err("another thread may break a fact".into());
            }
        }
        Ok(())
    }

    /// Other names for the variables of a thread, if there may be more threads like it.
    fn names(&self, terms: &mut Terms, thread: usize, many: bool) -> FxHashMap<VarId, Term> {
        let mut names = FxHashMap::default();
        for (at, about) in self.program.vars.iter().enumerate() {
            if many && about.owner == Some(thread) && !about.input {
                let var = VarId(at as u32);
                names.insert(var, terms.var(twin(self.program, var), about.sort));
            }
        }
        names
    }
}
