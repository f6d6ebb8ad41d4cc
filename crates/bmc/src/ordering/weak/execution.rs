//! The execution that the solver has found, as a graph with the steps of its threads.
//!
//! The formula says which steps are taken, which write each read sees and how writes are ordered; what a step does is said by
//! the machine, which takes the steps one after the other. So the graph has every event that the gate expects, also of
//! memory that the formula does not know.

use super::formula::{Formula, Found};
use crate::ordering::emitter::Place;
use crate::ordering::events::{Events, GoalKind, Source};
use crate::ordering::model::Model;
use crate::ordering::walk::find_threads;
use crate::replay::{Planned, Watched, without_ends};
use expr::{ObjId, VarId};
use models::{Access, Action, EventId, Graph, Location};
use passes::Unrolled;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Cell, Effect, HeapNames, Lost, Machine, Outcome, Seen, State, Step, Tid};
use verdict::Task;
use xcfa::{Edge, EdgeId, Label, ObjectKind, ProcId};

/// What an event of the graph is in the formula.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    /// The step that does it.
    pub step: Option<usize>,
    /// The cell that is accessed, and where.
    pub place: Option<Place>,
    /// The read, if the formula chooses what it sees.
    pub read: Option<usize>,
    /// The write.
    pub write: Option<usize>,
}

/// An execution.
pub struct Execution {
    /// All of its events.
    pub graph: Graph,
    /// By event.
    pub origins: Vec<Origin>,
    /// By location: is it on a stack, where no other thread can have the address? Then it is like a register.
    pub private: Vec<bool>,
    /// The steps, along the edges of the program before it was unrolled.
    pub steps: Vec<Step>,
    /// By write of the formula: does it happen?
    pub happens: Vec<bool>,
}

/// What the solver says.
struct Said {
    /// The steps that are taken, in an order in which writes come before the reads that see them.
    plan: Vec<usize>,
    /// By step: what the environment chooses.
    planned: FxHashMap<usize, Planned>,
    /// By step: the cells that it accesses.
    touched: FxHashMap<usize, Vec<VarId>>,
    happens: Vec<bool>,
    initial: FxHashMap<VarId, u64>,
}

/// Runs what the solver has found.
pub fn execution(
    task: &Task,
    unrolled: &Unrolled,
    formula: &mut Formula,
    found: &Found,
) -> Result<Execution, Lost> {
    let said = said(unrolled, formula, found);
    let xcfa = without_ends(&unrolled.xcfa);
    let machine = Machine::new(&xcfa, task.property);
    let threads = find_threads(&xcfa).map_err(|_| Lost::NoExecution)?;
    let numbers = threads.iter().enumerate();
    let mut run = Run {
        state: machine.initial(),
        machine: &machine,
        unrolled,
        secret: secret(task, unrolled),
        cells: Vec::new(),
        formula,
        found,
        numbers: numbers.map(|(at, &(proc, _))| (proc, at as u32)).collect(),
        begun: vec![false; threads.len()],
        written: FxHashMap::default(),
        places: FxHashMap::default(),
        zeroed: Vec::new(),
        execution: Execution {
            graph: Graph::default(),
            origins: Vec::new(),
            private: Vec::new(),
            steps: Vec::new(),
            happens: said.happens.clone(),
        },
    };
    for &at in &said.plan {
        run.step(at, &said)?;
    }
    run.order_writes();
    Ok(run.execution)
}

