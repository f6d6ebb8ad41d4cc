//! Threads that run by themselves: each read is given its value.

use crate::code::Code;
use crate::objects::Objects;
use crate::outcome::{Assumed, Stop};
use crate::private::Private;
use crate::probe::Question;
use models::MemoryOrder;
use semantics::{Cell, Effect, HeapNames, Property, State, Step, Tid, Violation};
use std::collections::{BTreeSet, VecDeque};
use step::{first_read, is_step, read_order};

mod step;

/// What a thread does next that others may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// Takes a value from outside; [`Run::answer`] is given it.
    Input(Question),
    /// Reads a cell; [`Run::give`] is given what it finds, and returns its memory order.
    Read(Cell),
    /// Its first event.
    Begin,
    /// Anything else.
    Do(Effect),
}

/// How a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It does this next.
    Event(Pending),
    /// It waits for another thread to end.
    Waits,
    /// It goes on only if an earlier read finds another value.
    Blocked,
    /// It has ended, or ended the process, or has not been started.
    Done,
    /// It violates the property.
    Violation(Violation),
}

/// A thread that takes more local steps than this in a row is given up.
const MOST_LOCAL_STEPS: usize = 2_000_000;

/// A thread that takes this many is looked at: it may be one that does nothing else.
const LONG: usize = 1024;

/// What is not followed where memory is accessed as pieces that overlap.
pub(crate) const MIXED: &str = "accesses of mixed sizes to the same memory";

/// A point at which a thread may be again: its place, the calls that it is in, and all that it may still use: its
/// thread-local variables, the frames of its callers, and the live variables of its own.
type Point = (xcfa::LocId, Vec<xcfa::EdgeId>, Vec<u64>);

#[derive(Clone, Debug, Default)]
struct Local {
    /// Events of the steps taken that are not in the graph yet.
    queue: VecDeque<Pending>,
    blocked: bool,
    done: bool,
    violation: Option<Violation>,
    /// Where the thread was since it did something that others may see other than read or choose, and what its own
    /// memory held there.
    seen: Vec<(Point, Private)>,
    /// What its own memory holds.
    private: Private,
    /// Values from outside for the next step.
    answers: Vec<u64>,
    /// How many threads it has started.
    started: u32,
    /// How many events it has in the graph.
    events: usize,
    /// Objects that it has freed where that counts: after how many events, and their bytes.
    freed: Vec<(usize, Cell)>,
    /// What it has read last.
    found: Option<(Cell, u64)>,
    /// Has it read for a step that it could not take then?
    unfinished: bool,
    /// What it asks for next, once that is known.
    asked: Option<Pending>,
}

/// All threads at some point of an execution. The contents of memory mean nothing: only which objects
/// there are. Objects stay for ever, because threads may have no common order.
///
/// What a thread does to memory of its own is part of its local steps. Only where steps are written down, for
/// evidence, are these accesses events as well.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Does a thread wait that comes back to where it was, and has only read?
    pub waits: bool,
    state: State,
    locals: Vec<Local>,
    pub objects: Objects,
    pub assumed: BTreeSet<Assumed>,
    /// The steps, if they are wanted.
    steps: Option<Vec<Step>>,
    failing: Option<Step>,
}

impl Run {
    pub fn new(code: &Code<'_>, waits: bool, recording: bool) -> Run {
        Run {
            waits,
            state: code.initial.clone(),
            locals: vec![Local::default()],
            objects: Objects::default(),
            assumed: BTreeSet::new(),
            steps: recording.then(Vec::new),
            failing: None,
        }
    }

    pub fn threads(&self) -> u32 {
        self.locals.len() as u32
    }

