//! Random depth-first search over concrete states: what the strategies are compared with.

use crate::context::SearchContext;
use crate::search::Found;
use rustc_hash::FxHashSet;
use semantics::{Step, Trace};
use statespace::Random;
use verdict::Budget;

/// A state as bytes.
type Key = Box<[u8]>;

/// A state on the way, by its key, with the children that have not been visited.
struct Level {
    children: Vec<Child>,
}

/// A state behind it.
struct Child {
    step: Step,
    state: Key,
    /// Its canonical key; states with the same key are visited once.
    key: Key,
}

/// Searches; gives also how many states were visited.
pub fn random_dfs(context: &mut SearchContext<'_, '_>, seed: u64, budget: &Budget) -> (Found, u64) {
    let mut random = Random::new(seed);
    let mut visited: FxHashSet<Key> = FxHashSet::default();
    let mut bytes = 0;
    let mut state = context.machine.initial();
    let mut key = Vec::new();
    context.projection.codec.encode(&state, &mut key);
    let first: Key = key.as_slice().into();
    context.projection.canonical_key(&state, &mut key);
    let mut levels: Vec<Level> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut next: Option<(Key, Key)> = Some((first, key.as_slice().into()));
    loop {
        if let Some((concrete, key)) = next.take() {
            bytes += key.len() as u64 + concrete.len() as u64 + 48;
            if let Some(reason) = context.exceeded(budget, bytes) {
                return (Found::Stopped(reason), visited.len() as u64);
            }
            context.projection.codec.decode(&concrete, &mut state);
            visited.insert(key);
            context.at(visited.len(), 0, steps.len() as u64);
            let mut children = Vec::new();
            let mut child = Vec::new();
            let error = context.expand(&state, |projection, next| {
                projection.codec.encode(next.state, &mut child);
                let state = child.as_slice().into();
                projection.canonical_key(next.state, &mut child);
                let key = child.as_slice().into();
                let (tid, edge) = next.action;
                let step = Step::new(tid.0, edge.0, next.answers);
                children.push(Child { step, state, key });
            });
            if let Some((violation, further)) = error {
                steps.extend(further);
                let trace = Trace::new(violation, steps);
                return (Found::Error(trace), visited.len() as u64);
            }
            levels.push(Level { children });
        }
        let Some(level) = levels.last_mut() else {
            return (Found::Nothing, visited.len() as u64);
        };
        level.children.retain(|child| !visited.contains(&child.key));
        if level.children.is_empty() {
            levels.pop();
            steps.pop();
            continue;
        }
        let pick = random.below(level.children.len());
        let Child { step, state, key } = level.children.swap_remove(pick);
        steps.push(step);
        next = Some((state, key));
    }
}
