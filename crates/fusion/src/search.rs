//! The search: one execution after the other, each different from all before it.
//!
//! The execution at hand is a stack of events. When an event is run, the races that it is the
//! later part of are found, and at the point before the earlier part it is noted that the other
//! order has to be run too. When no thread can go on, the search goes back to the last point
//! where something is left to be run.

use crate::cells::{CellId, Cells};
use crate::config::{Config, Dpor};
use crate::ctp;
use crate::event::{Answers, Clock, Event, Shape, knows, merge};
use crate::history::History;
use crate::node::{Next, Node};
use crate::runner::{Ran, Runner};
use crate::snapshots::Snapshots;
use crate::statics::Statics;
use crate::wakeup::{Branch, Sequence};
use semantics::{Machine, Property, Status, Tid, Trace, Violation};
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::time::{Duration, Instant};
use verdict::{Budget, Reason};

/// Limits are looked at every so many events.
const CHECK_INTERVAL: u64 = 256;

/// What the search counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Executions that were run to their end.
    pub executions: u64,
    /// Executions that turned out to be redundant.
    pub blocked: u64,
    /// Executions that were cut for their length.
    pub cut: u64,
    /// Events that were run, without those that were run again to get back to a point.
    pub transitions: u64,
    /// Events that were run again.
    pub repeated: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Errors that the solver found in another order of an execution's events.
    pub predicted: u64,
}

/// How a search ended.
pub enum Found {
    /// Everything was run.
    Nothing,
    /// A violation.
    Violation(Trace),
    /// A limit was met.
    Limit(Reason),
}

/// A thread of the execution at hand.
#[derive(Debug, Default)]
struct ThreadLog {
    /// Its events.
    events: Vec<u32>,
    /// The event that started it.
    start: Option<u32>,
    /// It was found blocked, and nothing has happened since that could change that.
    blocked: bool,
}

/// A search under way.
pub struct Search<'m, 'x> {
    runner: Runner<'m, 'x>,
    dpor: Dpor,
    depth: usize,
    check: bool,
    budget: &'m Budget,
    cells: Cells,
    history: History,
    events: Vec<Event>,
    nodes: Vec<Node>,
    threads: Vec<ThreadLog>,
    snapshots: Snapshots,
    /// Races of the execution at hand whose later event may access other cells when it comes
    /// first: the earlier and the later event.
    races: Vec<(usize, usize)>,
    solver_time: Duration,
    /// How often something was tried.
    turns: u64,
    /// What was counted.
    pub counters: Counters,
}

/// What came of running an event.
enum Advance {
    Pushed,
    Blocked,
    Again,
    Violated(Violation),
}

impl<'m, 'x> Search<'m, 'x> {
    /// At the start of the program.
    pub fn new(
        machine: &'m Machine<'x>,
        statics: &'m Statics,
        config: &Config,
        depth: usize,
        budget: &'m Budget,
    ) -> Search<'m, 'x> {
        let runner = Runner::new(machine, statics);
        Search {
            snapshots: Snapshots::new(&runner.state),
            runner,
            dpor: config.dpor,
            depth,
            check: config.check,
            budget,
            cells: Cells::default(),
            history: History::default(),
            events: Vec::new(),
            nodes: vec![Node {
                threads: 1,
                ..Node::default()
            }],
            threads: vec![ThreadLog::default()],
            races: Vec::new(),
            solver_time: Duration::ZERO,
            turns: 0,
            counters: Counters::default(),
        }
    }

