//! Termination: a search for a cycle of states that a fair scheduler can go round for ever.
//!
//! An endless execution counts if it is weakly fair: no thread can move all the time and never
//! does. (Otherwise every loop that waits for another thread would be endless.) So we search
//! strongly connected components, with Tarjan's algorithm: a component with a cycle is endless if
//! every thread moves somewhere in it or is blocked somewhere in it, for then a run may go round
//! all of it for ever; and if some thread neither moves nor is blocked anywhere in a maximal
//! component, then no cycle inside it is fair. Atomic sections count as instantaneous: that a
//! thread cannot move while another is in one does not make it blocked, unless the section never
//! ends. A thread that is cut off by an assumption is not blocked: a fair run would take its step
//! and end there.
//!
//! Spurious wake-ups lead to states but close no cycle: an endless execution must not depend on
//! them. A state in which threads wait for ever is endless as well.

use crate::search::Explorer;
use semantics::{State, Step, Tid, Trace, Violation};
use statespace::{Expansion, StateId, Successor};
use std::collections::VecDeque;
use verdict::Verdict;

/// What the search knows about a visited state.
#[derive(Default)]
struct Node {
    /// Order of visits, from 1; 0 before the visit.
    number: u32,
    /// The smallest number on the stack that is known to be reachable.
    low: u32,
    on_stack: bool,
    successors: Vec<Successor>,
    /// Threads that have not ended and are blocked here.
    blocked: Vec<Tid>,
    /// Threads that have not ended.
    running: Vec<Tid>,
    /// The thread that is in an atomic section.
    holder: Option<Tid>,
}

pub(crate) fn find_endless(explorer: &mut Explorer<'_, '_, '_>) -> Verdict {
    let state = explorer.machine.initial();
    let mut search = Endless {
        explorer,
        nodes: Vec::new(),
        stack: Vec::new(),
        visits: 0,
        state,
    };
    // States behind a spurious wake-up are roots of searches of their own.
    let mut roots: Vec<StateId> = vec![0];
    while let Some(root) = roots.pop() {
        if let Some(verdict) = search.from(root, &mut roots) {
            return verdict;
        }
    }
    search.explorer.closed()
}

struct Endless<'e, 'm, 'x, 'b> {
    explorer: &'e mut Explorer<'m, 'x, 'b>,
    nodes: Vec<Node>,
    /// Visited states whose component is not complete.
    stack: Vec<StateId>,
    visits: u32,
    state: State,
}

impl Endless<'_, '_, '_, '_> {
    fn node(&mut self, id: StateId) -> &mut Node {
        if self.nodes.len() <= id as usize {
            self.nodes
                .resize_with(self.explorer.graph.states(), Node::default);
        }
        &mut self.nodes[id as usize]
    }

    fn from(&mut self, root: StateId, roots: &mut Vec<StateId>) -> Option<Verdict> {
        if self.node(root).number != 0 {
            return None;
        }
        // The path of the search: states, and how many of their successors are done.
        let mut path: Vec<(StateId, usize)> = Vec::new();
        if let Some(verdict) = self.visit(root) {
            return Some(verdict);
        }
        path.push((root, 0));
        while let Some((id, done)) = path.last_mut() {
            let id = *id;
            if let Some(next) = self.nodes[id as usize].successors.get(*done) {
                *done += 1;
                let (to, spurious) = (next.id, next.spurious);
                if spurious {
                    roots.push(to);
                } else if self.node(to).number == 0 {
                    if let Some(verdict) = self.visit(to) {
                        return Some(verdict);
                    }
                    path.push((to, 0));
                } else if self.nodes[to as usize].on_stack {
                    let reached = self.nodes[to as usize].number;
                    self.nodes[id as usize].low = self.nodes[id as usize].low.min(reached);
                }
                continue;
            }
            path.pop();
            let low = self.nodes[id as usize].low;
            if let Some(&(before, _)) = path.last() {
                let before = &mut self.nodes[before as usize];
                before.low = before.low.min(low);
            }
            if low == self.nodes[id as usize].number
                && let Some(trace) = self.close_component(id)
            {
                return Some(Verdict::Unsafe(trace));
            }
        }
        None
    }

