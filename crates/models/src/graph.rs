//! Execution graphs: the events of an execution, and where every read takes its value from.

use crate::event::Shown;
use crate::{Access, Action, Event, EventId, Location};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A complete execution.
///
/// The program order is the order of [`Graph::events`] within each thread. All fields are open: a graph
/// may come from anywhere, so every use begins with [`Graph::validate`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Graph {
    /// The events; those of one thread in program order.
    pub events: Vec<Event>,
    /// By event: the write that a read takes its value from (`rf`, the other way round).
    pub reads_from: Vec<Option<EventId>>,
    /// By location: its writes in coherence order, the initial one first (`co`).
    pub coherence: Vec<Vec<EventId>>,
    /// The reads whose next event in their thread is the write of the same operation (`rmw`).
    pub exchanges: Vec<EventId>,
    /// The plain writes that stand for the end of an object: memory that is freed holds nothing that anybody may read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frees: Vec<EventId>,
    /// By location: its name, for people.
    pub locations: Vec<String>,
}

/// Why something is no execution graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The lists do not fit together.
    #[error("a list has the wrong length, or an event does not exist")]
    Lists,
    /// A read without a write, or with the wrong one.
    #[error("event {} does not read what its write has written", .0.0)]
    Reads(EventId),
    /// The writes of a location are not in a total order that begins with the initial one.
    #[error("the writes of location {} are not in order", .0.0)]
    Coherence(Location),
    /// A read-modify-write that is none.
    #[error("event {} is not the read of a read-modify-write", .0.0)]
    Exchange(EventId),
    /// A write that cannot stand for the end of an object.
    #[error("event {} cannot be what frees memory", .0.0)]
    Free(EventId),
    /// A thread that is started or joined by no one or too often, or does not begin with its first or
    /// end with its last event.
    #[error("thread {0} is not started, begun, ended or joined as it should be")]
    Thread(u32),
}

impl Graph {
    /// Adds an event at the end of its thread.
    pub fn add(&mut self, thread: Option<u32>, action: Action) -> EventId {
        self.events.push(Event { thread, action });
        self.reads_from.push(None);
        EventId(self.events.len() as u32 - 1)
    }

    /// Adds a location with its initial value.
    pub fn add_location(&mut self, name: impl Into<String>, value: u64) -> Location {
        let location = Location(self.locations.len() as u32);
        self.locations.push(name.into());
        let access = Access {
            location,
            value,
            order: None,
        };
        let write = self.add(None, Action::Write(access));
        self.coherence.push(vec![write]);
        location
    }

    /// The event with this number.
    pub fn event(&self, event: EventId) -> &Event {
        &self.events[event.index()]
    }

