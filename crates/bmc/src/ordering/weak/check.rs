//! One bound under a memory model: ask, look at the execution, learn, and ask again.

use super::execution::{Execution, execution};
use super::formula::Formula;
use super::learn::learn;
use crate::ordering::events::{Events, GoalKind};
use models::{EventId, Fact, Graph, Model};
use passes::Unrolled;
use sat::Satisfiability;
use semantics::{Lost, Machine, Trace, Violation};
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
        formula: Formula::new(events, budget)?,
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
            let trace = Trace::new(Violation::ErrorReached, execution.steps);
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
            let property = self.task.property;
            let execution = execution(self.unrolled, property, &mut self.formula, &found);
            let execution = execution.map_err(lost)?;
            self.executions += 1;
            let reasons = reasons(self.task, &self.task.memory_model, &execution)?;
            if reasons.is_empty() {
                return Ok(Some(execution));
            }
            for facts in &reasons {
                learn(&mut self.formula, &execution, facts)?;
                self.learnt += 1;
            }
        }
    }
}

/// Why the model forbids an execution; none if it allows it.
fn reasons(task: &Task, model: &Model, execution: &Execution) -> Result<Vec<Vec<Fact>>, Reason> {
    let machine = Machine::new(&task.xcfa, task.property);
    let private = machine.private_locations(&execution.graph, &execution.cells);
    let is_private = |at: models::Location| private[at.0 as usize];
    let (seen, numbers): (Graph, Vec<EventId>) = execution.graph.without(is_private);
    if let Err(what) = seen.validate() {
        return Err(Reason::unsupported(what.to_string()));
    }
    let whole = |id: EventId| numbers[id.index()];
    let reasons = model.reasons(&seen).into_iter().map(|facts| {
        let facts = facts.into_iter();
        facts.map(|fact| fact.renamed(whole)).collect()
    });
    Ok(reasons.collect())
}
