//! Replaying a trace, and describing its steps.

mod change;
mod copies;
mod endless;
mod failure;
mod race;
mod statements;
mod stuck;
mod target;
mod weak;

pub use change::Change;
pub use weak::{Execution, replay_graph};

use self::copies::{Copies, Extent};
use crate::failure::{Failure, What};
use crate::naming::{Named, Namer};
use crate::{
    Access, Cell, HeapNames, Machine, Outcome, Script, State, Step, Tid, Trace, Violation,
};
use expr::VarId;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use xcfa::{EdgeId, Label, Span};

/// A value that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The variable or cell.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

/// What one statement did. A step that is a large block has several of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStatement {
    /// Its text.
    pub span: Span,
    /// What it read from memory that others may write.
    pub reads: Vec<Reading>,
    /// What changed that has a name in the program.
    pub changes: Vec<Change>,
    /// Does it make one of two accesses that race?
    pub races: bool,
    /// The access that it is about to make, where the schedule ends before it.
    pub about_to: Option<Pending>,
    /// The thread that it starts.
    pub starts: Option<u32>,
    /// The object that it frees.
    pub frees: Option<String>,
    /// What its thread begins to wait for with it, or waits for in it where the schedule ends.
    pub waits: Option<Wait>,
    /// Does it access a lock, a semaphore or another object of the library?
    pub synchronises: bool,
    /// Is it the beginning of a function, or a declaration, of which there is nothing to tell? It is not shown.
    pub(crate) silent: bool,
    /// The cells that it accessed, each with whether it wrote.
    pub(crate) cells: Vec<(Cell, bool)>,
}

impl ReplayStatement {
    /// Did it neither read nor change anything that has a name?
    fn tells_nothing(&self) -> bool {
        self.reads.is_empty()
            && self.changes.is_empty()
            && !self.races
            && self.starts.is_none()
            && self.frees.is_none()
            && self.waits.is_none()
            && !self.synchronises
    }

    /// A statement that touched nothing but these.
    pub fn new(span: Span, reads: Vec<Reading>, changes: Vec<Change>) -> ReplayStatement {
        ReplayStatement {
            span,
            reads,
            changes,
            races: false,
            about_to: None,
            starts: None,
            frees: None,
            waits: None,
            synchronises: false,
            silent: false,
            cells: Vec::new(),
        }
    }
}

/// An access that has not happened yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// What it accesses.
    pub name: String,
    /// Does it write?
    pub write: bool,
}

/// Why a thread that waited goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wakes {
    /// Another thread has signalled.
    BySignal,
    /// Nobody has: C allows a wait to end at any time.
    Spuriously,
}

/// One step, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// The thread that moved.
    pub thread: u32,
    /// Along which edge.
    pub edge: EdgeId,
    /// What it did, in order; there is at least one.
    pub statements: Vec<ReplayStatement>,
    /// The locks that the thread holds afterwards.
    pub held: Vec<String>,
    /// Does the thread end with it?
    pub ends: bool,
    /// Does it end a wait for a signal?
    pub wakes: Option<Wakes>,
}

impl ReplayStep {
    /// The text of its first statement.
    pub fn first_span(&self) -> Span {
        self.statements[0].span
    }

    /// The text of its last statement, where a violation is.
    pub fn last_span(&self) -> Span {
        self.statements[self.statements.len() - 1].span
    }

    /// What changed, in order.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.statements
            .iter()
            .flat_map(|statement| &statement.changes)
    }

    /// Marks the statement that makes an access that races; gives its text.
    pub(crate) fn mark_race(&mut self, access: &Access) -> Span {
        let at = self.racing_statement(access);
        let statement = &mut self.statements[at];
        statement.races = true;
        statement.span
    }

    /// Leaves out what comes after an access, and the access: it has not happened yet.
    pub(crate) fn cut_before(&mut self, access: &Access, name: String) {
        let at = self.racing_statement(access);
        self.statements.truncate(at + 1);
        self.ends = false;
        let statement = &mut self.statements[at];
        statement.reads.retain(|read| read.name != name);
        statement.changes.retain(|change| !change.shared);
        statement.about_to = Some(Pending {
            name,
            write: access.write,
        });
    }

    fn racing_statement(&self, access: &Access) -> usize {
        let makes = |&(cell, write): &(Cell, bool)| cell == access.cell && write == access.write;
        let mut statements = self.statements.iter();
        let at = statements.position(|statement| statement.cells.iter().any(makes));
        at.unwrap_or(0)
    }
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// A lock, by its name.
    Lock(String),
    /// A signal on a condition variable, by its name.
    Signal(String),
    /// A semaphore or a barrier, by its name.
    Object(String),
    /// The end of a thread, by its number.
    Thread(u32),
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wait::Lock(name) | Wait::Object(name) => write!(f, "for {name}"),
            Wait::Signal(name) => write!(f, "on {name}"),
            Wait::Thread(number) => write!(f, "for thread {number}"),
        }
    }
}

