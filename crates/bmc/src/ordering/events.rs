//! Events: what threads do to each other.

use super::statics::Statics;
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::EdgeId;

/// A point in the order of an execution, by number.
pub type NodeId = u32;

/// A thread, by number; `main` is 0 and a thread comes after the one that starts it.
pub type ThreadId = usize;

/// A read of a shared variable.
#[derive(Clone, Debug)]
pub struct Read {
    /// The point in time.
    pub node: NodeId,
    /// The cell that is accessed.
    pub cell: VarId,
    /// The condition under which it happens.
    pub guard: Term,
    /// The unknown that stands for what is read.
    pub value: VarId,
    /// The writes that can be seen, by index; found by `resolve`.
    pub sources: Vec<Source>,
}

/// Where a read gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The value before the first write.
    Initial,
    /// A write, by index.
    Write(usize),
}

/// A write of a shared variable.
#[derive(Clone, Debug)]
pub struct Write {
    /// The point in time.
    pub node: NodeId,
    /// The cell that is accessed.
    pub cell: VarId,
    /// The condition under which it happens.
    pub guard: Term,
    /// The value.
    pub value: Term,
}

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// An error of the property.
    Error,
    /// The end of the unrolling.
    Unwound,
}

/// A place that is asked about.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What arriving means.
    pub kind: GoalKind,
    /// Whether a thread arrives there.
    pub guard: Term,
    /// The point in time.
    pub node: NodeId,
    /// By the step with this index; nothing if it is about the end of all steps.
    pub step: Option<usize>,
}

/// A step that a thread can take.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The thread.
    pub thread: ThreadId,
    /// Along which edge.
    pub edge: EdgeId,
    /// The condition under which it happens.
    pub guard: Term,
    /// When: at this node, or right after the last node of the thread, or of its start.
    pub node: Option<NodeId>,
    /// What variables hold afterwards that the environment may have chosen.
    pub chosen: Vec<(VarId, Term)>,
    /// Handles of the threads that its signals wake.
    pub wakes: Vec<Term>,
    /// The cells that it accesses. Noted for weak memory only.
    pub touched: Vec<Touched>,
}

/// A cell that a step accesses.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    /// The cell.
    pub cell: VarId,
    /// The condition that it is this one.
    pub here: Term,
    /// Is it part of something atomic?
    pub atomic: bool,
}

/// An access that a thread could make next, in the end.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The thread.
    pub thread: ThreadId,
    /// With which step.
    pub edge: EdgeId,
    /// The cell that it accesses.
    pub cell: VarId,
    /// Does it write?
    pub write: bool,
    /// Is it part of something atomic?
    pub atomic: bool,
    /// The condition under which it happens.
    pub guard: Term,
    /// What variables hold after the step that the environment may have chosen.
    pub chosen: Vec<(VarId, Term)>,
}

impl Touch {
    /// Do two accesses race if both are possible?
    pub fn conflicts(&self, other: &Touch) -> bool {
        self.thread != other.thread
            && self.cell == other.cell
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
    }
}

/// One thread waits for another to end.
#[derive(Clone, Debug)]
pub struct Wait {
    /// Where it goes on.
    pub node: NodeId,
    /// The thread that has to end.
    pub thread: ThreadId,
    /// Whether this happens.
    pub guard: Term,
    /// Is nothing behind `node` possible in its thread unless this happens?
    pub always: bool,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its nodes, in program order.
    pub nodes: Vec<NodeId>,
    /// The node at which it is started; none for `main`.
    pub start: Option<NodeId>,
    /// The thread that starts it.
    pub parent: Option<ThreadId>,
    /// Unknown that says whether it ends.
    pub ended: VarId,
    /// Unknown for what it returns.
    pub result: VarId,
    /// Unknown for its handle.
    pub handle: VarId,
}

/// All events of a program.
pub struct Events {
    /// Owns the terms.
    pub terms: Terms,
    /// The next free number of an unknown.
    pub next_var: u32,
    /// The threads.
    pub threads: Vec<Thread>,
    /// By node: the thread, and the place in its list.
    pub nodes: Vec<(ThreadId, u32)>,
    /// Reads.
    pub reads: Vec<Read>,
    /// Writes.
    pub writes: Vec<Write>,
    /// By shared variable: the first value.
    pub initial: FxHashMap<VarId, Term>,
    /// Unknowns that have a meaning.
    pub definitions: FxHashMap<VarId, Term>,
    /// What has to hold.
    pub constraints: Vec<Term>,
    /// Joins.
    pub waits: Vec<Wait>,
    /// Ends of the process.
    pub exits: Vec<(Term, NodeId)>,
    /// What is asked.
    pub goals: Vec<Goal>,
    /// Steps, in program order within each thread.
    pub steps: Vec<Taken>,
    /// The order of nodes that every execution has.
    pub statics: Statics,
    /// A node after all others, if there is one.
    pub end: Option<NodeId>,
    /// What threads could access next, in the end.
    pub touches: Vec<Touch>,
}

impl Events {
    /// Nothing has happened yet.
    pub fn new(terms: Terms, next_var: u32) -> Events {
        Events {
            terms,
            next_var,
            threads: Vec::new(),
            nodes: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            initial: FxHashMap::default(),
            definitions: FxHashMap::default(),
            constraints: Vec::new(),
            waits: Vec::new(),
            exits: Vec::new(),
            goals: Vec::new(),
            steps: Vec::new(),
            statics: Statics::default(),
            end: None,
            touches: Vec::new(),
        }
    }

    /// A new unknown.
    pub fn unknown(&mut self, sort: Sort) -> (VarId, Term) {
        let var = VarId(self.next_var);
        self.next_var += 1;
        (var, self.terms.var(var, sort))
    }

    /// A new node at the end of a thread.
    pub fn add_node(&mut self, thread: ThreadId) -> NodeId {
        let node = self.nodes.len() as NodeId;
        let place = self.threads[thread].nodes.len() as u32;
        self.nodes.push((thread, place));
        self.threads[thread].nodes.push(node);
        node
    }

    /// The edges of the order that every execution has.
    pub fn fixed_order(&self) -> Vec<(NodeId, NodeId)> {
        let mut edges = Vec::new();
        for thread in &self.threads {
            edges.extend(thread.nodes.windows(2).map(|pair| (pair[0], pair[1])));
            if let (Some(start), Some(&first)) = (thread.start, thread.nodes.first()) {
                edges.push((start, first));
            }
        }
        if let Some(end) = self.end {
            let last = self.threads.iter().filter_map(|thread| thread.nodes.last());
            edges.extend(last.filter(|&&last| last != end).map(|&last| (last, end)));
        }
        for wait in self.waits.iter().filter(|wait| self.is_fixed(wait)) {
            edges.extend(self.last_node(wait.thread).map(|last| (last, wait.node)));
        }
        edges
    }

    /// Does the thread that is waited for always come before? Only where a parent waits for its
    /// child: that cannot close a cycle, so it is harmless even if the child never ends.
    pub fn is_fixed(&self, wait: &Wait) -> bool {
        let (waiting, _) = self.nodes[wait.node as usize];
        wait.always && self.threads[wait.thread].parent == Some(waiting)
    }

    /// The last node of a thread, or the one that starts it.
    pub fn last_node(&self, thread: ThreadId) -> Option<NodeId> {
        let thread = &self.threads[thread];
        thread.nodes.last().copied().or(thread.start)
    }
}
