//! Answers.

use crate::Stats;
use semantics::Trace;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Why a program is safe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Proof {
    /// Every reachable state of the concrete program was visited, and none was cut off.
    ClosedExploration {
        /// Distinct states.
        states: u64,
        /// Steps between them.
        transitions: u64,
    },
    /// No execution of the program unrolled so far shows an error, and none goes on beyond it.
    CompleteUnrolling {
        /// How often loops were unrolled, apart from those whose bound is known.
        rounds: u32,
        /// Reads and writes of shared variables that had to be put in order.
        events: u64,
    },
    /// An abstract reachability graph is closed and shows no error.
    AbstractGraph {
        /// Its nodes.
        nodes: u64,
        /// The variables and predicates that it looks at.
        precision: Vec<String>,
        /// What the engine needs to build it again.
        #[serde(default)]
        certificate: Value,
    },
    /// One execution of every class of equivalent executions was run to its end, with all values
    /// of all inputs.
    AllExecutions {
        /// Executions.
        executions: u64,
        /// Events in them.
        transitions: u64,
    },
    /// Invariants of threads that no step breaks and that exclude every error.
    Invariants {
        /// How many threads each of them speaks about.
        index: u64,
        /// What they have to obey, each checked apart.
        clauses: u64,
        /// The invariants, as the engine's checker wants them.
        #[serde(default)]
        certificate: Value,
    },
    /// Whatever could race is kept apart by locks.
    KeptApart {
        /// Pairs of steps that could race.
        pairs: u64,
    },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The time was up.
    Timeout,
    /// The memory was used up.
    OutOfMemory,
    /// The user stopped it.
    Interrupted,
    /// Inputs were tried for some of their values only; these are the inputs.
    InputsNotCovered(Vec<String>),
    /// The program does something that this engine cannot follow.
    Beyond(String),
    /// A counterexample did not replay: an error of ours.
    NotReplayed(String),
    /// A proof did not stand up to another look: an error of ours.
    NotProved(String),
    /// Only some executions were looked at.
    NotExhaustive,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => write!(f, "out of time"),
            Reason::OutOfMemory => write!(f, "out of memory"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::InputsNotCovered(inputs) => {
                write!(
                    f,
                    "tried only some values of the inputs: {}",
                    inputs.join(", ")
                )
            }
            Reason::Beyond(what) => write!(f, "{what}"),
            Reason::NotReplayed(what) => {
                write!(
                    f,
                    "a counterexample did not replay ({what}); please report this"
                )
            }
            Reason::NotProved(what) => {
                write!(
                    f,
                    "a proof did not pass its check ({what}); please report this"
                )
            }
            Reason::NotExhaustive => write!(f, "only some executions were run"),
        }
    }
}

/// An answer with its evidence; only `Unknown` is free of charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The property holds in every execution.
    Safe(Proof),
    /// This execution violates it.
    Unsafe(Trace),
    /// No answer.
    Unknown(Reason),
}

impl Verdict {
    /// `safe`, `unsafe` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// A verdict with what was counted on the way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The figures.
    pub stats: Stats,
}