fn said(unrolled: &Unrolled, formula: &mut Formula, found: &Found) -> Said {
    let mut model = formula.model();
    let events = model.events;
    // Others may read what a step writes that goes on beyond the bound; an error ends everything.
    let failing = found.goal.map(|goal| &events.goals[goal]);
    let failing = failing.filter(|goal| goal.kind == GoalKind::Error);
    let last = failing.and_then(|goal| goal.step);
    let mut other_ends: Vec<usize> = Vec::new();
    for goal in events.goals.iter().filter(|it| it.kind == GoalKind::Error) {
        other_ends.extend(goal.step.filter(|&step| Some(step) != last));
    }
    let mut rank_of = vec![0; events.threads.len()];
    let mut plan: Vec<((bool, u32, usize, usize), usize)> = Vec::new();
    for (at, step) in events.steps.iter().enumerate() {
        if model.value(step.guard) == 0 || other_ends.contains(&at) {
            continue;
        }
        let start = events.threads[step.thread].start;
        let first = start.map_or(0, |node| found.ranks[node as usize]);
        let rank = step.node.map_or(0, |node| found.ranks[node as usize]);
        rank_of[step.thread] = rank.max(first).max(rank_of[step.thread]);
        plan.push((
            (Some(at) == last, rank_of[step.thread], step.thread, at),
            at,
        ));
    }
    plan.sort_unstable();
    let plan: Vec<usize> = plan.into_iter().map(|(_, at)| at).collect();
    let mut planned = FxHashMap::default();
    let mut touched = FxHashMap::default();
    for &at in &plan {
        let step = &events.steps[at];
        let chosen: Vec<(VarId, u64)> = step
            .chosen
            .iter()
            .map(|&(var, term)| (var, model.value(term)))
            .collect();
        planned.insert(at, Planned::new(&unrolled.xcfa, step.edge, &chosen));
        let cells = step.touched.iter();
        let cells = cells.filter(|it| model.value(it.here) != 0);
        touched.insert(at, cells.map(|it| it.cell).collect());
    }
    let writes = events.writes.iter();
    let happens = writes.map(|write| model.value(write.guard) != 0).collect();
    let initial = firsts(events, &mut model);
    Said {
        plan,
        planned,
        touched,
        happens,
        initial,
    }
}

fn firsts(events: &Events, model: &mut Model<'_>) -> FxHashMap<VarId, u64> {
    let firsts = events.initial.iter();
    firsts
        .map(|(&cell, &term)| (cell, model.value(term)))
        .collect()
}

struct Run<'r, 'm> {
    machine: &'m Machine<'m>,
    unrolled: &'r Unrolled,
    formula: &'r Formula,
    found: &'r Found,
    state: State,
    /// By procedure: the thread.
    numbers: FxHashMap<ProcId, u32>,
    /// By thread: has it moved?
    begun: Vec<bool>,
    /// The events that writes of the formula have become.
    written: FxHashMap<Place, EventId>,
    /// By location: its variable in the formula.
    places: FxHashMap<Location, VarId>,
    zeroed: Vec<(u64, u64)>,
    /// Objects whose addresses no other thread can know.
    secret: FxHashSet<ObjId>,
    /// By location: what it is for the machine.
    cells: Vec<Cell>,
    execution: Execution,
}

/// The objects on stacks that do not escape. The program that was not unrolled says which these are, so that it is the same
/// for all engines.
fn secret(task: &Task, unrolled: &Unrolled) -> FxHashSet<ObjId> {
    let objects = |edge: &Edge| {
        let allocated = edge.labels.iter().filter_map(|label| match label {
            Label::Alloc { object, .. } => Some(*object),
            _ => None,
        });
        allocated.collect::<Vec<_>>()
    };
    let mut secret = FxHashSet::default();
    for (edge, &origin) in unrolled.xcfa.edges.iter().zip(&unrolled.origin) {
        for (copy, object) in objects(edge).into_iter().zip(objects(&task.xcfa[origin])) {
            let is_stack = task.xcfa[object].kind == ObjectKind::Stack;
            if is_stack && !task.xcfa.escaped().contains(object.0 as usize) {
                secret.insert(copy);
            }
        }
    }
    secret
}

impl Run<'_, '_> {
    fn events(&self) -> &Events {
        &self.formula.events
    }

