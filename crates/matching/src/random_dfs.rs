//! Random depth-first search over concrete states: what the strategies are compared with.

use crate::ground::Ground;
use crate::search::Found;
use explore::Random;
use rustc_hash::FxHashSet;
use semantics::{Step, Trace};
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
    /// What it looks like; the states that look the same are visited once.
    look: Key,
}

/// Searches; gives also how many states were visited.
pub fn random_dfs(ground: &mut Ground<'_, '_>, seed: u64, budget: &Budget) -> (Found, u64) {
    let mut random = Random::new(seed);
    let mut visited: FxHashSet<Key> = FxHashSet::default();
    let mut bytes = 0;
    let mut state = ground.machine.initial();
    let mut key = Vec::new();
    ground.eyes.codec.encode(&state, &mut key);
    let first: Key = key.as_slice().into();
    ground.eyes.look(&state, &mut key);
    let mut levels: Vec<Level> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut next: Option<(Key, Key)> = Some((first, key.as_slice().into()));
    loop {
        if let Some((concrete, look)) = next.take() {
            bytes += look.len() as u64 + concrete.len() as u64 + 48;
            if let Some(reason) = ground.exceeded(budget, bytes) {
                return (Found::Stopped(reason), visited.len() as u64);
            }
            ground.eyes.codec.decode(&concrete, &mut state);
            visited.insert(look);
            ground.at(visited.len(), 0, steps.len() as u64);
            let mut children = Vec::new();
            let mut child = Vec::new();
            let error = ground.expand(&state, |eyes, next| {
                eyes.codec.encode(next.state, &mut child);
                let state = child.as_slice().into();
                eyes.look(next.state, &mut child);
                let look = child.as_slice().into();
                let (tid, edge) = next.action;
                let step = Step {
                    thread: tid.0,
                    edge: edge.0,
                    choices: next.answers,
                };
                children.push(Child { step, state, look });
            });
            if let Some((violation, further)) = error {
                steps.extend(further);
                let trace = Trace {
                    violation,
                    steps,
                    loop_start: None,
                };
                return (Found::Error(trace), visited.len() as u64);
            }
            levels.push(Level { children });
        }
        let Some(level) = levels.last_mut() else {
            return (Found::Nothing, visited.len() as u64);
        };
        level
            .children
            .retain(|child| !visited.contains(&child.look));
        if level.children.is_empty() {
            levels.pop();
            steps.pop();
            continue;
        }
        let pick = random.below(level.children.len());
        let Child { step, state, look } = level.children.swap_remove(pick);
        steps.push(step);
        next = Some((state, look));
    }
}
