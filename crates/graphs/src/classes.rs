//! Executions that only the order of writes tells apart.
//!
//! Other tools count program orders with the write that every read finds (*weak traces*, or reads-from classes). Under
//! sequential consistency, such a class is a set of graphs that differ in the coherence order. Each class is counted
//! with one of its graphs: the one whose coherence order is that of the first interleaving of the class, where first means
//! that threads with smaller numbers go on for as long as they can. Nothing is remembered for this.

use models::{Action, EventId, Graph};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Is this the graph of its class that is counted? The graph must be a complete one that is sequentially consistent.
pub(crate) fn is_first_of_class(graph: &Graph) -> bool {
    let mut search = Interleaving::of(graph);
    assert!(
        search.complete(),
        "some interleaving does what the graph says"
    );
    let mut orders = graph.coherence.iter().zip(&search.written);
    orders.all(|(order, written)| order[1..] == written[..])
}

/// An interleaving that grows.
struct Interleaving<'g> {
    graph: &'g Graph,
    /// By thread: its events.
    threads: Vec<Vec<EventId>>,
    /// By thread: how many of them are done.
    done: Vec<usize>,
    /// By location: its writes so far, without the initial one.
    written: Vec<Vec<EventId>>,
    /// By event: how many reads are to find it that are not done.
    readers: Vec<usize>,
    /// By thread: the one that starts it, and after how many events.
    starts: BTreeMap<u32, (u32, usize)>,
    /// From here there is no way to the end. What was written last is not part of it: it matters only if somebody is to
    /// read it, and then it is known.
    dead: FxHashSet<Vec<usize>>,
}

impl Interleaving<'_> {
    fn of(graph: &Graph) -> Interleaving<'_> {
        let last = graph.events.iter().filter_map(|it| it.thread).max();
        let mut threads = vec![Vec::new(); last.map_or(0, |it| it as usize + 1)];
        let mut starts = BTreeMap::new();
        let mut readers = vec![0; graph.events.len()];
        for id in graph.ids() {
            let event = graph.event(id);
            if let Some(write) = graph.reads_from[id.index()] {
                readers[write.index()] += 1;
            }
            let Some(thread) = event.thread else { continue };
            threads[thread as usize].push(id);
            if let Action::Start(child) = event.action {
                starts.insert(child, (thread, threads[thread as usize].len()));
            }
        }
        Interleaving {
            graph,
            done: vec![0; threads.len()],
            threads,
            written: vec![Vec::new(); graph.locations.len()],
            readers,
            starts,
            dead: FxHashSet::default(),
        }
    }

    /// Goes on to the end, if there is a way.
    fn complete(&mut self) -> bool {
        // Each entry is a step that was taken: whose, and how many events.
        let mut taken: Vec<(usize, usize)> = Vec::new();
        let mut next = 0;
        loop {
            let mut threads = next..self.threads.len();
            if let Some((thread, count)) = threads.find_map(|it| Some((it, self.step(it)?))) {
                taken.push((thread, count));
                next = match self.dead.contains(&self.done) {
                    true => self.threads.len(),
                    false => 0,
                };
                continue;
            }
            let ends = self.threads.iter().map(Vec::len);
            if ends.eq(self.done.iter().copied()) {
                return true;
            }
            self.dead.insert(self.done.clone());
            let Some((thread, count)) = taken.pop() else {
                return false;
            };
            for _ in 0..count {
                self.undo(thread);
            }
            next = thread + 1;
        }
    }

    /// A thread does its next event, and with a read the write of the same operation. How many events were done; nothing
    /// if it has to wait.
    fn step(&mut self, thread: usize) -> Option<usize> {
        let id = self.next_event(thread)?;
        if !self.event(thread, id) {
            return None;
        }
        if !self.graph.exchanges.contains(&id) {
            return Some(1);
        }
        let write = self.next_event(thread).expect("the write of an exchange");
        match self.event(thread, write) {
            true => Some(2),
            false => {
                self.undo(thread);
                None
            }
        }
    }

    fn next_event(&self, thread: usize) -> Option<EventId> {
        self.threads[thread].get(self.done[thread]).copied()
    }

    /// Does an event, if it can be done now.
    fn event(&mut self, thread: usize, id: EventId) -> bool {
        let is_possible = match self.graph.event(id).action {
            Action::Read(access) => {
                let at = access.location.0 as usize;
                self.graph.reads_from[id.index()] == Some(self.last(at))
            }
            // Nobody finds any more what is written over.
            Action::Write(access) => {
                self.readers[self.last(access.location.0 as usize).index()] == 0
            }
            Action::Begin => (self.starts.get(&(thread as u32)))
                .is_none_or(|&(parent, count)| self.done[parent as usize] >= count),
            Action::Join(joined) => {
                self.done[joined as usize] == self.threads[joined as usize].len()
            }
            _ => true,
        };
        if !is_possible {
            return false;
        }
        match self.graph.event(id).action {
            Action::Write(access) => self.written[access.location.0 as usize].push(id),
            _ => {
                if let Some(write) = self.graph.reads_from[id.index()] {
                    self.readers[write.index()] -= 1;
                }
            }
        }
        self.done[thread] += 1;
        true
    }

    fn last(&self, location: usize) -> EventId {
        let last = self.written[location].last().copied();
        last.unwrap_or(self.graph.coherence[location][0])
    }

    fn undo(&mut self, thread: usize) {
        self.done[thread] -= 1;
        let id = self.threads[thread][self.done[thread]];
        match self.graph.event(id).action {
            Action::Write(access) => {
                self.written[access.location.0 as usize].pop();
            }
            _ => {
                if let Some(write) = self.graph.reads_from[id.index()] {
                    self.readers[write.index()] += 1;
                }
            }
        }
    }
}
