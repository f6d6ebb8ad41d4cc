//! Search over concrete states that matches abstract ones (Algorithm 4).

use crate::context::SearchContext;
use crate::states::{News, States};
use crate::wait::Waiting;
use semantics::{Step, Trace, Violation};
use verdict::{Budget, Reason};

/// A concrete state that was found to be worth expanding, by the order of discovery.
type StateId = u32;

/// How a state was reached: from which one, and by which step.
struct Origin {
    parent: StateId,
    step: Step,
    /// Steps from the start.
    depth: u64,
}

/// Bytes of an origin, roughly.
const ORIGIN_BYTES: u64 = 64;

/// What came of a search.
pub enum Found {
    /// A violation.
    Error(Trace),
    /// There is none in the states that were visited.
    Nothing,
    /// It had to stop.
    Stopped(Reason),
}

/// Searches with the abstraction that `states` is made with, and leaves the abstract states there.
pub fn search(
    context: &mut SearchContext<'_, '_>,
    states: &mut States<'_>,
    budget: &Budget,
) -> Found {
    let mut state = context.machine.initial();
    let mut wait: Waiting<(StateId, Box<[u8]>)> = Waiting::new(context.search);
    let mut origins: Vec<Option<Origin>> = vec![None];
    let frugal = context.frugal;
    let mut key = Vec::new();
    states.insert(&mut context.projection, &state);
    context.projection.codec.encode(&state, &mut key);
    wait.push(0, (0, key.as_slice().into()));
    let mut waiting_bytes = key.len() as u64;
    while let Some((id, concrete)) = wait.pop() {
        waiting_bytes -= concrete.len() as u64;
        let bytes = states.bytes() + waiting_bytes + ORIGIN_BYTES * origins.len() as u64;
        if let Some(reason) = context.exceeded(budget, bytes) {
            return Found::Stopped(reason);
        }
        context.projection.codec.decode(&concrete, &mut state);
        let depth = origins[id as usize]
            .as_ref()
            .map_or(0, |origin| origin.depth);
        context.at(states.len(), wait.len(), depth);
        let error = context.expand(&state, |projection, next| {
            match states.insert(projection, next.state) {
                News::New => {}
                News::Wider if frugal => {}
                _ => return,
            }
            let (tid, edge) = next.action;
            let step = Step::new(tid.0, edge.0, next.answers);
            let child = origins.len() as StateId;
            origins.push(Some(Origin {
                parent: id,
                step,
                depth: depth + 1,
            }));
            projection.codec.encode(next.state, &mut key);
            waiting_bytes += key.len() as u64;
            let away = projection.distances.away(next.state);
            wait.push(away, (child, key.as_slice().into()));
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
    mut id: StateId,
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
    Trace::new(violation, steps)
}
