//! Running the next event and putting it on the stack.

use super::{Search, ThreadLog};
use crate::config::Dpor;
use crate::event::{Answers, Event, LockOp, Shape, Touch};
use crate::node::{Next, Node};
use crate::runner::Ran;
use crate::wakeup::Branch;
use semantics::{Property, Status, Tid, Trace, Violation};
use std::sync::Arc;

/// This many lists of branches are kept for later use.
const MOST_SPARE: usize = 4_096;

/// What came of running an event.
pub enum Advance {
    Pushed,
    Blocked,
    Again,
    Violated(Violation),
}

/// What is known of an event that has just been run, beside its accesses.
struct Fresh {
    stopped: bool,
    /// See [`Event::origin`].
    origin: Option<u64>,
}

impl Search<'_, '_> {
    pub(super) fn advance(&mut self, mut next: Next) -> Result<Advance, Trace> {
        let tid = Tid(next.tid);
        self.snapshots.note(self.events.len(), &self.runner);
        let is_first = self.threads[next.tid as usize].events.is_empty();
        let origin = if is_first { self.digest(tid) } else { None };
        let behind = self.threads[next.tid as usize].events.len() as u32;
        self.runner.oracle.asker = (next.tid, behind);
        let ran = self.runner.run(tid, &next.answers);
        match ran {
            Ran::Violated(violation) => return Ok(Advance::Violated(violation)),
            Ran::Blocked => {
                self.blocked(next.tid);
                return Ok(Advance::Blocked);
            }
            Ran::Moved | Ran::Stopped => {}
        }
        let shape = self.runner.shape.clone();
        let Some(any_answers) = self.admit(&next, &shape.answers) else {
            self.return_to(self.events.len());
            return Ok(Advance::Again);
        };
        self.point().note_running(shape.clone(), any_answers);
        self.counters.transitions += 1;
        let fresh = Fresh {
            stopped: ran == Ran::Stopped,
            origin,
        };
        self.push(shape, fresh, std::mem::take(&mut next.then))?;
        Ok(Advance::Pushed)
    }

    /// Is the event, which has been run with these answers, to be part of the execution? If so,
    /// notes what answers to try next, and tells whether it stands for any answers.
    fn admit(&mut self, next: &Next, answers: &Answers) -> Option<bool> {
        let stable = self.runner.record.stable;
        let combination = match self.runner.oracle.questions() {
            [] => None,
            _ => self.runner.oracle.next_combination(),
        };
        let node = &mut self.nodes[self.events.len()];
        let running = node.running.as_ref();
        let running = running.filter(|running| running.shape.tid == next.tid);
        let continues = running.is_some();
        let any_answers = running.map_or(!next.exact, |running| running.any_answers);
        if next.exact && node.sleeps_with(next.tid, answers) {
            // With what it asks for here it has been run before.
            return None;
        }
        if !next.exact && is_dealt_with(node, next.tid, answers, any_answers) {
            node.combination = combination;
            if node.combination.is_none() && !continues {
                // All answers are asleep one by one.
                node.retry = None;
                node.refused.push(next.tid);
            } else if !continues {
                node.retry = Some(next.tid);
            }
            return None;
        }
        let asks_anew = !stable || answers.len() != next.answers.len();
        let asks_at_all = !answers.is_empty() || !next.answers.is_empty();
        node.retry = None;
        node.combination = match next.exact {
            // In a hasty branch its other answers are not noted in time.
            true if asks_at_all && (node.hasty || (next.tentative && asks_anew)) => {
                Some(Answers::new())
            }
            true => None,
            false => combination,
        };
        Some(any_answers)
    }

    fn point(&mut self) -> &mut Node {
        &mut self.nodes[self.events.len()]
    }

    /// A thread turned out to have to wait.
    fn blocked(&mut self, tid: u32) {
        self.threads[tid as usize].blocked = true;
        let node = self.point();
        node.combination = None;
        node.backtrack.retain(|&other| other != tid);
    }

    /// Does the step of a thread unlock a lock that it holds?
    fn unlocks_own(&self, shape: &Shape, lock: LockOp) -> bool {
        let signalled = self.runner.record.signalled;
        let changes = |touch: &&Touch| touch.write && signalled != Some(touch.cell);
        let mut writes = shape.touches.iter().filter(changes);
        let own = |cell| {
            let (cells, events) = (&self.runner.cells, &self.events);
            self.history.unlocks_own(cells, cell, shape.tid, events)
        };
        matches!(lock, LockOp::Release | LockOp::ReleaseShared)
            && writes.next().is_some_and(|touch| own(touch.cell))
    }