/// A thread that waits at the end and will never go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The thread.
    pub thread: u32,
    /// At which text.
    pub span: Span,
    /// What it waits for, if that has a name.
    pub waits: Option<Wait>,
    /// The locks that it holds.
    pub held: Vec<String>,
}

impl Stuck {
    /// The thread that it waits for: the one that it joins, or that holds the lock.
    pub fn on(&self, all: &[Stuck]) -> Option<u32> {
        match self.waits.as_ref()? {
            Wait::Thread(thread) => Some(*thread),
            Wait::Lock(lock) => {
                let holder = all.iter().find(|other| other.held.contains(lock));
                holder.map(|other| other.thread)
            }
            Wait::Signal(_) | Wait::Object(_) => None,
        }
    }
}

/// A trace that was run again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Its steps.
    pub steps: Vec<ReplayStep>,
    /// By thread number: the procedure that it runs.
    pub thread_names: Vec<String>,
    /// What went wrong.
    pub failure: Failure,
    /// The text of the failing step.
    pub failing: Option<Span>,
    /// For a race, the two steps, by number.
    pub racing: Option<[usize; 2]>,
    /// The threads that wait for ever after the last step.
    pub stuck: Vec<Stuck>,
    /// The heap objects that it made, for their names.
    pub heap: HeapNames,
    /// Under a memory model where reads need not find the last write: which write each read finds.
    pub execution: Option<Box<Execution>>,
}

/// A statement of a replay, with its step.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'r> {
    /// The number of the step.
    pub step: usize,
    /// The thread that moved.
    pub thread: u32,
    /// What it did.
    pub statement: &'r ReplayStatement,
    /// The locks that the thread holds after the step.
    pub held: &'r [String],
    /// Does the thread end with it?
    pub ends: bool,
    /// Does a wait for a signal end with it?
    pub wakes: Option<Wakes>,
}

impl Moment<'_> {
    /// What happens with it beside reads and writes.
    pub fn remark(&self) -> Option<String> {
        let starts = self.statement.starts;
        let starts = starts.map(|thread| format!("starts thread {thread}"));
        let frees = self.statement.frees.as_ref();
        let frees = frees.map(|object| format!("frees {object}"));
        let wakes = self.wakes.map(|wakes| match wakes {
            Wakes::BySignal => "wakes up after a signal".to_owned(),
            Wakes::Spuriously => "wakes up without a signal, which C allows".to_owned(),
        });
        let waits = self.statement.waits.as_ref();
        let waits = waits.map(|waits| format!("waits {waits}"));
        starts.or(frees).or(wakes).or(waits)
    }

    /// What it is about to do where the schedule ends.
    pub fn about_to(&self) -> Option<String> {
        let pending = self.statement.about_to.as_ref()?;
        let verb = if pending.write { "write" } else { "read" };
        Some(format!("is about to {verb} {}", pending.name))
    }
}

impl Replay {
    /// The statements of all steps, in order, without those of which there is nothing to tell.
    pub fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        let all = self.all_moments();
        all.filter(|moment| !moment.statement.silent)
    }

    fn all_moments(&self) -> impl Iterator<Item = Moment<'_>> {
        self.steps.iter().enumerate().flat_map(|(number, step)| {
            let last = step.statements.len() - 1;
            let moment = move |(at, statement)| Moment {
                step: number,
                thread: step.thread,
                statement,
                held: &step.held,
                ends: step.ends && at == last,
                wakes: step.wakes.filter(|_| at == 0),
            };
            step.statements.iter().enumerate().map(moment)
        })
    }
}

/// The trace is not one of this program, or does not end in the violation that it claims.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A step that cannot be taken.
    #[error("step {index} cannot be taken: {why}")]
    Step {
        /// Which, from 0.
        index: usize,
        /// Why it is not possible.
        why: String,
    },
    /// A step that does what the machine does not follow.
    #[error("step {index} is not followed: {what}")]
    Beyond {
        /// Which, from 0.
        index: usize,
        /// What it does.
        what: &'static str,
    },
    /// All steps can be taken, but the end is not a violation.
    #[error("the trace ends without the violation")]
    NoViolation,
    /// An endless execution in which a thread could move all the time and never does.
    #[error("the endless execution never lets some thread move")]
    Unfair,
    /// An execution graph that its model forbids, that the threads do not make, or that is none.
    #[error("{0}")]
    Graph(String),
    /// An endless execution that needs spurious wake-ups.
    #[error("the endless execution needs spurious wake-ups")]
    Spurious,
}

