//! Taking the steps of threads, whose reads find what a graph says.

use super::{Weak, wrong};
use crate::effect::{Effect, Seen, frees};
use crate::replay::Mismatch;
use crate::replay::copies::Copies;
use crate::{Access, Outcome, Script, State, Status, Step, Tid};
use models::{Action, Event, EventId};
use xcfa::EdgeId;

impl<'g> Weak<'g, '_, '_> {
    /// Takes a step that must succeed, and that does the next events of its thread.
    pub(super) fn advance(&mut self, step: &Step, index: usize) -> Result<(), Mismatch> {
        let machine = self.run.machine;
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let started = self.started(step.thread);
        let (outcome, host, before) = self.attempt(step, index)?;
        let Outcome::Moved { .. } = outcome else {
            let why = format!("{outcome:?}");
            return Err(Mismatch::Step { index, why });
        };
        // What races with the end of an object may come after it in the list of steps.
        if self.keeps_freed && frees(&machine.xcfa[edge]) {
            self.run.state.memory = before.memory;
        }
        // The end of the process is no event: others may have gone on before it.
        self.run.state.ended = false;
        let seen = seen(&host, started.unwrap_or(u32::MAX));
        let effects = machine.effects(edge, &seen, &self.run.state);
        let effects = effects.map_err(|what| Mismatch::Beyond { index, what })?;
        self.zeroed
            .extend(machine.zeroed_by(edge, tid, &self.run.state));
        self.compare(step, index, &effects, &host.accesses)?;
        if frees(&machine.xcfa[edge]) {
            self.note_freed(step, index, &host.accesses);
        }
        Ok(())
    }

    /// Tries a step, whose read finds what the graph says; gives the state before it, too. What is told of a step
    /// that was taken is in the list of steps then.
    pub(super) fn attempt(
        &mut self,
        step: &Step,
        index: usize,
    ) -> Result<(Outcome, Script, State), Mismatch> {
        let machine = self.run.machine;
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let refuse = |why: &str| Mismatch::Step {
            index,
            why: why.to_owned(),
        };
        let threads = &self.run.state.threads;
        let moves = |thread: &crate::Thread| thread.status == Status::Running;
        if !threads.get(step.thread as usize).is_some_and(moves) {
            return Err(refuse("that thread cannot move"));
        }
        if !machine.edges(&self.run.state, tid).contains(&edge) {
            return Err(refuse("the thread is at another place"));
        }
        let number = self.started(step.thread).unwrap_or(u32::MAX);
        self.find_value(step)
            .map_err(|what| Mismatch::Beyond { index, what })?;
        let before = self.run.state.clone();
        let mut host = Script::new(&step.choices);
        let outcome = machine.step_starting(&mut self.run.state, tid, edge, &mut host, number);
        if let Outcome::Beyond(what) = outcome {
            return Err(Mismatch::Beyond { index, what });
        }
        if host.exhausted || host.has_rest() {
            return Err(refuse("it has another number of inputs"));
        }
        if let Outcome::Moved { .. } = outcome {
            let mut copies = Copies::of(&before);
            self.run
                .note_threads_and_locks(step, &mut copies, Some(number));
            self.run.note_gone(step, &mut copies);
            let run = &mut self.run;
            run.heap.note(machine, &before, &run.state);
            let described = self.run.describe(step, &mut copies);
            self.run.steps.push(described);
        }
        Ok((outcome, host, before))
    }

    /// If the thread reads next, puts what the graph says there into the cell that the step is about to read.
    fn find_value(&mut self, step: &Step) -> Result<(), &'static str> {
        let machine = self.run.machine;
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let mut host = Script::new(&step.choices);
        let number = self.started(step.thread).unwrap_or(u32::MAX);
        let mut tried = self.run.state.clone();
        machine.step_starting(&mut tried, tid, edge, &mut host, number);
        let reads = self.left(step.thread).find_map(|event| match event.action {
            Action::Input(_) => None,
            Action::Read(access) => Some(Some(access.value)),
            _ => Some(None),
        });
        let cell = machine.first_read(edge, &host.accesses)?;
        if let (Some(cell), Some(Some(value))) = (cell, reads) {
            machine.poke(&mut self.run.state, cell, value);
        }
        Ok(())
    }

    /// The events of a thread that are not done yet.
    fn left(&self, thread: u32) -> impl Iterator<Item = &'g Event> + '_ {
        let (at, graph) = (thread as usize, self.graph);
        let events = self
            .threads
            .get(at)
            .map_or(&[][..], |it| &it[self.done[at]..]);
        events.iter().map(move |&id| graph.event(id))
    }

    /// The thread that is started next by a thread, as the graph says.
    fn started(&self, thread: u32) -> Option<u32> {
        match self.left(thread).next()?.action {
            Action::Start(number) => Some(number),
            _ => None,
        }
    }

    /// Are these the next events of the thread?
    pub(super) fn compare(
        &mut self,
        step: &Step,
        index: usize,
        effects: &[Effect],
        accesses: &[Access],
    ) -> Result<(), Mismatch> {
        for effect in effects {
            let at = step.thread as usize;
            let events = self.threads.get(at);
            let next = events.and_then(|it| it.get(self.done[at]).copied());
            let fits = match next {
                Some(id) => self.fits(id, effect),
                None => false,
            };
            let (Some(id), true) = (next, fits) else {
                let what = format!("step {index} does what is not in the graph: {effect:?}");
                return Err(wrong(what));
            };
            self.done[at] += 1;
            self.steps[id.index()] = Some(index);
            self.accesses[id.index()] = match effect {
                Effect::Read { .. } => accesses.first().copied(),
                Effect::Write { .. } => accesses.iter().find(|it| it.write).copied(),
                _ => None,
            };
            if let Effect::Start(started) = effect {
                self.begin(*started);
            }
        }
        Ok(())
    }

    /// A thread begins without a step of its own.
    fn begin(&mut self, thread: u32) {
        let at = thread as usize;
        let first = self.threads.get(at).and_then(|events| events.first());
        if first.is_some_and(|&id| self.graph.event(id).action == Action::Begin) {
            self.done[at] = 1;
        }
    }

    /// Does a step do this event of the graph?
    fn fits(&mut self, id: EventId, effect: &Effect) -> bool {
        if self.graph.frees.contains(&id) {
            return false;
        }
        let exchanges = self.graph.exchanges.contains(&id);
        match (self.graph.event(id).action, *effect) {
            (Action::Input(value), Effect::Input(taken)) => value == taken,
            (Action::Read(access), Effect::Read { cell, order }) => {
                access.order == order && self.is_at(access.location.0 as usize, cell)
            }
            (
                Action::Write(access),
                Effect::Write {
                    cell,
                    value,
                    order,
                    exchange,
                },
            ) => {
                let thread = self.graph.event(id).thread;
                let mut before = (0..id.0).rev().map(EventId);
                let last = before.find(|&other| self.graph.event(other).thread == thread);
                let paired = last.is_some_and(|read| self.graph.exchanges.contains(&read));
                access.order == order
                    && access.value == value
                    && paired == exchange
                    && self.is_at(access.location.0 as usize, cell)
            }
            (Action::Fence(order), Effect::Fence(here)) => order == here,
            (Action::Start(thread), Effect::Start(started)) => thread == started,
            (Action::Join(thread), Effect::Join(joined)) => thread == joined,
            (Action::End, Effect::End) => !exchanges,
            _ => false,
        }
    }
}

pub(super) fn seen(host: &Script, started: u32) -> Seen<'_> {
    Seen {
        accesses: &host.accesses,
        joined: host.joined,
        inputs: &host.inputs,
        started,
    }
}
