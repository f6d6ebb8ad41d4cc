//! The order in which the events of a graph can be made.

use models::{Action, EventId, Graph};

/// The events of a graph that have not been made again.
pub(crate) struct Left {
    /// By thread, the next one last.
    threads: Vec<Vec<EventId>>,
    done: Vec<bool>,
}

impl Left {
    /// All but the first events of threads, so many of them.
    pub fn after(graph: &Graph, made: usize) -> Left {
        let mut threads: Vec<Vec<EventId>> = Vec::new();
        let mut done = vec![true; graph.events.len()];
        let own = graph.ids().filter(|&id| graph.event(id).thread.is_some());
        for id in own.skip(made) {
            let thread = graph.event(id).thread.unwrap_or(0);
            let count = threads.len().max(thread as usize + 1);
            threads.resize(count, Vec::new());
            threads[thread as usize].push(id);
            done[id.index()] = false;
        }
        threads.iter_mut().for_each(|thread| thread.reverse());
        Left { threads, done }
    }

    pub fn is_empty(&self) -> bool {
        self.threads.iter().all(Vec::is_empty)
    }

    /// An event all of whose predecessors are done.
    pub fn next(&self, graph: &Graph) -> Option<EventId> {
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

    pub fn done(&mut self, id: EventId) {
        self.done[id.index()] = true;
        for thread in &mut self.threads {
            if thread.last() == Some(&id) {
                thread.pop();
            }
        }
    }
}