/// Runs a trace and confirms that it ends in its violation.
pub fn replay(machine: &Machine<'_>, trace: &Trace) -> Result<Replay, Mismatch> {
    let run = Run::new(machine);
    if trace.graph.is_some() {
        let what = "an execution graph is no schedule";
        return Err(Mismatch::Graph(what.into()));
    }
    if !machine.property.is_violated_by(trace.violation) {
        return Err(Mismatch::NoViolation);
    }
    match trace.violation {
        Violation::DataRace => match run.clone().adjacent_race(trace) {
            Ok(replay) => Ok(replay),
            Err(_) => run.unordered_race(trace),
        },
        Violation::Deadlock => run.deadlock(trace),
        Violation::NonTermination => run.endless(trace),
        _ => run.failing_step(trace),
    }
}

/// A replay under way.
#[derive(Clone)]
struct Run<'m, 'x> {
    machine: &'m Machine<'x>,
    state: State,
    steps: Vec<ReplayStep>,
    thread_names: Vec<String>,
    held: Vec<Vec<u64>>,
    /// Objects that are not alive any more, in the order of time.
    gone: Vec<target::Gone>,
    /// How many of the steps were spurious wake-ups.
    spurious: usize,
    /// The heap objects that were made.
    heap: HeapNames,
    /// The locals that were set: thread, start of the frame, variable.
    set: BTreeSet<(u32, u32, VarId)>,
    /// The names of cells that hold handles of threads: their values tell nothing.
    handles: BTreeSet<String>,
    /// Copies of the state, while steps follow one another.
    copies: Option<Copies>,
}

impl<'m, 'x> Run<'m, 'x> {
    fn new(machine: &'m Machine<'x>) -> Run<'m, 'x> {
        let main = machine.xcfa[machine.xcfa.main].function().to_owned();
        Run {
            machine,
            state: machine.initial(),
            steps: Vec::new(),
            thread_names: vec![main],
            held: vec![Vec::new()],
            gone: Vec::new(),
            spurious: 0,
            heap: HeapNames::default(),
            set: BTreeSet::new(),
            handles: BTreeSet::new(),
            copies: None,
        }
    }

    /// Finds names in a state.
    fn namer<'a>(&'a self, state: &'a State) -> Namer<'a> {
        Namer {
            machine: self.machine,
            state,
            heap: &self.heap,
        }
    }

    /// Errors, overflow and invalid memory: the last step is the violation.
    fn failing_step(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        let (last, before) = trace.steps.split_last().ok_or(Mismatch::NoViolation)?;
        self.advance(before, 0)?;
        let before = self.state.clone();
        let (outcome, host) = self.attempt(last, State::may_move, trace.steps.len() - 1)?;
        if outcome != Outcome::Violation(trace.violation) {
            return Err(Mismatch::NoViolation);
        }
        let mut copies = Copies::of(&before);
        self.note_gone(last, &mut copies);
        self.heap.note(self.machine, &before, &self.state);
        let step = self.describe(last, &mut copies);
        let span = step.last_span();
        let failure = self.failure(trace.violation, (last, &before), &step, &host.accesses);
        self.steps.push(step);
        Ok(self.finish(failure, Some(span), None))
    }

    /// Takes steps that must all succeed; returns what was seen of the last one.
    fn advance(&mut self, steps: &[Step], first_index: usize) -> Result<Script, Mismatch> {
        let mut last = Script::default();
        let copies = self.copies.take();
        let mut copies = copies.unwrap_or_else(|| Copies::of(&self.state));
        for (offset, step) in steps.iter().enumerate() {
            let (outcome, host) = self.attempt(step, State::may_move, first_index + offset)?;
            let Outcome::Moved { spurious } = outcome else {
                let why = format!("{outcome:?}");
                return Err(Mismatch::Step {
                    index: first_index + offset,
                    why,
                });
            };
            self.spurious += usize::from(spurious);
            copies.extent = Extent::of(self.machine.xcfa, step, &host);
            self.note_threads_and_locks(step, &mut copies, None);
            self.note_gone(step, &mut copies);
            self.heap.note(self.machine, &copies.before, &self.state);
            let described = self.describe(step, &mut copies);
            self.steps.push(described);
            copies.follow(&self.state);
            last = host;
        }
        self.copies = Some(copies);
        Ok(last)
    }

