//! Every graph once, without remembering any.
//!
//! The algorithm of TruSt, with its names: one thread goes on at a time. A read is tried with every write that
//! is there. A write may also be what an earlier read finds (*backward revisit*): the events that came after the
//! read and that the write does not depend on are deleted. Each graph has one maximal way to be made, so a read is
//! revisited only if what is deleted was added maximally: then the same graph is not made twice.

use crate::code::Code;
use crate::exec::{Choice, Exec};
use crate::outcome::{Limits, Outcome, Stop};
use crate::part::Part;
use crate::pool::{Pool, StopOnExit};
use crate::reference::successors;
use models::{Access, Action, EventId, EventSet, Graph, Model};
use std::collections::BTreeMap;
use verdict::Task;

/// The executions of a program that was prepared with [`verdict::Preparation::Ordered`].
///
/// Law: the same as [`crate::reference()`], but that it stops at the first violation of the property.
pub fn explore(task: &Task, model: &Model, limits: &Limits) -> Result<Outcome, Stop> {
    let code = Code::new(task);
    let mut search = Search::new(model, limits, 1);
    let mut open = vec![Exec::new(&code)];
    while let Some(exec) = open.pop() {
        search.visit(&code, exec, &mut open)?;
        if search.is_over(&code) {
            break;
        }
    }
    Ok(search.outcome)
}

/// The same on several cores. The counts are the same; which of several violations is found may differ.
pub fn explore_on(
    jobs: usize,
    task: &Task,
    model: &Model,
    limits: &Limits,
) -> Result<Outcome, Stop> {
    if jobs <= 1 {
        return explore(task, model, limits);
    }
    let code = Code::new(task);
    let pool = Pool::new(jobs, Exec::new(&code));
    let work = || -> Result<Outcome, Stop> {
        let _guard = StopOnExit(&pool);
        let mut search = Search::new(model, limits, jobs);
        let mut open = Vec::new();
        while let Some(exec) = open.pop().or_else(|| pool.take()) {
            search.visit(&code, exec, &mut open)?;
            if search.is_over(&code) || pool.stopped() {
                break;
            }
            pool.share(&mut open);
        }
        Ok(search.outcome)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let mut sum = Outcome::default();
        let mut stop = None;
        for worker in workers {
            match worker.join() {
                Ok(Ok(outcome)) => sum.add(outcome),
                Ok(Err(why)) => stop = stop.or(Some(why)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        // A violation is one, whatever another worker has met.
        match stop.filter(|_| sum.error.is_none() && !sum.races(&code)) {
            Some(why) => Err(why),
            None => Ok(sum),
        }
    })
}

struct Search<'a> {
    model: &'a Model,
    limits: &'a Limits,
    /// How many search at the same time.
    jobs: usize,
    outcome: Outcome,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, limits: &'a Limits, jobs: usize) -> Search<'a> {
        Search {
            model,
            limits,
            jobs,
            outcome: Outcome::default(),
        }
    }

    /// Was a violation found?
    fn is_over(&self, code: &Code<'_>) -> bool {
        self.outcome.error.is_some() || self.outcome.races(code)
    }

    /// Goes on from a graph, and puts what follows from it on the stack.
    fn visit(&mut self, code: &Code<'_>, mut exec: Exec, open: &mut Vec<Exec>) -> Result<(), Stop> {
        let bytes = self.jobs * open.len() * 256 * exec.graph.events.len();
        self.limits.check(self.outcome.graphs, bytes as u64)?;
        let visited = self
            .outcome
            .visit(code, self.model, &mut exec, self.limits)?;
        let Some(ways) = visited else {
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
    let mut previous: Vec<Option<EventId>> = vec![None; graph.events.len()];
    let (mut last, mut starts) = (BTreeMap::new(), BTreeMap::new());
    for id in graph.ids() {
        let event = graph.event(id);
        if let Some(thread) = event.thread {
            previous[id.index()] = last.insert(thread, id);
        }
        if let Action::Start(child) = event.action {
            starts.insert(child, id);
        }
    }
    let mut work: Vec<EventId> = last.get(&thread).copied().into_iter().collect();
    work.extend(starts.get(&thread));
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut found[id.index()], true) {
            continue;
        }
        let event = graph.event(id);
        work.extend(previous[id.index()]);
        work.extend(graph.reads_from[id.index()]);
        match event.action {
            Action::Join(joined) => work.extend(last.get(&joined)),
            Action::Begin => work.extend(event.thread.and_then(|it| starts.get(&it))),
            _ => {}
        }
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
    fn revisits(&self) -> Vec<Part> {
        let reads = self
            .graph
            .ids()
            .filter(|&id| match self.graph.event(id).action {
                Action::Read(read) => read.location == self.access.location && !self.is_before(id),
                _ => false,
            });
        reads.flat_map(|read| self.revisit(read)).collect()
    }

    fn revisit(&self, read: EventId) -> Vec<Part> {
        let deleted = |id: EventId| id > read && !self.is_before(id);
        let mut gone = self.graph.ids().filter(|&id| deleted(id) || id == read);
        if !gone.all(|id| self.is_maximally_added(id)) {
            return Vec::new();
        }
        let kept: Vec<EventId> = self.graph.ids().filter(|&id| !deleted(id)).collect();
        let smaller = Part::of(self.graph, &kept);
        let location = smaller.location(self.access.location);
        let places = 1..=smaller.graph.coherence[location.0 as usize].len();
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
            Action::Input(value) => return value == 0,
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
    fn with_write(&self, mut part: Part, read: EventId, place: usize) -> Part {
        let location = part.location(self.access.location);
        let read = part.event(read);
        let graph = &mut part.graph;
        if self.exchange {
            let last = graph.thread(self.thread).last();
            graph
                .exchanges
                .push(last.expect("its read comes before it"));
        }
        let access = Access {
            location,
            ..self.access
        };
        let write = graph.add(Some(self.thread), Action::Write(access));
        graph.coherence[location.0 as usize].insert(place, write);
        graph.reads_from[read.index()] = Some(write);
        part
    }
}
