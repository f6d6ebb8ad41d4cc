//! Runs events on the machine.
//!
//! An event is one step that others can notice, with the steps of the same thread behind it that
//! nobody can; an atomic section is one event from its beginning to its end. An event that cannot
//! be completed (an assumption fails, the process would end) leaves the state as it was, counts
//! as reading what it looked at, and is the last of its thread: whatever the others do afterwards
//! they can also do if the thread never takes the step.

use crate::cells::Cells;
use crate::event::{Answers, LockOp, Touch, Touches};
use crate::inputs::{Options, Oracle};
use crate::statics::{Backup, Statics};
use semantics::{
    Access, Cell, Machine, Outcome, Property, State, Status, Step, Thread, Tid, Violation,
};
use smallvec::SmallVec;
use xcfa::{EdgeId, Label};

/// A thread that does more steps than this without anything that others can notice is not followed.
const LONGEST_CHAIN: u64 = 2_000_000;

/// Chains of steps are looked at for repetition when they get this long.
const SUSPICIOUS: u64 = 256;

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
    /// Threads that a signal of it woke.
    pub woken: SmallVec<[Tid; 1]>,
    /// It waits for a signal, or has got one.
    pub waits: bool,
}

/// Runs events.
pub struct Runner<'m, 'x> {
    /// The machine.
    pub machine: &'m Machine<'x>,
    /// What is known of its program.
    pub statics: &'m Statics,
    /// Where the execution is.
    pub state: State,
    /// Answers and accesses of the last event.
    pub oracle: Oracle,
    /// More about the last event.
    pub record: Record,
    /// All steps of the execution.
    pub steps: Vec<Step>,
    /// Did the last event change memory or globals that no other thread uses?
    pub own_writes: bool,
    /// How many steps were taken, in all executions.
    pub taken: u64,
    /// Why nothing is safe any more.
    pub beyond: Option<&'static str>,
    thread_backup: Option<Thread>,
    backup: State,
    section_backup: State,
    instances: Vec<(u64, u64)>,
}

impl<'m, 'x> Runner<'m, 'x> {
    /// At the start of the program.
    pub fn new(machine: &'m Machine<'x>, statics: &'m Statics) -> Runner<'m, 'x> {
        let state = machine.initial();
        Runner {
            machine,
            statics,
            backup: state.clone(),
            section_backup: state.clone(),
            state,
            oracle: Oracle::new(machine.property == Property::Deadlock),
            record: Record::default(),
            steps: Vec::new(),
            own_writes: false,
            taken: 0,
            beyond: None,
            thread_backup: None,
            instances: Vec::new(),
        }
    }

    /// Runs the next event of a thread with these answers to its questions.
    pub fn run(&mut self, tid: Tid, answers: &Answers) -> Ran {
        self.oracle.begin(answers);
        self.own_writes = false;
        self.record = Record {
            threads_before: self.state.threads.len() as u32,
            stable: true,
            ..Record::default()
        };
        let first = self.statics.loc(self.state.thread(tid).loc);
        let first_step = self.steps.len();
        let is_local = first.local;
        self.record.stable = first.stable;
        self.record.insists = first.insists;
        let taken = self.step(tid);
        if self.state.holder == Some(tid) && matches!(taken, Taken::Edge) {
            return self.section(tid, first_step);
        }
        match taken {
            Taken::Edge => {}
            Taken::Failed { blocked } => return self.failed(blocked && !is_local),
            Taken::Violated(violation) => return Ran::Violated(violation),
        }
        self.chain(tid)
    }

