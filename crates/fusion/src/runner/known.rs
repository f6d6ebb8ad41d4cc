//! Events that were run before.
//!
//! What an event does depends on its thread and on what it finds in the cells that it looks at.
//! The search runs the same events over and over in different company, so what came of them is
//! kept: if the thread is as it was and finds the same, the effect is put in place without going
//! through the steps. Only so much is kept that memory stays flat.

use super::{Ran, Record, Runner};
use crate::event::{Answers, Shape};
use crate::inputs::Options;
use rustc_hash::FxHashMap;
use semantics::{Cell, State, Status, Step, Thread, Tid};
use std::rc::Rc;
use xcfa::EdgeId;

/// With more events than this, all are forgotten.
const MOST_EVENTS: usize = 8_192;

/// A thread with this many events is one that finds something new each time.
const MOST_OF_ONE_THREAD: usize = 16;

/// A thread as it was before some event, by number.
pub type Standing = u32;

/// It has not been looked up.
const UNKNOWN: Standing = Standing::MAX;

/// Where the threads stood at some point.
#[derive(Clone, Default)]
pub struct Standings {
    epoch: u32,
    by_thread: Vec<Standing>,
}

/// What an event depends on beside its thread and cells.
#[derive(Default)]
pub struct Dependence {
    /// More than can be said here.
    on_more: bool,
    /// It may have changed other threads.
    signals: bool,
    /// Whether there are objects of its thread that it ends.
    on_objects: bool,
    /// A thread that it wants to join.
    on_end: Option<Option<Tid>>,
}

/// An event, with what it found and what it did.
struct KnownEvent {
    questions: Vec<(u64, Options)>,
    /// Cells that it looked at with what they held; nothing if they were only overwritten.
    found: Vec<(Cell, Option<u64>)>,
    /// The thread whose end it waited for, how that stood, and its result.
    joined: Option<(Tid, Status, u64)>,
    /// It may end objects of its thread, and there were none.
    no_objects: bool,
    ran: Ran,
    /// The thread after it.
    after: Standing,
    written: Vec<(Cell, u64)>,
    steps: Rc<[Step]>,
    record: Record,
    own_writes: bool,
    shape: Rc<Shape>,
}

struct Place {
    thread: Thread,
    /// A digest of the thread, once it has been computed.
    digest: Option<Option<u64>>,
    events: Vec<KnownEvent>,
}

/// All events that are kept.
#[derive(Default)]
pub struct Known {
    numbers: FxHashMap<Thread, Standing>,
    places: Vec<Place>,
    count: usize,
    /// By thread of the execution at hand: where it stands.
    standings: Vec<Standing>,
    /// How often all was forgotten.
    epoch: u32,
}

impl Known {
    /// Where a thread stands.
    fn standing(&mut self, state: &State, tid: Tid) -> Standing {
        let index = tid.0 as usize;
        if self.standings.len() != state.threads.len() {
            self.standings.resize(state.threads.len(), UNKNOWN);
        }
        if self.standings[index] == UNKNOWN {
            self.standings[index] = self.number(state.thread(tid));
        }
        self.standings[index]
    }

    fn number(&mut self, thread: &Thread) -> Standing {
        if let Some(&known) = self.numbers.get(thread) {
            return known;
        }
        let fresh = self.places.len() as Standing;
        self.numbers.insert(thread.clone(), fresh);
        self.places.push(Place {
            thread: thread.clone(),
            digest: None,
            events: Vec::new(),
        });
        fresh
    }

