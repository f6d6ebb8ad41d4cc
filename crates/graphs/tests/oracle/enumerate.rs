//! All graphs of a program, by brute force: what threads may do if reads find anything, every write that a read may have
//! found, every order of writes. Models decide about complete graphs only.
//!
//! Nothing of the code that is tested takes part in this, other than the models.

use crate::program::{Access, PLACES, Program, Statement};
use models::{Action, EventId, Graph, Location, MemoryOrder, Model};
use std::collections::BTreeSet;

/// What a thread does, if its reads find certain values.
#[derive(Clone, Debug, Default)]
struct Run {
    actions: Vec<Action>,
    /// The reads of read-modify-writes, by place in the list.
    exchanges: Vec<usize>,
    registers: [u64; 2],
    /// It has found what it cannot go on with.
    blocked: bool,
}

/// What a program does under a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub executions: u64,
    pub blocked: u64,
    /// How many there are if the order of writes does not count.
    pub classes: u64,
    /// What the threads end with.
    pub results: BTreeSet<Vec<u64>>,
    pub races: bool,
}

/// By place: what its reads may find.
type Values = Vec<BTreeSet<u64>>;

impl Run {
    fn push(&mut self, is_read: bool, at: Access, value: u64, order: Option<MemoryOrder>) {
        let access = models::Access {
            location: Location(at.place as u32),
            value,
            order,
        };
        self.actions.push(match is_read {
            true => Action::Read(access),
            false => Action::Write(access),
        });
    }

    fn read(&self, at: Access, values: &Values, order: Option<MemoryOrder>) -> Vec<(Run, u64)> {
        let with = |&value: &u64| {
            let mut run = self.clone();
            run.push(true, at, value, order.map(MemoryOrder::of_read));
            (run, value)
        };
        values[at.place].iter().map(with).collect()
    }

    /// Reads, and writes what follows from that.
    fn exchange(&self, at: Access, values: &Values, new: &dyn Fn(u64) -> u64) -> Vec<(Run, u64)> {
        let mut runs = self.read(at, values, at.order);
        for (run, value) in &mut runs {
            run.write_back(at, new(*value));
        }
        runs
    }

    fn write_back(&mut self, at: Access, value: u64) {
        self.exchanges.push(self.actions.len() - 1);
        self.push(false, at, value, at.order.map(MemoryOrder::of_write));
    }

    /// A compare-exchange; with each run, whether it has succeeded.
    fn swap(
        &self,
        at: Access,
        values: &Values,
        (from, to): (u64, u64),
        failure: MemoryOrder,
    ) -> Vec<(Run, bool)> {
        let with = |&value: &u64| {
            let mut run = self.clone();
            let order = match value == from {
                true => at.order,
                false => Some(failure),
            };
            run.push(true, at, value, order.map(MemoryOrder::of_read));
            if value == from {
                run.write_back(at, to);
            }
            (run, value == from)
        };
        values[at.place].iter().map(with).collect()
    }

    fn step(&self, statement: &Statement, values: &Values) -> Vec<Run> {
        let set = |runs: Vec<(Run, u64)>, to: usize| -> Vec<Run> {
            let with = |(mut run, value): (Run, u64)| {
                run.registers[to] = value;
                run
            };
            runs.into_iter().map(with).collect()
        };
        match *statement {
            Statement::Load(to, at) => set(self.read(at, values, at.order), to),
            Statement::Store(at, value) => {
                let mut run = self.clone();
                run.push(false, at, value, at.order);
                vec![run]
            }
            Statement::Add(to, at, more) => set(self.exchange(at, values, &|it| it + more), to),
            Statement::Exchange(to, at, new) => set(self.exchange(at, values, &|_| new), to),
            Statement::Swap(to, at, pair, failure) => {
                let runs = self.swap(at, values, pair, failure).into_iter();
                set(runs.map(|(run, it)| (run, u64::from(it))).collect(), to)
            }
            Statement::Fence(order) => {
                let mut run = self.clone();
                run.actions.push(Action::Fence(order));
                vec![run]
            }
            Statement::If(on, ref then) => match self.registers[on] {
                0 => vec![self.clone()],
                _ => self.step(then, values),
            },
            Statement::Await(to, at) => {
                let runs = self.read(at, values, at.order).into_iter();
                set(
                    runs.map(|(run, it)| (run.waiting(it == 0), it)).collect(),
                    to,
                )
            }
            Statement::AwaitEither(a, b) => {
                let first = self.read(a, values, a.order).into_iter();
                first
                    .flat_map(|(run, found)| match found {
                        0 => run.read(b, values, b.order),
                        _ => vec![(run, found)],
                    })
                    .map(|(run, found)| run.waiting(found == 0))
                    .collect()
            }
            Statement::AwaitSwap(at, pair) => {
                let runs = self
                    .swap(at, values, pair, MemoryOrder::Relaxed)
                    .into_iter();
                runs.map(|(run, done)| run.waiting(!done)).collect()
            }
            Statement::Twice(to, at) => {
                let mut runs = vec![self.clone()];
                for _ in 0..2 {
                    let next = runs.iter().flat_map(|run| run.read(at, values, at.order));
                    runs = next.map(|(run, found)| run.noting(to, found)).collect();
                }
                runs
            }
        }
    }

    fn waiting(mut self, blocked: bool) -> Run {
        self.blocked = blocked;
        self
    }

    fn noting(mut self, register: usize, found: u64) -> Run {
        if found != 0 {
            self.registers[register] = 1;
        }
        self
    }

