//! The sets and relations that a graph gives to every model.

use crate::cat::{Type, Value};
use crate::{Action, EventId, EventSet, Graph, Relation};
use xcfa::MemoryOrder;

/// A set that every model can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseSet {
    Reads,
    Writes,
    Accesses,
    Fences,
    Initial,
    Atomic,
    Plain,
    Order(MemoryOrder),
    Threads,
    Exchanges,
}

/// A relation that every model can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseRelation {
    ProgramOrder,
    ReadsFrom,
    Coherence,
    FromReads,
    Exchange,
    SameLocation,
    Internal,
    External,
    Identity,
    Spawn,
}

/// A name that is there before the model's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseName {
    Set(&'static str, BaseSet),
    Relation(&'static str, BaseRelation),
}

/// All of them, by number.
pub(crate) const NAMES: [BaseName; 24] = [
    BaseName::Set("R", BaseSet::Reads),
    BaseName::Set("W", BaseSet::Writes),
    BaseName::Set("M", BaseSet::Accesses),
    BaseName::Set("F", BaseSet::Fences),
    BaseName::Set("IW", BaseSet::Initial),
    BaseName::Set("A", BaseSet::Atomic),
    BaseName::Set("NA", BaseSet::Plain),
    BaseName::Set("RLX", BaseSet::Order(MemoryOrder::Relaxed)),
    BaseName::Set("ACQ", BaseSet::Order(MemoryOrder::Acquire)),
    BaseName::Set("REL", BaseSet::Order(MemoryOrder::Release)),
    BaseName::Set("ACQ_REL", BaseSet::Order(MemoryOrder::AcqRel)),
    BaseName::Set("SC", BaseSet::Order(MemoryOrder::SeqCst)),
    BaseName::Set("T", BaseSet::Threads),
    BaseName::Set("RMW", BaseSet::Exchanges),
    BaseName::Relation("po", BaseRelation::ProgramOrder),
    BaseName::Relation("rf", BaseRelation::ReadsFrom),
    BaseName::Relation("co", BaseRelation::Coherence),
    BaseName::Relation("fr", BaseRelation::FromReads),
    BaseName::Relation("rmw", BaseRelation::Exchange),
    BaseName::Relation("loc", BaseRelation::SameLocation),
    BaseName::Relation("int", BaseRelation::Internal),
    BaseName::Relation("ext", BaseRelation::External),
    BaseName::Relation("id", BaseRelation::Identity),
    BaseName::Relation("spawn", BaseRelation::Spawn),
];

impl BaseName {
    pub fn name(&self) -> &'static str {
        match self {
            BaseName::Set(name, _) | BaseName::Relation(name, _) => name,
        }
    }

    pub fn ty(&self) -> Type {
        match self {
            BaseName::Set(..) => Type::Set,
            BaseName::Relation(..) => Type::Relation,
        }
    }

    /// What it is in a graph that was validated.
    pub fn value(&self, graph: &Graph) -> Value {
        match self {
            BaseName::Set(_, set) => Value::Set(set_of(graph, *set)),
            BaseName::Relation(_, relation) => Value::Relation(relation_of(graph, *relation)),
        }
    }
}

fn set_of(graph: &Graph, set: BaseSet) -> EventSet {
    let exchanges = exchanges(graph);
    EventSet::of(graph.events.len(), |at| {
        let event = &graph.events[at];
        let action = &event.action;
        match set {
            BaseSet::Reads => action.is_read(),
            BaseSet::Writes => action.is_write(),
            BaseSet::Accesses => action.access().is_some(),
            BaseSet::Fences => matches!(action, Action::Fence(_)),
            BaseSet::Initial => event.thread.is_none(),
            BaseSet::Atomic => action.access().is_some_and(|it| it.order.is_some()),
            BaseSet::Plain => action.access().is_some_and(|it| it.order.is_none()),
            BaseSet::Order(order) => action.order() == Some(order),
            BaseSet::Threads => matches!(
                action,
                Action::Start(_) | Action::Begin | Action::End | Action::Join(_)
            ),
            BaseSet::Exchanges => exchanges
                .iter()
                .any(|&(read, write)| at == read || at == write),
        }
    })
}

/// The reads and writes of read-modify-writes.
fn exchanges(graph: &Graph) -> Vec<(usize, usize)> {
    let pair = |&read: &EventId| Some((read.index(), graph.next_in_thread(read)?.index()));
    graph.exchanges.iter().filter_map(pair).collect()
}

fn relation_of(graph: &Graph, relation: BaseRelation) -> Relation {
    let size = graph.events.len();
    let thread = |at: usize| graph.events[at].thread;
    let place = |at: usize| graph.events[at].action.access().map(|it| it.location);
    let internal = |a: usize, b: usize| thread(a).is_some() && thread(a) == thread(b);
    match relation {
        BaseRelation::ProgramOrder => Relation::of(size, |a, b| a < b && internal(a, b)),
        BaseRelation::ReadsFrom => reads_from(graph),
        BaseRelation::Coherence => coherence(graph),
        BaseRelation::FromReads => reads_from(graph).inverse().then(&coherence(graph)),
        BaseRelation::Exchange => {
            let mut relation = Relation::empty(size);
            let pairs = exchanges(graph).into_iter();
            pairs.for_each(|(read, write)| relation.insert(read, write));
            relation
        }
        BaseRelation::SameLocation => {
            Relation::of(size, |a, b| place(a).is_some() && place(a) == place(b))
        }
        BaseRelation::Internal => Relation::of(size, internal),
        BaseRelation::External => Relation::of(size, |a, b| !internal(a, b)),
        BaseRelation::Identity => Relation::of(size, |a, b| a == b),
        BaseRelation::Spawn => Relation::of(size, |a, b| {
            match (graph.events[a].action, graph.events[b].action) {
                (Action::Start(started), Action::Begin) => thread(b) == Some(started),
                (Action::End, Action::Join(joined)) => thread(a) == Some(joined),
                _ => false,
            }
        }),
    }
}

fn reads_from(graph: &Graph) -> Relation {
    let mut relation = Relation::empty(graph.events.len());
    for (read, write) in graph.reads_from.iter().enumerate() {
        if let Some(write) = write {
            relation.insert(write.index(), read);
        }
    }
    relation
}

fn coherence(graph: &Graph) -> Relation {
    let mut relation = Relation::empty(graph.events.len());
    for order in &graph.coherence {
        for (at, first) in order.iter().enumerate() {
            for later in &order[at + 1..] {
                relation.insert(first.index(), later.index());
            }
        }
    }
    relation
}
