//! A schedule with its inputs: everything that it takes to repeat an execution.

use crate::{MemoryParts, Property};
use models::Graph;
use serde::{Deserialize, Serialize};
use std::fmt;
use xcfa::{EdgeId, ErrorKind};

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Which thread moves; threads are numbered in the order of their creation, `main` is 0.
    pub thread: u32,
    /// Which edge of the automaton it takes.
    pub edge: u32,
    /// What the environment chose during the step, in order: inputs, woken threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u64>,
}

impl Step {
    /// A thread takes an edge, with these choices of the environment.
    pub fn new(thread: u32, edge: u32, choices: Vec<u64>) -> Step {
        Step {
            thread,
            edge,
            choices,
        }
    }
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Violation {
    /// An error function was called, or an assertion failed.
    ErrorReached,
    /// Two unordered accesses to one cell.
    DataRace,
    /// Threads that have not ended, and none can move.
    Deadlock,
    /// A signed operation left its range.
    Overflow,
    /// The threading library is used as it must not be.
    Misuse,
    /// An access outside every object that is alive.
    InvalidDeref,
    /// `free` of something that is not the start of a live heap object.
    InvalidFree,
    /// A heap object that nothing points to any more.
    InvalidMemtrack,
    /// An execution that goes on for ever.
    NonTermination,
    /// An execution that no interleaving of the threads is.
    NotSequential,
}

/// Why the machine does not come to the violation that an engine has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The engine says what is not so.
    NoExecution,
    /// A step does what the machine does not follow.
    Beyond {
        /// The step.
        edge: EdgeId,
        /// What it does.
        what: &'static str,
    },
}

impl Violation {
    /// The violation that a thread at an error location shows; nothing where only an unrolling ends.
    pub fn at(error: ErrorKind) -> Option<Violation> {
        match error {
            ErrorKind::Reached => Some(Violation::ErrorReached),
            ErrorKind::Overflow => Some(Violation::Overflow),
            ErrorKind::Misuse => Some(Violation::Misuse),
            ErrorKind::InvalidDeref => Some(Violation::InvalidDeref),
            ErrorKind::InvalidFree => Some(Violation::InvalidFree),
            ErrorKind::InvalidMemtrack => Some(Violation::InvalidMemtrack),
            ErrorKind::Unwound => None,
        }
    }

    /// The property, or part of one, that this violates.
    pub fn property(self) -> Property {
        match self {
            Violation::ErrorReached => Property::Reach,
            Violation::DataRace => Property::Race,
            Violation::Deadlock => Property::Deadlock,
            Violation::Overflow => Property::Overflow,
            Violation::Misuse => Property::Usage,
            Violation::InvalidDeref => Property::MemSafety(MemoryParts::DEREF),
            Violation::InvalidFree => Property::MemSafety(MemoryParts::FREE),
            Violation::InvalidMemtrack => Property::MemSafety(MemoryParts::MEMTRACK),
            Violation::NonTermination => Property::Termination,
            Violation::NotSequential => Property::Robust,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Violation::ErrorReached => "an error is reached",
            Violation::DataRace => "two threads race for the same memory",
            Violation::Deadlock => "deadlock: no thread can move",
            Violation::Overflow => "signed overflow",
            Violation::Misuse => "misuse of the threading library",
            Violation::InvalidDeref => "invalid memory access (valid-deref)",
            Violation::InvalidFree => "invalid free (valid-free)",
            Violation::InvalidMemtrack => "memory is lost (valid-memtrack)",
            Violation::NonTermination => "an execution never ends",
            Violation::NotSequential => "an execution is not sequentially consistent",
        })
    }
}

/// An execution that violates the property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// What goes wrong at its end.
    pub violation: Violation,
    /// The steps. For a race, either the last two can both be taken in the state before them and
    /// conflict there, or the last one races with an earlier one by happens-before.
    pub steps: Vec<Step>,
    /// For an endless execution: the steps from this index on repeat for ever. (`None` with
    /// `NonTermination` means that some thread waits for ever after the last step.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_start: Option<usize>,
    /// What an execution is under a memory model where reads need not find the last write of the schedule: its
    /// events, and which write each read finds. The order of steps of different threads means nothing then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Box<Graph>>,
}

impl Trace {
    /// An execution that comes to its end with a violation.
    pub fn new(violation: Violation, steps: Vec<Step>) -> Trace {
        Trace {
            violation,
            steps,
            loop_start: None,
            graph: None,
        }
    }

    /// The same as an execution graph.
    pub fn with_graph(self, graph: Graph) -> Trace {
        Trace {
            graph: Some(Box::new(graph)),
            ..self
        }
    }
}
