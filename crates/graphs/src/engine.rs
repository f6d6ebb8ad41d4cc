//! The engine: tasks in, answers out.

use crate::{Assumed, Limits, Outcome, Stop, explore_on, reference};
use engine::{About, BadOption, Checker, Engine, Evidence, OptionSpec, Options, Values};
use std::collections::BTreeSet;
use verdict::{Answer, Bound, Budget, Check, MemoryModel, Preparation, Proof, Property, Reason};
use verdict::{Stats, Task, Verdict};
use xcfa::{HavocOrigin, Label};

/// Executions are followed up to this many events, unless the user says otherwise.
const EVENTS: usize = 1000;

/// Makes every execution graph that a memory model allows, each once.
pub struct Graphs;

impl Engine for Graphs {
    fn about(&self) -> About {
        About {
            name: "graphs",
            summary: "Make every execution that a memory model allows, each once, as a graph",
            page: "engines/graphs.md",
            properties: vec![Property::Reach, Property::Race, Property::Robust],
            options: vec![
                OptionSpec::new(
                    "events",
                    "N",
                    "Do not follow executions beyond this many events",
                    Values::Number {
                        least: 1,
                        most: 100_000,
                        samples: &[40, 1000],
                    },
                )
                .or("1000"),
                OptionSpec::new(
                    "jobs",
                    "N",
                    "Number of worker threads; the number of executions stays the same",
                    Values::Number {
                        least: 1,
                        most: 256,
                        samples: &[1, 2],
                    },
                )
                .or("1"),
            ],
        }
    }

    /// Execution graphs need every access, also under sequential consistency.
    fn preparation(&self) -> Option<Preparation> {
        Some(Preparation::Ordered)
    }

    /// Programs for other engines are prepared in large blocks, whose events are not told apart.
    fn supports(&self, task: &Task) -> Result<(), String> {
        let about = self.about();
        match (about.checks(task.property), task.is_ordered) {
            (false, _) => Err(format!("{} does not check {}", about.name, task.property)),
            (true, false) => {
                Err("the program is in blocks, whose accesses are not told apart".into())
            }
            (true, true) => Ok(()),
        }
    }

    fn knows(&self, model: &MemoryModel) -> bool {
        model.is_shipped() || model.grows_from_prefixes()
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let events = options.number::<usize>("events")?.unwrap_or(EVENTS);
        let jobs = options.number::<usize>("jobs")?.unwrap_or(1);
        Ok(Box::new(move |task, budget| {
            check(task, events, jobs, budget)
        }))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        let &Proof::AllGraphs { executions, .. } = evidence.proof else {
            return None;
        };
        if !task.is_ordered {
            return None;
        }
        let limits = limits(100_000, budget);
        Some(match reference(task, &task.memory_model, &limits) {
            Err(stop) => Check::Undecided(reason(task, stop)),
            Ok(outcome) => match verdict_of(task, &outcome) {
                Verdict::Unsafe(_) => Check::Rejected("there is a violation".into()),
                Verdict::Unknown(reason) => Check::Undecided(reason),
                Verdict::Safe(_) if outcome.executions != executions => {
                    Check::Rejected(format!("there are {} executions", outcome.executions))
                }
                Verdict::Safe(_) => Check::Accepted,
            },
        })
    }
}

fn limits(events: usize, budget: &Budget) -> Limits {
    Limits {
        events,
        graphs: u64::MAX,
        waits: true,
        budget: budget.clone(),
    }
}

/// The search that leaves no execution out is known to do so for the shipped models; for others, all graphs are
/// made by brute force.
fn check(task: &Task, events: usize, jobs: usize, budget: &Budget) -> Answer {
    let (model, limits) = (&task.memory_model, limits(events, budget));
    let outcome = match model.is_shipped() {
        true => explore_on(jobs, task, model, &limits),
        false => reference(task, model, &limits),
    };
    match outcome {
        Err(stop) => Answer::unknown(reason(task, stop)),
        Ok(outcome) => {
            let mut stats = Stats::default();
            stats.set("executions", outcome.executions);
            if model.is_sc() {
                stats.set("reads-from classes", outcome.classes);
            }
            stats.set("blocked executions", outcome.blocked);
            stats.set("events", outcome.events);
            stats.set("graphs", outcome.graphs);
            Answer::new(verdict_of(task, &outcome), stats)
        }
    }
}

fn verdict_of(task: &Task, outcome: &Outcome) -> Verdict {
    let found = match task.property {
        Property::Race => outcome.flagged.as_ref().map(|(trace, _)| trace),
        _ => outcome.error.as_ref(),
    };
    if let Some(trace) = found {
        return Verdict::Unsafe(trace.clone());
    }
    let model = &task.memory_model;
    if task.property == Property::Race && !model.has_flag("race") {
        let what = format!("the memory model {} has no flag `race`", model.name());
        return Verdict::Unknown(Reason::unsupported(what));
    }
    match outcome.assumed.first() {
        Some(assumed) => Verdict::Unknown(not_proved(task, *assumed)),
        None => Verdict::Safe(Proof::AllGraphs {
            model: task.memory_model.name().to_owned(),
            executions: outcome.executions,
            blocked: outcome.blocked,
            events: outcome.events,
        }),
    }
}

/// Why an assumption leaves the question open.
fn not_proved(task: &Task, assumed: Assumed) -> Reason {
    match assumed {
        Assumed::Uninitialised => {
            Reason::unsupported("only 0 was tried for what is not initialised")
        }
        Assumed::Freed => Reason::unsupported("memory may be accessed or freed after it was freed"),
        Assumed::SomeInputs => Reason::SomeInputsOnly(inputs(task)),
        Assumed::Length => Reason::Bound(Bound::Length),
    }
}

fn inputs(task: &Task) -> Vec<String> {
    let labels = task.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let names = labels.filter_map(|label| match label {
        Label::Havoc { origin, .. } => match origin {
            HavocOrigin::Input(name, _)
            | HavocOrigin::External(name, _)
            | HavocOrigin::Pointer(name) => Some(name.clone()),
            HavocOrigin::Uninitialised | HavocOrigin::WeakFailure => None,
        },
        _ => None,
    });
    BTreeSet::from_iter(names).into_iter().collect()
}

fn reason(task: &Task, stop: Stop) -> Reason {
    match stop {
        Stop::Unsupported(what) => {
            let model = task.memory_model.name();
            Reason::unsupported(format!(
                "{what} is not followed under the memory model {model}"
            ))
        }
        Stop::Graphs(most) => Reason::Bound(Bound::States(most)),
        Stop::Budget(reason) => reason,
    }
}
