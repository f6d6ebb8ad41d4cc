//! Breadth-first search over concrete states that matches abstract ones (Algorithm 4).

use crate::hunt::Hunt;
use crate::states::{AbstractId, States};
use crate::view::Viewer;
use explore::{Codec, Inputs, Next, Outlook, Scratch, expand, find_race};
use semantics::{Machine, Property, State, Step, Trace, Violation};
use std::collections::VecDeque;
use verdict::{Budget, Reason};

/// How an abstract state was first reached: from which one, and by which step.
struct Origin {
    parent: AbstractId,
    step: Step,
    /// Steps from the start.
    depth: u64,
}

/// What came of a search.
pub enum Found {
    /// A violation.
    Error(Trace),
    /// There is none in the states that were visited.
    Nothing,
    /// It had to stop.
    Stopped(Reason),
}

/// What several searches of one program share.
pub struct Ground<'m, 'x> {
    /// The program.
    pub machine: &'m Machine<'x>,
    /// Looks at states.
    pub viewer: Viewer,
    /// Stores states that wait.
    pub codec: Codec,
    /// Values of inputs.
    pub inputs: Inputs,
    scratch: Scratch,
    /// Concrete states that were expanded, in all searches.
    pub expanded: u64,
    /// Steps that were taken, in the last search.
    pub transitions: u64,
    /// A step that could not be followed: nothing is safe any more.
    pub beyond: Option<&'static str>,
    /// Are particular states looked for?
    pub hunt: Option<Hunt>,
}

/// How often limits are looked at: every so many expanded states.
const CHECK_INTERVAL: u64 = 64;

impl<'m, 'x> Ground<'m, 'x> {
    /// For searches of this program.
    pub fn new(machine: &'m Machine<'x>) -> Ground<'m, 'x> {
        Ground {
            machine,
            viewer: Viewer::new(machine),
            codec: Codec::new(machine),
            inputs: Inputs::new(machine.xcfa),
            scratch: Scratch::new(machine.xcfa, machine.initial()),
            expanded: 0,
            transitions: 0,
            beyond: None,
            hunt: None,
        }
    }

    /// Takes every step from a state; gives the violation that it shows, with the steps from it.
    pub fn expand(
        &mut self,
        state: &State,
        found: impl FnMut(&mut Viewer, &Codec, Next<'_>),
    ) -> Option<(Violation, Vec<Step>)> {
        self.expanded += 1;
        let (machine, mut found) = (self.machine, found);
        let (viewer, codec, transitions) = (&mut self.viewer, &self.codec, &mut self.transitions);
        self.scratch.forget();
        if machine.property == Property::Race
            && let Some(pair) = find_race(machine, &mut self.inputs, state, &mut self.scratch)
        {
            return Some((Violation::DataRace, pair.into()));
        }
        let hunt = &mut self.hunt;
        let each = |next: Next<'_>| {
            *transitions += 1;
            if let Some(hunt) = hunt {
                hunt.note(codec, next.state);
            }
            found(viewer, codec, next);
        };
        let Outlook {
            violation,
            deadlock,
            beyond,
            ..
        } = expand(machine, &mut self.inputs, &mut self.scratch, state, each);
        self.beyond = self.beyond.or(beyond);
        match violation {
            Some((violation, step)) => Some((violation, vec![step])),
            None if deadlock && machine.property == Property::Deadlock => {
                Some((Violation::Deadlock, Vec::new()))
            }
            None => None,
        }
    }

    /// Tells a hunt how many predicates there are from now on.
    pub fn predicates(&mut self, count: usize) {
        if let Some(hunt) = &mut self.hunt {
            hunt.now.predicates = count as u64;
        }
    }

    /// Tells a hunt how far the search is.
    pub fn at(&mut self, states: usize, depth: u64) {
        if let Some(hunt) = &mut self.hunt {
            hunt.now.states = states as u64;
            hunt.now.depth = depth;
        }
    }

    /// Looks at the limits now and then.
    pub fn exceeded(&self, budget: &Budget, bytes: u64) -> Option<Reason> {
        if self.hunt.as_ref().is_some_and(Hunt::is_over) {
            return Some(Reason::NotExhaustive);
        }
        let now = self.expanded.is_multiple_of(CHECK_INTERVAL);
        now.then(|| budget.exceeded(bytes)).flatten()
    }
}

/// Searches with the abstraction that `states` is made with, and leaves the abstract states there.
pub fn search(ground: &mut Ground<'_, '_>, states: &mut States<'_>, budget: &Budget) -> Found {
    let mut state = ground.machine.initial();
    let mut wait: VecDeque<(AbstractId, Box<[u8]>)> = VecDeque::new();
    let mut origins: Vec<Option<Origin>> = vec![None];
    let mut key = Vec::new();
    states.insert(&mut ground.viewer, &state);
    ground.codec.encode(&state, &mut key);
    wait.push_back((0, key.as_slice().into()));
    let mut waiting_bytes = 0;
    while let Some((id, concrete)) = wait.pop_front() {
        waiting_bytes -= concrete.len().min(waiting_bytes);
        if let Some(reason) = ground.exceeded(budget, states.bytes() + waiting_bytes as u64) {
            return Found::Stopped(reason);
        }
        ground.codec.decode(&concrete, &mut state);
        let depth = origins[id as usize]
            .as_ref()
            .map_or(0, |origin| origin.depth);
        ground.at(states.len(), depth);
        let error = ground.expand(&state, |viewer, codec, next| {
            let (_, is_new) = states.insert(viewer, next.state);
            if !is_new {
                return;
            }
            let (tid, edge) = next.action;
            let step = Step {
                thread: tid.0,
                edge: edge.0,
                choices: next.answers,
            };
            let child = origins.len() as AbstractId;
            origins.push(Some(Origin {
                parent: id,
                step,
                depth: depth + 1,
            }));
            codec.encode(next.state, &mut key);
            waiting_bytes += key.len();
            wait.push_back((child, key.as_slice().into()));
        });
        if let Some((violation, further)) = error {
            return Found::Error(trace(&origins, id, violation, further));
        }
    }
    Found::Nothing
}

/// The steps that first led to the concrete state that stands for an abstract one, and some more.
fn trace(
    origins: &[Option<Origin>],
    mut id: AbstractId,
    violation: Violation,
    further: Vec<Step>,
) -> Trace {
    let mut steps = Vec::new();
    while let Some(origin) = &origins[id as usize] {
        steps.push(origin.step.clone());
        id = origin.parent;
    }
    steps.reverse();
    steps.extend(further);
    Trace {
        violation,
        steps,
        loop_start: None,
    }
}
