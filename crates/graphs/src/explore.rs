//! Every graph once, without remembering any.
//!
//! The algorithm of TruSt, with its names: one thread goes on at a time. A read is tried with every write that
//! is there. A write may also be what an earlier read finds (*backward revisit*): the events that came after the
//! read and that the write does not depend on are deleted. Each graph has one maximal way to be made, so a read is
//! revisited only if what is deleted was added maximally: then the same graph is not made twice.

use crate::exec::{Choice, Exec};
use crate::outcome::{Limits, Outcome, Stop};
use crate::reference::successors;
use crate::run::Code;
use models::{Access, Action, EventId, EventSet, Graph, Model};
use verdict::Task;

/// The executions of a program that was prepared with [`verdict::Preparation::Ordered`].
///
/// Law: the same as [`crate::reference()`], but that it stops at the first error.
pub fn explore(task: &Task, model: &Model, limits: &Limits) -> Result<Outcome, Stop> {
    let code = Code::new(task);
    let mut search = Search {
        model,
        limits,
        outcome: Outcome::default(),
        graphs: 0,
    };
    let mut open = vec![Exec::new(&code)];
    while let Some(exec) = open.pop() {
        search.visit(&code, exec, &mut open)?;
        if search.outcome.error.is_some() {
            break;
        }
    }
    Ok(search.outcome)
}

struct Search<'a> {
    model: &'a Model,
    limits: &'a Limits,
    outcome: Outcome,
    graphs: u64,
}

impl Search<'_> {
    /// Goes on from a graph, and puts what follows from it on the stack.
    fn visit(&mut self, code: &Code<'_>, mut exec: Exec, open: &mut Vec<Exec>) -> Result<(), Stop> {
        self.graphs += 1;
        self.limits.check(self.graphs, &exec)?;
        let Some(ways) = self.outcome.visit(code, self.model, &mut exec)? else {
            return Ok(());
        };
        let Some(choice) = ways.choices.first() else {
            return Ok(());
        };
        open.extend(successors(code, &exec, choice)?);
        if let Choice::Write(thread, access, exchange) = *choice {
            let write = NewWrite {
                graph: &exec.graph,
                thread,
                access,
                exchange,
                prefix: prefix(&exec.graph, thread),
            };
            for revisited in write.revisits() {
                open.push(exec.again(code, revisited)?);
            }
        }
        Ok(())
    }
}

/// A write that is about to be added.
struct NewWrite<'g> {
    graph: &'g Graph,
    thread: u32,
    access: Access,
    exchange: bool,
    /// The events that it depends on, by program order and reads-from.
    prefix: EventSet,
}

/// What the next event of a thread depends on.
fn prefix(graph: &Graph, thread: u32) -> EventSet {
    let mut found = vec![false; graph.events.len()];
    let mut work: Vec<EventId> = graph.thread(thread).collect();
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut found[id.index()], true) {
            continue;
        }
        let event = graph.event(id);
        let before = |&other: &EventId| {
            let it = graph.event(other);
            let earlier = event.thread.is_some() && it.thread == event.thread && other < id;
            let ended = match event.action {
                Action::Join(joined) => it.action == Action::End && it.thread == Some(joined),
                _ => false,
            };
            let started = match it.action {
                Action::Start(child) => event.thread == Some(child),
                _ => false,
            };
            earlier || ended || started || graph.reads_from[id.index()] == Some(other)
        };
        work.extend(graph.ids().filter(before));
    }
    EventSet::of(found.len(), |at| found[at])
}

impl NewWrite<'_> {
    fn is_initial(&self, id: EventId) -> bool {
        self.graph.event(id).thread.is_none()
    }

    fn is_before(&self, id: EventId) -> bool {
        self.prefix.contains(id.index()) || self.is_initial(id)
    }

    /// The graphs in which an earlier read finds the new write.
    fn revisits(&self) -> Vec<Graph> {
        let reads = self
            .graph
            .ids()
            .filter(|&id| match self.graph.event(id).action {
                Action::Read(read) => read.location == self.access.location && !self.is_before(id),
                _ => false,
            });
        reads.flat_map(|read| self.revisit(read)).collect()
    }

    fn revisit(&self, read: EventId) -> Vec<Graph> {
        let deleted = |id: EventId| id > read && !self.is_before(id);
        let mut gone = self.graph.ids().filter(|&id| deleted(id) || id == read);
        if !gone.all(|id| self.is_maximally_added(id)) {
            return Vec::new();
        }
        let kept: Vec<EventId> = self.graph.ids().filter(|&id| !deleted(id)).collect();
        let smaller = restrict(self.graph, &kept);
        let read = kept
            .iter()
            .position(|&id| id == read)
            .expect("the read is kept");
        let places = 1..=smaller.coherence[self.access.location.0 as usize].len();
        places
            .map(|place| self.with_write(smaller.clone(), read, place))
            .collect()
    }

    /// Was the event added as late as possible: a read from the last write, a write as the last one?
    fn is_maximally_added(&self, event: EventId) -> bool {
        let previous = |id: EventId| id <= event || self.is_before(id);
        let source = match self.graph.event(event).action {
            Action::Write(_) => {
                let mut readers = self
                    .graph
                    .ids()
                    .filter(|id| self.graph.reads_from[id.index()] == Some(event));
                if readers.any(previous) {
                    return false;
                }
                event
            }
            Action::Read(_) => self.graph.reads_from[event.index()].expect("a read has a write"),
            _ => return true,
        };
        let location = self
            .graph
            .event(source)
            .action
            .access()
            .expect("a write")
            .location;
        let order = &self.graph.coherence[location.0 as usize];
        let later = order.iter().skip_while(|&&id| id != source).skip(1);
        previous(source) && !later.copied().any(previous)
    }

    /// A graph with the write, which one of its reads finds.
    fn with_write(&self, mut graph: Graph, read: usize, place: usize) -> Graph {
        if self.exchange {
            let last = graph.thread(self.thread).last();
            graph
                .exchanges
                .push(last.expect("its read comes before it"));
        }
        let write = graph.add(Some(self.thread), Action::Write(self.access));
        graph.coherence[self.access.location.0 as usize].insert(place, write);
        graph.reads_from[read] = Some(write);
        graph
    }
}

/// The graph with these events alone, which are numbered anew.
fn restrict(graph: &Graph, kept: &[EventId]) -> Graph {
    let mut number = vec![None; graph.events.len()];
    for (at, id) in kept.iter().enumerate() {
        number[id.index()] = Some(EventId(at as u32));
    }
    let new = |id: &EventId| number[id.index()];
    let source = |id: &EventId| graph.reads_from[id.index()].and_then(|write| new(&write));
    let pair = |id: &&EventId| {
        let next = graph.next_in_thread(**id);
        next.is_some_and(|write| new(&write).is_some())
    };
    Graph {
        events: kept.iter().map(|&id| *graph.event(id)).collect(),
        reads_from: kept.iter().map(source).collect(),
        coherence: graph
            .coherence
            .iter()
            .map(|it| it.iter().filter_map(new).collect())
            .collect(),
        exchanges: graph
            .exchanges
            .iter()
            .filter(pair)
            .filter_map(new)
            .collect(),
        locations: graph.locations.clone(),
    }
}
