//! What comes of making all graphs.

use crate::classes::is_first_of_class;
use crate::code::Code;
use crate::exec::{Exec, Ways};
use models::{Finding, Model};
use semantics::{Property, Trace, Violation};
use std::collections::BTreeSet;
use verdict::{Budget, Reason};

/// Why not all executions were made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Stop {
    /// The program does what is not followed.
    #[error("{0}")]
    Unsupported(&'static str),
    /// There are more graphs than the limit.
    #[error("more than {0} graphs")]
    Graphs(u64),
    /// The time or the memory is over.
    #[error("{0}")]
    Budget(Reason),
}

/// What was taken for granted on the way. Executions that were made are executions all the same; but there may be
/// others, so that nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumed {
    /// What is not initialised is 0.
    Uninitialised,
    /// Inputs are 0 or 1.
    SomeInputs,
    /// Nobody accesses memory after it was freed, or frees it again, where that is no race.
    Freed,
    /// No execution has more events than the limit.
    Length,
}

/// How far to go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Events of an execution; longer ones are not continued.
    pub events: usize,
    /// Graphs, the incomplete ones too.
    pub graphs: u64,
    /// Does a thread wait that comes back to where it was, and has only read? Without this, such loops are followed as
    /// far as other limits allow.
    pub waits: bool,
    /// Time and memory.
    pub budget: Budget,
}

impl Limits {
    /// Stops at a limit; `bytes` are in use.
    pub(crate) fn check(&self, graphs: u64, bytes: u64) -> Result<(), Stop> {
        if graphs > self.graphs {
            return Err(Stop::Graphs(self.graphs));
        }
        if graphs.is_multiple_of(64) {
            self.budget.tell(|| format!("{graphs} graphs"));
            if let Some(reason) = self.budget.exceeded(bytes) {
                return Err(Stop::Budget(reason));
            }
        }
        Ok(())
    }
}

/// The executions of a program under a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Executions in which every thread has come to its end.
    pub executions: u64,
    /// Classes of these with the same reads-from, where the model is sequential consistency; otherwise 0.
    pub classes: u64,
    /// Executions in which some thread waits for ever, or for a value that does not come.
    pub blocked: u64,
    /// Graphs that were judged, including incomplete ones.
    pub graphs: u64,
    /// Events of the executions, together.
    pub events: u64,
    /// An execution that reaches an error, or, where that is asked, that is not sequentially consistent.
    pub error: Option<Trace>,
    /// An execution that raises the flag `race` of the model, where the property is about races.
    pub flagged: Option<(Trace, Finding)>,
    /// What was assumed on the way; nothing is proved unless this is empty.
    pub assumed: BTreeSet<Assumed>,
}

impl Outcome {
    /// With what another worker has found.
    pub(crate) fn add(&mut self, other: Outcome) {
        self.executions += other.executions;
        self.classes += other.classes;
        self.blocked += other.blocked;
        self.graphs += other.graphs;
        self.events += other.events;
        self.error = self.error.take().or(other.error);
        self.flagged = self.flagged.take().or(other.flagged);
        self.assumed.extend(other.assumed);
    }

    /// Has it raised a flag where that is the violation that is searched for?
    pub(crate) fn races(&self, code: &Code<'_>) -> bool {
        code.machine.property == Property::Race && self.flagged.is_some()
    }

    /// Says how a possible graph goes on; notes an error or an end.
    pub(crate) fn visit(
        &mut self,
        code: &Code<'_>,
        model: &Model,
        exec: &mut Exec,
        limits: &Limits,
    ) -> Result<Option<Ways>, Stop> {
        let ways = exec.ways(code)?;
        self.assumed.extend(exec.assumed());
        if let Some((thread, violation)) = ways.violation {
            if self.error.is_none() {
                self.error = Some(exec.trace(code, violation, Some(thread))?);
            }
            return Ok(None);
        }
        if let Some(sc) = &code.sc
            && !ways.is_within_exchange()
            && exec.is_beyond(sc)
        {
            if self.error.is_none() {
                self.error = Some(exec.trace(code, Violation::NotSequential, None)?);
            }
            return Ok(None);
        }
        if !ways.choices.is_empty() {
            if exec.graph.events.len() <= limits.events {
                return Ok(Some(ways));
            }
            self.assumed.insert(Assumed::Length);
            self.note_race(code, model, exec)?;
            return Ok(None);
        }
        match ways.blocked {
            true => self.blocked += 1,
            false => {
                self.executions += 1;
                if model.is_sc() && is_first_of_class(&exec.graph) {
                    self.classes += 1;
                }
            }
        }
        self.events += exec.graph.events.len() as u64;
        self.note_race(code, model, exec)?;
        Ok(None)
    }

    /// Does an execution raise the flag `race`, where that is asked?
    fn note_race(&mut self, code: &Code<'_>, model: &Model, exec: &Exec) -> Result<(), Stop> {
        if code.machine.property != Property::Race || self.flagged.is_some() {
            return Ok(());
        }
        let graph = exec.graph_with_frees();
        let judgement = model.judge(&graph).expect("a graph of a program");
        if !judgement.allowed() || exec.frees_twice() {
            self.assumed.insert(Assumed::Freed);
            return Ok(());
        }
        let mut flags = judgement.flags.into_iter();
        if let Some(flag) = flags.find(|flag| flag.name == "race") {
            let trace = exec.trace(code, Violation::DataRace, None)?;
            self.flagged = Some((trace, flag));
        }
        Ok(())
    }
}
