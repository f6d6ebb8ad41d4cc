//! A search for a violation that a witness describes.
//!
//! Depth first through the product of the program and the witness's automaton. The thread that the
//! witness waits for goes first, and a run in which the witness makes no progress for long is abandoned:
//! a witness that says much leads almost straight to its violation, and one that says little makes
//! this an ordinary search. At first no other thread moves unless that thread cannot.

mod hints;
mod race;
mod ways;

pub use hints::Hints;
pub(crate) use hints::call_of;

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::Automaton;
use crate::position::{Position, Taken};
use rustc_hash::FxHashSet;
use semantics::{Outcome, Property, State, Status, Step, Tid, Trace, Violation};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use verdict::{Budget, Reason};
use ways::{Way, Ways};
use xcfa::EdgeId;

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// An execution that obeys the witness and violates the property.
    Violation(Trace),
    /// There is none, or none among those that were tried.
    Nothing {
        /// Why there may be others.
        untried: Option<Reason>,
        /// How many of the automaton's nodes were reached at best, and how many there are.
        reached: (u32, usize),
    },
    /// There was no time to see.
    Stopped(Reason),
}

/// How a search goes.
#[derive(Clone, Copy)]
struct Manner {
    /// This many steps without progress of the witness are followed.
    patience: u32,
    /// Does only the thread move that the witness waits for, as long as it can?
    strict: bool,
}

/// The ways of searching, one after the other.
const MANNERS: [Manner; 4] = [
    Manner {
        patience: 3_000,
        strict: true,
    },
    Manner {
        patience: 300,
        strict: false,
    },
    Manner {
        patience: 3_000,
        strict: false,
    },
    Manner {
        patience: 100_000,
        strict: false,
    },
];

/// Looks for an execution that obeys a witness and violates the property of the annotated program.
pub fn search(
    program: &AnnotatedProgram<'_>,
    automaton: &Automaton,
    hints: &Hints,
    budget: &Budget,
) -> Found {
    let mut last = Found::Stopped(Reason::SomeExecutionsOnly);
    for (round, manner) in MANNERS.into_iter().enumerate() {
        let share = budget
            .remaining()
            .map(|left| left / (MANNERS.len() - round) as u32);
        let share = share.unwrap_or(Duration::from_secs(3_600));
        let mut search = Search::new(program, automaton, hints, manner);
        last = search.run(&budget.at_most(share));
        let settled = match &last {
            Found::Violation(_) => true,
            // Endless executions are not searched for.
            Found::Nothing { .. } => {
                let endless = program.machine.property == Property::Termination;
                !search.impatient && !manner.strict && !endless
            }
            Found::Stopped(_) => budget.exceeded(0).is_some(),
        };
        if settled {
            return last;
        }
    }
    match last {
        Found::Nothing { .. } => Found::Stopped(Reason::SomeExecutionsOnly),
        last => last,
    }
}

/// A state on the current path.
struct Frame {
    state: State,
    position: Position,
    /// How it was reached.
    step: Option<Step>,
    /// Steps since the witness last made progress.
    idle: u32,
    /// The threads that the witness waits for.
    wanted: Vec<Tid>,
    /// Has one of them been able to move?
    moved: bool,
    /// What has not been tried yet, last first.
    actions: Vec<(Tid, EdgeId)>,
    /// Ways of the action before these that have not been followed yet, last first.
    ways: Vec<(Way, Position)>,
}

struct Search<'s, 'a> {
    program: &'s AnnotatedProgram<'a>,
    automaton: &'s Automaton,
    ways: Ways<'s, 'a>,
    codec: statespace::Codec,
    hints: &'s Hints,
    visited: FxHashSet<u64>,
    manner: Manner,
    /// Was a run left for lack of progress?
    impatient: bool,
    most: u32,
    key: Vec<u8>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(
        program: &'s AnnotatedProgram<'a>,
        automaton: &'s Automaton,
        hints: &'s Hints,
        manner: Manner,
    ) -> Search<'s, 'a> {
        Search {
            program,
            automaton,
            ways: Ways::new(program, automaton, &hints.anywhere),
            hints,
            codec: statespace::Codec::new(program.machine),
            visited: FxHashSet::default(),
            manner,
            impatient: false,
            most: 0,
            key: Vec::new(),
        }
    }

