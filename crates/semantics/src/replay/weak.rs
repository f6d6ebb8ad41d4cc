//! Checking an execution graph: what replay is for schedules.
//!
//! A graph counts if the memory model allows it, and if every thread, whose reads find what the graph says, does
//! exactly the events of the graph. How it was found takes no part in this. The steps of all threads are in one
//! list, in some order in which threads are started before they move and end before they are joined; apart from
//! that, and from which objects exist, the order means nothing: every read gets its value from the graph.

use super::copies::Copies;
use super::{Mismatch, Replay, Run};
use crate::effect::{Effect, Seen, frees};
use crate::failure::{Failure, SourcePlace, What};
use crate::{Access, Cell, Machine, Outcome, Script, State, Status, Step, Tid, Trace, Violation};
use models::{Action, Event, EventId, Finding, Graph, Location, Model};
use xcfa::EdgeId;

/// The name of the flag that a model raises for a data race.
const RACE: &str = "race";

/// An execution graph that was checked.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The graph.
    pub graph: Graph,
    /// The name of the memory model that allows it.
    pub model: String,
    /// By event: the number of the step that does it. Initial writes and the beginnings of threads have none.
    pub steps: Vec<Option<usize>>,
    /// Why no interleaving does this: a cycle. Nothing if one does.
    pub not_sc: Option<Finding>,
}

/// Checks an execution graph, and that it ends in its violation.
pub fn replay_graph(
    machine: &Machine<'_>,
    model: &Model,
    trace: &Trace,
) -> Result<Replay, Mismatch> {
    let Some(graph) = trace.graph.as_deref() else {
        return Err(wrong("a schedule is no execution graph"));
    };
    if !machine.property.is_violated_by(trace.violation) {
        return Err(Mismatch::NoViolation);
    }
    graph.validate().map_err(wrong)?;
    let weak = Weak::new(Run::new(machine), graph);
    let (replay, steps) = match trace.violation {
        Violation::DataRace => weak.race(trace, model)?,
        Violation::NotSequential => weak.not_sequential(trace, model)?,
        _ => weak.failing_step(trace, model)?,
    };
    let sc = Model::sc().judge(graph).ok();
    let execution = Execution {
        graph: graph.clone(),
        model: model.name().to_owned(),
        steps,
        not_sc: sc.and_then(|judgement| judgement.forbidden),
    };
    Ok(Replay {
        execution: Some(Box::new(execution)),
        ..replay
    })
}

fn wrong(what: impl ToString) -> Mismatch {
    Mismatch::Graph(what.to_string())
}

/// The check under way.
struct Weak<'g, 'm, 'x> {
    run: Run<'m, 'x>,
    graph: &'g Graph,
    /// By thread: its events.
    threads: Vec<Vec<EventId>>,
    /// By thread: how many of them are done.
    done: Vec<usize>,
    /// By location: the cell that it is.
    cells: Vec<Option<Cell>>,
    /// Memory that was made and set to zero: start and size.
    zeroed: Vec<(u64, u64)>,
    /// By event: its step.
    steps: Vec<Option<usize>>,
    /// By event: the access.
    accesses: Vec<Option<Access>>,
    /// Writes that stand for the end of an object, with its bytes.
    freed: Vec<(EventId, Cell)>,
    /// Does memory stay when it is freed?
    keeps_freed: bool,
}

type Ended = (Replay, Vec<Option<usize>>);

impl<'g, 'm, 'x> Weak<'g, 'm, 'x> {
    fn new(run: Run<'m, 'x>, graph: &'g Graph) -> Self {
        let most = graph.events.iter().filter_map(|event| event.thread).max();
        let count = most.unwrap_or(0) as usize + 1;
        let mut threads = vec![Vec::new(); count];
        for id in graph.ids() {
            if let Some(thread) = graph.event(id).thread {
                threads[thread as usize].push(id);
            }
        }
        Weak {
            run,
            graph,
            threads,
            done: vec![0; count],
            cells: vec![None; graph.locations.len()],
            zeroed: Vec::new(),
            steps: vec![None; graph.events.len()],
            accesses: vec![None; graph.events.len()],
            freed: Vec::new(),
            keeps_freed: false,
        }
    }