    fn step(&mut self, at: usize, said: &Said) -> Result<(), Lost> {
        let (thread, edge) = (
            self.events().steps[at].thread as u32,
            self.events().steps[at].edge,
        );
        let origin = self.unrolled.origin[edge.0 as usize];
        let beyond = |what| Lost::Beyond { edge: origin, what };
        let planned = &said.planned[&at];
        let number = self.started(edge);
        let tid = Tid(thread);
        if self.state.threads.get(thread as usize).is_none() {
            return Err(Lost::NoExecution);
        }
        if thread > 0 && !std::mem::replace(&mut self.begun[thread as usize], true) {
            self.add(thread, Action::Begin, Origin::default(), at);
        }
        let mut host = Watched::new(planned);
        let mut tried = self.state.clone();
        let machine = self.machine;
        machine.step_starting(&mut tried, tid, edge, &mut host, number);
        let mut source = None;
        if let Some(cell) = machine.first_read(edge, &host.accesses).map_err(beyond)? {
            let location = self.location(cell, at, said);
            let (write, read) = self.source(at, thread, location)?;
            let value = self.execution.graph.event(write).action.access();
            let value = value.expect("a write").value;
            machine.poke(&mut self.state, cell, value);
            source = Some((location, write, read, value));
        }
        let mut host = Watched::new(planned);
        let mut after = self.state.clone();
        let outcome = machine.step_starting(&mut after, tid, edge, &mut host, number);
        self.execution
            .steps
            .push(Step::new(thread, origin.0, host.given.clone()));
        let seen = Seen {
            accesses: &host.accesses,
            joined: host.joined,
            inputs: &host.inputs,
            started: number,
        };
        let effects = match outcome {
            Outcome::Violation(_) => machine.effects_before_writing(edge, &seen),
            Outcome::Moved { .. } => {
                self.state = after;
                // Others may have gone on before the process ended.
                self.state.ended = false;
                machine.effects(edge, &seen, &self.state)
            }
            Outcome::Beyond(what) => Err(what),
            _ => return Err(Lost::NoExecution),
        };
        let effects = effects.map_err(beyond)?;
        let zeroed = machine.zeroed_by(edge, tid, &self.state);
        self.zeroed.extend(zeroed);
        for effect in effects {
            self.effect(at, thread, effect, source, said);
        }
        Ok(())
    }

    /// The number of the thread that an edge starts.
    fn started(&self, edge: EdgeId) -> u32 {
        let mut labels = self.unrolled.xcfa[edge].labels.iter();
        let started = labels.find_map(|label| match label {
            Label::Start { proc, .. } => self.numbers.get(proc).copied(),
            _ => None,
        });
        started.unwrap_or(u32::MAX)
    }

    fn add(&mut self, thread: u32, action: Action, origin: Origin, at: usize) -> EventId {
        let execution = &mut self.execution;
        let id = execution.graph.add(Some(thread), action);
        execution.origins.push(Origin {
            step: Some(at),
            ..origin
        });
        id
    }

    fn effect(
        &mut self,
        at: usize,
        thread: u32,
        effect: Effect,
        source: Option<(Location, EventId, Option<usize>, u64)>,
        said: &Said,
    ) {
        let none = Origin::default();
        match effect {
            Effect::Input(value) => drop(self.add(thread, Action::Input(value), none, at)),
            Effect::Fence(order) => drop(self.add(thread, Action::Fence(order), none, at)),
            Effect::Start(started) => drop(self.add(thread, Action::Start(started), none, at)),
            Effect::Join(joined) => drop(self.add(thread, Action::Join(joined), none, at)),
            Effect::End => drop(self.add(thread, Action::End, none, at)),
            Effect::Read { order, .. } => {
                let (location, write, read, value) = source.expect("the read was looked at");
                let access = Access {
                    location,
                    value,
                    order,
                };
                let place = self.place(at, location);
                let origin = Origin {
                    place,
                    read,
                    ..none
                };
                let id = self.add(thread, Action::Read(access), origin, at);
                self.execution.graph.reads_from[id.index()] = Some(write);
            }
            Effect::Write {
                cell,
                value,
                order,
                exchange,
            } => {
                let location = self.location(cell, at, said);
                let place = self.place(at, location);
                let mut writes = self.events().writes.iter().enumerate();
                let write = writes.position(|(at, write)| {
                    said.happens[at] && Some((write.node, write.cell)) == place
                });
                let access = Access {
                    location,
                    value,
                    order,
                };
                if exchange {
                    let read = self.execution.graph.thread(thread).last();
                    self.execution.graph.exchanges.extend(read);
                }
                let origin = Origin {
                    place,
                    write,
                    ..none
                };
                let id = self.add(thread, Action::Write(access), origin, at);
                self.execution.graph.coherence[location.0 as usize].push(id);
                if let Some(place) = place {
                    self.written.insert(place, id);
                }
            }
        }
    }

