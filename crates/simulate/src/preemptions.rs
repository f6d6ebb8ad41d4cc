//! All schedules with few preemptions, over states.
//!
//! A node is a state and the thread that moves next. Its step leads to nodes of the same thread; if the thread can
//! move, letting another one move instead costs a preemption, and if it cannot, nothing.

use rustc_hash::FxHashSet;
use semantics::{Machine, Open, Property, State, Step, Tid, Trace, Violation};
use statespace::{Graph, Inputs, Next, Scratch, StateId, expand_threads, find_race};

/// With more threads alive than this, there are too many ways to switch.
const MOST_THREADS: usize = 64;

/// The search, which can be interrupted.
pub struct Preemptions<'m, 'x> {
    machine: &'m Machine<'x>,
    graph: Graph<'m, 'x>,
    inputs: Inputs,
    scratch: Scratch,
    /// The nodes that were visited.
    visited: FxHashSet<(StateId, Tid)>,
    /// Nodes to visit with as many preemptions as are allowed now.
    now: Vec<(StateId, Tid)>,
    /// Nodes that take one more.
    later: Vec<(StateId, Tid)>,
    allowed: u64,
    completed: Option<u64>,
    /// Has something been left out: a step that is not followed, or too many threads?
    partial: bool,
    open: Option<Open>,
}

/// How far the search is.
pub enum Progress {
    /// There is more to visit.
    Going,
    /// Everything was visited.
    Done,
    /// An execution fails.
    Failed(Trace),
}

impl<'m, 'x> Preemptions<'m, 'x> {
    pub fn new(machine: &'m Machine<'x>) -> Preemptions<'m, 'x> {
        let start = (0, Tid(0));
        Preemptions {
            machine,
            graph: Graph::new(machine),
            inputs: Inputs::new(machine.xcfa),
            scratch: Scratch::new(machine.xcfa, machine.initial()),
            visited: FxHashSet::default(),
            now: vec![start],
            later: Vec::new(),
            allowed: 0,
            completed: None,
            partial: false,
            open: None,
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let nodes = 3 * self.visited.capacity() + self.now.capacity() + self.later.capacity();
        self.graph.bytes() + 8 * nodes as u64
    }

    /// How many states were found.
    pub fn states(&self) -> u64 {
        self.graph.states() as u64
    }

    /// No error takes at most so many preemptions, whatever the inputs are.
    pub fn excluded(&self) -> Option<u64> {
        let exact = !self.partial && self.open.is_none() && self.inputs.not_covered().is_empty();
        self.completed.filter(|_| exact)
    }

    /// Visits so many nodes, with at most so many preemptions.
    pub fn go_on(&mut self, nodes: u64, most: u64) -> Progress {
        let mut state = self.machine.initial();
        for _ in 0..nodes {
            while self.now.is_empty() {
                self.completed = Some(self.allowed);
                if self.later.is_empty() || self.allowed >= most {
                    return Progress::Done;
                }
                self.allowed += 1;
                std::mem::swap(&mut self.now, &mut self.later);
            }
            let (id, tid) = self.now.pop().expect("it is not empty");
            if !self.visited.insert((id, tid)) {
                continue;
            }
            self.graph.load(id, &mut state);
            if state.ended {
                continue;
            }
            if let Some(trace) = self.visit(id, tid, &state) {
                return Progress::Failed(trace);
            }
        }
        Progress::Going
    }

    fn visit(&mut self, id: StateId, tid: Tid, state: &State) -> Option<Trace> {
        if self.machine.property == Property::Race {
            self.scratch.forget();
            let (inputs, scratch) = (&mut self.inputs, &mut self.scratch);
            if let Some(pair) = find_race(self.machine, inputs, state, scratch) {
                return Some(self.trace(Violation::DataRace, id, pair));
            }
        }
        let mut moves = false;
        let (graph, visited, now) = (&mut self.graph, &self.visited, &mut self.now);
        let found = |next: Next<'_>| {
            moves |= !next.spurious;
            let (successor, _) = graph.insert(next.state, id);
            if !visited.contains(&(successor, tid)) {
                now.push((successor, tid));
            }
        };
        let (inputs, scratch) = (&mut self.inputs, &mut self.scratch);
        let mut summary = expand_threads(self.machine, inputs, scratch, state, [tid], found);
        if let Some((violation, step)) = summary.violation.take() {
            return Some(self.trace(violation, id, [step]));
        }
        self.partial |= summary.beyond.is_some();
        self.open = self.open.or(summary.open);
        if !moves && self.machine.property == Property::Deadlock && self.machine.is_deadlock(state)
        {
            return Some(self.trace(Violation::Deadlock, id, []));
        }
        self.switch(id, tid, state, moves);
        None
    }

    /// Another thread moves instead.
    fn switch(&mut self, id: StateId, tid: Tid, state: &State, moves: bool) {
        let others: Vec<Tid> = state.runnable().filter(|other| *other != tid).collect();
        if others.len() > MOST_THREADS {
            self.partial = true;
            return;
        }
        let nodes = others.into_iter().map(|other| (id, other));
        let nodes = nodes.filter(|node| !self.visited.contains(node));
        match moves {
            true => self.later.extend(nodes),
            false => self.now.extend(nodes),
        }
    }

    fn trace<const N: usize>(
        &mut self,
        violation: Violation,
        id: StateId,
        further: [Step; N],
    ) -> Trace {
        // The steps are found again with the inputs that they were taken with.
        std::mem::swap(&mut self.graph.inputs, &mut self.inputs);
        let mut steps = self.graph.path(id);
        std::mem::swap(&mut self.graph.inputs, &mut self.inputs);
        steps.extend(further);
        Trace::new(violation, steps)
    }
}
