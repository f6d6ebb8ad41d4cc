//! Threads that run by themselves: each read is told its value.

use crate::Stop;
use crate::probe::Probe;
use crate::step::{Side, UNKNOWN_ORDER, check_labels, is_fence, lock_of, order_of};
use dataflow::Liveness;
use models::MemoryOrder;
use semantics::{Access, Cell, Machine, Outcome, State, Tid, Violation};
use std::collections::VecDeque;
use verdict::Task;
use xcfa::{EdgeId, Label};

/// The program and what is known about it.
#[derive(Debug)]
pub(crate) struct Code<'x> {
    pub machine: Machine<'x>,
    pub liveness: Liveness,
}

impl<'x> Code<'x> {
    pub fn new(task: &'x Task) -> Code<'x> {
        Code {
            machine: Machine::new(&task.xcfa, task.property),
            liveness: Liveness::of(&task.xcfa),
        }
    }
}

/// What a thread does next that others may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// Reads a cell; [`Run::give`] is told what it finds, and tells its memory order.
    Read(Cell),
    /// Writes a cell; the write of a read-modify-write comes right after its read.
    Write {
        cell: Cell,
        value: u64,
        order: Option<MemoryOrder>,
        exchange: bool,
    },
    Fence(MemoryOrder),
    Start(u32),
    Begin,
    End,
    Join(u32),
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
    /// It has ended, or ended the process.
    Done,
    /// It violates the property.
    Violation(Violation),
}

/// A point at which a thread may be again: its place and its live variables.
type Point = (xcfa::LocId, usize, Vec<u64>);

#[derive(Clone, Debug, Default)]
struct Local {
    /// Events of the steps taken that are not in the graph yet.
    queue: VecDeque<Pending>,
    blocked: bool,
    done: bool,
    violation: Option<Violation>,
    /// Where the thread was since it did something other than read.
    seen: Vec<Point>,
}

/// All threads at some point of an execution. The contents of memory mean nothing: only which objects
/// there are.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    state: State,
    locals: Vec<Local>,
    pub assumed: std::collections::BTreeSet<&'static str>,
}

/// A step that was tried.
struct Tried {
    state: State,
    outcome: Outcome,
    probe: Probe,
    edge: EdgeId,
}

impl Run {
    pub fn new(code: &Code<'_>) -> Run {
        Run {
            state: code.machine.initial(),
            locals: vec![Local::default()],
            assumed: Default::default(),
        }
    }

    pub fn threads(&self) -> u32 {
        self.locals.len() as u32
    }

    /// What a cell holds at first, if that is defined.
    pub fn initial(&self, code: &Code<'_>, cell: Cell) -> Option<u64> {
        code.machine.peek(&code.machine.initial(), cell)
    }

    /// The name of a cell.
    pub fn name(&self, code: &Code<'_>, cell: Cell) -> String {
        code.machine.shown(&self.state, cell).0
    }

