//! Answers.

use crate::{Reason, Stats};
use semantics::Trace;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// The same for the executions that a memory model allows.
    WeakUnrolling {
        /// The name of the memory model.
        model: String,
        /// How often loops were unrolled, apart from those whose bound is known.
        rounds: u32,
        /// Reads and writes that are events.
        events: u64,
    },
    /// No execution has more steps than these, and none of them reaches an error.
    AllSteps {
        /// How often loops that make threads or objects were unrolled.
        rounds: u32,
        /// The steps.
        steps: u64,
        /// The reduction that leaves out equivalent executions.
        reduction: String,
    },
    /// An abstract reachability graph is closed and shows no error.
    AbstractGraph {
        /// Its nodes.
        nodes: u64,
        /// The variables and predicates that it tracks.
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
    /// Every execution graph that the memory model allows was made, each once, and run to its end.
    AllGraphs {
        /// The name of the memory model.
        model: String,
        /// Executions in which all threads come to their ends.
        executions: u64,
        /// Executions in which some thread waits for ever.
        blocked: u64,
        /// Events in them.
        events: u64,
    },
    /// Every execution that the memory model allows is an interleaving: all atomic accesses are `seq_cst`, and nothing
    /// races. What holds of interleavings holds of all executions.
    Interleavings {
        /// The name of the memory model.
        model: String,
        /// Why nothing races in any interleaving.
        races: Box<Proof>,
        /// Why no interleaving reaches an error, if that is the property.
        errors: Option<Box<Proof>>,
    },
    /// Invariants of threads that no step breaks and that exclude every error.
    Invariants {
        /// How many threads each of them is about.
        index: u64,
        /// The number of clauses that they satisfy, each checked separately.
        clauses: u64,
        /// The invariants, as the engine's checker expects them.
        #[serde(default)]
        certificate: Value,
    },
    /// Invariants of a product of the threads that keeps one of each class of equivalent executions.
    ReducedProduct {
        /// The states of the product.
        states: u64,
        /// The number of clauses that the invariants satisfy, each checked separately.
        clauses: u64,
        /// The product and the invariants, as the engine's checker expects them.
        #[serde(default)]
        certificate: Value,
    },
    /// No two conflicting steps can race.
    KeptApart {
        /// The number of pairs of conflicting steps.
        pairs: u64,
        /// What keeps each of them apart: by reason, the pairs of edges.
        #[serde(default)]
        certificate: Value,
    },
}

impl Proof {
    /// Is it about a formula without a model, whose refutation is in a file?
    pub fn has_refutation(&self) -> bool {
        matches!(
            self,
            Proof::CompleteUnrolling { .. } | Proof::AllSteps { .. }
        )
    }
}

/// An answer with its evidence; only `Unknown` needs none.
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

/// A verdict with statistics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The figures.
    pub stats: Stats,
    /// Additional output that the user asked the engine for.
    #[serde(default)]
    pub notes: String,
}

impl Answer {
    /// *Unknown*, for this reason, without statistics.
    pub fn unknown(reason: Reason) -> Answer {
        Answer::new(Verdict::Unknown(reason), Stats::default())
    }

    /// No verdict: the engine failed for an unknown reason.
    pub fn crashed() -> Answer {
        let what = "the engine stopped for an error of its own";
        Answer::unknown(Reason::EngineFault(what.into()))
    }

    /// A verdict with statistics.
    pub fn new(verdict: Verdict, stats: Stats) -> Answer {
        let notes = String::new();
        Answer {
            verdict,
            stats,
            notes,
        }
    }
}