    /// All events, by number.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (0..self.events.len() as u32).map(EventId)
    }

    /// The events of a thread, in program order.
    pub fn thread(&self, thread: u32) -> impl Iterator<Item = EventId> + '_ {
        self.ids()
            .filter(move |&id| self.event(id).thread == Some(thread))
    }

    /// The next event of the same thread.
    pub fn next_in_thread(&self, event: EventId) -> Option<EventId> {
        let thread = self.event(event).thread?;
        self.thread(thread).find(|&other| other > event)
    }

    /// An event as text.
    pub fn show(&self, event: EventId) -> String {
        Shown(self.event(event), &self.locations).to_string()
    }

    /// The same without the accesses of threads to some locations, and the number that each of its events has here.
    pub fn without(&self, is_left_out: impl Fn(Location) -> bool) -> (Graph, Vec<EventId>) {
        let left_out: Vec<bool> = (0..self.locations.len() as u32)
            .map(|at| is_left_out(Location(at)))
            .collect();
        let is_kept = |id: &EventId| {
            let event = self.event(*id);
            let access = event.action.access();
            event.thread.is_none() || access.is_none_or(|it| !left_out[it.location.0 as usize])
        };
        let kept: Vec<EventId> = self.ids().filter(is_kept).collect();
        let mut numbers = vec![None; self.events.len()];
        for (at, id) in kept.iter().enumerate() {
            numbers[id.index()] = Some(EventId(at as u32));
        }
        let new = |id: &EventId| numbers[id.index()];
        let source = |id: &EventId| self.reads_from[id.index()].and_then(|write| new(&write));
        let orders = self.coherence.iter();
        let smaller = Graph {
            events: kept.iter().map(|&id| *self.event(id)).collect(),
            reads_from: kept.iter().map(source).collect(),
            coherence: orders
                .map(|it| it.iter().filter_map(new).collect())
                .collect(),
            exchanges: self.exchanges.iter().filter_map(new).collect(),
            frees: self.frees.iter().filter_map(new).collect(),
            locations: self.locations.clone(),
        };
        (smaller, kept)
    }

    /// Is this an execution graph, whatever the memory model?
    pub fn validate(&self) -> Result<(), Malformed> {
        self.check_lists()?;
        self.check_reads()?;
        self.check_coherence()?;
        self.check_exchanges()?;
        self.check_frees()?;
        self.check_threads()
    }

    fn check_lists(&self) -> Result<(), Malformed> {
        let exists = |id: &EventId| id.index() < self.events.len();
        let known = |access: &Access| (access.location.0 as usize) < self.locations.len();
        let fine = self.reads_from.len() == self.events.len()
            && self.coherence.len() == self.locations.len()
            && self.reads_from.iter().flatten().all(exists)
            && self.coherence.iter().flatten().all(exists)
            && self.exchanges.iter().all(exists)
            && self.frees.iter().all(exists)
            && self
                .events
                .iter()
                .filter_map(|it| it.action.access())
                .all(known);
        if fine { Ok(()) } else { Err(Malformed::Lists) }
    }

    fn check_reads(&self) -> Result<(), Malformed> {
        for id in self.ids() {
            let source = self.reads_from[id.index()].map(|write| self.event(write).action);
            let fine = match (self.event(id).action, source) {
                (Action::Read(read), Some(Action::Write(write))) => {
                    read.location == write.location && read.value == write.value
                }
                (Action::Read(_), _) => false,
                (_, source) => source.is_none(),
            };
            if !fine {
                return Err(Malformed::Reads(id));
            }
        }
        Ok(())
    }

    fn check_coherence(&self) -> Result<(), Malformed> {
        for (at, order) in self.coherence.iter().enumerate() {
            let location = Location(at as u32);
            let is_write = |id: EventId| match self.event(id).action {
                Action::Write(access) => access.location == location,
                _ => false,
            };
            let mut sorted = order.clone();
            sorted.sort();
            let all: Vec<EventId> = self.ids().filter(|&id| is_write(id)).collect();
            let initial = |id: &EventId| self.event(*id).thread.is_none();
            let first = order.first().is_some_and(initial);
            if sorted != all || !first || order.iter().skip(1).any(initial) {
                return Err(Malformed::Coherence(location));
            }
        }
        Ok(())
    }

    fn check_exchanges(&self) -> Result<(), Malformed> {
        for (at, &read) in self.exchanges.iter().enumerate() {
            let next = self.next_in_thread(read);
            let pair = (
                self.event(read).action,
                next.map(|id| self.event(id).action),
            );
            let fine = match pair {
                (Action::Read(read), Some(Action::Write(write))) => read.location == write.location,
                _ => false,
            };
            if !fine || self.exchanges[..at].contains(&read) {
                return Err(Malformed::Exchange(read));
            }
        }
        Ok(())
    }

    fn check_frees(&self) -> Result<(), Malformed> {
        for &id in &self.frees {
            let event = self.event(id);
            let is_plain = matches!(event.action, Action::Write(access) if access.order.is_none());
            let mut before = (0..id.0).rev().map(EventId);
            let previous = before.find(|&other| self.event(other).thread == event.thread);
            let is_half = previous.is_some_and(|read| self.exchanges.contains(&read));
            let is_read = self.reads_from.contains(&Some(id));
            if !is_plain || event.thread.is_none() || is_half || is_read {
                return Err(Malformed::Free(id));
            }
        }
        Ok(())
    }

    /// The first thread is 0, and is started by no one. Threads that nobody starts are there from the
    /// beginning; they need no first event of their own.
    fn check_threads(&self) -> Result<(), Malformed> {
        let initial = |event: &Event| event.thread.is_some() || event.action.is_write();
        if !self.events.iter().all(initial) {
            return Err(Malformed::Lists);
        }
        let threads = self.events.iter().flat_map(|event| {
            let named = match event.action {
                Action::Start(thread) | Action::Join(thread) => Some(thread),
                _ => None,
            };
            event.thread.into_iter().chain(named)
        });
        for thread in std::collections::BTreeSet::from_iter(threads) {
            let count = |action: Action| {
                let same = self.events.iter().filter(|event| event.action == action);
                same.count()
            };
            let events: Vec<Action> = self
                .thread(thread)
                .map(|id| self.event(id).action)
                .collect();
            let inner = events.get(1..).unwrap_or_default();
            let (starts, joins) = (count(Action::Start(thread)), count(Action::Join(thread)));
            let begins = events.first() == Some(&Action::Begin);
            let ends = events.last() == Some(&Action::End);
            let before_last = events.split_last().map_or(&[][..], |(_, before)| before);
            let fine = !inner.contains(&Action::Begin)
                && !before_last.contains(&Action::End)
                && joins <= 1
                && (joins == 0 || ends)
                && (starts == 0 || thread > 0 && starts == 1 && (begins || events.is_empty()));
            if !fine {
                return Err(Malformed::Thread(thread));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Graph {
    /// One line for each event, thread by thread; reads say where their value comes from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<EventId> = self.ids().collect();
        order.sort_by_key(|&id| (self.event(id).thread, id));
        for id in order {
            write!(f, "e{} {}", id.0, self.show(id))?;
            if let Some(write) = self.reads_from[id.index()] {
                write!(f, " from e{}", write.0)?;
            }
            if self.exchanges.contains(&id) {
                f.write_str(", and then")?;
            }
            if self.frees.contains(&id) {
                f.write_str(", freed")?;
            }
            writeln!(f)?;
        }
        for writes in self.coherence.iter().filter(|writes| writes.len() > 2) {
            let writes: Vec<_> = writes.iter().map(|id| format!("e{}", id.0)).collect();
            writeln!(f, "coherence: {}", writes.join(" < "))?;
        }
        Ok(())
    }
}