    /// What a thread does next; steps that nobody sees are taken.
    pub fn next(&mut self, code: &Code<'_>, thread: u32) -> Result<Next, Stop> {
        // Local steps that go on for ever would hold us here.
        for _ in 0..MOST_LOCAL_STEPS {
            let local = &self.locals[thread as usize];
            if let Some(&pending) = local.queue.front() {
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
            if let Some(next) = self.advance(code, thread)? {
                return Ok(next);
            }
        }
        Err(Stop::Unsupported(
            "a thread that runs for long without touching memory",
        ))
    }

    /// The event at the front of a thread is in the graph now.
    pub fn taken(&mut self, thread: u32) {
        let local = &mut self.locals[thread as usize];
        local.queue.pop_front();
        local.seen.clear();
    }

    /// Takes a step that needs no value, or says what has to happen first.
    fn advance(&mut self, code: &Code<'_>, thread: u32) -> Result<Option<Next>, Stop> {
        let tid = Tid(thread);
        let xcfa = code.machine.xcfa;
        let edges = code.machine.edges(&self.state, tid);
        for &edge in edges {
            check_labels(&xcfa[edge])?;
            if xcfa[edge]
                .labels
                .iter()
                .any(|it| matches!(it, Label::Exit(_)))
            {
                self.locals[thread as usize].done = true;
                return Ok(None);
            }
        }
        if let &[edge] = edges
            && is_fence(&xcfa[edge])
        {
            let order = xcfa[edge].order.ok_or(UNKNOWN_ORDER)?;
            self.locals[thread as usize]
                .queue
                .push_back(Pending::Fence(order));
            let tried = self.attempt(code, tid, edge)?;
            self.state = tried.state;
            return Ok(None);
        }
        let tried = self.attempt_all(code, tid)?;
        if let Some(read) = first_read(code, &tried)? {
            if self.spins(code, thread) {
                self.locals[thread as usize].blocked = true;
                return Ok(None);
            }
            return Ok(Some(Next::Event(read)));
        }
        self.settle(code, thread, tried)
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
        self.locals[thread as usize].seen.push(point);
        if !code.machine.poke(&mut self.state, cell, value) {
            return Err(Stop::Unsupported("an access to memory that is not there"));
        }
        let tried = self.attempt_all(code, Tid(thread))?;
        let taken = tried.iter().find(|it| is_step(it)).or(tried.first());
        let order = match taken.map(|it| (&code.machine.xcfa[it.edge], it.probe.accesses.first())) {
            Some((edge, Some(access))) => order_of(edge, access, Side::Read)?,
            _ => None,
        };
        self.settle(code, thread, tried)?;
        Ok(order)
    }

    fn point(&self, code: &Code<'_>, thread: u32) -> Point {
        let tid = Tid(thread);
        let it = self.state.thread(tid);
        let live = code.liveness.live(it.loc).iter();
        let values = live.map(|&var| code.machine.value(&self.state, tid, var));
        (it.loc, it.frames.len(), values.collect())
    }

    /// Was the thread here before, and has only read since? Then it may as well not have done so: it
    /// waits for one of these reads to find something else.
    fn spins(&self, code: &Code<'_>, thread: u32) -> bool {
        let seen = &self.locals[thread as usize].seen;
        !seen.is_empty() && seen.contains(&self.point(code, thread))
    }

    fn attempt(&self, code: &Code<'_>, tid: Tid, edge: EdgeId) -> Result<Tried, Stop> {
        let (mut state, mut probe) = (self.state.clone(), Probe::default());
        let outcome = code.machine.step(&mut state, tid, edge, &mut probe);
        if let Outcome::Beyond(what) = outcome {
            return Err(Stop::Unsupported(what));
        }
        Ok(Tried {
            state,
            outcome,
            probe,
            edge,
        })
    }

    fn attempt_all(&self, code: &Code<'_>, tid: Tid) -> Result<Vec<Tried>, Stop> {
        let edges = code.machine.edges(&self.state, tid).iter();
        edges.map(|&edge| self.attempt(code, tid, edge)).collect()
    }

    /// Takes the one step that is possible; a thread without one is blocked.
    fn settle(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        tried: Vec<Tried>,
    ) -> Result<Option<Next>, Stop> {
        if tried.is_empty() {
            return Err(Stop::Unsupported("a thread that stops without an end"));
        }
        let mut steps = tried.iter().filter(|it| is_step(it));
        let (step, other) = (steps.next(), steps.next());
        if other.is_some() {
            return Err(Stop::Unsupported("a choice that the program leaves open"));
        }
        let Some(step) = step else {
            if tried.iter().any(|it| it.probe.joins.is_some()) {
                return Ok(Some(Next::Waits));
            }
            if tried
                .iter()
                .any(|it| is_invalid(code, &self.state, &it.probe))
            {
                return Err(Stop::Unsupported("an access to memory that is not there"));
            }
            self.locals[thread as usize].blocked = true;
            return Ok(None);
        };
        self.note_choices(code, step)?;
        if let Outcome::Violation(violation) = step.outcome {
            self.locals[thread as usize].violation = Some(violation);
            return Ok(None);
        }
        let events = self.events(code, thread, step)?;
        self.state = step.state.clone();
        self.locals[thread as usize].queue.extend(events);
        Ok(None)
    }

    fn note_choices(&mut self, code: &Code<'_>, step: &Tried) -> Result<(), Stop> {
        if step.probe.input {
            return Err(Stop::Unsupported("an input"));
        }
        if step.probe.open {
            return Err(Stop::Unsupported(
                "the order of objects in memory, which is open",
            ));
        }
        if step.probe.weak {
            self.assumed
                .insert("a weak compare-exchange does not fail for no reason");
        }
        let edge = &code.machine.xcfa[step.edge];
        let is_used = |label: &Label| match label {
            Label::Havoc { var, .. } => code.liveness.is_live(edge.target, *var),
            _ => true,
        };
        if step.probe.uninitialised && edge.labels.iter().any(is_used) {
            self.assumed.insert("what is not initialised is 0");
        }
        Ok(())
    }

    /// What others may see of a step: after its read, if it has one.
    fn events(&mut self, code: &Code<'_>, thread: u32, step: &Tried) -> Result<Vec<Pending>, Stop> {
        let edge = &code.machine.xcfa[step.edge];
        let mut events = Vec::new();
        for label in &edge.labels {
            match label {
                Label::Start { .. } if thread > 0 => {
                    return Err(Stop::Unsupported(
                        "a thread that another than the first one starts",
                    ));
                }
                Label::Start { .. } => {
                    let started = self.locals.len() as u32;
                    let mut local = Local::default();
                    local.queue.push_back(Pending::Begin);
                    self.locals.push(local);
                    events.push(Pending::Start(started));
                }
                Label::Join { .. } => {
                    let joined = step.probe.joins.expect("the step has joined");
                    events.push(Pending::Join(joined.0));
                }
                Label::ThreadExit(_) => {
                    self.locals[thread as usize].done = true;
                    events.push(Pending::End);
                }
                _ => {}
            }
        }
        let lock = lock_of(edge);
        let reads = step.probe.accesses.iter().any(|it| !it.write) || lock == Some(true);
        for access in step.probe.accesses.iter().filter(|access| access.write) {
            let value = code.machine.peek(&step.state, access.cell);
            let value = value.ok_or(Stop::Unsupported("a write of more than a word"))?;
            events.push(Pending::Write {
                cell: access.cell,
                value,
                order: order_of(edge, access, Side::Write)?,
                exchange: reads && (edge.atomic || lock.is_some()),
            });
        }
        match events
            .iter()
            .filter(|it| matches!(it, Pending::Write { .. }))
            .count()
        {
            0 | 1 => Ok(events),
            _ => Err(Stop::Unsupported("a step that writes twice")),
        }
    }
}

fn is_step(tried: &Tried) -> bool {
    matches!(tried.outcome, Outcome::Moved { .. } | Outcome::Violation(_))
}

const MOST_LOCAL_STEPS: usize = 100_000;

/// The read that all ways on begin with, if they do.
fn first_read(code: &Code<'_>, tried: &[Tried]) -> Result<Option<Pending>, Stop> {
    let mut found = None;
    for it in tried {
        let edge = &code.machine.xcfa[it.edge];
        let mut accesses = it.probe.accesses.iter();
        let is_read = |access: &&Access| !access.write || lock_of(edge) == Some(true);
        let Some(access) = accesses.next().filter(is_read) else {
            continue;
        };
        let also = accesses.filter(|other| !other.write);
        if also.clone().any(|other| other.cell != access.cell) {
            return Err(Stop::Unsupported("a step that reads twice"));
        }
        match found {
            None => found = Some(Pending::Read(access.cell)),
            // The two ways of a compare-exchange: what it reads decides between them.
            Some(Pending::Read(cell)) if cell == access.cell => {}
            _ => return Err(Stop::Unsupported("branches that read different memory")),
        }
    }
    Ok(found)
}

fn is_invalid(code: &Code<'_>, state: &State, probe: &Probe) -> bool {
    let exists = |access: &Access| code.machine.exists(state, access.cell);
    !probe.accesses.iter().all(exists)
}
