//! Running the next event and putting it on the stack.

use super::{Search, ThreadLog};
use crate::config::Dpor;
use crate::event::{Answers, Event, Shape};
use crate::node::{Next, Node};
use crate::runner::Ran;
use crate::wakeup::Branch;
use semantics::{Property, Status, Tid, Trace, Violation};
use std::rc::Rc;

/// What came of running an event.
pub enum Advance {
    Pushed,
    Blocked,
    Again,
    Violated(Violation),
}

impl Search<'_, '_> {
    pub(super) fn advance(&mut self, next: Next) -> Result<Advance, Trace> {
        let tid = Tid(next.tid);
        let first_step = self.runner.steps.len() as u32;
        self.snapshots
            .note(self.events.len(), first_step as usize, &self.runner.state);
        let is_first = self.threads[next.tid as usize].events.is_empty();
        let origin = if is_first { self.digest(tid) } else { None };
        let ran = self.runner.run(tid, &next.answers);
        match ran {
            Ran::Violated(violation) => return Ok(Advance::Violated(violation)),
            Ran::Blocked => {
                self.blocked(next.tid);
                return Ok(Advance::Blocked);
            }
            Ran::Moved | Ran::Stopped => {}
        }
        let answers = self.runner.oracle.answers();
        let stable = self.runner.record.stable;
        let asks_anew = !stable || answers.len() != next.answers.len();
        let asks_at_all = !answers.is_empty() || !next.answers.is_empty();
        let combination = self.runner.oracle.next_combination();
        let node = self.nodes.last_mut().expect("there is always a point");
        let continues = node
            .running
            .as_ref()
            .is_some_and(|shape| shape.tid == next.tid);
        let any_answers = match &node.running {
            Some(running) if continues => running.any_answers,
            _ => !next.exact,
        };
        if next.exact && node.sleeps_with(next.tid, &answers) {
            // With what it asks for here it has been run before.
            self.return_to(self.events.len());
            return Ok(Advance::Again);
        }
        if !next.exact && self.is_dealt_with(next.tid, &answers, any_answers) {
            let node = self.nodes.last_mut().expect("there is always a point");
            node.combination = combination;
            if node.combination.is_none() && !continues {
                // All answers are asleep one by one.
                node.retry = None;
                node.refused.push(next.tid);
            } else if !continues {
                node.retry = Some(next.tid);
            }
            self.return_to(self.events.len());
            return Ok(Advance::Again);
        }
        let node = self.nodes.last_mut().expect("there is always a point");
        node.retry = None;
        node.combination = match next.exact {
            true if next.tentative && asks_anew && asks_at_all => Some(Answers::new()),
            true => None,
            false => combination,
        };
        let touches = self.runner.touches(tid, &mut self.cells);
        let shape = Shape {
            tid: next.tid,
            answers,
            touches,
            stable,
            any_answers: false,
        };
        let node = self.nodes.last_mut().expect("there is always a point");
        node.note_running(Shape {
            any_answers,
            ..shape.clone()
        });
        self.counters.transitions += 1;
        let stopped = ran == Ran::Stopped;
        self.push(shape, (stopped, first_step, origin), next.then)?;
        Ok(Advance::Pushed)
    }

    /// Need the thread not be run with these answers here? If it stands for any answers, those
    /// that are asleep one by one are left out; otherwise also those that will be run later.
    pub(super) fn is_dealt_with(&self, tid: u32, answers: &Answers, any_answers: bool) -> bool {
        let node = self.nodes.last().expect("there is always a point");
        if any_answers {
            return node.sleeps_with(tid, answers);
        }
        let running = node.running.as_ref();
        running.is_some_and(|shape| shape.covers(tid, answers)) || node.deals_with(tid, answers)
    }

    /// A thread turned out to have to wait.
    pub(super) fn blocked(&mut self, tid: u32) {
        self.threads[tid as usize].blocked = true;
        let index = self.nodes.len() - 1;
        let node = &mut self.nodes[index];
        node.combination = None;
        node.backtrack.retain(|&other| other != tid);
    }

    pub(super) fn push(
        &mut self,
        shape: Shape,
        (stopped, first_step, origin): (bool, u32, Option<u64>),
        then: Vec<Branch>,
    ) -> Result<(), Trace> {
        let index = self.events.len();
        let tid = shape.tid as usize;
        let record = &self.runner.record;
        let started = self.runner.state.threads.len() as u32 - record.threads_before;
        let lock = record.lock;
        let mut clock = self.base_clock(&shape);
        let races = self.races(&shape, &mut clock);
        let count = self.threads[tid].events.len() as u32 + 1;
        if clock.len() <= tid {
            clock.resize(tid + 1, 0);
        }
        clock[tid] = count;
        let ended = self.runner.state.thread(Tid(shape.tid)).status != Status::Running;
        let mut event = Event {
            shape,
            count,
            clock,
            lock,
            stops: stopped || ended,
            own_writes: self.runner.own_writes,
            started,
            first_step,
            digest: None,
            origin,
        };
        if !stopped && !ended {
            event.digest = self.digest(Tid(event.shape.tid));
            event.stops = self.waits_in_vain(&event);
        }
        if self.runner.machine.property == Property::Race && !stopped {
            self.find_data_race(&event, &races)?;
        }
        match self.dpor == Dpor::Optimal && !event.shape.stable {
            true => self.races.extend(races.iter().map(|&first| (first, index))),
            false => self.note_reversals(&event.shape, &event.clock, &races),
        }
        self.add(index, event, then);
        Ok(())
    }

    pub(super) fn add(&mut self, index: usize, event: Event, then: Vec<Branch>) {
        if event.shape.touches.iter().any(|touch| touch.write) || event.stops {
            self.threads
                .iter_mut()
                .for_each(|thread| thread.blocked = false);
        }
        let tid = event.shape.tid as usize;
        self.history.push(&self.cells, index, &event.shape.touches);
        self.threads[tid].events.push(index as u32);
        for _ in 0..event.started {
            self.threads.push(ThreadLog {
                start: Some(index as u32),
                ..ThreadLog::default()
            });
        }
        let node = &self.nodes[index];
        let awake = |sleeper: &&Rc<Shape>| {
            sleeper.tid != event.shape.tid && !sleeper.conflicts(&self.cells, &event.shape)
        };
        let sleep = match self.dpor {
            Dpor::None => Vec::new(),
            _ => node.sleep.iter().filter(awake).cloned().collect(),
        };
        self.nodes.push(Node {
            sleep,
            tree: then,
            threads: self.threads.len() as u32,
            ..Node::default()
        });
        if self.dpor != Dpor::Optimal {
            let threads = self.nodes[index].threads;
            let node = &mut self.nodes[index];
            node.wake(event.shape.tid);
            if self.dpor == Dpor::None {
                (0..threads).for_each(|tid| node.wake(tid));
            }
        }
        self.events.push(event);
    }
}