    /// What was freed where that counts: by whom, after how many of its events, and which bytes.
    pub fn freed(&self) -> impl Iterator<Item = (u32, usize, Cell)> + '_ {
        let threads = self.locals.iter().zip(0..);
        threads.flat_map(|(local, thread)| {
            (local.freed.iter()).map(move |&(after, cell)| (thread, after, cell))
        })
    }

    /// The steps so far; the failing one last.
    pub fn into_steps(self) -> Vec<Step> {
        let steps = self.steps.unwrap_or_default();
        steps.into_iter().chain(self.failing).collect()
    }

    /// The next event of a step that a thread has taken.
    pub fn queued(&self, thread: u32) -> Option<Pending> {
        self.locals[thread as usize].queue.front().copied()
    }

    /// Has a thread read for a step that it did not take? The read is no event then.
    pub fn is_unfinished(&self, thread: u32) -> bool {
        self.locals[thread as usize].unfinished
    }

    /// What a cell holds at first, if that is defined.
    pub fn initial(&self, code: &Code<'_>, cell: Cell) -> Option<u64> {
        let known = code.machine.peek(&code.initial, cell);
        known.or_else(|| self.objects.is_zeroed(cell).then_some(0))
    }

    /// Is the cell memory of one thread, to which no other thread can have the address?
    pub fn is_private(&self, code: &Code<'_>, cell: Cell) -> bool {
        self.private_object(code, cell).is_some()
    }

    /// Are the accesses of threads to their own memory events?
    pub fn is_whole(&self) -> bool {
        self.steps.is_some()
    }

    /// The object of such a cell.
    fn private_object(&self, code: &Code<'_>, cell: Cell) -> Option<expr::ObjId> {
        let Cell::Bytes { start, .. } = cell else {
            return None;
        };
        let instance = self.state.memory.instance_at(start);
        let object = instance.map(|it| it.obj);
        object.filter(|&it| code.is_private(it))
    }

    /// The name of a cell.
    pub fn name(&self, code: &Code<'_>, cell: Cell) -> String {
        code.machine
            .shown(&self.state, cell, &HeapNames::default())
            .0
    }

    /// What a thread does next; steps that no other thread can see are taken.
    pub fn next(&mut self, code: &Code<'_>, thread: u32) -> Result<Next, Stop> {
        // A thread that comes back to where it was, and has not even read, goes on like this for ever.
        let mut earlier: Option<(Point, Private)> = None;
        for count in 1..MOST_LOCAL_STEPS {
            let is_back = earlier
                .as_ref()
                .is_some_and(|it| self.is_at(code, thread, it));
            if is_back && self.is_idle(thread) {
                self.locals[thread as usize].blocked = true;
            }
            if count >= LONG && count.is_power_of_two() && self.is_idle(thread) {
                let private = self.locals[thread as usize].private.clone();
                earlier = Some((self.point(code, thread), private));
            }
            let local = &self.locals[thread as usize];
            if let Some(&pending) = local.queue.front() {
                if self.is_local(code, pending) {
                    self.taken(code, thread);
                    continue;
                }
                return Ok(Next::Event(pending));
            }
            if let Some(pending) = local.asked {
                return Ok(Next::Event(pending));
            }
            if let Some(violation) = local.violation {
                return Ok(Next::Violation(violation));
            }
            if local.done {
                return Ok(Next::Done);
            }
            if local.blocked {
                return Ok(Next::Blocked);
            }
            match self.advance(code, thread)? {
                Some(Next::Event(pending)) => match pending {
                    Pending::Read(cell) if self.is_local(code, pending) => {
                        self.read_own(code, thread, cell)?;
                    }
                    _ => self.locals[thread as usize].asked = Some(pending),
                },
                Some(next) => return Ok(next),
                None => {}
            }
        }
        Err(Stop::Unsupported(
            "a thread that runs for long without touching memory",
        ))
    }

    /// May a thread that comes back to where it was as well not have done this? A fence only forbids executions; an
    /// exchange that leaves what was there is missed by no one who reads it. But both may be part of a cycle that is not
    /// sequentially consistent, and an exchange may be what races.
    fn changes_nothing(&self, code: &Code<'_>, thread: u32, effect: Effect) -> bool {
        let property = code.machine.property;
        match effect {
            Effect::Fence(_) => property != Property::Robust,
            Effect::Write {
                cell,
                value,
                exchange: true,
                ..
            } => {
                let found = self.locals[thread as usize].found;
                property == Property::Reach && found == Some((cell, value))
            }
            _ => false,
        }
    }

    /// Does it go on without any event?
    fn is_idle(&self, thread: u32) -> bool {
        let local = &self.locals[thread as usize];
        local.queue.is_empty()
            && local.asked.is_none()
            && local.violation.is_none()
            && !local.done
            && !local.blocked
    }

    fn is_at(&self, code: &Code<'_>, thread: u32, (point, private): &(Point, Private)) -> bool {
        self.state.thread(Tid(thread)).loc == point.0
            && self.locals[thread as usize].private == *private
            && self.point(code, thread) == *point
    }

    /// Is it an access that nobody else needs to know of?
    fn is_local(&self, code: &Code<'_>, pending: Pending) -> bool {
        match pending {
            Pending::Read(cell) | Pending::Do(Effect::Write { cell, .. }) => {
                !self.is_whole() && self.is_private(code, cell)
            }
            _ => false,
        }
    }

    /// A thread reads memory of its own: it finds what it wrote last.
    fn read_own(&mut self, code: &Code<'_>, thread: u32, cell: Cell) -> Result<(), Stop> {
        let private = &self.locals[thread as usize].private;
        let value = match private.value(&cell) {
            Some(value) => value,
            None if private.overlaps(cell) => return Err(Stop::Unsupported(MIXED)),
            None => match self.initial(code, cell) {
                Some(value) => value,
                None => {
                    self.assumed.insert(Assumed::Uninitialised);
                    0
                }
            },
        };
        self.give(code, thread, cell, value)?;
        // A read that is no event is none that is left out.
        let local = &mut self.locals[thread as usize];
        local.unfinished = false;
        local.events -= 1;
        Ok(())
    }

    /// The event at the front of a thread is in the graph now.
    pub fn taken(&mut self, code: &Code<'_>, thread: u32) {
        let local = &self.locals[thread as usize];
        let pending = *local.queue.front().expect("an event of a step");
        let is_local = self.is_local(code, pending);
        let may_repeat = match pending {
            // What is written to memory of its own is part of where it is.
            Pending::Do(Effect::Write { cell, .. }) if local.private.holds(&cell) => true,
            Pending::Do(effect) => self.changes_nothing(code, thread, effect),
            _ => false,
        };
        let local = &mut self.locals[thread as usize];
        local.queue.pop_front();
        local.events += usize::from(!is_local);
        if !may_repeat {
            local.seen.clear();
        }
    }

    /// Takes a step that needs no value, or says what has to happen first.
    fn advance(&mut self, code: &Code<'_>, thread: u32) -> Result<Option<Next>, Stop> {
        let edges = code.machine.edges(&self.state, Tid(thread));
        if edges.iter().any(|&edge| code.exits(edge)) {
            self.locals[thread as usize].done = true;
            return Ok(None);
        }
        let tried = self.attempt_all(code, thread)?;
        let question = tried.iter().find_map(|it| it.probe.question);
        let pending = match question {
            Some(question) => Some(Pending::Input(question)),
            None => first_read(code, &tried)?.map(Pending::Read),
        };
        match pending {
            Some(_) if self.spins(code, thread) => {
                self.locals[thread as usize].blocked = true;
                Ok(None)
            }
            Some(pending) => Ok(Some(Next::Event(pending))),
            None => self.settle(code, thread, tried),
        }
    }

    /// Gives a thread the value from outside that it has asked for.
    pub fn answer(&mut self, code: &Code<'_>, thread: u32, value: u64) -> Result<(), Stop> {
        let point = self.point(code, thread);
        let local = &mut self.locals[thread as usize];
        local.seen.push((point, local.private.clone()));
        local.asked = None;
        local.events += 1;
        local.answers.push(value);
        let tried = self.attempt_all(code, thread)?;
        let waits = tried.iter().any(|it| it.probe.question.is_some());
        match waits || first_read(code, &tried)?.is_some() {
            true => Err(Stop::Unsupported("a step with an input and an access")),
            false => self.settle(code, thread, tried).map(drop),
        }
    }

    /// Gives a thread that is about to read the value that it finds. Returns the memory order of the
    /// read, which may depend on that: a compare-exchange that fails has one of its own.
    pub fn give(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        cell: Cell,
        value: u64,
    ) -> Result<Option<MemoryOrder>, Stop> {
        let point = self.point(code, thread);
        let local = &mut self.locals[thread as usize];
        local.seen.push((point, local.private.clone()));
        local.asked = None;
        local.events += 1;
        local.found = Some((cell, value));
        if self.objects.may_be_stale(thread, cell) {
            self.assumed.insert(Assumed::Uninitialised);
        }
        code.machine.poke(&mut self.state, cell, value);
        let tried = self.attempt_all(code, thread)?;
        let taken = tried.iter().find(|it| is_step(it)).or(tried.first());
        let order = match taken {
            Some(it) => {
                let seen = it.probe.seen(u32::MAX);
                let effects = code.machine.effects_before_writing(it.edge, &seen);
                read_order(&effects.map_err(Stop::Unsupported)?)
            }
            None => None,
        };
        self.locals[thread as usize].unfinished = true;
        self.settle(code, thread, tried)?;
        Ok(order)
    }

    fn point(&self, code: &Code<'_>, thread: u32) -> Point {
        let tid = Tid(thread);
        let it = self.state.thread(tid);
        let calls = it.frames.iter().map(|frame| frame.call);
        // Thread-local variables, then the frames of its callers: liveness speaks of neither.
        let below = it.slots[..it.base as usize].iter().copied();
        let live = code.liveness.live(it.loc).iter();
        let values = live.map(|&var| code.machine.value(&self.state, tid, var));
        (it.loc, calls.collect(), below.chain(values).collect())
    }

    /// Was the thread here before, and has only read or chosen since? Then it may as well not have done so: it
    /// waits for one of these reads to find something else.
    fn spins(&self, code: &Code<'_>, thread: u32) -> bool {
        let local = &self.locals[thread as usize];
        if !self.waits || local.seen.is_empty() {
            return false;
        }
        let here = self.point(code, thread);
        let mut seen = local.seen.iter();
        seen.any(|(point, private)| *point == here && *private == local.private)
    }
}
