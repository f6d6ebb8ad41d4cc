//! One measurement: an engine on a program.

use crate::Program;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use verdict::{Answer, Budget, Reason, Stats, Task, Verdict};

/// Where a measurement belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Id {
    /// The table or figure.
    pub table: String,
    /// The row: mostly a program.
    pub row: String,
    /// The column: mostly a method.
    pub column: String,
}

impl Id {
    /// From its three names.
    pub fn new(table: &str, row: &str, column: &str) -> Id {
        Id {
            table: table.to_owned(),
            row: row.to_owned(),
            column: column.to_owned(),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.table, self.row, self.column)
    }
}

/// The work on a program, in a process of its own: within a budget, for the run of this number.
pub type Work = Box<dyn Fn(&Task, &Budget, u32) -> Seen>;

/// Something to measure.
pub struct Cell {
    /// Where it belongs.
    pub id: Id,
    /// The program.
    pub program: Program,
    /// How long one run may take on the clock.
    pub limit: Duration,
    /// How often it is run.
    pub repeat: u32,
    /// What is done.
    pub work: Work,
}

/// What a run has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Did it end well?
    pub outcome: RunResult,
    /// What was counted.
    pub figures: Stats,
    /// Whatever else an experiment needs.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub more: serde_json::Value,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunResult {
    /// With the answer that is known to be right.
    Right,
    /// With none, because the time was up.
    OutOfTime,
    /// With none, because the memory was used up.
    OutOfMemory,
    /// With none, for this reason.
    NoAnswer(String),
    /// With an answer that is known to be wrong.
    Wrong(String),
}

impl RunResult {
    /// Compares an answer with what is known.
    pub fn of(verdict: &Verdict, safe: bool) -> RunResult {
        match (verdict, safe) {
            (Verdict::Safe(_), true) | (Verdict::Unsafe(_), false) => RunResult::Right,
            (Verdict::Safe(_), false) => RunResult::Wrong("safe".into()),
            (Verdict::Unsafe(_), true) => RunResult::Wrong("unsafe".into()),
            (Verdict::Unknown(Reason::OutOfTime), _) => RunResult::OutOfTime,
            (Verdict::Unknown(Reason::OutOfMemory), _) => RunResult::OutOfMemory,
            (Verdict::Unknown(reason), _) => RunResult::NoAnswer(reason.to_string()),
        }
    }
}

impl Seen {
    /// An engine's answer about a program of which the verdict is known.
    pub fn answer(answer: Answer, safe: bool) -> Seen {
        Seen {
            outcome: RunResult::of(&answer.verdict, safe),
            figures: answer.stats,
            more: serde_json::Value::Null,
        }
    }

    /// Nothing but an end.
    pub fn ended(outcome: RunResult) -> Seen {
        Seen {
            outcome,
            figures: Stats::default(),
            more: serde_json::Value::Null,
        }
    }
}
