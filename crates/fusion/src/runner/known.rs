//! Events that were run before.
//!
//! What an event does depends on its thread and on what it reads. The search runs the same events
//! over and over in different executions, so their effect is kept: if the thread is as it was and
//! reads the same, the effect is applied without running the steps. Memory for this is bounded.

use super::{Ran, Record, Runner};
use crate::event::{Answers, Shape};
use crate::inputs::Options;
use expr::ObjId;
use rustc_hash::FxHashMap;
use semantics::{Cell, State, Status, Step, Thread, Tid};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// With more events than this, all are forgotten.
pub(super) const MOST_EVENTS: usize = 8_192;

/// A thread with this many events is one that finds something new each time.
pub(super) const MOST_OF_ONE_THREAD: usize = 16;

/// An object on the stack of a thread: address, size, and which of the program's it is.
pub(super) type Object = (u64, u64, ObjId);

/// A thread as it was before some event, by number.
pub type Standing = u32;

/// It has not been looked up.
pub(super) const UNKNOWN: Standing = Standing::MAX;

/// Where the threads stood at some point.
#[derive(Clone, Default)]
pub struct Standings {
    epoch: u32,
    by_thread: Vec<Standing>,
}

/// An event, with what it found and what it did.
pub(super) struct KnownEvent {
    pub questions: Vec<(u64, Options)>,
    /// Cells that it read, with what they held; nothing if they were only overwritten.
    pub found: SmallVec<[(Cell, Option<u64>); 2]>,
    /// The thread whose end it waited for, how that stood, and its result.
    pub joined: Option<(Tid, Status, u64)>,
    /// If it may end objects of its thread: which there were.
    pub objects: Option<Vec<Object>>,
    /// Those that it ended.
    pub ended: Vec<u64>,
    pub ran: Ran,
    /// The thread after it.
    pub after: Standing,
    pub written: SmallVec<[(Cell, u64); 2]>,
    pub steps: Arc<[Step]>,
    pub record: Record,
    pub own_writes: bool,
    pub shape: Arc<Shape>,
}

pub(super) struct KnownThread {
    thread: Rc<Thread>,
    /// A digest of the thread, once it has been computed.
    digest: Option<u64>,
    pub events: Vec<KnownEvent>,
}

/// All events that are kept.
#[derive(Default)]
pub struct Known {
    numbers: FxHashMap<Rc<Thread>, Standing>,
    pub(super) places: Vec<KnownThread>,
    pub(super) count: usize,
    /// By thread of the current execution: where it is.
    pub(super) standings: Vec<Standing>,
    /// How often all was forgotten.
    epoch: u32,
}

impl Known {
    /// Where a thread is.
    pub fn standing(&mut self, state: &State, tid: Tid) -> Standing {
        let index = tid.0 as usize;
        if self.standings.len() != state.threads.len() {
            self.standings.resize(state.threads.len(), UNKNOWN);
        }
        if self.standings[index] == UNKNOWN {
            self.standings[index] = self.number(state.thread(tid));
        }
        self.standings[index]
    }

    pub fn number(&mut self, thread: &Thread) -> Standing {
        if let Some(&known) = self.numbers.get(thread) {
            return known;
        }
        let fresh = self.places.len() as Standing;
        let thread = Rc::new(thread.clone());
        self.numbers.insert(thread.clone(), fresh);
        self.places.push(KnownThread {
            thread,
            digest: None,
            events: Vec::new(),
        });
        fresh
    }

    pub fn forget_all(&mut self) {
        self.numbers.clear();
        self.places.clear();
        self.count = 0;
        self.epoch += 1;
        self.standings.fill(UNKNOWN);
    }
}

