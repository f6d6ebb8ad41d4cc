//! The search.

use crate::config::{Config, Search};
use crate::endless::find_endless;
use semantics::{Machine, Open, Property, Step, Trace, Violation};
use statespace::{Expansion, Graph, StateId};
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict, grouped};

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
    pub transitions: u64,
    /// A step that could not be followed: nothing is safe any more.
    pub beyond: Option<&'static str>,
    /// A step that goes otherwise in another layout of memory: nothing is safe any more either.
    open: Option<Open>,
    budget: &'b Budget,
    expanded: u64,
}

/// How often limits are checked: every so many expanded states.
const CHECK_INTERVAL: u64 = 256;

impl<'m, 'x, 'b> Explorer<'m, 'x, 'b> {
    fn new(machine: &'m Machine<'x>, budget: &'b Budget) -> Explorer<'m, 'x, 'b> {
        Explorer {
            machine,
            graph: Graph::new(machine),
            transitions: 0,
            beyond: None,
            open: None,
            budget,
            expanded: 0,
        }
    }

    fn search(&mut self, order: Search) -> Verdict {
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
            if let Some(trace) = self.visit(id, &mut expansion) {
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
    fn visit(&mut self, id: StateId, expansion: &mut Expansion) -> Option<Trace> {
        self.expand(id, expansion);
        if let Some(pair) = expansion.race.take() {
            return Some(self.trace(Violation::DataRace, id, pair));
        }
        if let Some((violation, step)) = expansion.summary.violation.take() {
            return Some(self.trace(violation, id, [step]));
        }
        if self.machine.property == Property::Deadlock && expansion.summary.deadlock {
            return Some(self.trace(Violation::Deadlock, id, []));
        }
        None
    }

    /// Everything that can happen in a state.
    pub fn expand(&mut self, id: StateId, expansion: &mut Expansion) {
        self.graph.expand(id, expansion);
        self.transitions += expansion.successors.len() as u64;
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
        let mut steps = self.graph.path(id);
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
        let inputs = self.graph.inputs.not_covered();
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
