//! Termination: a search for a cycle of states, depth first.
//!
//! Spurious wake-ups are no reason to run for ever: an endless execution must not depend on them,
//! so they lead to states but close no cycle. A state in which threads wait for ever is endless
//! as well.

use crate::search::{Expansion, Explorer, Successor};
use crate::store::StateId;
use semantics::{Step, Trace, Violation};
use verdict::Verdict;

/// A state on the path from the start, with what is left to try.
struct Level {
    id: StateId,
    rest: Vec<Successor>,
    /// How the search got here; `None` for a place where the path starts anew (after a spurious
    /// wake-up, which a cycle may not contain).
    entered: Option<Step>,
}

/// Searches all executions for an endless one.
pub(crate) fn find_endless(explorer: &mut Explorer<'_, '_, '_>) -> Verdict {
    let mut search = Endless {
        explorer,
        on_path: vec![None],
        path: Vec::new(),
    };
    // States behind a spurious wake-up are roots of searches of their own.
    let mut roots: Vec<StateId> = vec![0];
    let mut visited = vec![false];
    while let Some(root) = roots.pop() {
        if let Some(verdict) = search.from(root, &mut visited, &mut roots) {
            return verdict;
        }
    }
    search.explorer.closed()
}

struct Endless<'e, 'm, 'x, 'b> {
    explorer: &'e mut Explorer<'m, 'x, 'b>,
    /// By state: its index on the path, if it is on it.
    on_path: Vec<Option<u32>>,
    path: Vec<Level>,
}

impl Endless<'_, '_, '_, '_> {
    fn from(
        &mut self,
        root: StateId,
        visited: &mut Vec<bool>,
        roots: &mut Vec<StateId>,
    ) -> Option<Verdict> {
        if visited[root as usize] {
            return None;
        }
        if let Some(verdict) = self.enter(root, None, visited) {
            return Some(verdict);
        }
        while let Some(level) = self.path.last_mut() {
            let from = level.id;
            let Some(next) = level.rest.pop() else {
                self.on_path[from as usize] = None;
                self.path.pop();
                continue;
            };
            if next.spurious {
                roots.push(next.id);
                continue;
            }
            if let Some(start) = self.on_path[next.id as usize] {
                return Some(Verdict::Unsafe(self.lasso(start as usize, from, &next)));
            }
            if !visited[next.id as usize] {
                let step = self.step(from, &next);
                if let Some(verdict) = self.enter(next.id, Some(step), visited) {
                    return Some(verdict);
                }
            }
        }
        None
    }

    /// Puts a state on the path.
    fn enter(
        &mut self,
        id: StateId,
        entered: Option<Step>,
        visited: &mut Vec<bool>,
    ) -> Option<Verdict> {
        if let Some(reason) = self.explorer.exceeded(id) {
            return Some(Verdict::Unknown(reason));
        }
        let mut state = self.explorer.machine.initial();
        self.explorer.graph.load(id, &mut state);
        let mut expansion = Expansion::default();
        self.explorer.expand(id, &state, &mut expansion);
        visited.resize(self.explorer.graph.len(), false);
        self.on_path.resize(self.explorer.graph.len(), None);
        visited[id as usize] = true;
        if expansion.deadlock {
            let trace = self.explorer.trace(Violation::NonTermination, id, []);
            return Some(Verdict::Unsafe(trace));
        }
        self.on_path[id as usize] = Some(self.path.len() as u32);
        self.path.push(Level {
            id,
            rest: expansion.successors,
            entered,
        });
        None
    }

    fn step(&mut self, from: StateId, next: &Successor) -> Step {
        let (tid, edge) = next.action;
        let choices =
            self.explorer
                .graph
                .answers(&mut self.explorer.inputs, from, next.action, next.id);
        Step {
            thread: tid.0,
            edge: edge.0,
            choices,
        }
    }

    /// The path to the first state of the cycle, then once round.
    fn lasso(&mut self, start: usize, from: StateId, closing: &Successor) -> Trace {
        let last = self.step(from, closing);
        let entry = self.path[start].id;
        let mut trace = self.explorer.trace(Violation::NonTermination, entry, []);
        trace.loop_start = Some(trace.steps.len());
        trace.steps.extend(
            self.path[start + 1..]
                .iter()
                .filter_map(|level| level.entered.clone()),
        );
        trace.steps.push(last);
        trace
    }
}