    /// Where a step accesses a location, if the formula knows the location.
    fn place(&self, at: usize, location: Location) -> Option<Place> {
        let cell = self.places.get(&location)?;
        Some((self.events().steps[at].node?, *cell))
    }

    /// The location that the machine accesses in a step.
    fn location(&mut self, cell: Cell, at: usize, said: &Said) -> Location {
        if let Some(known) = self.cells.iter().position(|&it| it == cell) {
            return Location(known as u32);
        }
        let machine = self.machine;
        let var = match cell {
            Cell::Var(var) => Some(var),
            Cell::Bytes { .. } => {
                let known = &self.unrolled.xcfa.vars;
                let mut cells = said.touched[&at].iter();
                cells.find(|var| var.0 as usize >= known.len()).copied()
            }
        };
        let first = machine.peek(&machine.initial(), cell);
        let is_zeroed = |&(base, size): &(u64, u64)| match cell {
            Cell::Bytes { start, len } => base <= start && start + len <= base + size,
            Cell::Var(_) => false,
        };
        let zeroed = || self.zeroed.iter().any(is_zeroed).then_some(0);
        let said = || var.and_then(|var| said.initial.get(&var).copied());
        let first = first.or_else(zeroed).or_else(said).unwrap_or(0);
        let name = machine.shown(&self.state, cell, &HeapNames::default()).0;
        let location = self.execution.graph.add_location(name, first);
        self.cells.push(cell);
        self.execution.private.push(self.is_secret(cell));
        self.execution.origins.push(Origin::default());
        if let Some(var) = var {
            self.places.insert(location, var);
        }
        location
    }

    fn is_secret(&self, cell: Cell) -> bool {
        let Cell::Bytes { start, .. } = cell else {
            return false;
        };
        let instance = self.state.memory.instance_at(start);
        instance.is_some_and(|it| self.secret.contains(&it.obj))
    }

    /// The write that a step sees in a location; and the read, if the formula chooses.
    fn source(
        &self,
        at: usize,
        thread: u32,
        location: Location,
    ) -> Result<(EventId, Option<usize>), Lost> {
        let graph = &self.execution.graph;
        let writes = &graph.coherence[location.0 as usize];
        let Some((node, cell)) = self.place(at, location) else {
            // Memory of the thread alone holds what the thread wrote last.
            let own = |id: &&EventId| graph.event(**id).thread == Some(thread);
            let last = writes.iter().rfind(own).unwrap_or(&writes[0]);
            return Ok((*last, None));
        };
        let events = self.events();
        let mut reads = events.reads.iter();
        let read = reads.position(|read| (read.node, read.cell) == (node, cell));
        let source = match read {
            Some(read) => self.found.sources[read].ok_or(Lost::NoExecution)?,
            None => match settled(events, &self.execution.happens, (node, cell)) {
                Some(write) => Source::Write(write),
                None => Source::Initial,
            },
        };
        let write = match source {
            Source::Initial => Some(writes[0]),
            Source::Write(write) => {
                let write = &events.writes[write];
                self.written.get(&(write.node, write.cell)).copied()
            }
        };
        let write = write.filter(|write| writes.contains(write));
        write.map(|write| (write, read)).ok_or(Lost::NoExecution)
    }

    /// The writes to each location in coherence order.
    fn order_writes(&mut self) {
        let (formula, found) = (self.formula, self.found);
        let Execution { graph, origins, .. } = &mut self.execution;
        for order in &mut graph.coherence {
            let rank = |id: &EventId| {
                let place = origins[id.index()].place;
                place.and_then(|place| formula.rank(found, place))
            };
            order[1..].sort_by_key(rank);
        }
    }
}

/// What a read sees of which there is no choice: the last write that happens of those that come before it.
fn settled(events: &Events, happens: &[bool], place: Place) -> Option<usize> {
    let mut last: Option<usize> = None;
    for (at, write) in events.writes.iter().enumerate() {
        if !happens[at] || write.cell != place.1 || !events.statics.before(write.node, place.0) {
            continue;
        }
        let later = |last: usize| events.statics.before(events.writes[last].node, write.node);
        if last.is_none_or(later) {
            last = Some(at);
        }
    }
    last
}