impl Runner<'_, '_> {
    /// Lets the event happen if it is a known one.
    pub(super) fn repeat(&mut self, tid: Tid, answers: &Answers) -> Option<Ran> {
        let standing = self.known.standing(&self.state, tid) as usize;
        let place = &self.known.places[standing];
        let event = place.events.iter().find(|event| {
            (event.questions.is_empty() || self.oracle.would_answer(answers, &event.questions))
                && self.finds(event)
        })?;
        self.oracle.ask_again(&event.questions);
        self.record = event.record.again(self.state.threads.len() as u32);
        self.own_writes = event.own_writes;
        self.shape = event.shape.clone();
        self.taken += event.steps.len() as u64;
        self.steps = event.steps.clone();
        for &(cell, bits) in &event.written {
            let done = self.machine.poke(&mut self.state, cell, bits);
            debug_assert!(done, "a cell that was looked at is not there");
        }
        for &base in &event.ended {
            self.machine.release(&mut self.state, base);
        }
        if let (Some((joined, Status::Ended, _)), Ran::Moved) = (event.joined, event.ran) {
            let thread = &mut self.state.threads[joined.0 as usize];
            (thread.status, thread.result) = (Status::Joined, 0);
            self.known.standings[joined.0 as usize] = UNKNOWN;
        }
        if event.after as usize != standing {
            let after = &self.known.places[event.after as usize].thread;
            self.state.threads[tid.0 as usize].clone_from(after);
            self.known.standings[tid.0 as usize] = event.after;
        }
        Some(event.ran)
    }

    /// What a thread has on its stack.
    pub(super) fn objects(&self, state: &'_ State, tid: Tid) -> impl Iterator<Item = Object> {
        let instances = state.memory.instances();
        let stack = self.machine.layout.stack_range(tid, 0);
        let first = instances.partition_point(|it| it.base < stack.start);
        let own = instances[first..].iter();
        own.take_while(move |it| it.base < stack.end)
            .map(|it| (it.base, it.size, it.obj))
    }

    /// Would the event find what it found before?
    fn finds(&self, event: &KnownEvent) -> bool {
        let same = |(cell, was): &(Cell, Option<u64>)| match was {
            Some(bits) => self.machine.peek(&self.state, *cell) == Some(*bits),
            None => self.machine.exists(&self.state, *cell),
        };
        let stands = |(tid, status, result): (Tid, Status, u64)| {
            let threads = &self.state.threads;
            let thread = threads.get(tid.0 as usize);
            thread.is_some_and(|it| it.status == status && it.result == result)
        };
        let objects = |known: &Vec<Object>| {
            let own = self.objects(&self.state, Tid(event.shape.tid));
            own.eq(known.iter().copied())
        };
        event.objects.as_ref().is_none_or(objects)
            && event.found.iter().all(same)
            && event.joined.is_none_or(stands)
    }

    /// A digest of a thread, kept with where it is.
    pub fn kept_digest(&mut self, tid: Tid, compute: impl FnOnce(&Self) -> u64) -> u64 {
        let standing = self.known.standing(&self.state, tid) as usize;
        if let Some(digest) = self.known.places[standing].digest {
            return digest;
        }
        let digest = compute(self);
        self.known.places[standing].digest = Some(digest);
        digest
    }

    /// Does the event that was repeated do the same when it is run step by step? Tests ask that.
    pub(super) fn runs_like_this(&mut self, tid: Tid, answers: &Answers, ran: Ran) -> bool {
        let after = std::mem::replace(&mut self.state, self.before.clone());
        let shape = self.shape.clone();
        let lock = self.record.lock;
        let same = self.run_anew(tid, answers) == ran
            && self.state == after
            && self.fresh_steps[..] == self.steps[..]
            && self.record.lock == lock
            && self.touches(tid) == shape.touches
            && self.oracle.answers() == shape.answers
            && self.record.stable == shape.stable;
        self.taken -= self.steps.len() as u64;
        same
    }

    /// Notes where the threads are, to return to this point.
    pub fn save_standings(&self, to: &mut Standings) {
        to.epoch = self.known.epoch;
        to.by_thread.clone_from(&self.known.standings);
    }

    /// The execution is back at a point.
    pub fn restore_standings(&mut self, from: &Standings) {
        self.known.standings.clone_from(&from.by_thread);
        if from.epoch != self.known.epoch {
            self.known.standings.fill(UNKNOWN);
        }
    }
}
