//! Runs events on the machine.
//!
//! An event is one step that other threads can observe, with the steps of the same thread after it
//! that they cannot; an atomic section is one event from its beginning to its end. An event that
//! cannot be completed (an assumption fails, the process would end) leaves the state as it was,
//! counts as reading what it read, and is the last of its thread: whatever the others do afterwards
//! they can also do if the thread never takes the step.

mod accesses;
mod backup;
mod known;
mod learn;
mod step;

use crate::cells::{CellId, Cells};
use crate::concolic::InputSpace;
use crate::event::{Answers, LockOp, Shape};
use crate::inputs::Oracle;
use crate::statics::Statics;
use known::Known;
pub use known::Standings;
use learn::Dependence;
use rustc_hash::FxHashSet;
use semantics::{Machine, Property, State, Status, Step, Thread, Tid, Violation};
use smallvec::SmallVec;
use std::sync::Arc;
use verdict::Budget;
use xcfa::LocId;

/// A thread that does more steps than this without anything that others can notice is not followed.
const LONGEST_CHAIN: u64 = 2_000_000;

/// The same for a thread that is where another one went on for too long.
const LONG_ENOUGH: u64 = 4_096;

/// After this many steps of one event, the limits are checked.
const CHECK_INTERVAL: u64 = 4_096;

/// Chains of steps are examined for repetition when they get this long.
const SUSPICIOUS: u64 = 256;

/// In tests, an event that is repeated is run step by step as well every so many steps.
const CHECKED: u64 = 8;

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It happened.
    Moved,
    /// It cannot be completed, or the thread went on for ever on its own.
    Stopped,
    /// The thread has to wait.
    Blocked,
    /// It violates the property.
    Violated(Violation),
}

/// One step of a thread.
enum Taken {
    Edge,
    Failed { blocked: bool },
    Violated(Violation),
}

/// What is known of the last event that was run.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What it does to a lock.
    pub lock: LockOp,
    /// It has to wait as long as it cannot have the lock.
    pub insists: bool,
    /// Whose end it waited for.
    pub joined: Option<Tid>,
    /// Threads that there were before.
    pub threads_before: u32,
    /// Would its accesses be the same after other values?
    pub stable: bool,
    /// A condition variable that it signals or waits at, which counts as a write but changes nothing.
    pub signalled: Option<CellId>,
    /// Threads that a signal of it woke.
    pub woken: SmallVec<[Tid; 1]>,
    /// It waits for a signal, or has got one.
    pub waits: bool,
}

impl Record {
    /// The record of an event that happens again, with this many threads; no such event wakes others.
    fn again(&self, threads_before: u32) -> Record {
        Record {
            woken: SmallVec::new(),
            threads_before,
            ..*self
        }
    }
}

/// Runs events.
pub struct Runner<'m, 'x> {
    /// The machine.
    pub machine: &'m Machine<'x>,
    /// What is known of its program.
    pub statics: &'m Statics<'m>,
    /// Where the execution is.
    pub state: State,
    /// Answers and accesses of the last event.
    pub oracle: Oracle,
    /// More about the last event.
    pub record: Record,
    /// The steps of the last event.
    pub steps: Arc<[Step]>,
    /// Did the last event change memory or globals that no other thread uses?
    pub own_writes: bool,
    /// The accesses and answers of the last event.
    pub shape: Arc<Shape>,
    /// Cells that were met.
    pub cells: Cells,
    /// How many steps were taken, in all executions.
    pub taken: u64,
    /// Why nothing is safe any more.
    pub beyond: Option<&'static str>,
    /// A limit was met in the middle of an event, which counts as stopped.
    pub is_over: bool,
    budget: &'m Budget,
    /// Where threads were when they had gone on for too long.
    endless: FxHashSet<LocId>,
    thread_backup: Option<Thread>,
    backup: State,
    section_backup: State,
    instances: Vec<(u64, u64)>,
    known: Known,
    fresh_steps: Vec<Step>,
    dependence: Dependence,
    before: State,
}

impl<'m, 'x> Runner<'m, 'x> {
    /// At the start of the program.
    pub fn new(
        machine: &'m Machine<'x>,
        statics: &'m Statics<'m>,
        space: InputSpace,
        budget: &'m Budget,
    ) -> Runner<'m, 'x> {
        let state = machine.initial();
        Runner {
            machine,
            statics,
            backup: state.clone(),
            section_backup: state.clone(),
            before: state.clone(),
            known: Known::default(),
            dependence: Dependence::default(),
            shape: Arc::default(),
            cells: Cells::default(),
            state,
            oracle: Oracle::new(machine.property == Property::Deadlock, space),
            record: Record::default(),
            steps: Arc::default(),
            fresh_steps: Vec::new(),
            own_writes: false,
            taken: 0,
            beyond: None,
            is_over: false,
            budget,
            endless: FxHashSet::default(),
            thread_backup: None,
            instances: Vec::new(),
        }
    }

    /// Runs the next event of a thread with these answers to its questions. Unless it violates
    /// the property, its shape is in [`Runner::shape`] afterwards.
    pub fn run(&mut self, tid: Tid, answers: &Answers) -> Ran {
        let looked_at = cfg!(debug_assertions) && self.taken.is_multiple_of(CHECKED);
        if looked_at {
            self.before.clone_from(&self.state);
        }
        match self.repeat(tid, answers) {
            Some(ran) => {
                assert!(
                    !looked_at || self.runs_like_this(tid, answers, ran),
                    "a known event does something else when it is run step by step"
                );
                ran
            }
            None => self.run_and_learn(tid, answers),
        }
    }