    /// Expands a state and puts it on the stack.
    fn visit(&mut self, id: StateId) -> Option<Verdict> {
        if let Some(reason) = self.explorer.exceeded(id) {
            return Some(Verdict::Unknown(reason));
        }
        let mut expansion = Expansion::default();
        self.explorer.graph.load(id, &mut self.state);
        self.explorer.expand(id, &mut expansion);
        if expansion.summary.deadlock {
            let trace = self.explorer.trace(Violation::NonTermination, id, []);
            return Some(Verdict::Unsafe(trace));
        }
        self.visits += 1;
        let number = self.visits;
        let running: Vec<Tid> = self.state.running().collect();
        self.stack.push(id);
        *self.node(id) = Node {
            number,
            low: number,
            on_stack: true,
            successors: expansion.successors,
            blocked: expansion.summary.blocked,
            running,
            holder: self.state.holder,
        };
        None
    }

    /// Takes the component of `root` off the stack; a lasso if it can be gone round fairly.
    fn close_component(&mut self, root: StateId) -> Option<Trace> {
        let start = self.stack.iter().rposition(|&id| id == root)?;
        let members = self.stack.split_off(start);
        let trace = self.fair_lasso(&members);
        for id in members {
            let node = &mut self.nodes[id as usize];
            node.on_stack = false;
            node.successors = Vec::new();
        }
        trace
    }

    /// The steps that stay inside the component. All its states are still marked as on the stack,
    /// but so are those below it, which have smaller numbers.
    fn inner(&self, id: StateId, first: u32) -> impl Iterator<Item = &Successor> {
        self.nodes[id as usize]
            .successors
            .iter()
            .filter(move |next| {
                // A state that only a spurious wake-up leads to may not have been visited yet.
                let node = self.nodes.get(next.id as usize);
                !next.spurious && node.is_some_and(|node| node.on_stack && node.number >= first)
            })
    }

    fn fair_lasso(&mut self, members: &[StateId]) -> Option<Trace> {
        let entry = members[0];
        let first = self.nodes[entry as usize].number;
        self.inner(entry, first).next()?;
        // A thread that has ended in one state of a cycle has ended in all of them.
        let threads = self.nodes[entry as usize].running.clone();
        let mut goals = Vec::new();
        for tid in threads {
            let moves = members.iter().find_map(|&id| {
                let position = self
                    .inner(id, first)
                    .position(|next| next.action.0 == tid)?;
                Some((id, Some(position)))
            });
            let blocked = || {
                let blocked = |id: &&StateId| self.nodes[**id as usize].blocked.contains(&tid);
                members.iter().find(blocked).map(|&id| (id, None))
            };
            // An atomic section that never ends keeps all others from moving.
            let locked_out = || {
                let held = |id: &StateId| self.nodes[*id as usize].holder.is_some();
                members.iter().all(held).then_some((entry, None))
            };
            goals.push(moves.or_else(blocked).or_else(locked_out)?);
        }
        Some(self.tour(entry, first, &goals))
    }

    /// A trace to the component, then round through all goals and back.
    fn tour(&mut self, entry: StateId, first: u32, goals: &[(StateId, Option<usize>)]) -> Trace {
        let mut round: Vec<(StateId, usize)> = Vec::new();
        let mut at = entry;
        for &(goal, step) in goals {
            round.extend(self.route(at, goal, first));
            at = goal;
            if let Some(position) = step {
                round.push((goal, position));
                at = self
                    .inner(goal, first)
                    .nth(position)
                    .map_or(goal, |next| next.id);
            }
        }
        round.extend(self.route(at, entry, first));
        let mut trace = self.explorer.trace(Violation::NonTermination, entry, []);
        trace.loop_start = Some(trace.steps.len());
        for (from, position) in round {
            let Some(next) = self.inner(from, first).nth(position) else {
                continue;
            };
            let (to, action) = (next.id, next.action);
            let choices = self.explorer.graph.answers(from, action, to);
            trace.steps.push(Step::new(action.0.0, action.1.0, choices));
        }
        trace
    }

    /// A shortest way inside the component, as states with the position of the step to take.
    fn route(&self, from: StateId, to: StateId, first: u32) -> Vec<(StateId, usize)> {
        let mut origin = rustc_hash::FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(id) = queue.pop_front() {
            if id == to {
                break;
            }
            for (position, next) in self.inner(id, first).enumerate() {
                if next.id != from && !origin.contains_key(&next.id) {
                    origin.insert(next.id, (id, position));
                    queue.push_back(next.id);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while at != from
            && let Some(&(before, position)) = origin.get(&at)
        {
            way.push((before, position));
            at = before;
        }
        way.reverse();
        way
    }
}