    fn run(&mut self, budget: &Budget) -> Found {
        let start = Position::start(self.automaton);
        let first = self.frame(self.program.machine.initial(), start, None, 0, Tid(0));
        let mut path = vec![first];
        let mut turns: u64 = 0;
        if let Some(found) = self.state_violation(&path) {
            return Found::Violation(found);
        }
        while let Some(frame) = path.last_mut() {
            turns += 1;
            if turns.is_multiple_of(64)
                && let Some(reason) = budget.exceeded(8 * self.visited.len() as u64)
            {
                return Found::Stopped(reason);
            }
            if let Some((way, position)) = frame.ways.pop() {
                let progress = position.reached() > frame.position.reached();
                let idle = if progress { 0 } else { frame.idle + 1 };
                if idle > self.manner.patience {
                    self.impatient = true;
                } else if self.is_new(&way.state, &position) {
                    let tid = Tid(way.step.thread);
                    let next = self.frame(way.state, position, Some(way.step), idle, tid);
                    path.push(next);
                    if let Some(found) = self.state_violation(&path) {
                        return Found::Violation(found);
                    }
                }
            } else if let Some(action) = frame.actions.pop() {
                let free = !self.manner.strict || !frame.moved;
                if !free && !frame.wanted.contains(&action.0) {
                    continue;
                }
                if let Some(found) = self.try_action(&mut path, action) {
                    return Found::Violation(found);
                }
            } else {
                path.pop();
            }
        }
        Found::Nothing {
            untried: self.ways.untried(),
            reached: (self.most, self.automaton.nodes),
        }
    }

    /// Takes an action in all its ways; those that lead on are kept in the last frame.
    fn try_action(&mut self, path: &mut [Frame], action: (Tid, EdgeId)) -> Option<Trace> {
        let asked_for = self.asked_for(path, action);
        let frame = path.last_mut()?;
        let mut ahead = Vec::new();
        for way in self
            .ways
            .all(&frame.state, &frame.position, action, &asked_for)
        {
            let taken = |after| Taken {
                tid: action.0,
                edge: action.1,
                before: &frame.state,
                after,
                inputs: &way.inputs,
            };
            match way.outcome {
                Outcome::Violation(violation) => {
                    let last = [taken(None)];
                    if frame.position.accepts(self.program, self.automaton, &last) {
                        return Some(trace(path, violation, vec![way.step]));
                    }
                }
                Outcome::Moved { .. } => {
                    let taken = taken(Some(&way.state));
                    let next = frame.position.advance(self.program, self.automaton, taken);
                    if let Some(next) = next {
                        self.most = self.most.max(next.reached());
                        ahead.push((way, next));
                    }
                }
                Outcome::Blocked | Outcome::Cut(_) | Outcome::Beyond(_) => {}
            }
        }
        // The way in which the witness gets furthest is popped first.
        ahead.reverse();
        ahead.sort_by_key(|(_, position)| position.reached());
        let frame = path.last_mut()?;
        frame.moved |= !ahead.is_empty() && frame.wanted.contains(&action.0);
        frame.ways = ahead;
        None
    }

    /// What the hints say about the inputs of a step that comes after this path.
    fn asked_for(&self, path: &[Frame], (tid, edge): (Tid, EdgeId)) -> Vec<u64> {
        let inputs = |edge: EdgeId| {
            let labels = self.program.machine.xcfa[edge].labels.iter();
            labels.filter_map(call_of)
        };
        let mut answers = Vec::new();
        for call in inputs(edge) {
            let Some(values) = self.hints.in_order.get(&(tid.0, call)) else {
                continue;
            };
            let steps = path.iter().filter_map(|frame| frame.step.as_ref());
            let own = steps.filter(|step| step.thread == tid.0);
            let before = own.flat_map(|step| inputs(EdgeId(step.edge)));
            let count = before.filter(|known| *known == call).count();
            answers.extend(values.get(count));
        }
        answers
    }

