//! Checking an execution graph: what replay is for schedules.
//!
//! A graph counts if the memory model allows it, and if every thread, whose reads find what the graph says, does
//! exactly the events of the graph. How it was found takes no part in this. The steps of all threads are in one
//! list, in some order in which threads are started before they move and end before they are joined; apart from
//! that, and from which objects exist, the order means nothing: every read gets its value from the graph.

mod cells;
mod steps;

use self::steps::seen;
use super::copies::Copies;
use super::{Mismatch, Replay, Run};
use crate::failure::{Failure, SourcePlace, What};
use crate::{Access, Cell, Machine, Outcome, Trace, Violation};
use models::{EventId, Finding, Graph, Location, Model};
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