    /// Tries one step after checking that it is one of this program.
    fn attempt(
        &mut self,
        step: &Step,
        allowed: impl Fn(&State, Tid) -> bool,
        index: usize,
    ) -> Result<(Outcome, Script), Mismatch> {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let refuse = |why: &str| Mismatch::Step {
            index,
            why: why.to_owned(),
        };
        if step.thread as usize >= self.state.threads.len() || !allowed(&self.state, tid) {
            return Err(refuse("that thread cannot move"));
        }
        if !self.machine.edges(&self.state, tid).contains(&edge) {
            return Err(refuse("the thread is at another place"));
        }
        let mut host = Script::new(&step.choices);
        let outcome = self.machine.step(&mut self.state, tid, edge, &mut host);
        if let Outcome::Beyond(what) = outcome {
            return Err(Mismatch::Beyond { index, what });
        }
        if host.exhausted || host.has_rest() {
            return Err(refuse("it has another number of inputs"));
        }
        Ok((outcome, host))
    }

    /// Notes the threads that a step starts and the locks that it locks and unlocks. What a label
    /// works with may have been computed by those before it, so they are followed one by one.
    fn note_threads_and_locks(&mut self, step: &Step, copies: &mut Copies, started: Option<u32>) {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let labels = &self.machine.xcfa[edge].labels;
        let is_noted = |label: &Label| {
            matches!(
                label,
                Label::Start { .. } | Label::Lock { .. } | Label::Unlock { .. }
            )
        };
        if !labels.iter().any(is_noted) {
            return;
        }
        let [state, ..] = &mut copies.spare;
        let mut host = Script::new(&step.choices);
        for label in labels {
            match label {
                Label::Start { proc, .. } => {
                    let name = self.machine.xcfa[*proc].function();
                    let at = started.map_or(self.thread_names.len(), |it| it as usize);
                    let count = self.thread_names.len().max(at + 1);
                    self.thread_names.resize(count, String::new());
                    self.held.resize(count, Vec::new());
                    self.thread_names[at] = name.to_owned();
                }
                Label::Lock { addr, .. } => {
                    let addr = self.machine.eval(state, tid, *addr);
                    self.held[step.thread as usize].push(addr);
                }
                Label::Unlock { addr, .. } => {
                    let addr = self.machine.eval(state, tid, *addr);
                    let held = &mut self.held[step.thread as usize];
                    if let Some(at) = held.iter().rposition(|&lock| lock == addr) {
                        held.remove(at);
                    }
                }
                _ => {}
            }
            let _ = (self.machine).step_label(state, tid, edge, label, &mut host);
        }
        copies.restore();
    }

    /// The locks that a thread holds; one that the failing step has started holds none.
    fn held_names(&self, thread: u32, state: &State) -> Vec<String> {
        let held = self.held.get(thread as usize);
        held.into_iter()
            .flatten()
            .map(|&addr| Named::bytes(self.namer(state), addr, 4).name)
            .map(lock_name)
            .collect()
    }

    fn finish(
        mut self,
        failure: Failure,
        failing: Option<Span>,
        racing: Option<[usize; 2]>,
    ) -> Replay {
        if !matches!(failure.what, What::Stuck { .. }) {
            self.note_waiting();
        }
        self.drop_idle_writes();
        self.drop_preludes();
        self.note_silent(match failure.what {
            What::Endless { first, .. } => first.checked_sub(1),
            _ => None,
        });
        Replay {
            steps: self.steps,
            thread_names: self.thread_names,
            failure,
            failing,
            racing,
            stuck: Vec::new(),
            heap: self.heap,
            execution: None,
        }
    }
}

impl Machine<'_> {
    /// A cell and its value as text. Locks are called by their object and have no
    /// value of their own.
    pub fn shown(&self, state: &State, cell: Cell, heap: &HeapNames) -> (String, Option<String>) {
        let namer = Namer {
            machine: self,
            state,
            heap,
        };
        let named = Named::cell(namer, cell);
        match word_of_lock(&named.name) {
            Some(lock) => (lock.to_owned(), None),
            None => {
                let bits = self.peek(state, cell);
                let value = bits.map(|bits| named.show(namer, bits));
                (named.name, value)
            }
        }
    }
}

/// The words inside a lock that hold its state, as the C library calls them.
const WORDS: [&str; 4] = [".__data.__lock", ".__data", ".__align", ".__size"];

/// The lock, if the name is that of a word inside one.
fn word_of_lock(name: &str) -> Option<&str> {
    WORDS.iter().find_map(|word| name.strip_suffix(word))
}

/// A lock is named by its object, not by the word inside it that holds its state.
fn lock_name(name: String) -> String {
    word_of_lock(&name).map_or(name.clone(), str::to_owned)
}
