//! The state of a running program.

use crate::Memory;
use xcfa::{EdgeId, LocId};

/// A thread, by the order of creation; `main` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tid(pub u32);

impl Tid {
    /// The value that the program sees as the thread's identity; never 0.
    pub fn handle(self) -> u64 {
        u64::from(self.0) + 1
    }

    /// The thread with this handle, if it is one.
    pub fn from_handle(handle: u64) -> Option<Tid> {
        u32::try_from(handle.checked_sub(1)?).ok().map(Tid)
    }
}

/// How far a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Not ended.
    Running,
    /// Ended, and not yet joined.
    Ended,
    /// Ended and joined.
    Joined,
}

/// A call that has not returned; only recursive procedures are called, all others are inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The edge of the call.
    pub call: EdgeId,
    /// Where the caller's frame starts in [`Thread::slots`].
    pub base: u32,
}

/// A thread.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Where it is.
    pub loc: LocId,
    /// How far it is.
    pub status: Status,
    /// The condition variable it waits on, or 0.
    pub waiting: u64,
    /// How many atomic sections it is in.
    pub atomic_depth: u32,
    /// What it returned.
    pub result: u64,
    /// Bytes of its heap region that have been given out.
    pub heap_used: u64,
    /// Thread-local variables, then the frames of its calls.
    pub slots: Vec<u64>,
    /// Where its current frame starts.
    pub base: u32,
    /// Calls that have not returned.
    pub frames: Vec<Frame>,
}

impl Thread {
    /// The place of a thread that has not been started.
    fn vacant() -> Thread {
        Thread {
            loc: LocId(0),
            status: Status::Joined,
            waiting: 0,
            atomic_depth: 0,
            result: 0,
            heap_used: 0,
            slots: Vec::new(),
            base: u32::MAX,
            frames: Vec::new(),
        }
    }

    /// Is it the place of a thread that has not been started?
    pub(crate) fn is_vacant(&self) -> bool {
        self.base == u32::MAX
    }
}

impl Clone for Thread {
    fn clone(&self) -> Thread {
        Thread {
            slots: self.slots.clone(),
            frames: self.frames.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, from: &Thread) {
        // Field by field: explorers do this for every thread at every step.
        let Thread {
            loc,
            status,
            waiting,
            atomic_depth,
            result,
            heap_used,
            slots,
            base,
            frames,
        } = from;
        self.loc = *loc;
        self.status = *status;
        self.waiting = *waiting;
        self.atomic_depth = *atomic_depth;
        self.result = *result;
        self.heap_used = *heap_used;
        self.base = *base;
        self.slots.clone_from(slots);
        if !(self.frames.is_empty() && frames.is_empty()) {
            self.frames.clone_from(frames);
        }
    }
}

/// The state of a program.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Global variables, by slot.
    pub globals: Vec<u64>,
    /// Objects.
    pub memory: Memory,
    /// Threads, by [`Tid`].
    pub threads: Vec<Thread>,
    /// The thread that is in an atomic section: no other may move.
    pub holder: Option<Tid>,
    /// Has the process ended?
    pub ended: bool,
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            globals: self.globals.clone(),
            memory: self.memory.clone(),
            threads: self.threads.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, from: &State) {
        self.globals.clone_from(&from.globals);
        self.memory.clone_from(&from.memory);
        self.threads.clone_from(&from.threads);
        self.holder = from.holder;
        self.ended = from.ended;
    }
}

impl State {
    /// The thread of that number.
    pub fn thread(&self, tid: Tid) -> &Thread {
        &self.threads[tid.0 as usize]
    }

    pub(crate) fn thread_mut(&mut self, tid: Tid) -> &mut Thread {
        &mut self.threads[tid.0 as usize]
    }

    /// Takes out the threads from this number on, so that the next one that is started gets it. Nothing if it
    /// has been given away.
    pub(crate) fn make_room(&mut self, number: usize) -> Option<Vec<Thread>> {
        while self.threads.len() < number {
            self.threads.push(Thread::vacant());
        }
        let taken = self.threads.get(number).is_some_and(|it| !it.is_vacant());
        (!taken).then(|| self.threads.split_off(number))
    }

    /// All threads that have ever been started.
    pub fn tids(&self) -> impl Iterator<Item = Tid> + use<> {
        (0..self.threads.len() as u32).map(Tid)
    }

    /// The threads that have not ended.
    pub fn running(&self) -> impl Iterator<Item = Tid> + '_ {
        self.tids()
            .filter(|&tid| !self.ended && self.thread(tid).status == Status::Running)
    }

    /// Is the thread one of [`State::runnable`]?
    pub(crate) fn may_move(&self, tid: Tid) -> bool {
        let running = !self.ended && self.thread(tid).status == Status::Running;
        running && self.holder.is_none_or(|holder| holder == tid)
    }

    /// The threads that have not ended, unless an atomic section allows only one of them to move
    /// or the process has ended.
    pub fn runnable(&self) -> impl Iterator<Item = Tid> + '_ {
        self.tids().filter(|&tid| self.may_move(tid))
    }
}