    fn push(&mut self, shape: Arc<Shape>, fresh: Fresh, then: Vec<Branch>) -> Result<(), Trace> {
        let index = self.events.len();
        let tid = shape.tid as usize;
        let record = &self.runner.record;
        let started = self.runner.state.threads.len() as u32 - record.threads_before;
        let (lock, signalled) = (record.lock, record.signalled);
        self.clocks.widen(self.runner.state.threads.len());
        let (mut base, mut clock) = std::mem::take(&mut self.scratch);
        let races = self.races(&shape, &mut base, &mut clock);
        let count = self.threads[tid].events.len() as u32 + 1;
        clock[tid] = count;
        let ended = self.runner.state.threads[tid].status != Status::Running;
        let unlocks_own = self.unlocks_own(&shape, lock);
        let mut event = Event {
            index: index as u32,
            tid: shape.tid,
            shape,
            count,
            lock,
            signalled,
            unlocks_own,
            stops: fresh.stopped || ended,
            own_writes: self.runner.own_writes,
            started,
            steps: self.runner.steps.clone(),
            digest: None,
            origin: fresh.origin,
        };
        if !fresh.stopped && !ended {
            event.digest = self.digest(Tid(event.tid));
            event.stops = self.waits_in_vain(&event);
        }
        self.clocks.push(&clock);
        if self.runner.machine.property == Property::Race {
            self.find_data_race(&event, &races)?;
        }
        match self.dpor == Dpor::Optimal && !event.shape.stable {
            true => self.races.extend(races.iter().map(|&first| (first, index))),
            false => self.note_reversals(&event.shape, &clock, &races),
        }
        self.scratch = (base, clock);
        self.add(event, then);
        Ok(())
    }

    fn add(&mut self, event: Event, then: Vec<Branch>) {
        self.note_event(&event);
        self.add_point(&event, then);
        self.events.push(event);
    }

    /// Runs an event that another worker has run here, and puts it on the stack.
    pub(super) fn repeat(&mut self, event: Event) {
        let index = self.events.len();
        self.snapshots.note(index, &self.runner);
        self.runner.oracle.asker = (event.tid, event.count - 1);
        self.runner.run(Tid(event.tid), &event.shape.answers);
        self.counters.repeated += 1;
        self.clocks.widen(self.runner.state.threads.len());
        let (mut base, mut clock) = std::mem::take(&mut self.scratch);
        let races = self.races(&event.shape, &mut base, &mut clock);
        clock[event.tid as usize] = event.count;
        self.clocks.push(&clock);
        self.scratch = (base, clock);
        if self.dpor == Dpor::Optimal && !event.shape.stable {
            self.races.extend(races.iter().map(|&first| (first, index)));
        }
        self.note_event(&event);
        if self.nodes.len() < index + 2 {
            self.nodes.push(Node::default());
        }
        self.events.push(event);
    }

    fn note_event(&mut self, event: &Event) {
        let index = event.index as usize;
        if event.shape.touches.iter().any(|touch| touch.write) || event.stops {
            self.threads
                .iter_mut()
                .for_each(|thread| thread.blocked = false);
        }
        self.history
            .push(&self.runner.cells, index, &event.shape.touches);
        self.threads[event.tid as usize].events.push(index as u32);
        for _ in 0..event.started {
            self.threads.push(ThreadLog {
                start: Some(index as u32),
                ..ThreadLog::default()
            });
        }
    }

    /// The point after an event; what does not depend on the event sleeps on.
    fn add_point(&mut self, event: &Event, then: Vec<Branch>) {
        let index = event.index as usize;
        if self.nodes.len() < index + 2 {
            self.nodes.push(Node::default());
        }
        let [node, after] = &mut self.nodes[index..index + 2] else {
            unreachable!("there is a point before and after each event");
        };
        let old = after.reset(self.threads.len() as u32, then);
        if old.capacity() > 0 && self.spare.len() < MOST_SPARE {
            self.spare.push(old);
        }
        if self.dpor != Dpor::None {
            after.sleep.reserve(node.sleep.len());
            for sleeper in &node.sleep {
                let cells = &self.runner.cells;
                if sleeper.tid != event.tid && !sleeper.conflicts(cells, &event.shape) {
                    after.sleep.push(sleeper.clone());
                }
            }
            after.hasty = node.hasty && !(after.sleep.is_empty() && after.tree.is_empty());
        }
        if self.dpor != Dpor::Optimal {
            node.wake(event.tid);
            if self.dpor == Dpor::None {
                (0..node.threads).for_each(|tid| node.wake(tid));
            }
        }
    }
}

/// Need the thread not be run with these answers here? If it stands for any answers, those
/// that are asleep one by one are left out; otherwise also those that will be run later.
fn is_dealt_with(node: &Node, tid: u32, answers: &Answers, any_answers: bool) -> bool {
    if any_answers {
        return node.sleeps_with(tid, answers);
    }
    let running = node.running.as_ref();
    running.is_some_and(|running| running.covers(tid, answers)) || node.deals_with(tid, answers)
}
