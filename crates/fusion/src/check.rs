//! The engine: search deeper and deeper until no execution is cut.

use crate::concolic::{InputSpace, Next};
use crate::config::Config;
use crate::counters::Counters;
use crate::search::{Found, Search};
use crate::statics::Statics;
use semantics::{Machine, Property};
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::Label;

/// The first round cuts executions at this many events; every further one goes deeper.
const FIRST_DEPTH: usize = 250;

/// Runs the program under every schedule that matters.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let verdict = match refusal(task) {
        Some(why) => Verdict::Unknown(Reason::Beyond(why)),
        None => rounds(task, config, budget, &mut stats),
    };
    Answer {
        verdict: verdict::confirm(task, verdict),
        stats,
    }
}

fn refusal(task: &Task) -> Option<String> {
    match task.property {
        Property::Reach | Property::Race | Property::Deadlock | Property::Overflow => None,
        other => Some(format!("stateless exploration does not check {other}")),
    }
}

fn rounds(task: &Task, config: &Config, budget: &Budget, stats: &mut Stats) -> Verdict {
    let machine = Machine::new(&task.xcfa, task.property);
    if !machine.layout.fits() {
        return Verdict::Unknown(Reason::Beyond("static objects are too large".into()));
    }
    let statics = Statics::of(&task.xcfa, task.property);
    let mut depth = FIRST_DEPTH.min(config.depth);
    let mut space = InputSpace::of(&task.xcfa);
    let mut counters = Counters::default();
    loop {
        if let Some(reason) = budget.exceeded(0) {
            return Verdict::Unknown(reason);
        }
        let mut search = Search::new(&machine, &statics, config, depth, budget, space);
        search.counters = counters;
        let found = search.run();
        counters = search.counters;
        count(stats, &counters, depth);
        stats.set("machine steps", search.steps_taken());
        match found {
            Found::Violation(trace) => return Verdict::Unsafe(trace),
            Found::Limit(reason) => return Verdict::Unknown(reason),
            Found::Nothing if counters.cut > 0 && depth < config.depth => {
                depth = (depth * 4).min(config.depth);
                space = InputSpace::of(&task.xcfa);
                counters = Counters::default();
            }
            Found::Nothing => {
                if let Some(reason) = missing(task, &search) {
                    return Verdict::Unknown(reason);
                }
                let next = search.next_inputs();
                count(stats, &search.counters, depth);
                match next {
                    Next::Covered => return exhausted(&search.counters),
                    Next::Unclear => return Verdict::Unknown(not_covered(&mut search)),
                    Next::Again => {
                        counters = search.counters;
                        space = search.into_inputs();
                    }
                }
            }
        }
    }
}

/// Why nothing is proved although everything has been run with some inputs.
fn missing(task: &Task, search: &Search<'_, '_>) -> Option<Reason> {
    let spurious = |label: &Label| matches!(label, Label::AwaitSignal { timed: false });
    let mut labels = task.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let why = if search.counters.cut > 0 {
        "some executions are too long to be run to their end"
    } else if let Some(why) = search.beyond() {
        why
    } else if task.property == Property::Deadlock && labels.any(spurious) {
        "deadlocks after spurious wake-ups are not looked for"
    } else {
        return None;
    };
    Some(Reason::Beyond(why.into()))
}

fn not_covered(search: &mut Search<'_, '_>) -> Reason {
    let sources = search.inputs().sources.iter().cloned();
    Reason::InputsNotCovered(sources.collect())
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
    stats.set("longest execution", depth as u64);
}