    /// The last step is the violation.
    fn failing_step(mut self, trace: &Trace, model: &Model) -> Result<Ended, Mismatch> {
        let (last, before) = trace.steps.split_last().ok_or(Mismatch::NoViolation)?;
        for (index, step) in before.iter().enumerate() {
            self.advance(step, index)?;
        }
        let index = before.len();
        let (outcome, host, before) = self.attempt(last, index)?;
        if outcome != Outcome::Violation(trace.violation) {
            return Err(Mismatch::NoViolation);
        }
        let seen = seen(&host, 0);
        let machine = self.run.machine;
        // Where a step fails, what it has written is not known.
        if host.accesses.iter().any(|access| access.write) {
            return Err(wrong("the failing step writes"));
        }
        let effects = machine.effects_before_writing(EdgeId(last.edge), &seen);
        let effects = effects.map_err(|what| Mismatch::Beyond { index, what })?;
        self.compare(last, index, &effects, &host.accesses)?;
        self.all_done()?;
        self.judge(model)?;
        let step = self.run.describe(last, &mut Copies::of(&before));
        let span = step.last_span();
        let failure = self
            .run
            .failure(trace.violation, (last, &before), &step, &host.accesses);
        self.run.steps.push(step);
        Ok((self.run.finish(failure, Some(span), None), self.steps))
    }

    /// All steps can be taken, and the model has found two accesses that race.
    fn race(mut self, trace: &Trace, model: &Model) -> Result<Ended, Mismatch> {
        self.keeps_freed = true;
        for (index, step) in trace.steps.iter().enumerate() {
            self.advance(step, index)?;
        }
        self.all_done()?;
        let (flags, numbers) = self.judge(model)?;
        let mut flags = flags.iter();
        let race = flags.find(|flag| flag.name == RACE);
        let race = race.ok_or(Mismatch::NoViolation)?;
        let ends = [race.steps.first(), race.steps.last()];
        let [Some(first), Some(last)] = ends else {
            return Err(Mismatch::NoViolation);
        };
        let pair = [first.from, last.to].map(|id| numbers[id.index()].index());
        let [Some(a), Some(b)] = pair.map(|id| self.accesses[id]) else {
            return Err(Mismatch::NoViolation);
        };
        let [Some(one), Some(two)] = pair.map(|id| self.steps[id]) else {
            return Err(Mismatch::NoViolation);
        };
        if !a.conflicts(&b) {
            return Err(Mismatch::NoViolation);
        }
        let spans = [
            self.run.steps[one].mark_race(&a),
            self.run.steps[two].mark_race(&b),
        ];
        let state = self.run.state.clone();
        let failure = self.run.race(&state, [(a, spans[0]), (b, spans[1])]);
        let replay = self.run.finish(failure, Some(spans[1]), Some([one, two]));
        Ok((replay, self.steps))
    }

    /// All steps can be taken, and sequential consistency forbids what the model allows.
    fn not_sequential(mut self, trace: &Trace, model: &Model) -> Result<Ended, Mismatch> {
        for (index, step) in trace.steps.iter().enumerate() {
            self.advance(step, index)?;
        }
        self.all_done()?;
        self.judge(model)?;
        let (seen, numbers) = self.visible();
        let cycle = Model::sc().judge(&seen).map_err(wrong)?.forbidden;
        let cycle = cycle.ok_or(Mismatch::NoViolation)?;
        let steps = cycle.steps.iter().map(|step| numbers[step.from.index()]);
        let mut steps: Vec<usize> = steps.filter_map(|id| self.steps[id.index()]).collect();
        steps.sort_unstable();
        let spans = steps.iter().map(|&at| self.run.steps[at].first_span());
        let spans: Vec<xcfa::Span> = spans.collect();
        let mut places: Vec<SourcePlace> = Vec::new();
        for place in spans.iter().filter_map(|&span| self.run.place(span)) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let failure = Failure {
            violation: trace.violation,
            place: places.last().cloned(),
            what: What::Cycle { places },
            values: Vec::new(),
        };
        let replay = self.run.finish(failure, spans.last().copied(), None);
        Ok((replay, self.steps))
    }

