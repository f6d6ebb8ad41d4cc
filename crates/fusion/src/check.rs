//! The engine: search deeper and deeper until no execution is cut.

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
    loop {
        let mut search = Search::new(&machine, &statics, config, depth, budget);
        let found = search.run();
        count(stats, &search.counters, depth);
        stats.set("machine steps", search.steps_taken());
        match found {
            Found::Violation(trace) => return Verdict::Unsafe(trace),
            Found::Limit(reason) => return Verdict::Unknown(reason),
            Found::Nothing if search.counters.cut > 0 && depth < config.depth => {
                depth = (depth * 4).min(config.depth);
            }
            Found::Nothing => return exhausted(task, &search),
        }
    }
}

/// The verdict when everything has been run.
fn exhausted(task: &Task, search: &Search<'_, '_>) -> Verdict {
    let inputs = search.inputs_not_covered();
    let spurious = |label: &Label| matches!(label, Label::AwaitSignal { timed: false });
    let labels = || task.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let reason = if search.counters.cut > 0 {
        Reason::Beyond("some executions are too long to be run to their end".into())
    } else if let Some(why) = search.beyond() {
        Reason::Beyond(why.into())
    } else if !inputs.is_empty() {
        Reason::InputsNotCovered(inputs)
    } else if task.property == Property::Deadlock && labels().any(spurious) {
        Reason::Beyond("deadlocks after spurious wake-ups are not looked for".into())
    } else {
        let Counters {
            executions,
            transitions,
            ..
        } = search.counters;
        return Verdict::Safe(Proof::AllExecutions {
            executions,
            transitions,
        });
    };
    Verdict::Unknown(reason)
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
