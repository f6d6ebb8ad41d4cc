//! An execution graph together with the threads that make it.

use crate::code::Code;
use crate::outcome::{Assumed, Stop};
use crate::part::Part;
use crate::run::{Next, Pending, Run};
use models::{Access, Action, EventId, Graph, Location, Model};
use semantics::{Cell, Effect, Trace, Violation};
use std::collections::BTreeSet;

/// A graph that grows.
#[derive(Clone, Debug)]
pub struct Exec {
    /// The graph so far; its events are in the order in which they were added.
    pub(crate) graph: Graph,
    run: Run,
    /// By location of the graph.
    pub(crate) cells: Vec<Cell>,
    /// By location: is it memory of one thread, whose accesses are no events for the model?
    private: Vec<bool>,
    /// The locations whose first value is not defined.
    undefined: BTreeSet<Location>,
}

/// What can be done with a graph.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// A thread takes a value from outside: 0 or 1, which may not be all that is possible.
    Input(u32, bool),
    /// A thread reads this location.
    Read(u32, Location),
    /// A thread writes: where, what, and whether it is the write of a read-modify-write.
    Write(u32, Access, bool),
    /// Any other event of a thread.
    Other(u32, Action),
}

/// The ways on from a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    pub choices: Vec<Choice>,
    /// The thread that violates the property, and how.
    pub violation: Option<(u32, Violation)>,
    /// Does a thread wait, or has it read what stops it?
    pub blocked: bool,
}

impl Ways {
    /// Is a read-modify-write half done? Its write comes next, and has one place only.
    pub fn is_within_exchange(&self) -> bool {
        matches!(self.choices[..], [Choice::Write(_, _, true)])
    }
}

impl Exec {
    pub(crate) fn new(code: &Code<'_>) -> Exec {
        Exec {
            graph: Graph::default(),
            run: Run::new(code, false),
            cells: Vec::new(),
            private: Vec::new(),
            undefined: BTreeSet::new(),
        }
    }

    /// The graph so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What the model judges: without memory that is like a register. C's macros for atomics make such variables, and
    /// events that no one else can see must not order anything.
    pub(crate) fn visible(&self) -> Graph {
        let seen = self.graph.ids().filter(|&id| self.is_visible(id));
        let seen: Vec<EventId> = seen.collect();
        Part::of(&self.graph, &seen).graph
    }

    /// Is it, by this model, no possible execution? A read for a step that was not taken, as of a lock that another
    /// thread has, is no event of an execution: the thread may as well not have looked.
    pub(crate) fn is_beyond(&self, model: &Model) -> bool {
        let graph = &self.graph;
        let tries = (0..self.run.threads()).filter(|&it| self.run.is_unfinished(it));
        let tries: Vec<_> = tries.filter_map(|it| graph.thread(it).last()).collect();
        let is_seen = |id: &EventId| !tries.contains(id) && self.is_visible(*id);
        let seen: Vec<EventId> = graph.ids().filter(is_seen).collect();
        let judged = model.allows(&Part::of(graph, &seen).graph);
        !judged.expect("a graph of a program")
    }

    fn is_visible(&self, id: EventId) -> bool {
        let access = self.graph.event(id).action.access();
        access.is_none_or(|it| !self.private[it.location.0 as usize])
    }

    /// Where the places of a location that an event may take begin: memory of one thread holds what was written
    /// last, and the model does not look at it.
    pub(crate) fn first_possible(&self, location: Location, last: usize) -> usize {
        match self.private[location.0 as usize] {
            true => last,
            false => 0,
        }
    }

