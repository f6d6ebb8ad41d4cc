//! What a page shows, as plain data.

use crate::{Schedule, SourceText};
use serde::Serialize;

/// Everything about an answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PageContent {
    /// The name of the program.
    pub title: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// What was checked.
    pub property: String,
    /// The answer in a sentence.
    pub headline: String,
    /// What goes wrong, for a reader who sees where.
    pub blame: String,
    /// More about it, a line each.
    pub details: Vec<String>,
    /// What the answer takes for granted.
    pub assumptions: Vec<String>,
    /// The engine that found it.
    pub engine: String,
    /// Seconds that it took.
    pub wall_s: f64,
    /// Our own version.
    pub version: String,
    /// The text of the program.
    pub files: Vec<SourceText>,
    /// Which of its lines were reached, where there is no answer.
    pub lines: Vec<Lines>,
    /// The counterexample.
    pub schedule: Option<Schedule>,
    /// The counterexample, where it is an execution graph.
    pub execution: Option<Execution>,
    /// Why the program is safe.
    pub proof: Option<Proof>,
    /// What was counted, by name.
    pub stats: Vec<(String, u64)>,
    /// What kind of program it is, and which engines were asked; as `--format json` has it.
    pub explanation: Option<serde_json::Value>,
}

/// The lines of a file that engines have reached, and those that they have not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// Number of the file in [`PageContent::files`].
    pub file: usize,
    /// Lines that were reached.
    pub reached: Vec<u32>,
    /// Lines that were not.
    pub missed: Vec<u32>,
}

/// An execution under a weak memory model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Execution {
    /// The name of the memory model.
    pub model: String,
    /// The graph as a picture.
    pub svg: String,
    /// Why no interleaving does this, a line each.
    pub cycle: Vec<String>,
}

/// Some steps of one thread on one source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The thread that moved.
    pub thread: u32,
    /// Number of the file in [`PageContent::files`], if its text is known.
    pub file: Option<usize>,
    /// The line in it.
    pub line: u32,
    /// The text of the line.
    pub text: String,
    /// What there is to say about it beside its values.
    pub remarks: Vec<String>,
    /// Values that were read from shared memory.
    pub reads: Vec<Value>,
    /// Values that changed.
    pub writes: Vec<Value>,
    /// The locks that the thread holds afterwards.
    pub held: Vec<String>,
    /// Does the thread end here?
    pub ends: bool,
    /// Is this where it goes wrong?
    pub fails: bool,
}

/// A variable at some moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    /// Its name.
    pub name: String,
    /// What it held before, if it was set; the same as `new` if it was only read.
    pub old: Option<String>,
    /// What it holds now.
    pub new: String,
    /// Can other threads see it?
    pub shared: bool,
}

/// Why one row comes before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ArrowKind {
    /// A thread is started.
    Start,
    /// A thread that has ended is joined.
    Join,
    /// A lock is released and taken again.
    Lock,
    /// A waiting thread is woken.
    Signal,
    /// A value is read that the other row has written.
    Reads,
    /// Two accesses that nothing orders; this arrow has no direction.
    Race,
}

/// An arrow between rows of different threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Arrow {
    /// The earlier row.
    pub from: usize,
    /// The later row.
    pub to: usize,
    /// What it means.
    pub kind: ArrowKind,
    /// The lock or the variables that it is about.
    pub about: Vec<String>,
}

/// A thread that waits for ever at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// The thread.
    pub thread: u32,
    /// Number of the file in [`PageContent::files`], if its text is known.
    pub file: Option<usize>,
    /// The line in it.
    pub line: u32,
    /// The text of the line.
    pub text: String,
    /// What it waits for: `for m`; may be empty.
    pub waits: String,
    /// The locks that it holds.
    pub held: Vec<String>,
    /// The thread that it waits for, if that is one.
    pub on: Option<u32>,
}

/// Why a program is safe.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Proof {
    /// What it rests on, in a sentence.
    pub sentence: String,
    /// Variables and predicates that an abstraction tracks.
    pub precision: Vec<String>,
    /// Invariants, by place.
    pub invariants: Vec<Invariant>,
    /// The graph of an abstraction.
    pub graph: Option<Graph>,
    /// Why invariants or graph are not shown, if they should be there.
    pub missing: Option<String>,
}

/// What always holds somewhere.
#[derive(Clone, Debug, Serialize)]
pub struct Invariant {
    /// The threads, and where each of them is.
    pub place: String,
    /// The lines of these places.
    pub lines: Vec<u32>,
    /// The formula.
    pub formula: String,
}

/// An abstract reachability graph, as a tree with covering edges.
#[derive(Clone, Debug, Serialize)]
pub struct Graph {
    /// The first nodes; parents come before their children.
    pub nodes: Vec<GraphNode>,
    /// How many there are in all.
    pub all: usize,
}

/// A node of it.
#[derive(Clone, Debug, Serialize)]
pub struct GraphNode {
    /// Its number.
    pub id: u32,
    /// The node that it was reached from.
    pub parent: Option<u32>,
    /// The step that leads here: thread and text.
    pub by: String,
    /// Where the threads are.
    pub threads: Vec<String>,
    /// What is known.
    pub known: Vec<String>,
    /// The node that covers it.
    pub covered_by: Option<u32>,
}