    fn is_new(&mut self, state: &State, position: &Position) -> bool {
        let mut hasher = DefaultHasher::new();
        self.codec.encode(state, &mut self.key);
        self.key.hash(&mut hasher);
        position.hash(&mut hasher);
        self.visited.insert(hasher.finish())
    }

    fn frame(
        &self,
        state: State,
        position: Position,
        step: Option<Step>,
        idle: u32,
        last: Tid,
    ) -> Frame {
        let wanted: Vec<Tid> = position
            .next(self.automaton)
            .filter_map(|guard| position.thread(self.automaton, guard))
            .collect();
        let mut tids: Vec<Tid> = state.runnable().collect();
        tids.sort_by_key(|tid| (wanted.contains(tid), *tid == last, std::cmp::Reverse(*tid)));
        let mut actions = Vec::new();
        for tid in tids {
            let edges = self.program.machine.edges(&state, tid).iter().rev();
            let open = edges.filter(|&&edge| self.program.machine.guard_holds(&state, tid, edge));
            let open = open.filter(|&&edge| !self.waits(&position, tid, edge));
            actions.extend(open.map(|&edge| (tid, edge)));
        }
        let over = |tid: &Tid| {
            let thread = state.threads.get(tid.0 as usize);
            thread.is_some_and(|thread| thread.status != Status::Running)
        };
        if self.manner.strict && !wanted.is_empty() && wanted.iter().all(over) {
            // No thread is left that could do what the witness waits for.
            actions.clear();
        }
        Frame {
            state,
            position,
            step,
            idle,
            wanted,
            moved: false,
            actions,
            ways: Vec::new(),
        }
    }

    /// Is this one of two accesses that race? Then the thread waits there for the other one.
    fn waits(&self, position: &Position, tid: Tid, edge: EdgeId) -> bool {
        let ends = self.automaton.accepts.iter();
        let mut ends = ends.filter(|end| end.targets.len() == 2 && position.contains(end.node));
        self.manner.strict
            && ends.any(|end| {
                let mut targets = end.targets.iter();
                targets.any(|guard| {
                    let own = position.thread(self.automaton, guard) == Some(tid);
                    own && guard.edges.contains(edge.0 as usize)
                })
            })
    }

    /// Violations of a state rather than of a step: races and deadlocks.
    fn state_violation(&mut self, path: &[Frame]) -> Option<Trace> {
        let frame = path.last()?;
        match self.program.machine.property {
            Property::Race => {
                let pair = race::find(self.program, self.automaton, &mut self.ways, frame)?;
                Some(trace(path, Violation::DataRace, pair.to_vec()))
            }
            property @ (Property::Deadlock | Property::Termination)
                if self.program.machine.is_deadlock(&frame.state) =>
            {
                let waits: Vec<Taken<'_>> = waiting(self.program, &frame.state).collect();
                let wanted = waits.iter().any(|taken| {
                    let taken = std::slice::from_ref(taken);
                    frame.position.accepts(self.program, self.automaton, taken)
                });
                let violation = match property {
                    Property::Deadlock => Violation::Deadlock,
                    _ => Violation::NonTermination,
                };
                wanted.then(|| trace(path, violation, Vec::new()))
            }
            _ => None,
        }
    }
}

/// What each thread would do next, if it could.
pub(crate) fn waiting<'s>(
    program: &'s AnnotatedProgram<'_>,
    state: &'s State,
) -> impl Iterator<Item = Taken<'s>> {
    let steps = state.running().flat_map(move |tid| {
        let edges = program.machine.edges(state, tid).iter();
        edges.map(move |&edge| (tid, edge))
    });
    steps.map(move |(tid, edge)| Taken {
        tid,
        edge,
        before: state,
        after: None,
        inputs: &[],
    })
}

fn trace(path: &[Frame], violation: Violation, last: Vec<Step>) -> Trace {
    let steps = path.iter().filter_map(|frame| frame.step.clone());
    Trace::new(violation, steps.chain(last).collect())
}
