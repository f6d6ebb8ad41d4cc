//! What comes of making all graphs.

use crate::exec::{Exec, Ways};
use crate::run::Code;
use models::{Finding, Graph, Model};
use std::collections::BTreeSet;
use verdict::Budget;

/// Why not all executions were made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The program does what is not followed.
    #[error("{0}")]
    Unsupported(&'static str),
    /// A graph has more events than the limit.
    #[error("an execution has more than {0} events")]
    Events(usize),
    /// There are more graphs than the limit.
    #[error("more than {0} graphs")]
    Graphs(u64),
    /// The time is over.
    #[error("the time is over")]
    Time,
}

/// How far to go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Events of an execution.
    pub events: usize,
    /// Graphs, the incomplete ones too.
    pub graphs: u64,
    /// Time.
    pub budget: Budget,
}

impl Limits {
    /// Stops at a limit.
    pub(crate) fn check(&self, graphs: u64, exec: &Exec) -> Result<(), Stop> {
        if exec.graph.events.len() > self.events {
            return Err(Stop::Events(self.events));
        }
        if graphs > self.graphs {
            return Err(Stop::Graphs(self.graphs));
        }
        match self.budget.exceeded(0) {
            Some(_) => Err(Stop::Time),
            None => Ok(()),
        }
    }
}

/// The executions of a program under a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Executions in which every thread has come to its end.
    pub executions: u64,
    /// Executions in which some thread waits for ever, or for a value that does not come.
    pub blocked: u64,
    /// An execution that reaches an error.
    pub error: Option<Graph>,
    /// An execution that raises a flag of the model, such as `race`.
    pub flagged: Option<(Graph, Finding)>,
    /// What was assumed on the way; nothing is proved unless this is empty.
    pub assumed: BTreeSet<&'static str>,
}

impl Outcome {
    /// Judges a graph and, if it is possible, says how it goes on; notes an error or an end.
    pub(crate) fn visit(
        &mut self,
        code: &Code<'_>,
        model: &Model,
        exec: &mut Exec,
    ) -> Result<Option<Ways>, Stop> {
        let judgement = model.judge(&exec.graph).expect("a graph of a program");
        if !judgement.allowed() {
            return Ok(None);
        }
        if exec.reads_undefined() {
            return Err(Stop::Unsupported("a read of memory that was never written"));
        }
        let ways = exec.ways(code)?;
        self.assumed.extend(exec.assumed());
        if ways.violation {
            self.error.get_or_insert_with(|| exec.graph.clone());
            return Ok(None);
        }
        if !ways.choices.is_empty() {
            return Ok(Some(ways));
        }
        match ways.blocked {
            true => self.blocked += 1,
            false => self.executions += 1,
        }
        if let (Some(flag), None) = (judgement.flags.first(), &self.flagged) {
            self.flagged = Some((exec.graph.clone(), flag.clone()));
        }
        Ok(None)
    }
}
