//! The states found so far and how each was reached first.

use crate::choices::for_each_way;
use crate::codec::Codec;
use crate::inputs::Inputs;
use crate::scratch::Scratch;
use crate::store::{StateId, Store};
use semantics::{Machine, Outcome, State, Step, Tid};
use xcfa::EdgeId;

/// How a state was first reached.
#[derive(Clone, Copy)]
struct Origin {
    parent: StateId,
    tid: u32,
    edge: u32,
}

/// States and a spanning tree over them.
pub struct Graph<'m, 'x> {
    machine: &'m Machine<'x>,
    codec: Codec,
    store: Store,
    origins: Vec<Origin>,
    key: Vec<u8>,
}

impl<'m, 'x> Graph<'m, 'x> {
    /// With the initial state as number 0.
    pub fn new(machine: &'m Machine<'x>) -> Graph<'m, 'x> {
        let mut graph = Graph {
            machine,
            codec: Codec::new(machine),
            store: Store::default(),
            origins: Vec::new(),
            key: Vec::new(),
        };
        graph.insert(&machine.initial(), 0, Tid(0), EdgeId(0));
        graph
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.store.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.store.bytes() + 12 * self.origins.capacity() as u64
    }

    /// Adds a state that a step from `parent` leads to; `true` if it is new.
    pub fn insert(
        &mut self,
        state: &State,
        parent: StateId,
        tid: Tid,
        edge: EdgeId,
    ) -> (StateId, bool) {
        self.codec.encode(state, &mut self.key);
        let (id, new) = self.store.insert(&self.key);
        if new {
            self.origins.push(Origin {
                parent,
                tid: tid.0,
                edge: edge.0,
            });
        }
        (id, new)
    }

    /// Rebuilds a state.
    pub fn load(&self, id: StateId, state: &mut State) {
        self.codec.decode(self.store.key(id), state);
    }

    /// Steps from the start to a state.
    pub fn depth(&self, mut id: StateId) -> u64 {
        let mut depth = 0;
        while id != 0 {
            id = self.origins[id as usize].parent;
            depth += 1;
        }
        depth
    }

    /// The steps that first led to a state.
    ///
    /// Answers of the environment are not stored: they are found again by trying.
    pub fn path(&self, inputs: &mut Inputs, mut id: StateId) -> Vec<Step> {
        let mut steps = Vec::new();
        while id != 0 {
            let Origin { parent, tid, edge } = self.origins[id as usize];
            let choices = self.answers(inputs, parent, (Tid(tid), EdgeId(edge)), id);
            steps.push(Step::new(tid, edge, choices));
            id = parent;
        }
        steps.reverse();
        steps
    }

    /// Answers with which a step leads from one state to another.
    pub fn answers(
        &self,
        inputs: &mut Inputs,
        from: StateId,
        action: (Tid, EdgeId),
        to: StateId,
    ) -> Vec<u64> {
        let mut state = self.machine.initial();
        let mut scratch = Scratch::new(self.machine.xcfa, state.clone());
        self.load(from, &mut state);
        let mut key = Vec::new();
        let wanted = self.store.key(to);
        let found = for_each_way(self.machine, inputs, &state, &mut scratch, action, |way| {
            let Outcome::Moved { .. } = way.outcome else {
                return None;
            };
            self.codec.encode(way.state, &mut key);
            (key == wanted).then_some(way.answers)
        });
        found.expect("a step that was taken once can be taken again")
    }
}