    /// Why nothing can be concluded from having run everything.
    pub fn beyond(&self) -> Option<&'static str> {
        self.runner.beyond
    }

    /// Steps of the machine that were taken, also those that were taken again to get back.
    pub fn steps(&self) -> u64 {
        self.runner.taken
    }

    /// The inputs that were tried with some of their values only.
    pub fn inputs_not_covered(&self) -> Vec<String> {
        self.runner.oracle.not_covered.iter().cloned().collect()
    }

    /// Runs everything that is not redundant, until a violation is found or a limit is met.
    pub fn run(&mut self) -> Found {
        loop {
            self.turns += 1;
            if self.turns.is_multiple_of(CHECK_INTERVAL)
                && let Some(reason) = self.budget.exceeded(0)
            {
                return Found::Limit(reason);
            }
            let next = self.pending().or_else(|| self.free_choice());
            let Some(next) = next else {
                if let Some(trace) = self.finish() {
                    return Found::Violation(trace);
                }
                if !self.back() {
                    return Found::Nothing;
                }
                continue;
            };
            match self.advance(next) {
                Ok(Advance::Violated(violation)) => {
                    let steps = self.runner.steps.clone();
                    return Found::Violation(trace(violation, steps));
                }
                Ok(_) => {}
                Err(race) => return Found::Violation(race),
            }
        }
    }

    // What to run next.

    /// What has been noted for the point at hand.
    fn pending(&mut self) -> Option<Next> {
        if self.events.len() >= self.depth {
            return None;
        }
        let index = self.nodes.len() - 1;
        let node = &mut self.nodes[index];
        if let Some(tid) = node.retry {
            return Some(Next {
                tid,
                answers: node.combination.take().unwrap_or_default(),
                then: Vec::new(),
                exact: false,
                tentative: false,
            });
        }
        if let (Some(answers), Some(running)) = (node.combination.take(), &node.running) {
            return Some(Next {
                tid: running.tid,
                answers,
                then: Vec::new(),
                exact: false,
                tentative: false,
            });
        }
        node.put_to_sleep();
        while !self.nodes[index].tree.is_empty() {
            let branch = self.nodes[index].tree.remove(0);
            let shape = branch.shape;
            let sleeps = self.nodes[index].sleeps_with(shape.tid, &shape.answers);
            if !sleeps && self.is_alive(shape.tid) {
                return Some(Next {
                    tid: shape.tid,
                    answers: shape.answers.clone(),
                    then: branch.children,
                    exact: true,
                    tentative: branch.tentative,
                });
            }
        }
        let node = &self.nodes[index];
        let mut noted = node.backtrack.iter().copied();
        let open = |tid| !node.sleeps(tid) && !node.refused.contains(&tid);
        let tid = noted.find(|&tid| open(tid) && self.is_alive(tid))?;
        Some(Next {
            tid,
            answers: Answers::new(),
            then: Vec::new(),
            exact: false,
            tentative: false,
        })
    }

    /// Any thread that can go on and is not asleep, at a point where nothing has been run yet.
    fn free_choice(&mut self) -> Option<Next> {
        let node = self.nodes.last()?;
        if node.begun || self.events.len() >= self.depth {
            return None;
        }
        let last = self.events.last().map(|event| event.shape.tid);
        let all = 0..self.threads.len() as u32;
        let tid = last.into_iter().chain(all).find(|&tid| {
            !self.threads[tid as usize].blocked
                && self.is_alive(tid)
                && !node.sleeps(tid)
                && !node.refused.contains(&tid)
        })?;
        Some(Next {
            tid,
            answers: Answers::new(),
            then: Vec::new(),
            exact: false,
            tentative: false,
        })
    }

    fn is_alive(&self, tid: u32) -> bool {
        let stopped = self.threads[tid as usize].events.last();
        let stopped = stopped.is_some_and(|&event| self.events[event as usize].stops);
        !stopped && self.runner.state.thread(Tid(tid)).status == Status::Running
    }

    // Running.

    fn advance(&mut self, next: Next) -> Result<Advance, Trace> {
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
    fn is_dealt_with(&self, tid: u32, answers: &Answers, any_answers: bool) -> bool {
        let node = self.nodes.last().expect("there is always a point");
        if any_answers {
            return node.sleeps_with(tid, answers);
        }
        let running = node.running.as_ref();
        running.is_some_and(|shape| shape.covers(tid, answers)) || node.deals_with(tid, answers)
    }

    /// A thread turned out to have to wait.
    fn blocked(&mut self, tid: u32) {
        self.threads[tid as usize].blocked = true;
        let index = self.nodes.len() - 1;
        let node = &mut self.nodes[index];
        node.combination = None;
        node.backtrack.retain(|&other| other != tid);
    }

    fn push(
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

    fn add(&mut self, index: usize, event: Event, then: Vec<Branch>) {
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

    // Happens-before and races.

    /// What comes before the next step of a thread whatever it accesses.
    fn base_clock(&self, shape: &Shape) -> Clock {
        let log = &self.threads[shape.tid as usize];
        let previous = log.events.last().copied().or(log.start);
        let mut clock = previous.map_or(Clock::new(), |event| {
            self.events[event as usize].clock.clone()
        });
        let joined = self.runner.record.joined;
        let ended = joined.and_then(|tid| self.threads.get(tid.0 as usize)?.events.last());
        if let Some(&event) = ended {
            merge(&mut clock, &self.events[event as usize].clock);
        }
        clock
    }

    /// The events that race with a step and could come after it as well; `clock`, at first what
    /// comes before the step in any case, learns what else does.
    fn races(&self, shape: &Shape, clock: &mut Clock) -> SmallVec<[usize; 4]> {
        let base = clock.clone();
        let mut found: SmallVec<[usize; 4]> = SmallVec::new();
        let insists = self.runner.record.insists;
        for touch in &shape.touches {
            let waits = insists || self.cells.is_waiter(touch.cell);
            self.history.before(&self.cells, touch, |index| {
                let event = &self.events[index];
                if !waits && !knows(&base, event) && !found.contains(&index) {
                    found.push(index);
                }
                merge(clock, &event.clock);
            });
        }
        let all = found.clone();
        found.retain(|index| {
            let event = &self.events[*index];
            !all.iter()
                .any(|other| other != index && self.events[*other].is_after(event))
        });
        if insists {
            self.rivals(shape, &base, &mut found);
        }
        found
    }

    /// The events that a thread could take a lock before.
    fn rivals(&self, shape: &Shape, base: &Clock, found: &mut SmallVec<[usize; 4]>) {
        let shared = self.runner.record.lock == crate::event::LockOp::AcquireRead;
        for touch in &shape.touches {
            let known = |event: &Event| knows(base, event);
            let rivals = |index| {
                if !found.contains(&index) {
                    found.push(index);
                }
            };
            let (cells, events) = (&self.cells, &self.events);
            self.history
                .rivals(cells, touch.cell, shared, events, known, rivals);
        }
    }

    /// Notes for each race of a step that it has to be run before the earlier part too.
    fn note_reversals(&mut self, last: &Shape, clock: &Clock, races: &[usize]) {
        if self.dpor == Dpor::None {
            return;
        }
        for &first in races {
            self.note_reversal(first, last, clock);
        }
    }

    fn note_reversal(&mut self, first: usize, last: &Shape, clock: &Clock) {
        let earlier = &self.events[first];
        let rest = self.events[first + 1..].iter();
        let sequence = Sequence {
            before: rest.filter(|event| !event.is_after(earlier)).collect(),
            last: Some(last),
            last_clock: clock,
        };
        let node = &mut self.nodes[first];
        match self.dpor {
            Dpor::None => {}
            Dpor::Classic => note_persistent(node, &sequence),
            Dpor::Source => note_source(node, &sequence),
            Dpor::Optimal => {
                let cells = &self.cells;
                let asleep = |shape: &Rc<Shape>| sequence.may_start_with(cells, shape);
                if !node.sleep.iter().any(asleep) {
                    sequence.insert(cells, &mut node.tree);
                }
            }
        }
    }

    /// Looks at the races of an execution that has come to its end whose later event may access
    /// other cells when it sees other values. In a wake-up tree everything that does not depend on
    /// the earlier event has to be in front of it, because it may meet it there; so these races
    /// are looked at again in every execution.
    fn note_races(&mut self) {
        let races = std::mem::take(&mut self.races);
        for &(first, later) in &races {
            let Event { shape, clock, .. } = &self.events[later];
            let (shape, clock) = (shape.clone(), clock.clone());
            self.note_reversal(first, &shape, &clock);
        }
        self.races = races;
    }

    /// Threads that wait for a lock when nobody can go on: they could have come first.
    fn note_waiting(&mut self) {
        for tid in 0..self.threads.len() as u32 {
            if !self.threads[tid as usize].blocked || !self.is_alive(tid) {
                continue;
            }
            if self.runner.run(Tid(tid), &Answers::new()) != Ran::Blocked {
                continue;
            }
            let mut touches = self.runner.touches(Tid(tid), &mut self.cells);
            touches.iter_mut().for_each(|touch| touch.write = true);
            let shape = Shape {
                tid,
                touches,
                stable: true,
                ..Shape::default()
            };
            if !self.runner.record.insists {
                continue;
            }
            let mut clock = self.base_clock(&shape);
            let races = self.races(&shape, &mut clock);
            self.note_reversals(&shape, &clock, &races);
        }
    }

    /// Two accesses that race by happens-before, brought next to each other.
    fn find_data_race(&self, last: &Event, races: &[usize]) -> Result<(), Trace> {
        for &first in races {
            let earlier = &self.events[first];
            let racing = earlier.shape.touches.iter().any(|a| {
                last.shape.touches.iter().any(|b| {
                    (a.write || b.write)
                        && !(a.atomic && b.atomic)
                        && self.cells.overlap(a.cell, b.cell)
                })
            });
            let end = last.first_step as usize;
            let took_steps = !self.steps_of(first, end).is_empty();
            if !racing || !took_steps {
                continue;
            }
            let mut steps = self.runner.steps[..earlier.first_step as usize].to_vec();
            for index in first + 1..self.events.len() {
                if !self.events[index].is_after(earlier) {
                    steps.extend_from_slice(self.steps_of(index, end));
                }
            }
            steps.extend_from_slice(self.steps_of(first, end));
            steps.extend_from_slice(&self.runner.steps[end..]);
            return Err(trace(Violation::DataRace, steps));
        }
        Ok(())
    }

    /// The steps of an event; all events together have `end` steps.
    fn steps_of(&self, index: usize, end: usize) -> &[semantics::Step] {
        let from = self.events[index].first_step as usize;
        let next = self.events.get(index + 1);
        &self.runner.steps[from..next.map_or(end, |next| next.first_step as usize)]
    }

    // Waiting in vain.

    /// A digest of the thread's own state after an event, inside a loop.
    fn digest(&self, tid: Tid) -> Option<u64> {
        let thread = self.runner.state.thread(tid);
        let statics = self.runner.statics;
        if !statics.loc(thread.loc).in_loop {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        thread.loc.hash(&mut hasher);
        (thread.waiting, thread.atomic_depth, thread.heap_used).hash(&mut hasher);
        thread.frames.hash(&mut hasher);
        // Frames of callers, and variables of the thread.
        thread.slots[..thread.base as usize].hash(&mut hasher);
        for &var in statics.liveness.live(thread.loc) {
            let value = self.runner.machine.value(&self.runner.state, tid, var);
            value.hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    /// Has the thread come back to where it was, with only looks at what others do in between,
    /// each lock that it took given back? Then it would do so until somebody changes something,
    /// and those executions in which it looks for the first time after the change are run too.
    fn waits_in_vain(&self, event: &Event) -> bool {
        let mut open: SmallVec<[CellId; 2]> = SmallVec::new();
        if event.digest.is_none() || !event.only_looks(&mut open) {
            return false;
        }
        if open.is_empty() && event.origin == event.digest {
            return true;
        }
        for &index in self.threads[event.shape.tid as usize].events.iter().rev() {
            let earlier = &self.events[index as usize];
            if open.is_empty() && earlier.digest == event.digest {
                return true;
            }
            if !earlier.only_looks(&mut open) {
                return false;
            }
            if open.is_empty() && earlier.origin == event.digest {
                return true;
            }
        }
        false
    }

    // The end of an execution, and going back.

    fn finish(&mut self) -> Option<Trace> {
        let node = self.nodes.last().expect("there is always a point");
        if node.begun {
            return None;
        }
        let sleeping = !node.sleep.is_empty();
        self.note_races();
        if self.events.len() >= self.depth {
            self.counters.cut += 1;
            self.note_waiting();
            return None;
        }
        if sleeping {
            self.counters.blocked += 1;
            return None;
        }
        self.counters.executions += 1;
        let machine = self.runner.machine;
        if machine.property == Property::Deadlock && machine.is_deadlock(&self.runner.state) {
            return Some(trace(Violation::Deadlock, self.runner.steps.clone()));
        }
        if self.check && machine.property == Property::Reach && self.is_time_to_check() {
            let start = Instant::now();
            let found = self.predict();
            self.solver_time += start.elapsed();
            if found.is_some() {
                return found;
            }
        }
        self.note_waiting();
        None
    }

    /// The first few executions, and then ever fewer: most of them have the same events.
    fn is_time_to_check(&self) -> bool {
        let executions = self.counters.executions;
        let time = self.budget.elapsed() / 4 + Duration::from_secs(1);
        (executions <= 4 || executions.is_power_of_two()) && self.solver_time < time
    }

    /// An error in another order of the events of this execution.
    fn predict(&mut self) -> Option<Trace> {
        let Runner {
            machine,
            statics,
            steps,
            ..
        } = &self.runner;
        let mut program = ctp::build(machine, &self.events, steps)?;
        let calls = &mut self.counters.solver_calls;
        let (order, last) = ctp::violating_order(&mut program, calls)?;
        let mut runner = Runner::new(machine, statics);
        for at in order {
            let op = &program.ops[at];
            runner.run(Tid(op.tid), &op.answers);
        }
        let op = &program.ops[last];
        match runner.run(Tid(op.tid), &op.answers) {
            Ran::Violated(violation) => {
                self.counters.predicted += 1;
                Some(trace(violation, runner.steps))
            }
            _ => None,
        }
    }

    /// Goes back to the last point where something is left to be run; is there one?
    fn back(&mut self) -> bool {
        loop {
            let Some(event) = self.events.pop() else {
                return false;
            };
            self.nodes.pop();
            self.history.pop(&event.shape.touches);
            let left = self.events.len();
            while self.races.last().is_some_and(|race| race.1 >= left) {
                self.races.pop();
            }
            self.threads[event.shape.tid as usize].events.pop();
            let left = self.threads.len() - event.started as usize;
            self.threads.truncate(left);
            let node = self.nodes.last().expect("there is always a point");
            if node.has_more() {
                self.return_to(self.events.len());
                return true;
            }
        }
    }

    /// Makes the state that of the point before the event of this index.
    fn return_to(&mut self, index: usize) {
        self.threads
            .iter_mut()
            .for_each(|thread| thread.blocked = false);
        let (from, steps) = self.snapshots.restore(index, &mut self.runner.state);
        self.runner.steps.truncate(steps);
        for at in from..index {
            let shape = &self.events[at].shape;
            let tid = Tid(shape.tid);
            self.runner.run(tid, &shape.answers);
            self.counters.repeated += 1;
        }
    }
}

/// The thread of the later event, if it exists at that point, or else all threads.
///
/// That thread alone may be asleep although not every execution that starts with the sequence has
/// been run, because threads that sleep are not looked at for races. So a first thread of the
/// sequence is added as well: persistent sets that are source sets too.
fn note_persistent(node: &mut Node, sequence: &Sequence<'_>) {
    match sequence.last {
        Some(last) if last.tid < node.threads => node.wake(last.tid),
        _ => (0..node.threads).for_each(|tid| node.wake(tid)),
    }
    note_source(node, sequence);
}

/// One of the threads that can be first, unless one of them is noted already.
fn note_source(node: &mut Node, sequence: &Sequence<'_>) {
    let initials = sequence.initials();
    if !initials.iter().any(|tid| node.backtrack.contains(tid)) {
        node.wake(initials[0]);
    }
}

fn trace(violation: Violation, steps: Vec<semantics::Step>) -> Trace {
    Trace {
        violation,
        steps,
        loop_start: None,
    }
}
