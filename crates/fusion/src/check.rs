//! The engine: search deeper and deeper until no execution is cut.

use crate::concolic::{InputSpace, Next};
use crate::config::Config;
use crate::counters::Counters;
use crate::search::Found;
use crate::statics::Statics;
use crate::workers::{self, Round, Setting};
use engine::Engine;
use expr::ObjId;
use semantics::{Machine, Property};
use verdict::{Answer, Bound, Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::{Label, ObjectKind};

/// The first round cuts executions at this many events; every further one goes deeper.
const FIRST_DEPTH: usize = 250;

/// Runs the program under every schedule that matters.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let verdict = match crate::Fusion.supports(task) {
        Err(why) => Verdict::Unknown(Reason::unsupported(why)),
        Ok(()) => rounds(task, config, budget, &mut stats),
    };
    Answer::new(verdict, stats)
}

fn rounds(task: &Task, config: &Config, budget: &Budget, stats: &mut Stats) -> Verdict {
    let machine = Machine::new(&task.xcfa, task.property).noting(budget.reached());
    let setting = Setting {
        machine: &machine,
        statics: &Statics::of(&task.xcfa, task.property),
        config,
        budget,
    };
    let mut depth = FIRST_DEPTH.min(config.depth);
    let mut space = InputSpace::of(&task.xcfa);
    let mut counters = Counters::default();
    loop {
        if let Some(reason) = budget.exceeded(0) {
            return Verdict::Unknown(reason);
        }
        let mut round = workers::round(&setting, depth, counters, space);
        count(stats, &round.counters, depth);
        stats.set("machine steps", round.steps);
        match round.found {
            Found::Violation(trace) => return Verdict::Unsafe(trace),
            Found::Limit(reason) => return Verdict::Unknown(reason),
            Found::Nothing if round.counters.cut > 0 && depth < config.depth => {
                depth = (depth * 4).min(config.depth);
                space = InputSpace::of(&task.xcfa);
                counters = Counters::default();
            }
            Found::Nothing => {
                if let Some(reason) = missing(task, &round) {
                    return Verdict::Unknown(reason);
                }
                let next = round.space.next(&mut round.counters.solver_calls);
                count(stats, &round.counters, depth);
                match next {
                    Next::Covered => return exhausted(&round.counters),
                    Next::Unclear => return Verdict::Unknown(not_covered(&round.space)),
                    Next::Again => (counters, space) = (round.counters, round.space),
                }
            }
        }
    }
}

/// Why nothing is proved although everything has been run with some inputs.
fn missing(task: &Task, round: &Round) -> Option<Reason> {
    let spurious = |label: &Label| matches!(label, Label::AwaitSignal { timed: false });
    let mut labels = task.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    if round.counters.cut > 0 {
        return Some(Reason::Bound(Bound::Length));
    }
    let wakes = task.property == Property::Deadlock && labels.any(spurious);
    let wakes = wakes.then_some("deadlocks after spurious wake-ups are not looked for");
    let memory = round.beyond.or(wakes).or(memory_orders(task));
    let open = |open| Reason::open(&task.xcfa, open);
    memory.map(Reason::unsupported).or(round.open.map(open))
}

/// Executions that differ in when an object ends, or in what is kept at the end, count as equivalent
/// here: no order is tried just for that.
fn memory_orders(task: &Task) -> Option<&'static str> {
    let ends = |object: ObjId| match task.xcfa[object].kind {
        ObjectKind::Heap => true,
        ObjectKind::Stack => task.xcfa.escaped().contains(object.0 as usize),
        ObjectKind::Static { .. } | ObjectKind::Function(_) => false,
    };
    let matters = task.property.is_memsafety() && task.xcfa.obj_ids().any(ends);
    matters.then_some("the order in which objects end is not tried for memory safety")
}

fn not_covered(space: &InputSpace) -> Reason {
    Reason::SomeInputsOnly(space.sources.iter().cloned().collect())
}

fn exhausted(counters: &Counters) -> Verdict {
    Verdict::Safe(Proof::AllExecutions {
        executions: counters.executions,
        transitions: counters.transitions,
    })
}

fn count(stats: &mut Stats, counters: &Counters, depth: usize) {
    stats.set("executions", counters.executions);
    stats.set("transitions", counters.transitions);
    stats.set("repeated transitions", counters.repeated);
    stats.set("blocked executions", counters.blocked);
    stats.set("cut executions", counters.cut);
    stats.set("solver calls", counters.solver_calls);
    stats.set("errors predicted", counters.predicted);
    stats.set("pruned backtrack points", counters.pruned);
    stats.set("depth limit", depth as u64);
}