    pub(crate) fn assumed(&self) -> impl Iterator<Item = Assumed> + '_ {
        let undefined = self.reads_undefined().then_some(Assumed::Uninitialised);
        self.run.assumed.iter().copied().chain(undefined)
    }

    /// The next event of every thread that has one. The write of a read-modify-write comes alone: nothing
    /// may come between the two.
    pub(crate) fn ways(&mut self, code: &Code<'_>) -> Result<Ways, Stop> {
        let mut ways = Ways::default();
        for thread in 0..self.run.threads() {
            match self.run.next(code, thread)? {
                Next::Event(pending) => {
                    let choice = self.choice(code, thread, pending)?;
                    match choice {
                        Some(choice @ Choice::Write(_, _, true)) => {
                            return Ok(Ways {
                                choices: vec![choice],
                                ..Ways::default()
                            });
                        }
                        Some(choice) => ways.choices.push(choice),
                        None => {}
                    }
                }
                Next::Waits | Next::Blocked => ways.blocked = true,
                Next::Done => {}
                Next::Violation(violation) => {
                    ways.violation.get_or_insert((thread, violation));
                }
            }
        }
        Ok(ways)
    }

    fn choice(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        pending: Pending,
    ) -> Result<Option<Choice>, Stop> {
        Ok(Some(match pending {
            Pending::Input(question) => Choice::Input(thread, question.is_bit),
            Pending::Read(cell) => Choice::Read(thread, self.location(code, cell)?),
            Pending::Do(Effect::Write {
                cell,
                value,
                order,
                exchange,
            }) => {
                let location = self.location(code, cell)?;
                let access = Access {
                    location,
                    value,
                    order,
                };
                Choice::Write(thread, access, exchange)
            }
            Pending::Begin if !self.has(Action::Start(thread)) => return Ok(None),
            Pending::Begin => Choice::Other(thread, Action::Begin),
            Pending::Do(effect) => match effect {
                Effect::Fence(order) => Choice::Other(thread, Action::Fence(order)),
                Effect::Start(started) => Choice::Other(thread, Action::Start(started)),
                Effect::End => Choice::Other(thread, Action::End),
                // The thread that is joined has its last event first.
                Effect::Join(joined) if !self.has_ended(joined) => return Ok(None),
                Effect::Join(joined) => Choice::Other(thread, Action::Join(joined)),
                Effect::Input(_) | Effect::Read { .. } | Effect::Write { .. } => {
                    unreachable!("reads are asked for, and writes were handled")
                }
            },
        }))
    }

    fn has(&self, action: Action) -> bool {
        self.graph.events.iter().any(|event| event.action == action)
    }

    fn has_ended(&self, thread: u32) -> bool {
        let last = self.graph.thread(thread).last();
        last.is_some_and(|id| self.graph.event(id).action == Action::End)
    }

    /// The location of a cell, which may be new.
    fn location(&mut self, code: &Code<'_>, cell: Cell) -> Result<Location, Stop> {
        if let Some(at) = self.cells.iter().position(|&known| known == cell) {
            return Ok(Location(at as u32));
        }
        if self.cells.iter().any(|known| known.overlaps(cell)) {
            return Err(Stop::Unsupported(
                "accesses of mixed sizes to the same memory",
            ));
        }
        let initial = self.run.initial(code, cell);
        let name = self.run.name(code, cell);
        let location = self.graph.add_location(name, initial.unwrap_or(0));
        self.cells.push(cell);
        self.private.push(self.run.is_private(code, cell));
        if initial.is_none() {
            self.undefined.insert(location);
        }
        Ok(location)
    }

    /// Adds an event that is neither a read nor a write.
    pub(crate) fn add_other(&mut self, thread: u32, action: Action) {
        self.graph.add(Some(thread), action);
        self.run.taken(thread);
    }

    /// Adds a value from outside.
    pub(crate) fn add_input(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        value: u64,
        is_all: bool,
    ) -> Result<(), Stop> {
        self.graph.add(Some(thread), Action::Input(value));
        if !is_all {
            self.run.assumed.insert(Assumed::SomeInputs);
        }
        self.run.answer(code, thread, value)
    }

    /// Adds a write at this place of the coherence order.
    pub(crate) fn add_write(
        &mut self,
        thread: u32,
        access: Access,
        exchange: bool,
        place: usize,
    ) -> EventId {
        if exchange {
            let read = self.graph.thread(thread).last();
            self.graph
                .exchanges
                .push(read.expect("its read comes before it"));
        }
        let write = self.graph.add(Some(thread), Action::Write(access));
        self.graph.coherence[access.location.0 as usize].insert(place, write);
        self.run.taken(thread);
        write
    }

    /// Adds a read that finds what a write has written.
    pub(crate) fn add_read(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        location: Location,
        write: EventId,
    ) -> Result<(), Stop> {
        let value = self.value(write);
        let cell = self.cells[location.0 as usize];
        let order = self.run.give(code, thread, cell, value)?;
        let access = Access {
            location,
            value,
            order,
        };
        let read = self.graph.add(Some(thread), Action::Read(access));
        self.graph.reads_from[read.index()] = Some(write);
        Ok(())
    }

    fn value(&self, write: EventId) -> u64 {
        let access = self.graph.event(write).action.access();
        access.expect("a write").value
    }

    /// Does some read find what is not defined?
    fn reads_undefined(&self) -> bool {
        let mut writes = self.graph.reads_from.iter().flatten();
        writes.any(|&write| {
            let event = self.graph.event(write);
            let location = event.action.access().map(|it| it.location);
            event.thread.is_none() && location.is_some_and(|it| self.undefined.contains(&it))
        })
    }

    /// Threads that run again to make a graph in which reads have other writes, or events are missing. Events
    /// keep their order; a read that has another write takes its value, and its memory order where that
    /// depends on it.
    pub(crate) fn again(&self, code: &Code<'_>, part: Part) -> Result<Exec, Stop> {
        let old = |at: &Location| self.undefined.contains(at);
        let kept = part.locations.iter().enumerate();
        let undefined = kept.filter(|(_, at)| old(at));
        let mut exec = Exec {
            graph: part.graph,
            run: Run::new(code, part.recording),
            cells: part
                .locations
                .iter()
                .map(|at| self.cells[at.0 as usize])
                .collect(),
            private: part
                .locations
                .iter()
                .map(|at| self.private[at.0 as usize])
                .collect(),
            undefined: undefined.map(|(new, _)| Location(new as u32)).collect(),
        };
        let mut left = Left::of(&exec.graph);
        while let Some(id) = left.next(&exec.graph) {
            exec.repeat(code, id)?;
            left.done(id);
        }
        assert!(left.is_empty(), "the graph has no cycle of po and rf");
        Ok(exec)
    }

    /// Runs a thread up to an event of the graph.
    fn repeat(&mut self, code: &Code<'_>, id: EventId) -> Result<(), Stop> {
        let event = *self.graph.event(id);
        let thread = event.thread.expect("only threads do something");
        let next = self.run.next(code, thread)?;
        match (event.action, next) {
            (Action::Read(access), Next::Event(Pending::Read(cell))) => {
                assert_eq!(
                    self.cells[access.location.0 as usize], cell,
                    "the same read"
                );
                let write = self.graph.reads_from[id.index()].expect("a read has a write");
                let value = self.value(write);
                let order = self.run.give(code, thread, cell, value)?;
                let access = Access {
                    value,
                    order,
                    ..access
                };
                self.graph.events[id.index()].action = Action::Read(access);
            }
            (Action::Input(value), Next::Event(Pending::Input(question))) => {
                if !question.is_bit {
                    self.run.assumed.insert(Assumed::SomeInputs);
                }
                self.run.answer(code, thread, value)?;
            }
            (_, Next::Event(_)) => self.run.taken(thread),
            (action, next) => panic!("a thread that did {action:?} does {next:?} now"),
        }
        Ok(())
    }

    /// Adds the events that are left of steps that were taken, each as late as possible.
    fn finish_steps(&mut self, code: &Code<'_>) -> Result<(), Stop> {
        for thread in 0..self.run.threads() {
            while let Some(pending) = self.run.queued(thread) {
                match self.choice(code, thread, pending)? {
                    Some(Choice::Other(_, action)) => self.add_other(thread, action),
                    Some(Choice::Write(_, access, exchange)) => {
                        let last = self.graph.coherence[access.location.0 as usize].len();
                        self.add_write(thread, access, exchange, last);
                    }
                    _ => break,
                }
            }
        }
        Ok(())
    }

    /// The execution so far, as evidence: the graph and the steps of its threads. A read for a step that was not
    /// taken, as of a lock that another thread has, is left out.
    pub(crate) fn trace(
        &self,
        code: &Code<'_>,
        violation: Violation,
        failing: Option<u32>,
    ) -> Result<Trace, Stop> {
        let whole = Part::whole(&self.graph, true);
        let mut exec = self.again(code, whole)?;
        if let Some(thread) = failing {
            exec.run.next(code, thread)?;
        }
        exec.finish_steps(code)?;
        let threads = (0..exec.run.threads()).filter(|&it| exec.run.is_unfinished(it));
        let dropped: Vec<EventId> = threads
            .filter_map(|thread| exec.graph.thread(thread).last())
            .collect();
        let kept: Vec<EventId> = exec
            .graph
            .ids()
            .filter(|id| !dropped.contains(id))
            .collect();
        let part = Part::of(&exec.graph, &kept);
        Ok(Trace::new(violation, exec.run.into_steps()).with_graph(part.graph))
    }
}

