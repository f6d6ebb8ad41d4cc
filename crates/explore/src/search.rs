//! The search.

use crate::config::{Config, Search};
use crate::endless::find_endless;
use semantics::{Machine, Open, Property, State, Step, Tid, Trace, Violation};
use statespace::{ExpansionSummary, Graph, Inputs, Next, Scratch, StateId, expand, find_race};
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict, grouped};
use xcfa::EdgeId;

/// Visits every reachable state, until one shows a violation or a limit is met.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let machine = Machine::new(&task.xcfa, task.property).noting(budget.reached());
    let mut explorer = Explorer::new(&machine, budget);
    let verdict = match task.property {
        Property::Termination => find_endless(&mut explorer),
        _ => explorer.search(config.search),
    };
    let states = explorer.graph.states() as u64;
    budget.tell(|| format!("{} states", grouped(states)));
    let mut stats = Stats::default();
    stats.set("states", states);
    stats.set("transitions", explorer.transitions);
    stats.set("bytes", explorer.graph.bytes());
    Answer::new(verdict, stats)
}

pub(crate) struct Explorer<'m, 'x, 'b> {
    pub machine: &'m Machine<'x>,
    pub graph: Graph<'m, 'x>,
    pub inputs: Inputs,
    pub transitions: u64,
    /// A step that could not be followed: nothing is safe any more.
    pub beyond: Option<&'static str>,
    /// A step that goes otherwise in another layout of memory: nothing is safe any more either.
    open: Option<Open>,
    budget: &'b Budget,
    scratch: Scratch,
    expanded: u64,
}

/// What leads out of a state.
#[derive(Default)]
pub(crate) struct Expansion {
    /// Successors, with the step that leads there; spurious wake-ups are marked.
    pub successors: Vec<Successor>,
    /// What else there is to say about it.
    pub summary: ExpansionSummary,
}

pub(crate) struct Successor {
    pub id: StateId,
    pub is_new: bool,
    pub action: (Tid, EdgeId),
    pub spurious: bool,
}

/// How often limits are checked: every so many expanded states.
const CHECK_INTERVAL: u64 = 256;

impl<'m, 'x, 'b> Explorer<'m, 'x, 'b> {
    fn new(machine: &'m Machine<'x>, budget: &'b Budget) -> Explorer<'m, 'x, 'b> {
        Explorer {
            machine,
            graph: Graph::new(machine),
            inputs: Inputs::new(machine.xcfa),
            transitions: 0,
            beyond: None,
            open: None,
            budget,
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
                Search::Breadth if (next as usize) < self.graph.states() => {
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
            && let Some(pair) = find_race(self.machine, &mut self.inputs, state, &mut self.scratch)
        {
            return Some(self.trace(Violation::DataRace, id, pair));
        }
        self.expand(id, state, expansion);
        if let Some((violation, step)) = expansion.summary.violation.take() {
            return Some(self.trace(violation, id, [step]));
        }
        if self.machine.property == Property::Deadlock && expansion.summary.deadlock {
            return Some(self.trace(Violation::Deadlock, id, []));
        }
        None
    }

    /// Everything that can happen in a state.
    pub fn expand(&mut self, id: StateId, state: &State, expansion: &mut Expansion) {
        expansion.successors.clear();
        let (graph, transitions) = (&mut self.graph, &mut self.transitions);
        let successors = &mut expansion.successors;
        let found = |next: Next<'_>| {
            *transitions += 1;
            let (tid, edge) = next.action;
            let (successor, is_new) = graph.insert(next.state, id, tid, edge);
            successors.push(Successor {
                id: successor,
                is_new,
                action: next.action,
                spurious: next.spurious,
            });
        };
        let scratch = &mut self.scratch;
        expansion.summary = expand(self.machine, &mut self.inputs, scratch, state, found);
        self.beyond = self.beyond.or(expansion.summary.beyond);
        self.open = self.open.or(expansion.summary.open);
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
        Trace::new(violation, steps)
    }

    /// Checks the limits now and then, and reports progress.
    pub fn exceeded(&mut self, id: StateId) -> Option<Reason> {
        self.expanded += 1;
        if !self.expanded.is_multiple_of(CHECK_INTERVAL) {
            return None;
        }
        let bytes = self.graph.bytes();
        if self.expanded.is_multiple_of(64 * CHECK_INTERVAL) {
            self.budget.tell(|| self.progress(id, bytes));
        }
        self.budget.exceeded(bytes)
    }

    /// How far we are, in one line.
    fn progress(&self, id: StateId, bytes: u64) -> String {
        let seconds = self.budget.elapsed().as_secs_f64();
        let states = self.graph.states() as u64;
        format!(
            "{} states  {}/s  depth {}  {} MiB  {seconds:.0} s",
            grouped(states),
            grouped((states as f64 / seconds.max(1e-3)) as u64),
            grouped(self.graph.depth(id)),
            grouped(bytes >> 20),
        )
    }

    /// The verdict when every state has been visited and none was bad.
    pub fn closed(&self) -> Verdict {
        let inputs = self.inputs.not_covered();
        match (self.beyond, self.open) {
            (Some(what), _) => Verdict::Unknown(Reason::unsupported(what)),
            (_, Some(open)) => Verdict::Unknown(Reason::open(self.machine.xcfa, open)),
            _ if !inputs.is_empty() => Verdict::Unknown(Reason::SomeInputsOnly(inputs)),
            _ => Verdict::Safe(Proof::ClosedExploration {
                states: self.graph.states() as u64,
                transitions: self.transitions,
            }),
        }
    }
}
