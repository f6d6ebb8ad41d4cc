//! Random depth-first search over concrete states: what the strategies are compared with.

use crate::search::{Found, Ground};
use explore::Random;
use rustc_hash::FxHashSet;
use semantics::{Step, Trace};
use verdict::Budget;

/// A state on the way, by its key, with the children that have not been visited.
struct Level {
    children: Vec<(Step, Box<[u8]>)>,
}

/// Searches; gives also how many states were visited.
pub fn random_dfs(ground: &mut Ground<'_, '_>, seed: u64, budget: &Budget) -> (Found, u64) {
    let mut random = Random::new(seed);
    let mut visited: FxHashSet<Box<[u8]>> = FxHashSet::default();
    let mut bytes = 0;
    let mut state = ground.machine.initial();
    let mut key = Vec::new();
    ground.codec.encode(&state, &mut key);
    let mut levels: Vec<Level> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut next: Option<Box<[u8]>> = Some(key.as_slice().into());
    loop {
        if let Some(key) = next.take() {
            bytes += 2 * key.len() as u64 + 48;
            if let Some(reason) = ground.exceeded(budget, bytes) {
                return (Found::Stopped(reason), visited.len() as u64);
            }
            ground.codec.decode(&key, &mut state);
            visited.insert(key);
            ground.at(visited.len(), steps.len() as u64);
            let mut children = Vec::new();
            let mut child = Vec::new();
            let error = ground.expand(&state, |_, codec, next| {
                codec.encode(next.state, &mut child);
                let (tid, edge) = next.action;
                let step = Step {
                    thread: tid.0,
                    edge: edge.0,
                    choices: next.answers,
                };
                children.push((step, child.as_slice().into()));
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
        level.children.retain(|(_, key)| !visited.contains(key));
        if level.children.is_empty() {
            levels.pop();
            steps.pop();
            continue;
        }
        let pick = random.below(level.children.len());
        let (step, key) = level.children.swap_remove(pick);
        steps.push(step);
        next = Some(key);
    }
}
