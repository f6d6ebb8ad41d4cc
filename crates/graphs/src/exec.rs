//! An execution graph together with the threads that make it.

use crate::Stop;
use crate::run::{Code, Next, Pending, Run};
use models::{Access, Action, EventId, Graph, Location};
use semantics::Cell;
use std::collections::BTreeSet;

/// A graph that grows.
#[derive(Clone, Debug)]
pub struct Exec {
    /// The graph so far; its events are in the order in which they were added.
    pub(crate) graph: Graph,
    run: Run,
    /// By location of the graph.
    pub(crate) cells: Vec<Cell>,
    /// The locations whose first value is not defined.
    undefined: BTreeSet<Location>,
}

/// What can be done with a graph.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
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
    /// Does a thread violate the property?
    pub violation: bool,
    /// Does a thread wait, or has it read what stops it?
    pub blocked: bool,
}

impl Exec {
    pub(crate) fn new(code: &Code<'_>) -> Exec {
        Exec {
            graph: Graph::default(),
            run: Run::new(code),
            cells: Vec::new(),
            undefined: BTreeSet::new(),
        }
    }

    /// The graph so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(crate) fn assumed(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.run.assumed.iter().copied()
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
                            ways.choices = vec![choice];
                            return Ok(ways);
                        }
                        Some(choice) => ways.choices.push(choice),
                        None => {}
                    }
                }
                Next::Waits | Next::Blocked => ways.blocked = true,
                Next::Done => {}
                Next::Violation(_) => ways.violation = true,
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
            Pending::Read(cell) => Choice::Read(thread, self.location(code, cell)?),
            Pending::Write {
                cell,
                value,
                order,
                exchange,
            } => {
                let location = self.location(code, cell)?;
                let access = Access {
                    location,
                    value,
                    order,
                };
                Choice::Write(thread, access, exchange)
            }
            Pending::Fence(order) => Choice::Other(thread, Action::Fence(order)),
            Pending::Start(started) => Choice::Other(thread, Action::Start(started)),
            Pending::Begin if !self.has(Action::Start(thread)) => return Ok(None),
            Pending::Begin => Choice::Other(thread, Action::Begin),
            Pending::End => Choice::Other(thread, Action::End),
            // The thread that is joined has its last event first.
            Pending::Join(joined) if !self.has_ended(joined) => return Ok(None),
            Pending::Join(joined) => Choice::Other(thread, Action::Join(joined)),
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
    pub(crate) fn reads_undefined(&self) -> bool {
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
    pub(crate) fn again(&self, code: &Code<'_>, graph: Graph) -> Result<Exec, Stop> {
        let mut exec = Exec {
            graph,
            run: Run::new(code),
            cells: self.cells.clone(),
            undefined: self.undefined.clone(),
        };
        let mut done = vec![false; exec.graph.events.len()];
        for id in exec
            .graph
            .ids()
            .filter(|&id| exec.graph.event(id).thread.is_none())
        {
            done[id.index()] = true;
        }
        while let Some(id) = exec.ready(&done) {
            exec.repeat(code, id)?;
            done[id.index()] = true;
        }
        assert!(
            !done.contains(&false),
            "the graph has no cycle of po and rf"
        );
        Ok(exec)
    }

    /// An event that is not done, all of whose predecessors are.
    fn ready(&self, done: &[bool]) -> Option<EventId> {
        let graph = &self.graph;
        let is_ready = |&id: &EventId| {
            let event = graph.event(id);
            let mut before = graph.ids().filter(|&other| {
                let it = graph.event(other);
                let earlier = it.thread == event.thread && other < id;
                let starts = event.action == Action::Begin
                    && it.action == Action::Start(event.thread.unwrap_or(0));
                let ends = it.action == Action::End
                    && it
                        .thread
                        .is_some_and(|thread| event.action == Action::Join(thread));
                earlier || starts || ends || graph.reads_from[id.index()] == Some(other)
            });
            !done[id.index()] && before.all(|other| done[other.index()])
        };
        graph.ids().find(is_ready)
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
            (_, Next::Event(_)) => self.run.taken(thread),
            (action, next) => panic!("a thread that did {action:?} does {next:?} now"),
        }
        Ok(())
    }
}
