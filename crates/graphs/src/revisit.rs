//! A write that is about to be added, and the earlier reads that may find it.

use crate::part::Part;
use models::{Access, Action, EventId, EventSet, Graph, Location};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A write that is about to be added.
pub(crate) struct NewWrite {
    pub thread: u32,
    pub access: Access,
    pub exchange: bool,
    /// The events that it depends on, by program order and reads-from, and the initial writes.
    prefix: EventSet,
}

/// The events that those of some threads come after.
struct Order {
    /// By event: the one before it in its thread.
    previous: Vec<Option<EventId>>,
    /// By thread.
    last: BTreeMap<u32, EventId>,
    /// By thread: what starts it.
    starts: BTreeMap<u32, EventId>,
}

impl Order {
    fn of(graph: &Graph) -> Order {
        let mut order = Order {
            previous: vec![None; graph.events.len()],
            last: BTreeMap::new(),
            starts: BTreeMap::new(),
        };
        for id in graph.ids() {
            let event = graph.event(id);
            if let Some(thread) = event.thread {
                order.previous[id.index()] = order.last.insert(thread, id);
            }
            if let Action::Start(child) = event.action {
                order.starts.insert(child, id);
            }
        }
        order
    }
}

/// What the next event of a thread depends on, and the initial writes.
fn prefix(graph: &Graph, thread: u32) -> EventSet {
    let order = Order::of(graph);
    let mut found = EventSet::of(graph.events.len(), |at| graph.events[at].thread.is_none());
    let mut work: Vec<EventId> = order.last.get(&thread).copied().into_iter().collect();
    work.extend(order.starts.get(&thread));
    while let Some(id) = work.pop() {
        if found.contains(id.index()) {
            continue;
        }
        found.insert(id.index());
        let event = graph.event(id);
        work.extend(order.previous[id.index()]);
        work.extend(graph.reads_from[id.index()]);
        match event.action {
            Action::Join(joined) => work.extend(order.last.get(&joined)),
            Action::Begin => work.extend(event.thread.and_then(|it| order.starts.get(&it))),
            _ => {}
        }
    }
    found
}

/// The place in the coherence order of what a thread has written to a location or read from it last. All shipped models
/// are coherent: the thread finds nothing older, and writes nothing before it.
pub(crate) fn seen_by(graph: &Graph, thread: u32, location: Location) -> usize {
    let own = graph
        .ids()
        .rev()
        .filter(|&id| graph.event(id).thread == Some(thread));
    let mut writes = own.filter_map(|id| match graph.event(id).action {
        Action::Write(access) if access.location == location => Some(id),
        Action::Read(access) if access.location == location => graph.reads_from[id.index()],
        _ => None,
    });
    let order = &graph.coherence[location.0 as usize];
    let seen = writes
        .next()
        .and_then(|write| order.iter().position(|&it| it == write));
    seen.unwrap_or(0)
}

impl NewWrite {
    pub fn new(graph: &Graph, thread: u32, access: Access, exchange: bool) -> NewWrite {
        NewWrite {
            thread,
            access,
            exchange,
            prefix: prefix(graph, thread),
        }
    }

    fn is_before(&self, id: EventId) -> bool {
        self.prefix.contains(id.index())
    }

    /// The places of the coherence order that it may take: after what its thread has seen; the write of a read-modify-write comes right after the one that
    /// was read.
    pub fn places(&self, graph: &Graph) -> RangeInclusive<usize> {
        let order = &graph.coherence[self.access.location.0 as usize];
        if !self.exchange {
            return seen_by(graph, self.thread, self.access.location) + 1..=order.len();
        }
        let read = graph.thread(self.thread).last();
        let source = read.and_then(|read| graph.reads_from[read.index()]);
        let at = order.iter().position(|&it| Some(it) == source);
        let place = at.expect("a read-modify-write reads first") + 1;
        place..=place
    }

    /// The graphs in which an earlier read finds the new write, and that read.
    pub fn revisits(&self, graph: &Graph) -> Vec<(Part, EventId)> {
        let is_open = |id: &EventId| match graph.event(*id).action {
            Action::Read(read) => read.location == self.access.location && !self.is_before(*id),
            _ => false,
        };
        // What is deleted for a read was added after it: the later the read, the less.
        let first = self.first_that_may_go(graph);
        let reads = graph.ids().skip(first).filter(is_open);
        reads.flat_map(|read| self.revisit(graph, read)).collect()
    }

    /// All events from this one on that the write does not depend on were added maximally.
    fn first_that_may_go(&self, graph: &Graph) -> usize {
        let readers = Readers::of(graph);
        let mut later = graph.ids().rev().filter(|&id| !self.is_before(id));
        let stays = later.find(|&id| !self.is_maximally_added(graph, &readers, id));
        stays.map_or(0, |id| id.index() + 1)
    }

    fn revisit(&self, graph: &Graph, read: EventId) -> Vec<(Part, EventId)> {
        let is_kept = |id: &EventId| *id <= read || self.is_before(*id);
        let kept: Vec<EventId> = graph.ids().filter(is_kept).collect();
        let smaller = Part::of(graph, &kept);
        let location = smaller.location(self.access.location);
        let moved = NewWrite {
            access: Access {
                location,
                ..self.access
            },
            prefix: EventSet::of(0, |_| false),
            ..*self
        };
        let read = smaller.event(read);
        let places = moved.places(&smaller.graph);
        places
            .map(|place| (moved.added(smaller.clone(), read, place), read))
            .collect()
    }

    /// Was the event added as late as possible: a read from the last write, a write as the last one?
    fn is_maximally_added(&self, graph: &Graph, readers: &Readers, event: EventId) -> bool {
        let previous = |id: EventId| id <= event || self.is_before(id);
        let source = match graph.event(event).action {
            Action::Write(_) => {
                if readers.of[event.index()].iter().any(|&id| previous(id)) {
                    return false;
                }
                event
            }
            Action::Read(_) => graph.reads_from[event.index()].expect("a read has a write"),
            Action::Input(value) => return value == 0,
            _ => return true,
        };
        let access = graph.event(source).action.access().expect("a write");
        let order = &graph.coherence[access.location.0 as usize];
        let mut later = order.iter().rev().take_while(|&&id| id != source);
        previous(source) && !later.any(|&id| previous(id))
    }

    /// A graph with the write, which one of its reads finds.
    fn added(&self, mut part: Part, read: EventId, place: usize) -> Part {
        let graph = &mut part.graph;
        if self.exchange {
            let last = graph.thread(self.thread).last();
            graph
                .exchanges
                .push(last.expect("its read comes before it"));
        }
        let write = graph.add(Some(self.thread), Action::Write(self.access));
        graph.coherence[self.access.location.0 as usize].insert(place, write);
        graph.reads_from[read.index()] = Some(write);
        part
    }
}

/// By write: the reads that find it.
struct Readers {
    of: Vec<Vec<EventId>>,
}

impl Readers {
    fn of(graph: &Graph) -> Readers {
        let mut of = vec![Vec::new(); graph.events.len()];
        for id in graph.ids() {
            if let Some(write) = graph.reads_from[id.index()] {
                of[write.index()].push(id);
            }
        }
        Readers { of }
    }
}
