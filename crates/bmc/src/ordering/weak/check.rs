//! One bound under a memory model: ask, look at the execution, learn, and ask again.
//!
//! An execution that the model allows and that goes on beyond the bound, or fails, is what was asked for. One of which the
//! formula said that two accesses race may still order them, in which case that is learnt. One of which it said that it is
//! not sequentially consistent is looked at with the model `sc`.

use super::execution::{Execution, execution};
use super::formula::{Formula, Found};
use super::learn::learn;
use crate::ordering::events::{Events, GoalKind};
use models::{EventId, Fact, Graph, Model};
use passes::Unrolled;
use sat::Satisfiability;
use semantics::{Lost, Property, Trace, Violation};
use verdict::{Budget, Proof, Reason, Stats, Task, Verdict};

/// A verdict about an unrolled program, or nothing if it has to be unrolled further.
pub fn check(
    task: &Task,
    unrolled: &Unrolled,
    events: Events,
    rounds: u32,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Option<Verdict>, Reason> {
    let accesses = (events.reads.len() + events.writes.len()) as u64;
    let mut search = Search {
        task,
        unrolled,
        budget,
        formula: Formula::new(events, task.property, budget)?,
        executions: 0,
        learnt: 0,
    };
    let verdict = search.run(rounds, accesses);
    stats.set("executions looked at", search.executions);
    stats.set("learnt clauses", search.learnt);
    let figures = search.formula.figures();
    stats.set("variables", figures.vars);
    stats.set("clauses", figures.clauses);
    stats.set("conflicts", figures.conflicts);
    verdict
}

struct Search<'a> {
    task: &'a Task,
    unrolled: &'a Unrolled,
    budget: &'a Budget,
    formula: Formula,
    /// How many executions the model was asked about.
    executions: u64,
    learnt: u64,
}

impl Search<'_> {
    fn run(&mut self, rounds: u32, events: u64) -> Result<Option<Verdict>, Reason> {
        if let Some(execution) = self.allowed(GoalKind::Error)? {
            let violation = match self.task.property {
                Property::Race => Violation::DataRace,
                Property::Robust => Violation::NotSequential,
                _ => Violation::ErrorReached,
            };
            let trace = Trace::new(violation, execution.steps);
            return Ok(Some(Verdict::Unsafe(trace.with_graph(execution.graph))));
        }
        if self.allowed(GoalKind::Unwound)?.is_some() {
            return Ok(None);
        }
        Ok(Some(Verdict::Safe(Proof::WeakUnrolling {
            model: self.task.memory_model.name().to_owned(),
            rounds,
            events,
        })))
    }

    /// An execution that the model allows and that reaches a goal of this kind.
    fn allowed(&mut self, kind: GoalKind) -> Result<Option<Execution>, Reason> {
        loop {
            match self.formula.solve(kind, self.budget) {
                Satisfiability::Unsatisfiable => return Ok(None),
                Satisfiability::Stopped(reason) => return Err(reason),
                Satisfiability::Satisfiable => {}
            }
            let lost = |why| Reason::lost(self.task, why, self.budget, &[]);
            let found = self.formula.found(kind);
            let found = found.ok_or_else(|| lost(Lost::NoExecution))?;
            let execution = execution(self.task, self.unrolled, &mut self.formula, &found);
            let execution = execution.map_err(lost)?;
            self.executions += 1;
            let seen = Seen::of(&execution)?;
            let reasons = seen.reasons(&self.task.memory_model);
            if reasons.is_empty()
                && (kind == GoalKind::Unwound || self.fails(&found, &execution, &seen)?)
            {
                return Ok(Some(execution));
            }
            for facts in &reasons {
                learn(&mut self.formula, &execution, facts, &[])?;
                self.learnt += 1;
            }
        }
    }

    /// Does an execution that the model allows violate the property? If not, why is learnt.
    fn fails(&mut self, found: &Found, execution: &Execution, seen: &Seen) -> Result<bool, Reason> {
        match self.task.property {
            Property::Race => self.races(found, execution, seen),
            Property::Robust if seen.reasons(&Model::sc()).is_empty() => {
                let what = "an interleaving that the solver takes for something else";
                Err(Reason::Inconclusive(what.to_owned()))
            }
            _ => Ok(true),
        }
    }

    /// Does one of the pairs race of which the solver says so?
    fn races(&mut self, found: &Found, execution: &Execution, seen: &Seen) -> Result<bool, Reason> {
        let mut ordered = Vec::new();
        for pair in &found.racing {
            let events = pair.accesses.map(|it| execution.event_of(it));
            let [Some(a), Some(b)] = events else {
                let what = "an access that the solver cannot be told about";
                return Err(Reason::Inconclusive(what.to_owned()));
            };
            match seen.why_unflagged(&self.task.memory_model, a, b) {
                Some(facts) => ordered.push((pair.lit, facts)),
                None => return Ok(true),
            }
        }
        for (lit, facts) in ordered {
            learn(&mut self.formula, execution, &facts, &[lit])?;
            self.learnt += 1;
        }
        Ok(false)
    }
}

/// What a model judges of an execution.
struct Seen {
    graph: Graph,
    /// By event of it: the event of the whole execution.
    whole: Vec<EventId>,
}

impl Seen {
    fn of(execution: &Execution) -> Result<Seen, Reason> {
        let is_private = |at: models::Location| execution.private[at.0 as usize];
        let (graph, whole) = execution.graph.without(is_private);
        match graph.validate() {
            Ok(()) => Ok(Seen { graph, whole }),
            Err(what) => Err(Reason::unsupported(what.to_string())),
        }
    }

    fn renamed(&self, facts: Vec<Fact>) -> Vec<Fact> {
        let facts = facts.into_iter();
        let whole = |id: EventId| self.whole[id.index()];
        facts.map(|fact| fact.renamed(whole)).collect()
    }

    /// Why a model forbids the execution; none if it allows it.
    fn reasons(&self, model: &Model) -> Vec<Vec<Fact>> {
        let reasons = model.reasons(&self.graph).into_iter();
        reasons.map(|facts| self.renamed(facts)).collect()
    }

    /// Why two accesses do not race; nothing if they do.
    fn why_unflagged(&self, model: &Model, a: EventId, b: EventId) -> Option<Vec<Fact>> {
        let number = |id: EventId| self.whole.iter().position(|&it| it == id);
        let (Some(a), Some(b)) = (number(a), number(b)) else {
            return Some(vec![Fact::Everything]);
        };
        let (a, b) = (EventId(a as u32), EventId(b as u32));
        let facts = model.why_unflagged(&self.graph, "race", a, b)?;
        Some(self.renamed(facts))
    }
}
