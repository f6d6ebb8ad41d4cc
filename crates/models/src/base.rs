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
}

/// A graph that was validated, sorted by thread and location.
pub(crate) struct Base<'g> {
    graph: &'g Graph,
    /// By thread.
    threads: Vec<EventSet>,
    /// By location.
    places: Vec<EventSet>,
    /// The reads and writes of read-modify-writes.
    pub exchanges: Vec<(usize, usize)>,
}

impl<'g> Base<'g> {
    pub fn of(graph: &'g Graph) -> Base<'g> {
        let size = graph.events.len();
        let most = graph.events.iter().filter_map(|event| event.thread).max();
        let mut threads = vec![EventSet::of(size, |_| false); most.map_or(0, |it| it as usize + 1)];
        let mut places = vec![EventSet::of(size, |_| false); graph.locations.len()];
        for (at, event) in graph.events.iter().enumerate() {
            if let Some(thread) = event.thread {
                threads[thread as usize].insert(at);
            }
            if let Some(access) = event.action.access() {
                places[access.location.0 as usize].insert(at);
            }
        }
        let pair = |&read: &EventId| Some((read.index(), graph.next_in_thread(read)?.index()));
        Base {
            graph,
            threads,
            places,
            exchanges: graph.exchanges.iter().filter_map(pair).collect(),
        }
    }

    /// What a name is.
    pub fn value(&self, name: &BaseName) -> Value {
        match name {
            BaseName::Set(_, set) => Value::Set(self.set(*set)),
            BaseName::Relation(_, relation) => Value::Relation(self.relation(*relation)),
        }
    }

    fn set(&self, set: BaseSet) -> EventSet {
        let exchanged = |at: usize| {
            let mut pairs = self.exchanges.iter();
            pairs.any(|&(read, write)| at == read || at == write)
        };
        EventSet::of(self.graph.events.len(), |at| {
            let event = &self.graph.events[at];
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
                BaseSet::Exchanges => exchanged(at),
            }
        })
    }

    fn relation(&self, relation: BaseRelation) -> Relation {
        let size = self.graph.events.len();
        match relation {
            BaseRelation::ProgramOrder => self.program_order(),
            BaseRelation::ReadsFrom => reads_from(self.graph),
            BaseRelation::Coherence => coherence(self.graph),
            BaseRelation::FromReads => from_reads(self.graph),
            BaseRelation::Exchange => {
                let mut relation = Relation::empty(size);
                let pairs = self.exchanges.iter();
                pairs.for_each(|&(read, write)| relation.insert(read, write));
                relation
            }
            BaseRelation::SameLocation => within(size, &self.places),
            BaseRelation::Internal => within(size, &self.threads),
            BaseRelation::External => {
                let all = EventSet::of(size, |_| true);
                Relation::product(&all, &all).difference(&within(size, &self.threads))
            }
            BaseRelation::Identity => Relation::identity(&EventSet::of(size, |_| true)),
            BaseRelation::Spawn => spawn(self.graph),
        }
    }

    fn program_order(&self) -> Relation {
        let mut relation = Relation::empty(self.graph.events.len());
        for thread in &self.threads {
            let mut later = thread.clone();
            for event in thread.iter() {
                later.remove(event);
                relation.set_row(event, &later);
            }
        }
        relation
    }
}

/// All pairs within each of some sets.
fn within(size: usize, sets: &[EventSet]) -> Relation {
    let mut relation = Relation::empty(size);
    for set in sets {
        set.iter().for_each(|event| relation.set_row(event, set));
    }
    relation
}

fn spawn(graph: &Graph) -> Relation {
    let mut relation = Relation::empty(graph.events.len());
    let bound = |it: &usize| {
        let action = graph.events[*it].action;
        matches!(
            action,
            Action::Start(_) | Action::Begin | Action::End | Action::Join(_)
        )
    };
    let bounds: Vec<usize> = (0..graph.events.len()).filter(bound).collect();
    for (&a, &b) in bounds
        .iter()
        .flat_map(|a| bounds.iter().map(move |b| (a, b)))
    {
        let related = match (graph.events[a].action, graph.events[b].action) {
            (Action::Start(started), Action::Begin) => graph.events[b].thread == Some(started),
            (Action::End, Action::Join(joined)) => graph.events[a].thread == Some(joined),
            _ => false,
        };
        if related {
            relation.insert(a, b);
        }
    }
    relation
}

/// From each read to the writes after its own.
fn from_reads(graph: &Graph) -> Relation {
    reads_from(graph).inverse().then(&coherence(graph))
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
