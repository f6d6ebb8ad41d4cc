//! A part of a graph.

use models::{Action, EventId, Graph, Location};

/// Some events of a graph, numbered anew, with the locations that they access.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub graph: Graph,
    /// By location: which one it was.
    pub locations: Vec<Location>,
    /// By event of the whole graph: its new number.
    numbers: Vec<Option<EventId>>,
}

impl Part {
    /// These events alone. A location whose initial write is not read and which nothing accesses is left out: what it
    /// was may depend on what is left out as well.
    pub fn of(graph: &Graph, kept: &[EventId]) -> Part {
        let place = |id: &EventId| graph.event(*id).action.access().map(|it| it.location);
        let is_own = |id: &&EventId| graph.event(**id).thread.is_some();
        let mut locations: Vec<Location> = kept.iter().filter(is_own).filter_map(place).collect();
        locations.sort();
        locations.dedup();
        let needed =
            |id: &&EventId| is_own(id) || place(id).is_none_or(|it| locations.contains(&it));
        let kept: Vec<EventId> = kept.iter().filter(needed).copied().collect();
        let mut numbers = vec![None; graph.events.len()];
        for (at, id) in kept.iter().enumerate() {
            numbers[id.index()] = Some(EventId(at as u32));
        }
        let mut part = Part {
            graph: Graph::default(),
            locations,
            numbers,
        };
        part.fill(graph, &kept);
        part
    }

    fn fill(&mut self, graph: &Graph, kept: &[EventId]) {
        let new = |id: &EventId| self.numbers[id.index()];
        let is_pair = |id: &&EventId| {
            let next = graph.next_in_thread(**id);
            next.is_some_and(|write| new(&write).is_some())
        };
        let orders = self
            .locations
            .iter()
            .map(|at| &graph.coherence[at.0 as usize]);
        let names = self
            .locations
            .iter()
            .map(|at| &graph.locations[at.0 as usize]);
        let sources = kept.iter().map(|id| graph.reads_from[id.index()]);
        let exchanges = graph.exchanges.iter().filter(is_pair);
        let smaller = Graph {
            events: kept.iter().map(|&id| *graph.event(id)).collect(),
            reads_from: sources.map(|it| it.and_then(|write| new(&write))).collect(),
            coherence: orders
                .map(|it| it.iter().filter_map(new).collect())
                .collect(),
            exchanges: exchanges.filter_map(new).collect(),
            frees: graph.frees.iter().filter_map(new).collect(),
            locations: names.cloned().collect(),
        };
        self.graph = smaller;
        for at in 0..self.graph.events.len() {
            if let Action::Read(access) | Action::Write(access) = self.graph.events[at].action {
                let location = self.location(access.location);
                let moved = models::Access { location, ..access };
                let action = &mut self.graph.events[at].action;
                *action = match action {
                    Action::Read(_) => Action::Read(moved),
                    _ => Action::Write(moved),
                };
            }
        }
    }

    /// A location of the whole graph, which must be part of this.
    pub fn location(&self, whole: Location) -> Location {
        let at = self.locations.iter().position(|&it| it == whole);
        Location(at.expect("the location is accessed") as u32)
    }

    /// An event of the whole graph, which must be part of this.
    pub fn event(&self, whole: EventId) -> EventId {
        self.numbers[whole.index()].expect("the event is kept")
    }
}