    fn forget_all(&mut self) {
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
            self.oracle.would_answer(answers, &event.questions) && self.finds(event)
        })?;
        self.oracle.ask_again(&event.questions);
        self.record.clone_from(&event.record);
        self.record.threads_before = self.state.threads.len() as u32;
        self.own_writes = event.own_writes;
        self.shape = event.shape.clone();
        self.taken += event.steps.len() as u64;
        self.steps = event.steps.clone();
        for &(cell, bits) in &event.written {
            let done = self.machine.poke(&mut self.state, cell, bits);
            debug_assert!(done, "a cell that was looked at is not there");
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

    /// Has a thread anything on its stack?
    fn has_objects(&self, tid: Tid) -> bool {
        let instances = self.state.memory.instances();
        let stack = self.machine.layout.stack_range(tid, 0);
        let first = instances.partition_point(|it| it.base < stack.start);
        instances.get(first).is_some_and(|it| it.base < stack.end)
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
        (!event.no_objects || !self.has_objects(Tid(event.shape.tid)))
            && event.found.iter().all(same)
            && event.joined.is_none_or(stands)
    }

    /// Runs an event step by step, and keeps what came of it.
    pub(super) fn run_and_learn(&mut self, tid: Tid, answers: &Answers) -> Ran {
        if self.known.count >= MOST_EVENTS || self.known.places.len() >= MOST_EVENTS {
            self.known.forget_all();
        }
        let standing = self.known.standing(&self.state, tid);
        self.before.clone_from(&self.state);
        let ran = self.run_anew(tid, answers);
        self.steps = self.fresh_steps.drain(..).collect();
        if matches!(ran, Ran::Violated(_)) {
            return ran;
        }
        self.shape = Rc::new(Shape {
            tid: tid.0,
            answers: self.oracle.answers(),
            touches: self.touches(tid),
            stable: self.record.stable,
            any_answers: false,
        });
        if self.dependence.signals {
            self.known.standings.fill(UNKNOWN);
        }
        if self.dependence.on_more {
            // Threads that it started are given their places at once: the search comes back here.
            self.known.standings[tid.0 as usize] = UNKNOWN;
            for tid in self.state.tids().skip(self.before.threads.len()) {
                self.known.standing(&self.state, tid);
            }
            self.known.standing(&self.state, tid);
        } else {
            self.learn(tid, standing, ran);
        }
        ran
    }

    /// Notes what an attempt to take an edge depends on.
    pub(super) fn note_dependence(&mut self, tid: Tid, edge: EdgeId) {
        let info = self.statics.edge(edge);
        let target = info.joins.then(|| self.join_target(tid, edge));
        let no_objects = !self.has_objects(tid);
        let dependence = &mut self.dependence;
        dependence.on_more |= !info.repeatable || (info.frees && !no_objects);
        dependence.signals |= info.signals;
        dependence.on_objects |= info.frees;
        if target.is_some() {
            dependence.on_more |= dependence.on_end.is_some_and(|known| Some(known) != target);
            dependence.on_end = target;
        }
    }

    fn learn(&mut self, tid: Tid, standing: Standing, ran: Ran) {
        let after = self.known.number(self.state.thread(tid));
        self.known.standings[tid.0 as usize] = after;
        let joins = self.dependence.on_end.flatten();
        let joined = joins.and_then(|tid| {
            let thread = self.before.threads.get(tid.0 as usize)?;
            self.known.standings[tid.0 as usize] = UNKNOWN;
            Some((tid, thread.status, thread.result))
        });
        let events = &self.known.places[standing as usize].events;
        if !self.oracle.plain
            || joins.is_some() != joined.is_some()
            || events.len() >= MOST_OF_ONE_THREAD
        {
            return;
        }
        let Some((found, written)) = self.effect() else {
            return;
        };
        let event = KnownEvent {
            questions: self.oracle.questions().to_vec(),
            found,
            joined,
            no_objects: self.dependence.on_objects,
            ran,
            after,
            written,
            steps: self.steps.clone(),
            record: self.record.clone(),
            own_writes: self.own_writes,
            shape: self.shape.clone(),
        };
        self.known.count += 1;
        self.known.places[standing as usize].events.push(event);
    }

    /// What the event found in the cells that it accessed, and what it left there.
    fn effect(&self) -> Option<(Vec<(Cell, Option<u64>)>, Vec<(Cell, u64)>)> {
        let mut found: Vec<(Cell, Option<u64>)> = Vec::new();
        let mut written: Vec<(Cell, u64)> = Vec::new();
        for access in &self.oracle.seen {
            let cell = access.cell;
            if found.iter().all(|(known, _)| *known != cell) {
                // A plain store does not look; a lock does, and is atomic.
                let overwrites = access.write && !access.atomic;
                let was = self.machine.peek(&self.before, cell);
                match overwrites {
                    true => found.push((cell, None)),
                    false => found.push((cell, Some(was?))),
                }
            }
            if access.write && written.iter().all(|(known, _)| *known != cell) {
                written.push((cell, self.machine.peek(&self.state, cell)?));
            }
        }
        Some((found, written))
    }

    /// A digest of a thread, kept with where it stands.
    pub fn kept_digest(
        &mut self,
        tid: Tid,
        compute: impl FnOnce(&Self) -> Option<u64>,
    ) -> Option<u64> {
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

    /// Notes where the threads stand, to come back to this point.
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
