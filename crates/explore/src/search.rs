//! The search.

use crate::choices::{Way, for_each_way};
use crate::config::{Config, Progress, Search};
use crate::endless::find_endless;
use crate::graph::Graph;
use crate::inputs::Inputs;
use crate::race;
use crate::scratch::Scratch;
use crate::store::StateId;
use semantics::{Machine, Outcome, Property, State, Step, Tid, Trace, Violation};
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::EdgeId;

/// Visits every reachable state, until one shows a violation or a limit is met.
pub fn check(
    task: &Task,
    config: &Config,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Answer {
    let machine = Machine::new(&task.xcfa, task.property);
    let mut explorer = Explorer::new(&machine, budget, progress);
    let verdict = if !machine.layout.fits() {
        Verdict::Unknown(Reason::Beyond("static objects are too large".into()))
    } else if task.property == Property::Termination {
        find_endless(&mut explorer)
    } else {
        explorer.search(config.search)
    };
    let mut stats = Stats::default();
    stats.set("states", explorer.graph.len() as u64);
    stats.set("transitions", explorer.transitions);
    stats.set("bytes", explorer.graph.bytes());
    Answer {
        verdict: verdict::confirm(task, verdict),
        stats,
    }
}

/// An exploration under way.
pub(crate) struct Explorer<'m, 'x, 'b> {
    pub machine: &'m Machine<'x>,
    pub graph: Graph<'m, 'x>,
    pub inputs: Inputs,
    pub transitions: u64,
    /// A step that could not be followed: nothing is safe any more.
    pub beyond: Option<&'static str>,
    budget: &'b Budget,
    progress: &'b mut dyn FnMut(&Progress),
    scratch: Scratch,
    expanded: u64,
}

/// What leads out of a state.
#[derive(Default)]
pub(crate) struct Expansion {
    /// Successors, with the step that leads there; spurious wake-ups are marked.
    pub successors: Vec<Successor>,
    /// A step that violates the property.
    pub violation: Option<(Violation, Step)>,
    /// Is somebody blocked, nobody able to move (except spuriously) and nobody cut off?
    pub deadlock: bool,
    /// Threads that have to wait for others here, except for those that an atomic section of
    /// another thread keeps from moving: that section will end.
    pub blocked: Vec<Tid>,
}

/// How one thread stands in a state; cut off if neither.
#[derive(Clone, Copy, Default)]
struct Standing {
    /// It can move, and not only by a spurious wake-up.
    moves: bool,
    /// It has to wait.
    blocked: bool,
}

pub(crate) struct Successor {
    pub id: StateId,
    pub is_new: bool,
    pub action: (Tid, EdgeId),
    pub spurious: bool,
}

/// How often limits are looked at: every so many expanded states.
const CHECK_INTERVAL: u64 = 256;