    /// Takes a step that must succeed, and that does the next events of its thread.
    fn advance(&mut self, step: &Step, index: usize) -> Result<(), Mismatch> {
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

    /// A step that frees an object writes all of its bytes: the graph names pieces that somebody accesses.
    fn note_freed(&mut self, step: &Step, index: usize, accesses: &[Access]) {
        let Some(whole) = accesses.iter().find(|it| it.write) else {
            return;
        };
        let at = step.thread as usize;
        while let Some(&id) = self.threads.get(at).and_then(|it| it.get(self.done[at])) {
            if !self.graph.frees.contains(&id) {
                break;
            }
            self.done[at] += 1;
            self.steps[id.index()] = Some(index);
            self.accesses[id.index()] = Some(*whole);
            self.freed.push((id, whole.cell));
        }
    }

    /// Is what was freed a part of the object? It is a cell that other steps access.
    fn is_part_of(&self, id: EventId, whole: Cell) -> bool {
        let access = self.graph.event(id).action.access();
        let cell = access.and_then(|it| self.cells[it.location.0 as usize]);
        match (cell, whole) {
            (
                Some(Cell::Bytes { start, len }),
                Cell::Bytes {
                    start: first,
                    len: all,
                },
            ) => first <= start && start.saturating_add(len) <= first.saturating_add(all),
            _ => false,
        }
    }

    /// Tries a step, whose read finds what the graph says; gives the state before it, too. What is told of a step
    /// that was taken is in the list of steps then.
    fn attempt(&mut self, step: &Step, index: usize) -> Result<(Outcome, Script, State), Mismatch> {
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
    fn compare(
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

    /// Is the location this cell? It is, if neither has been anything else, no other location has a byte of it,
    /// and its initial value is what the machine says.
    fn is_at(&mut self, location: usize, cell: Cell) -> bool {
        if let Some(known) = self.cells[location] {
            return known == cell;
        }
        let taken = self.cells.iter().flatten().any(|it| it.overlaps(cell));
        let initial = self.graph.coherence[location]
            .first()
            .and_then(|&id| self.graph.event(id).action.access())
            .map(|access| access.value);
        if taken || !self.begins_with(cell, initial) {
            return false;
        }
        self.cells[location] = Some(cell);
        true
    }

    /// May the cell hold this value at first? What is not initialised may hold any.
    fn begins_with(&self, cell: Cell, value: Option<u64>) -> bool {
        let machine = self.run.machine;
        if let Some(known) = machine.peek(&machine.initial(), cell) {
            return value == Some(known);
        }
        let Cell::Bytes { start, len } = cell else {
            return false;
        };
        let width = expr::Sort::Bv(8 * len.min(8) as u32);
        let inside = |&(base, size): &(u64, u64)| base <= start && start + len <= base + size;
        match self.zeroed.iter().any(inside) {
            true => value == Some(0),
            false => value.is_some_and(|it| it & width.mask() == it),
        }
    }

    /// What models judge, and the number that each of its events has here. Memory of a thread's own stack that no
    /// other thread accesses is like a register: its accesses order nothing.
    fn visible(&self) -> (Graph, Vec<EventId>) {
        let private: Vec<bool> = (0..self.cells.len())
            .map(|at| {
                let cell = self.cells[at];
                cell.is_some_and(|cell| {
                    self.run
                        .machine
                        .is_private(self.graph, Location(at as u32), cell)
                })
            })
            .collect();
        self.graph.without(|location| private[location.0 as usize])
    }

    /// Does the model allow the graph? The flags that it raises, and the number that each event has here.
    fn judge(&self, model: &Model) -> Result<(Vec<Finding>, Vec<EventId>), Mismatch> {
        let (seen, numbers) = self.visible();
        let judgement = model.judge(&seen).map_err(wrong)?;
        match &judgement.forbidden {
            Some(broken) => Err(wrong(format!("{} forbids it: {broken}", model.name()))),
            None => Ok((judgement.flags, numbers)),
        }
    }

    fn all_done(&self) -> Result<(), Mismatch> {
        if !self
            .freed
            .iter()
            .all(|&(id, whole)| self.is_part_of(id, whole))
        {
            return Err(wrong("memory is freed that is no part of the object"));
        }
        let ends = self.threads.iter().map(Vec::len);
        match ends.eq(self.done.iter().copied()) {
            true => Ok(()),
            false => Err(wrong("the graph has events that no step does")),
        }
    }
}

impl Machine<'_> {
    /// By location of a graph, each of which is this cell: is it like a register?
    pub fn private_locations(&self, graph: &Graph, cells: &[Cell]) -> Vec<bool> {
        let cells = cells.iter().enumerate();
        cells
            .map(|(at, &cell)| self.is_private(graph, Location(at as u32), cell))
            .collect()
    }

    /// Is the location on the stack of the one thread that accesses it, which always finds what it wrote last?
    fn is_private(&self, graph: &Graph, location: Location, cell: Cell) -> bool {
        let Cell::Bytes { start, len } = cell else {
            return false;
        };
        let (mut owner, mut last) = (None, graph.coherence[location.0 as usize][0]);
        for id in graph.ids() {
            let event = graph.event(id);
            let (Some(thread), Some(access)) = (event.thread, event.action.access()) else {
                continue;
            };
            if access.location != location {
                continue;
            }
            let found = graph.reads_from[id.index()].unwrap_or(last);
            if *owner.get_or_insert(thread) != thread || found != last {
                return false;
            }
            if event.action.is_write() {
                last = id;
            }
        }
        owner.is_some_and(|thread| {
            let stack = self.layout.stack_range(Tid(thread), 0);
            stack.start <= start && start.saturating_add(len) <= stack.end
        })
    }
}

fn seen(host: &Script, started: u32) -> Seen<'_> {
    Seen {
        accesses: &host.accesses,
        joined: host.joined,
        inputs: &host.inputs,
        started,
    }
}