    fn run_anew(&mut self, tid: Tid, answers: &Answers) -> Ran {
        self.oracle.begin(answers);
        self.dependence = Dependence::default();
        self.fresh_steps.clear();
        self.own_writes = false;
        self.record = Record {
            threads_before: self.state.threads.len() as u32,
            stable: true,
            ..Record::default()
        };
        let first = self.statics.loc(self.state.thread(tid).loc);
        let is_local = first.local;
        self.record.stable = first.stable;
        self.record.insists = first.insists;
        let taken = self.step(tid);
        if self.state.holder == Some(tid) && matches!(taken, Taken::Edge) {
            return self.section(tid);
        }
        match taken {
            Taken::Edge => {}
            Taken::Failed { blocked } => return self.failed(blocked && !is_local),
            Taken::Violated(violation) => return Ran::Violated(violation),
        }
        self.chain(tid)
    }

    /// The rest of an atomic section.
    fn section(&mut self, tid: Tid) -> Ran {
        // The first step was backed up by `step`, as for every edge that begins a section.
        std::mem::swap(&mut self.section_backup, &mut self.backup);
        self.record.stable = false;
        self.record.insists = false;
        let mut length = 0;
        while self.state.holder == Some(tid) {
            length += 1;
            let taken = match length {
                LONGEST_CHAIN.. => self.give_up("an atomic section is too long to follow"),
                _ if self.meets_limit(length) => Taken::Failed { blocked: false },
                _ => self.step(tid),
            };
            match taken {
                Taken::Edge => {}
                Taken::Violated(violation) => return Ran::Violated(violation),
                Taken::Failed { blocked } => {
                    match self.machine.property {
                        Property::Deadlock if blocked => {
                            self.beyond = Some("a thread may get stuck inside an atomic section");
                        }
                        Property::Race => {
                            self.beyond = Some("a race with a section that is cut off is not seen");
                        }
                        _ => {}
                    }
                    std::mem::swap(&mut self.state, &mut self.section_backup);
                    self.oracle.put_back(0);
                    self.fresh_steps.clear();
                    self.record.lock = LockOp::None;
                    return self.failed(false);
                }
            }
        }
        self.record.lock = LockOp::None;
        self.chain(tid)
    }

    /// The steps behind an event that no other thread can notice.
    fn chain(&mut self, tid: Tid) -> Ran {
        let record = std::mem::take(&mut self.record);
        let ran = self.follow(tid);
        // A lock that only one thread uses is nothing to note.
        self.record = record;
        ran
    }

    /// A thread that would never return leaves no steps behind: none of them is observable.
    fn follow(&mut self, tid: Tid) -> Ran {
        let (mut length, mut power) = (0u64, SUSPICIOUS);
        let before = self.fresh_steps.len();
        let mut old: Option<State> = None;
        while self.state.thread(tid).status == Status::Running
            && self.statics.loc(self.state.thread(tid).loc).local
        {
            let seen = self.oracle.log.len();
            match self.step(tid) {
                Taken::Edge => {}
                Taken::Violated(violation) => return Ran::Violated(violation),
                Taken::Failed { .. } => {
                    self.oracle.log.truncate(seen);
                    return Ran::Stopped;
                }
            }
            self.own_writes |= self.oracle.log[seen..].iter().any(|access| access.write);
            self.oracle.log.truncate(seen);
            length += 1;
            let mut repeats = false;
            if length == power {
                power *= 2;
                old = Some(self.state.clone());
            } else if let Some(old) = &old {
                repeats = old.thread(tid) == self.state.thread(tid) && *old == self.state;
            }
            let cut = self.meets_limit(length) || self.is_too_long(tid, length);
            if repeats || cut {
                self.fresh_steps.truncate(before);
                // Another time it may be cut off somewhere else.
                self.dependence.on_more |= cut;
                return Ran::Stopped;
            }
        }
        Ran::Moved
    }

    fn is_too_long(&mut self, tid: Tid, length: u64) -> bool {
        let loc = self.state.thread(tid).loc;
        if length > LONGEST_CHAIN {
            self.beyond = Some("a thread goes on for too long on its own");
            self.endless.insert(loc);
        }
        length > LONG_ENOUGH && self.endless.contains(&loc)
    }

    fn meets_limit(&mut self, length: u64) -> bool {
        self.is_over |= length.is_multiple_of(CHECK_INTERVAL) && self.budget.exceeded(0).is_some();
        self.is_over
    }

    fn give_up(&mut self, why: &'static str) -> Taken {
        self.beyond = Some(why);
        Taken::Failed { blocked: false }
    }

    fn failed(&mut self, blocked: bool) -> Ran {
        let waits = self.record.insists || self.record.joined.is_some() || self.record.waits;
        if blocked && waits {
            return Ran::Blocked;
        }
        for access in &mut self.oracle.log {
            access.write = false;
        }
        self.record.lock = LockOp::None;
        self.record.insists = false;
        self.record.joined = None;
        self.record.stable = false;
        Ran::Stopped
    }
}
