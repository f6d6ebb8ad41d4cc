//! An execution as evidence: with its steps, and with the memory that only one thread sees.

use crate::Exec;
use crate::code::Code;
use crate::exec::Choice;
use crate::left::Left;
use crate::outcome::Stop;
use crate::part::Part;
use crate::run::{Next, Pending, Run};
use models::{Action, EventId, Graph};
use semantics::{Effect, Trace, Violation};

impl Exec {
    /// The execution so far, as evidence: the graph and the steps of its threads. A read for a step that was not
    /// taken, as of a lock that another thread has, is left out.
    pub(crate) fn trace(
        &self,
        code: &Code<'_>,
        violation: Violation,
        failing: Option<u32>,
    ) -> Result<Trace, Stop> {
        let mut retrace = Retrace {
            old: self,
            new: Exec::of(Run::new(code, self.run.waits, true)),
            numbers: vec![None; self.graph.events.len()],
        };
        let mut left = Left::after(&self.graph, 0);
        while let Some(id) = left.next(&self.graph) {
            retrace.event(code, id)?;
            left.done(id);
        }
        assert!(left.is_empty(), "the graph has no cycle of po and rf");
        if let Some(thread) = failing {
            retrace.own_accesses(code, thread)?;
        }
        retrace.order_writes();
        let mut exec = retrace.new;
        exec.finish_steps(code)?;
        exec.graph = exec.graph_with_frees();
        let threads = (0..exec.run.threads()).filter(|&it| exec.run.is_unfinished(it));
        let dropped = threads.filter_map(|thread| exec.graph.thread(thread).last());
        let dropped: Vec<EventId> = dropped.collect();
        let is_kept = |id: &EventId| !dropped.contains(id);
        let kept: Vec<EventId> = exec.graph.ids().filter(is_kept).collect();
        let part = Part::of(&exec.graph, &kept);
        Ok(Trace::new(violation, exec.run.into_steps()).with_graph(part.graph))
    }

    /// Adds the events that are left of steps that were taken, each as late as possible.
    fn finish_steps(&mut self, code: &Code<'_>) -> Result<(), Stop> {
        for thread in 0..self.run.threads() {
            while let Some(pending) = self.run.queued(thread) {
                match self.choice(code, thread, pending)? {
                    Some(Choice::Other(_, action)) => self.add_other(code, thread, action),
                    Some(Choice::Write(_, access, exchange)) => {
                        let last = self.graph.coherence[access.location.0 as usize].len();
                        self.add_write(code, thread, access, exchange, last);
                    }
                    _ => break,
                }
            }
        }
        Ok(())
    }
}

struct Retrace<'e> {
    old: &'e Exec,
    new: Exec,
    /// By event of the old graph: its number in the new one.
    numbers: Vec<Option<EventId>>,
}

impl Retrace<'_> {
    fn old_graph(&self) -> &Graph {
        &self.old.graph
    }

    /// A thread does an event of the old graph.
    fn event(&mut self, code: &Code<'_>, id: EventId) -> Result<(), Stop> {
        let event = *self.old_graph().event(id);
        let thread = event.thread.expect("only threads do something");
        self.own_accesses(code, thread)?;
        let next = self.new.run.next(code, thread)?;
        let Next::Event(pending) = next else {
            panic!("a thread that did {:?} does {next:?} now", event.action);
        };
        match self.new.choice(code, thread, pending)? {
            Some(Choice::Read(_, location)) => {
                let source = self.old_graph().reads_from[id.index()].expect("a read has a write");
                let initial = self.new.graph.coherence[location.0 as usize][0];
                let write = self.numbers[source.index()].unwrap_or(initial);
                self.new.add_read(code, thread, location, write)?;
            }
            Some(Choice::Write(_, access, exchange)) => {
                let last = self.new.graph.coherence[access.location.0 as usize].len();
                self.new.add_write(code, thread, access, exchange, last);
            }
            Some(Choice::Input(_, is_all)) => {
                let Action::Input(value) = event.action else {
                    panic!("a thread that did {:?} asks for an input", event.action);
                };
                self.new.add_input(code, thread, value, is_all)?;
            }
            Some(Choice::Other(_, action)) => self.new.add_other(code, thread, action),
            None => panic!("a thread that did {:?} waits now", event.action),
        }
        self.numbers[id.index()] = self.new.graph.ids().last();
        Ok(())
    }

    /// What a thread does next to memory of its own.
    fn own_accesses(&mut self, code: &Code<'_>, thread: u32) -> Result<(), Stop> {
        while let Next::Event(pending) = self.new.run.next(code, thread)? {
            let (Pending::Read(cell) | Pending::Do(Effect::Write { cell, .. })) = pending else {
                break;
            };
            if !self.new.run.is_private(code, cell) {
                break;
            }
            let location = self.new.location(code, cell)?;
            let writes = &self.new.graph.coherence[location.0 as usize];
            let (last, count) = (writes[writes.len() - 1], writes.len());
            match self.new.choice(code, thread, pending)? {
                Some(Choice::Write(_, access, exchange)) => {
                    self.new.add_write(code, thread, access, exchange, count);
                }
                _ => self.new.add_read(code, thread, location, last)?,
            }
        }
        Ok(())
    }

    /// Writes that several threads see are in the order that the old graph has.
    fn order_writes(&mut self) {
        for (cell, order) in self.old.cells.iter().zip(&self.old.graph.coherence) {
            let Some(at) = self.new.cells.iter().position(|it| it == cell) else {
                continue;
            };
            let initial = self.new.graph.coherence[at][0];
            let later = order[1..].iter();
            let later = later.map(|id| self.numbers[id.index()].expect("all events were made"));
            self.new.graph.coherence[at] = std::iter::once(initial).chain(later).collect();
        }
    }
}