    fn is_write(action: &Action) -> Option<(usize, u64)> {
        match action {
            Action::Write(it) => Some((it.location.0 as usize, it.value)),
            _ => None,
        }
    }
}

/// All that a thread may do.
fn runs(statements: &[Statement], values: &Values) -> Vec<Run> {
    let mut runs = vec![Run::default()];
    for statement in statements {
        let next = runs.iter().flat_map(|run| match run.blocked {
            true => vec![run.clone()],
            false => run.step(statement, values),
        });
        runs = next.collect();
    }
    runs
}

/// What every thread may do: a value that a read finds was written by somebody.
fn all_runs(program: &Program) -> Vec<Vec<Run>> {
    let mut values: Values = vec![BTreeSet::from([0]); PLACES.len()];
    let writes: usize = program.threads.iter().map(Vec::len).sum();
    let mut all = Vec::new();
    for _ in 0..=writes {
        all = program.threads.iter().map(|it| runs(it, &values)).collect();
        let before = values.clone();
        let written = all.iter().flatten().flat_map(|run: &Run| &run.actions);
        for (place, value) in written.filter_map(Run::is_write) {
            values[place].insert(value);
        }
        if values == before {
            break;
        }
    }
    all
}

/// Threads that have run by themselves, as a graph whose reads have no writes yet.
fn graph_of(runs: &[&Run]) -> Graph {
    let mut graph = Graph::default();
    for name in PLACES {
        graph.add_location(name, 0);
    }
    let threads = 1..=runs.len() as u32;
    for thread in threads.clone() {
        graph.add(Some(0), Action::Start(thread));
    }
    for (thread, run) in threads.clone().zip(runs) {
        graph.add(Some(thread), Action::Begin);
        let first = graph.events.len() as u32;
        for &action in &run.actions {
            graph.add(Some(thread), action);
        }
        let exchanges = run.exchanges.iter().map(|&at| EventId(first + at as u32));
        graph.exchanges.extend(exchanges);
        if !run.blocked {
            graph.add(Some(thread), Action::End);
        }
    }
    for thread in threads.take_while(|&it| !runs[it as usize - 1].blocked) {
        graph.add(Some(0), Action::Join(thread));
    }
    graph
}

/// Every way to say where reads have found their values.
fn reads(graph: Graph) -> Vec<Graph> {
    let mut all = vec![graph];
    let ids = all[0].ids();
    for id in ids {
        let Action::Read(read) = all[0].event(id).action else {
            continue;
        };
        let is_source = |it: &EventId| match all[0].event(*it).action {
            Action::Write(write) => (write.location, write.value) == (read.location, read.value),
            _ => false,
        };
        let sources: Vec<EventId> = all[0].ids().filter(is_source).collect();
        let with = |graph: &Graph, source: EventId| {
            let mut next = graph.clone();
            next.reads_from[id.index()] = Some(source);
            next
        };
        all = (all.iter())
            .flat_map(|graph| sources.iter().map(move |&source| with(graph, source)))
            .collect();
        if all.is_empty() {
            return all;
        }
    }
    all
}

/// Every order of the writes.
fn orders(graph: Graph) -> Vec<Graph> {
    let mut all = vec![graph];
    let writes: Vec<(EventId, usize)> = (all[0].ids())
        .filter(|id| all[0].event(*id).thread.is_some())
        .filter_map(|id| Some((id, Run::is_write(&all[0].event(id).action)?.0)))
        .collect();
    for (id, place) in writes {
        let with = |graph: &Graph, at: usize| {
            let mut next = graph.clone();
            next.coherence[place].insert(at, id);
            next
        };
        let places = |graph: &Graph| 1..=graph.coherence[place].len();
        all = (all.iter())
            .flat_map(|graph| places(graph).map(move |at| with(graph, at)))
            .collect();
    }
    all
}

/// What a program does, by model; nothing if there are more graphs than it makes sense to try.
pub fn enumerate(program: &Program, models: &[Model], most: usize) -> Option<Vec<Found>> {
    let threads = all_runs(program);
    let mut found = vec![Found::default(); models.len()];
    let mut combined: Vec<Vec<&Run>> = vec![Vec::new()];
    for runs in &threads {
        let mut longer = Vec::new();
        for before in &combined {
            for run in runs {
                longer.push(before.iter().copied().chain([run]).collect());
            }
        }
        combined = longer;
        if combined.len() > 16 * most {
            return None;
        }
    }
    let mut tried = 0;
    for runs in combined {
        for known in reads(graph_of(&runs)) {
            let graphs = orders(known);
            tried += graphs.len();
            if tried > most {
                return None;
            }
            for (model, found) in models.iter().zip(&mut found) {
                found.add(model, &runs, &graphs);
            }
        }
    }
    Some(found)
}

impl Found {
    /// Executions that differ only in the order of writes.
    fn add(&mut self, model: &Model, runs: &[&Run], graphs: &[Graph]) {
        let judged = graphs.iter().map(|it| model.judge(it).expect("a graph"));
        let allowed: Vec<_> = judged.filter(|it| it.allowed()).collect();
        if allowed.is_empty() {
            return;
        }
        self.races |= allowed
            .iter()
            .any(|it| it.flags.iter().any(|flag| flag.name == "race"));
        match runs.iter().any(|run| run.blocked) {
            true => self.blocked += allowed.len() as u64,
            false => {
                self.executions += allowed.len() as u64;
                self.classes += 1;
                let result = |run: &&Run| run.registers[0] * 64 + run.registers[1];
                self.results.insert(runs.iter().map(result).collect());
            }
        }
    }
}
