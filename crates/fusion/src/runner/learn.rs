//! Records what an event depends on and what it does, to repeat it later.

use super::known::{KnownEvent, MOST_EVENTS, MOST_OF_ONE_THREAD, Object, Standing, UNKNOWN};
use super::{Ran, Runner};
use crate::event::{Answers, Marks, Shape};
use semantics::{Cell, Tid};
use smallvec::SmallVec;
use std::sync::Arc;
use xcfa::EdgeId;

/// What an event found in cells, and what it left there.
type Effect = (
    SmallVec<[(Cell, Option<u64>); 2]>,
    SmallVec<[(Cell, u64); 2]>,
);

/// What an event depends on beside its thread and cells.
#[derive(Default)]
pub struct Dependence {
    /// More than can be said here.
    pub on_more: bool,
    /// It may have changed other threads.
    pub signals: bool,
    /// Whether there are objects of its thread that it ends.
    pub on_objects: bool,
    /// It tries to join a thread.
    pub joins: bool,
    /// The thread that it tries to join, if there is one with that handle.
    pub on_end: Option<Tid>,
}

impl Runner<'_, '_> {
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
        let touches = self.touches(tid);
        self.shape = Arc::new(Shape {
            tid: tid.0,
            answers: self.oracle.answers(),
            marks: Marks::of(&self.cells, &touches),
            touches,
            stable: self.record.stable,
            ..Shape::default()
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
            if let Some(joined) = self.dependence.on_end
                && let Some(standing) = self.known.standings.get_mut(joined.0 as usize)
            {
                *standing = UNKNOWN;
            }
        } else {
            self.learn(tid, standing, ran);
        }
        ran
    }

    pub(super) fn note_dependence(&mut self, edge: EdgeId, joined: Option<Tid>) {
        let info = self.statics.edge(edge);
        let dependence = &mut self.dependence;
        // An event that is repeated joins whom it tried to join; with a choice it may have done something else.
        dependence.on_more |= !info.repeatable || self.statics.joins_or_not;
        dependence.signals |= info.signals;
        dependence.on_objects |= info.frees;
        if info.joins {
            dependence.on_more |= dependence.joins && dependence.on_end != joined;
            dependence.joins = true;
            dependence.on_end = joined;
        }
    }

    fn learn(&mut self, tid: Tid, standing: Standing, ran: Ran) {
        let after = self.known.number(self.state.thread(tid));
        self.known.standings[tid.0 as usize] = after;
        let joins = self.dependence.on_end;
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
        let (objects, ended) = match self.dependence.on_objects {
            true => {
                let before: Vec<Object> = self.objects(&self.before, tid).collect();
                let left: Vec<Object> = self.objects(&self.state, tid).collect();
                let gone = before.iter().filter(|it| !left.contains(it));
                let ended = gone.map(|it| it.0).collect();
                (Some(before), ended)
            }
            false => (None, Vec::new()),
        };
        let event = KnownEvent {
            questions: self.oracle.questions().to_vec(),
            found,
            joined,
            objects,
            ended,
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
    fn effect(&self) -> Option<Effect> {
        let (mut found, mut written): Effect = Default::default();
        for access in &self.oracle.seen {
            let cell = access.cell;
            if found.iter().all(|(known, _)| *known != cell) {
                // A plain store reads nothing; a lock does, and is atomic.
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
}