impl<'m, 'x, 'b> Explorer<'m, 'x, 'b> {
    fn new(
        machine: &'m Machine<'x>,
        budget: &'b Budget,
        progress: &'b mut dyn FnMut(&Progress),
    ) -> Explorer<'m, 'x, 'b> {
        Explorer {
            machine,
            graph: Graph::new(machine),
            inputs: Inputs::new(machine.xcfa),
            transitions: 0,
            beyond: None,
            budget,
            progress,
            scratch: Scratch::new(machine.xcfa, machine.initial()),
            expanded: 0,
        }
    }

    fn search(&mut self, order: Search) -> Verdict {
        let mut state = self.machine.initial();
        let mut expansion = Expansion::default();
        // Breadth first needs no queue: states are numbered in the order of their discovery.
        let mut next: StateId = 0;
        let mut stack: Vec<StateId> = vec![0];
        loop {
            let id = match order {
                Search::Breadth if (next as usize) < self.graph.len() => {
                    next += 1;
                    next - 1
                }
                Search::Breadth => break,
                Search::Depth => match stack.pop() {
                    Some(id) => id,
                    None => break,
                },
            };
            if let Some(reason) = self.exceeded(id) {
                return Verdict::Unknown(reason);
            }
            self.graph.load(id, &mut state);
            if let Some(trace) = self.visit(id, &state, &mut expansion) {
                return Verdict::Unsafe(trace);
            }
            if order == Search::Depth {
                stack.extend(
                    expansion
                        .successors
                        .iter()
                        .filter(|s| s.is_new)
                        .map(|s| s.id),
                );
            }
        }
        self.closed()
    }

    /// Expands a state and looks for a violation in it.
    fn visit(&mut self, id: StateId, state: &State, expansion: &mut Expansion) -> Option<Trace> {
        self.scratch.forget();
        if self.machine.property == Property::Race
            && let Some(pair) = race::find(self.machine, &mut self.inputs, state, &mut self.scratch)
        {
            return Some(self.trace(Violation::DataRace, id, pair));
        }
        self.expand(id, state, expansion);
        if let Some((violation, step)) = expansion.violation.take() {
            return Some(self.trace(violation, id, [step]));
        }
        if self.machine.property == Property::Deadlock && expansion.deadlock {
            return Some(self.trace(Violation::Deadlock, id, []));
        }
        None
    }

    /// Everything that can happen in a state.
    pub fn expand(&mut self, id: StateId, state: &State, expansion: &mut Expansion) {
        expansion.successors.clear();
        expansion.blocked.clear();
        self.scratch.forget();
        let (mut somebody_moves, mut somebody_is_cut) = (false, false);
        for tid in state.runnable() {
            let mut standing = Standing::default();
            for &edge in self.machine.edges(state, tid) {
                if self.machine.guard_holds(state, tid, edge) {
                    self.try_edge(id, state, (tid, edge), expansion, &mut standing);
                }
            }
            match standing {
                Standing { moves: true, .. } => somebody_moves = true,
                Standing { blocked: true, .. } => expansion.blocked.push(tid),
                _ => somebody_is_cut = true,
            }
        }
        let blocked = !expansion.blocked.is_empty();
        expansion.deadlock = blocked && !somebody_moves && !somebody_is_cut;
    }

    fn try_edge(
        &mut self,
        id: StateId,
        state: &State,
        action: (Tid, EdgeId),
        expansion: &mut Expansion,
        standing: &mut Standing,
    ) {
        let Explorer {
            machine,
            graph,
            inputs,
            scratch,
            transitions,
            beyond,
            ..
        } = self;
        let visit = |way: Way<'_>| -> Option<()> {
            match way.outcome {
                Outcome::Moved { spurious } => {
                    *transitions += 1;
                    standing.moves |= !spurious;
                    standing.blocked |= spurious;
                    let (successor, is_new) = graph.insert(way.state, id, action.0, action.1);
                    let successor = Successor {
                        id: successor,
                        is_new,
                        action,
                        spurious,
                    };
                    expansion.successors.push(successor);
                }
                Outcome::Blocked => standing.blocked = true,
                Outcome::Cut => {}
                Outcome::Violation(violation) => {
                    let (thread, edge) = (action.0.0, action.1.0);
                    let step = Step {
                        thread,
                        edge,
                        choices: way.answers,
                    };
                    expansion.violation = Some((violation, step));
                    return Some(());
                }
                Outcome::Beyond(what) => {
                    standing.moves = true;
                    *beyond = Some(what);
                }
            }
            None
        };
        for_each_way(machine, inputs, state, scratch, action, visit);
    }

    /// A trace to a state and a few steps further.
    pub fn trace<const N: usize>(
        &mut self,
        violation: Violation,
        id: StateId,
        further: [Step; N],
    ) -> Trace {
        let mut steps = self.graph.path(&mut self.inputs, id);
        steps.extend(further);
        Trace {
            violation,
            steps,
            loop_start: None,
        }
    }

    /// Looks at the limits now and then, and tells how far we are.
    pub fn exceeded(&mut self, id: StateId) -> Option<Reason> {
        self.expanded += 1;
        if !self.expanded.is_multiple_of(CHECK_INTERVAL) {
            return None;
        }
        let bytes = self.graph.bytes();
        if self.expanded.is_multiple_of(64 * CHECK_INTERVAL) {
            (self.progress)(&Progress {
                states: self.graph.len() as u64,
                transitions: self.transitions,
                depth: self.graph.depth(id),
                bytes,
            });
        }
        self.budget.exceeded(bytes)
    }

    /// The verdict when every state has been visited and none was bad.
    pub fn closed(&self) -> Verdict {
        let inputs = self.inputs.not_covered();
        match self.beyond {
            Some(what) => Verdict::Unknown(Reason::Beyond(what.into())),
            None if !inputs.is_empty() => Verdict::Unknown(Reason::InputsNotCovered(inputs)),
            None => Verdict::Safe(Proof::ClosedExploration {
                states: self.graph.len() as u64,
                transitions: self.transitions,
            }),
        }
    }
}