    /// The rest of an atomic section.
    fn section(&mut self, tid: Tid, first_step: usize) -> Ran {
        // The first step was backed up by `step`, as for every edge that begins a section.
        std::mem::swap(&mut self.section_backup, &mut self.backup);
        self.record.stable = false;
        self.record.insists = false;
        let mut length = 0;
        while self.state.holder == Some(tid) {
            length += 1;
            let taken = match length {
                LONGEST_CHAIN.. => self.give_up("an atomic section is too long to follow"),
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
                    self.steps.truncate(first_step);
                    self.record.lock = LockOp::None;
                    return self.failed(false);
                }
            }
        }
        self.record.lock = LockOp::None;
        self.chain(tid)
    }

    /// The steps behind an event that nobody else can notice.
    fn chain(&mut self, tid: Tid) -> Ran {
        let record = self.record.clone();
        let ran = self.follow(tid);
        // A lock that only one thread uses is nothing to note.
        self.record = record;
        ran
    }

    fn follow(&mut self, tid: Tid) -> Ran {
        let (mut length, mut power) = (0u64, SUSPICIOUS);
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
            if length == power {
                power *= 2;
                old = Some(self.state.clone());
            } else if let Some(old) = &old
                && old.thread(tid) == self.state.thread(tid)
                && *old == self.state
            {
                return Ran::Stopped;
            }
            if length > LONGEST_CHAIN {
                self.beyond = Some("a thread goes on for too long on its own");
                return Ran::Stopped;
            }
        }
        Ran::Moved
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

    /// Takes one edge of a thread.
    fn step(&mut self, tid: Tid) -> Taken {
        let loc = self.state.thread(tid).loc;
        let info = self.statics.loc(loc);
        if info.is_end {
            return Taken::Failed { blocked: false };
        }
        let out = self.machine.edges(&self.state, tid);
        let backup = match info.exclusive {
            true => info.backup,
            false => Backup::Everything,
        };
        let backup = match backup {
            Backup::Everything if !info.reaches_others => Backup::Shared,
            other => other,
        };
        self.save(backup, tid);
        let mark = self.oracle.mark();
        self.oracle.forget_returned();
        let seen = self.oracle.log.len();
        let mut feasible: SmallVec<[EdgeId; 4]> = SmallVec::new();
        let mut blocked = false;
        for &edge in out {
            let static_info = self.statics.edge(edge);
            if static_info.guarded && !self.machine.guard_holds(&self.state, tid, edge) {
                continue;
            }
            let logged = self.oracle.log.len();
            match self.try_edge(tid, edge, backup, mark) {
                Taken::Edge if info.exclusive => {
                    self.oracle.log.drain(seen..logged);
                    return self.took(tid, edge, mark);
                }
                Taken::Edge => {
                    if self.oracle.mark() != mark {
                        self.beyond = Some("an input and a free choice of edges meet");
                    }
                    self.restore(backup, tid);
                    self.oracle.rewind(mark);
                    feasible.push(edge);
                }
                Taken::Violated(violation) => {
                    let choices = self.oracle.since(mark).collect();
                    self.push_step(tid, edge, choices);
                    return Taken::Violated(violation);
                }
                Taken::Failed { blocked: waits } => blocked |= waits,
            }
        }
        let Some(&first) = feasible.first() else {
            // Under another answer one of the edges might be possible.
            self.oracle.keep_returned();
            return Taken::Failed { blocked };
        };
        let edge = match feasible.len() {
            1 => first,
            count => {
                let options: Options = (0..count as u64).collect();
                feasible[self.oracle.pick(options) as usize]
            }
        };
        let mark = self.oracle.mark();
        self.save(backup, tid);
        match self.try_edge(tid, edge, backup, mark) {
            Taken::Edge => self.took(tid, edge, mark),
            other => other,
        }
    }

    fn try_edge(&mut self, tid: Tid, edge: EdgeId, backup: Backup, mark: usize) -> Taken {
        let info = self.statics.edge(edge);
        let deadlock = self.machine.property == Property::Deadlock;
        self.record.lock = info.lock;
        if info.awaits && deadlock && self.state.thread(tid).waiting != 0 {
            self.record.waits = true;
            return Taken::Failed { blocked: true };
        }
        if info.joins {
            self.record.joined = self.join_target(tid, edge);
        }
        let logged = self.oracle.log.len();
        if info.frees {
            self.note_instances();
        }
        let waiting: SmallVec<[bool; 8]> = match info.signals && deadlock {
            true => self
                .state
                .threads
                .iter()
                .map(|thread| thread.waiting != 0)
                .collect(),
            false => SmallVec::new(),
        };
        let outcome = self
            .machine
            .step(&mut self.state, tid, edge, &mut self.oracle);
        let failed = |runner: &mut Self, blocked| {
            runner.restore(backup, tid);
            runner.oracle.give_back(mark);
            for access in &mut runner.oracle.log[logged..] {
                access.write = false;
            }
            Taken::Failed { blocked }
        };
        match outcome {
            Outcome::Moved { .. } if self.state.ended => {
                if self.machine.property == Property::Race && self.oracle.log.len() > logged {
                    self.beyond = Some("the process may end in a step that takes part in a race");
                }
                failed(self, false)
            }
            Outcome::Moved { .. } => {
                if info.frees {
                    self.log_vanished(tid, edge);
                }
                self.record.waits |= deadlock && (info.awaits || info.signals);
                self.note_woken(&waiting);
                if info.signals && !deadlock && self.machine.property != Property::Race {
                    self.hide_signals(logged);
                }
                Taken::Edge
            }
            Outcome::Blocked => failed(self, true),
            Outcome::Cut => failed(self, false),
            Outcome::Violation(violation) => Taken::Violated(violation),
            Outcome::Beyond(why) => {
                self.beyond = Some(why);
                failed(self, false)
            }
        }
    }

    fn took(&mut self, tid: Tid, edge: EdgeId, mark: usize) -> Taken {
        let choices = self.oracle.since(mark).collect();
        self.push_step(tid, edge, choices);
        Taken::Edge
    }

    fn push_step(&mut self, tid: Tid, edge: EdgeId, choices: Vec<u64>) {
        self.taken += 1;
        self.steps.push(Step {
            thread: tid.0,
            edge: edge.0,
            choices,
        });
    }

    fn join_target(&self, tid: Tid, edge: EdgeId) -> Option<Tid> {
        let labels = self.machine.xcfa[edge].labels.iter();
        let mut joins = labels.filter_map(|label| match label {
            Label::Join { thread, .. } => Some(*thread),
            _ => None,
        });
        let handle = self.machine.eval(&self.state, tid, joins.next()?);
        Tid::from_handle(handle)
    }

    fn note_instances(&mut self) {
        self.instances.clear();
        let instances = self.state.memory.instances();
        self.instances
            .extend(instances.iter().map(|it| (it.base, it.size)));
    }

    /// The end of an object is an access to all of it.
    fn log_vanished(&mut self, tid: Tid, edge: EdgeId) {
        let now = self.state.memory.instances();
        for &(start, len) in &self.instances {
            if now.binary_search_by_key(&start, |it| it.base).is_err() {
                self.oracle.log.push(Access {
                    tid,
                    edge,
                    cell: Cell::Bytes { start, len },
                    write: true,
                    atomic: true,
                });
            }
        }
    }

    fn note_woken(&mut self, waiting: &[bool]) {
        for (index, _) in waiting.iter().enumerate().filter(|(_, waited)| **waited) {
            if self.state.threads[index].waiting == 0 {
                self.record.woken.push(Tid(index as u32));
            }
        }
    }

    /// Where a wait may end at any time, signals have no effect: only that the condition variable
    /// exists is looked at.
    fn hide_signals(&mut self, logged: usize) {
        for access in &mut self.oracle.log[logged..] {
            if matches!(access.cell, Cell::Bytes { len: 1, .. }) {
                access.write = false;
            }
        }
    }

    fn save(&mut self, backup: Backup, tid: Tid) {
        match backup {
            Backup::Nothing => {}
            Backup::Thread => {
                let thread = self.state.thread(tid);
                match &mut self.thread_backup {
                    Some(saved) => saved.clone_from(thread),
                    none => *none = Some(thread.clone()),
                }
            }
            Backup::Shared => copy_shared(&mut self.backup, &self.state, tid),
            Backup::Everything => self.backup.clone_from(&self.state),
        }
    }

    fn restore(&mut self, backup: Backup, tid: Tid) {
        match backup {
            Backup::Nothing => {}
            Backup::Thread => {
                let saved = self.thread_backup.as_ref().expect("it was saved");
                self.state.threads[tid.0 as usize].clone_from(saved);
            }
            Backup::Shared => copy_shared(&mut self.state, &self.backup, tid),
            Backup::Everything => self.state.clone_from(&self.backup),
        }
    }

    /// The accesses of the last event, each cell once.
    pub fn touches(&self, tid: Tid, cells: &mut Cells) -> Touches {
        let mut touches = Touches::new();
        let mut add = |cell, write: bool, atomic: bool| {
            match touches
                .iter_mut()
                .find(|touch: &&mut Touch| touch.cell == cell)
            {
                Some(touch) => {
                    touch.write |= write;
                    touch.atomic &= atomic;
                }
                None => touches.push(Touch {
                    cell,
                    write,
                    atomic,
                }),
            };
        };
        for access in &self.oracle.log {
            add(cells.of(access.cell), access.write, access.atomic);
        }
        if self.state.threads.len() as u32 > self.record.threads_before {
            add(cells.starts(), true, true);
        }
        if let Some(joined) = self.record.joined {
            add(cells.joined(joined), true, true);
        }
        if self.record.waits {
            add(cells.waiter(tid), true, true);
        }
        for &woken in &self.record.woken {
            add(cells.waiter(woken), true, true);
        }
        touches
    }
}

/// Copies one thread and what all threads share.
fn copy_shared(to: &mut State, from: &State, tid: Tid) {
    let index = tid.0 as usize;
    if to.threads.len() <= index {
        to.threads
            .resize_with(index + 1, || from.threads[index].clone());
    }
    to.globals.clone_from(&from.globals);
    to.memory.clone_from(&from.memory);
    to.threads[index].clone_from(&from.threads[index]);
    to.holder = from.holder;
    to.ended = from.ended;
}
