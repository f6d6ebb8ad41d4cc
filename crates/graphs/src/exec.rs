//! An execution graph together with the threads that make it.

use crate::code::Code;
use crate::left::Left;
use crate::outcome::{Assumed, Limits, Stop};
use crate::part::Part;
use crate::run::{MIXED, Next, Pending, Run};
use models::{Access, Action, Event, EventId, Graph, Location, Model};
use semantics::{Cell, Effect, Violation};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A graph that grows.
#[derive(Clone, Debug)]
pub struct Exec {
    /// The graph so far; its events are in the order in which they were added. Memory that only one thread sees is
    /// like a register: C's macros for atomics make such variables, and accesses that no one else can see must not
    /// order anything. They are events of evidence only.
    pub(crate) graph: Graph,
    pub(crate) run: Run,
    /// By location of the graph.
    pub(crate) cells: Vec<Cell>,
    /// The locations whose first value is not defined.
    undefined: BTreeSet<Location>,
    /// The threads as they were before earlier reads.
    before: Option<Arc<Before>>,
}

/// Threads at an earlier point of an execution.
#[derive(Debug)]
struct Before {
    /// How many events of threads the graph had then. They were the first ones, and have not changed since.
    events: usize,
    run: Run,
    earlier: Option<Arc<Before>>,
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

impl Choice {
    /// Whose event it is.
    fn thread(&self) -> u32 {
        match *self {
            Choice::Input(thread, _)
            | Choice::Read(thread, _)
            | Choice::Write(thread, ..)
            | Choice::Other(thread, _) => thread,
        }
    }
}

/// A thread that has this many events lets others go first.
const TURN: usize = 32;

impl Ways {
    /// What is done next where any order will do. The first thread goes on for as long as it can, so that few others
    /// have to wait for it; but one that goes on for ever must not keep others from what would end it.
    pub fn first(&self, graph: &Graph) -> &Choice {
        let turns = |choice: &&Choice| {
            let thread = choice.thread();
            (graph.thread(thread).count() / TURN, thread)
        };
        let first = self.choices.iter().min_by_key(turns);
        first.expect("a way on")
    }

    /// Is a read-modify-write half done? Its write comes next, and has one place only.
    pub fn is_within_exchange(&self) -> bool {
        matches!(self.choices[..], [Choice::Write(_, _, true)])
    }
}

impl Exec {
    pub(crate) fn new(code: &Code<'_>, limits: &Limits) -> Exec {
        Exec::of(Run::new(code, limits.waits, false))
    }

    /// Without any event.
    pub(crate) fn of(run: Run) -> Exec {
        Exec {
            graph: Graph::default(),
            run,
            cells: Vec::new(),
            undefined: BTreeSet::new(),
            before: None,
        }
    }

    /// The graph so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Is it, by this model, no possible execution? A read for a step that was not taken, as of a lock that another
    /// thread has, is no event of an execution: the thread may as well not have looked.
    pub(crate) fn is_beyond(&self, model: &Model) -> bool {
        let graph = &self.graph;
        let tries = (0..self.run.threads()).filter(|&it| self.run.is_unfinished(it));
        let tries: Vec<_> = tries.filter_map(|it| graph.thread(it).last()).collect();
        let seen: Vec<EventId> = graph.ids().filter(|id| !tries.contains(id)).collect();
        !model.allows_valid(&Part::of(graph, &seen).graph)
    }

    /// Remembers the threads as they are, before a read that may be made to find something else.
    pub(crate) fn remember(&mut self) {
        self.before = Some(Arc::new(Before {
            events: own_events(&self.graph.events),
            run: self.run.clone(),
            earlier: self.before.take(),
        }));
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

    pub(crate) fn choice(
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
    pub(crate) fn location(&mut self, code: &Code<'_>, cell: Cell) -> Result<Location, Stop> {
        if let Some(at) = self.cells.iter().position(|&known| known == cell) {
            return Ok(Location(at as u32));
        }
        if self.cells.iter().any(|known| known.overlaps(cell)) {
            return Err(Stop::Unsupported(MIXED));
        }
        let initial = self.run.initial(code, cell);
        // Only evidence needs names.
        let name = match self.run.is_whole() {
            true => self.run.name(code, cell),
            false => String::new(),
        };
        let location = self.graph.add_location(name, initial.unwrap_or(0));
        self.cells.push(cell);
        if initial.is_none() {
            self.undefined.insert(location);
        }
        Ok(location)
    }

    /// Adds an event that is neither a read nor a write.
    pub(crate) fn add_other(&mut self, code: &Code<'_>, thread: u32, action: Action) {
        self.graph.add(Some(thread), action);
        self.run.taken(code, thread);
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
        code: &Code<'_>,
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
        self.run.taken(code, thread);
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

    /// The execution in which a read finds another write, and events that came after the read are missing: the
    /// threads go on from where they were before the read. Events keep their order; a read that has another
    /// write takes its value, and its memory order where that depends on it.
    pub(crate) fn again(&self, code: &Code<'_>, part: Part, read: EventId) -> Result<Exec, Stop> {
        let old = |at: &Location| self.undefined.contains(at);
        let kept = part.locations.iter().enumerate();
        let undefined = kept.filter(|(_, at)| old(at));
        let before = own_events(&part.graph.events[..read.index()]);
        let mut known = self.before.clone();
        while let Some(it) = known.take_if(|it| it.events > before) {
            known = it.earlier.clone();
        }
        let known = known.expect("the threads before the read");
        let locations = part.locations.iter();
        let mut left = Left::after(&part.graph, known.events);
        let mut exec = Exec {
            graph: part.graph,
            run: known.run.clone(),
            cells: locations.map(|at| self.cells[at.0 as usize]).collect(),
            undefined: undefined.map(|(new, _)| Location(new as u32)).collect(),
            before: Some(known),
        };
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
            (_, Next::Event(_)) => self.run.taken(code, thread),
            (action, next) => panic!("a thread that did {action:?} does {next:?} now"),
        }
        Ok(())
    }
}

/// How many of these are events of threads?
fn own_events(events: &[Event]) -> usize {
    events.iter().filter(|event| event.thread.is_some()).count()
}