/// The events of a graph that have not been made again.
struct Left {
    /// By thread, the next one last.
    threads: Vec<Vec<EventId>>,
    done: Vec<bool>,
}

impl Left {
    fn of(graph: &Graph) -> Left {
        let mut threads: Vec<Vec<EventId>> = Vec::new();
        let mut done = vec![true; graph.events.len()];
        for id in (0..graph.events.len() as u32).rev().map(EventId) {
            if let Some(thread) = graph.event(id).thread {
                let count = threads.len().max(thread as usize + 1);
                threads.resize(count, Vec::new());
                threads[thread as usize].push(id);
                done[id.index()] = false;
            }
        }
        Left { threads, done }
    }

    fn is_empty(&self) -> bool {
        self.threads.iter().all(Vec::is_empty)
    }

    /// An event all of whose predecessors are done.
    fn next(&self, graph: &Graph) -> Option<EventId> {
        let mut firsts = self.threads.iter().filter_map(|it| it.last().copied());
        firsts.find(|&id| self.is_ready(graph, id))
    }

    fn is_ready(&self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let is_done = |action: Action| {
            let mut all = graph.ids().filter(|it| self.done[it.index()]);
            all.any(|it| graph.event(it).action == action)
        };
        match event.action {
            Action::Begin => is_done(Action::Start(event.thread.unwrap_or(0))),
            Action::Join(thread) => {
                let joined = self.threads.get(thread as usize);
                joined.is_none_or(Vec::is_empty)
            }
            _ => graph.reads_from[id.index()].is_none_or(|write| self.done[write.index()]),
        }
    }

    fn done(&mut self, id: EventId) {
        self.done[id.index()] = true;
        for thread in &mut self.threads {
            if thread.last() == Some(&id) {
                thread.pop();
            }
        }
    }
}
