//! Runs a trace once more to see which earlier steps its steps depend on.

use crate::ArrowKind;
use semantics::{Access, Cell, HeapNames, Machine, Outcome, Script, State, Step, Tid, Trace};
use std::collections::HashMap;
use xcfa::{EdgeId, Label};

/// A dependence between two steps of different threads.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub kind: ArrowKind,
    pub about: Option<String>,
}

/// Follows the first `count` steps of a trace that has been replayed.
pub fn follow(machine: &Machine<'_>, trace: &Trace, count: usize) -> Vec<Link> {
    let mut follower = Follower {
        machine,
        heap: HeapNames::default(),
        links: Vec::new(),
        started: HashMap::new(),
        woken: HashMap::new(),
        last: HashMap::new(),
        released: HashMap::new(),
        written: HashMap::new(),
    };
    follower.run(trace, count);
    follower.links
}

/// What a read can see: a variable, or a byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Var(u32),
    Byte(u64),
}

struct Follower<'m, 'x> {
    machine: &'m Machine<'x>,
    heap: HeapNames,
    links: Vec<Link>,
    /// Threads that have not moved yet, by the step that started them.
    started: HashMap<u32, usize>,
    /// Threads that have been woken and not moved since, by the step that woke them.
    woken: HashMap<u32, usize>,
    /// The last step of each thread.
    last: HashMap<u32, usize>,
    /// By address of a lock: the step that gave it back last.
    released: HashMap<u64, (u32, usize)>,
    /// The last write to a unit.
    written: HashMap<Unit, (u32, usize)>,
}

impl Follower<'_, '_> {
    fn run(&mut self, trace: &Trace, count: usize) {
        let mut state = self.machine.initial();
        let mut earlier = state.clone();
        for (index, step) in trace.steps.iter().take(count).enumerate() {
            let mut before = state.clone();
            let (outcome, mut accesses) = take(self.machine, &mut state, step);
            // Of a race, both steps may be possible only in the state before both of them.
            let fails = matches!(outcome, Outcome::Blocked | Outcome::Cut(_));
            if fails && index + 1 == count {
                before.clone_from(&earlier);
                state.clone_from(&earlier);
                (_, accesses) = take(self.machine, &mut state, step);
            }
            self.heap.note(self.machine, &before, &state);
            self.note(index, step, &before, &state, &accesses);
            earlier = before;
        }
    }

    fn note(
        &mut self,
        index: usize,
        step: &Step,
        before: &State,
        after: &State,
        accesses: &[Access],
    ) {
        let thread = step.thread;
        if let Some(from) = self.started.remove(&thread) {
            self.link(from, index, ArrowKind::Start, None);
        }
        let mut locks = Vec::new();
        for label in &self.machine.xcfa[EdgeId(step.edge)].labels {
            self.note_label(index, thread, label, before, &mut locks);
        }
        let woken = before.tids().filter(|&tid| {
            tid.0 != thread && before.thread(tid).waiting != 0 && after.thread(tid).waiting == 0
        });
        for tid in woken {
            self.woken.insert(tid.0, index);
        }
        self.note_accesses(index, thread, before, accesses, &locks);
        self.last.insert(thread, index);
    }

    /// Threads and locks; the addresses of locks and condition variables are added to `locks`.
    fn note_label(
        &mut self,
        index: usize,
        thread: u32,
        label: &Label,
        before: &State,
        locks: &mut Vec<u64>,
    ) {
        let eval = |term| self.machine.eval(before, Tid(thread), term);
        match label {
            Label::Start { .. } => {
                self.started.insert(before.threads.len() as u32, index);
            }
            Label::Join { thread: handle, .. } => {
                let child = Tid::from_handle(eval(*handle));
                let end = child.and_then(|child| self.last.get(&child.0).copied());
                if let Some(from) = end {
                    self.link(from, index, ArrowKind::Join, None);
                }
            }
            Label::Lock { addr, .. } => {
                let addr = eval(*addr);
                locks.push(addr);
                if let Some(&(owner, from)) = self.released.get(&addr)
                    && owner != thread
                {
                    let lock = Cell::Bytes {
                        start: addr,
                        len: 4,
                    };
                    let (name, _) = self.machine.shown(before, lock, &self.heap);
                    self.link(from, index, ArrowKind::Lock, Some(name));
                }
            }
            Label::Unlock { addr, .. } => {
                let addr = eval(*addr);
                locks.push(addr);
                self.released.insert(addr, (thread, index));
            }
            Label::Wait { cond } | Label::Signal { cond, .. } => locks.push(eval(*cond)),
            Label::AwaitSignal { .. } => {
                if let Some(from) = self.woken.remove(&thread) {
                    self.link(from, index, ArrowKind::Signal, None);
                }
            }
            _ => {}
        }
    }

    fn note_accesses(
        &mut self,
        index: usize,
        thread: u32,
        before: &State,
        accesses: &[Access],
        locks: &[u64],
    ) {
        let is_lock = |access: &Access| matches!(access.cell, Cell::Bytes { start, .. } if locks.contains(&start));
        for access in accesses.iter().filter(|access| !is_lock(access)) {
            if access.write {
                let by = (thread, index);
                self.written
                    .extend(units(access.cell).map(|unit| (unit, by)));
                continue;
            }
            let writers = units(access.cell).filter_map(|unit| self.written.get(&unit));
            let latest = writers.max_by_key(|(_, from)| *from).copied();
            if let Some((_, from)) = latest.filter(|(writer, _)| *writer != thread) {
                let (name, _) = self.machine.shown(before, access.cell, &self.heap);
                self.link(from, index, ArrowKind::Reads, Some(name));
            }
        }
    }

    fn link(&mut self, from: usize, to: usize, kind: ArrowKind, about: Option<String>) {
        let link = Link {
            from,
            to,
            kind,
            about,
        };
        self.links.push(link);
    }
}

fn take(machine: &Machine<'_>, state: &mut State, step: &Step) -> (Outcome, Vec<Access>) {
    let mut host = Script::new(&step.choices);
    let outcome = machine.step(state, Tid(step.thread), EdgeId(step.edge), &mut host);
    (outcome, host.accesses)
}

/// Longer accesses are copies of whole objects; their first bytes name the writer.
const MOST_BYTES: u64 = 64;

fn units(cell: Cell) -> impl Iterator<Item = Unit> {
    let (var, bytes) = match cell {
        Cell::Var(var) => (Some(Unit::Var(var.0)), 0..0),
        Cell::Bytes { start, len } => (None, start..start.saturating_add(len.min(MOST_BYTES))),
    };
    var.into_iter().chain(bytes.map(Unit::Byte))
}
