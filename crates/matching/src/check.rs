//! Refinement until an error is found or every abstract state is one concrete state (Algorithm 3).

use crate::amcs::{Amcs, Variant};
use crate::config::{Config, Strategy};
use crate::context::SearchContext;
use crate::predicates::{Predicate, Predicates};
use crate::random_dfs::random_dfs;
use crate::search::{Found, search};
use crate::split::{few, max_overlap, min_only, min_set};
use crate::states::{Kept, Segment, States};
use semantics::{Machine, Property};
use statespace::Random;
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict};

/// Searches for an error.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let machine = Machine::new(&task.xcfa, task.property).noting(budget.reached());
    let mut stats = Stats::default();
    let beyond = |what: &str| Verdict::Unknown(Reason::unsupported(what));
    let verdict = if task.property == Property::Termination {
        beyond("abstract matching does not check termination")
    } else {
        let mut context = SearchContext::new(&task.xcfa, &machine, config);
        let verdict = refine(&mut context, config, budget, &mut stats);
        stats.set("expanded states", context.expanded);
        stats.set("reduced states", context.reduced);
        stats.set("transitions", context.transitions);
        verdict
    };
    if let Verdict::Unsafe(trace) = &verdict {
        stats.set("error depth", trace.steps.len() as u64);
    }
    Answer::new(verdict, stats)
}

/// Searches with a strategy, until there is an error or nothing is left to be refined.
pub fn refine(
    context: &mut SearchContext<'_, '_>,
    config: &Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    match config.strategy {
        Strategy::Amcs => refined(Variant::Plain, context, budget, stats),
        Strategy::AddAll => {
            let threshold = config.threshold;
            refined(Variant::AddAll { threshold }, context, budget, stats)
        }
        Strategy::NoProver => refined(Variant::NoProver, context, budget, stats),
        Strategy::RandomDfs => concrete(context, config, budget, stats),
        _ => general_splitting(context, config, budget, stats),
    }
}

/// Algorithm 1: searches until the predicates stay the same.
fn refined(
    variant: Variant,
    context: &mut SearchContext<'_, '_>,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    // A race is found among the next steps, which no single step represents.
    let property = context.machine.property;
    let decides = property.error().is_some() || property == Property::Deadlock;
    let mut amcs = Amcs::new(context, variant);
    let mut refinements = 0;
    let found = loop {
        let found = amcs.search(budget);
        stats.set("refinements", refinements);
        stats.set("predicates", amcs.predicates());
        stats.set("abstract states", amcs.states);
        stats.set("solver calls", amcs.questions);
        if !matches!(found, Found::Nothing) || !amcs.refine() {
            break found;
        }
        refinements += 1;
    };
    let (states, predicates) = (amcs.states, amcs.predicates());
    match found {
        Found::Error(trace) => Verdict::Unsafe(trace),
        Found::Stopped(reason) => Verdict::Unknown(reason),
        Found::Nothing if decides => match closed(context, states) {
            Verdict::Safe(_) => Verdict::Safe(Proof::AbstractGraph {
                nodes: states,
                precision: vec![format!("{predicates} predicates")],
                certificate: Default::default(),
            }),
            open => open,
        },
        Found::Nothing => Verdict::Unknown(Reason::SomeExecutionsOnly),
    }
}

fn concrete(
    context: &mut SearchContext<'_, '_>,
    config: &Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let (found, visited) = random_dfs(context, config.seed, budget);
    stats.set("concrete states", visited);
    match found {
        Found::Error(trace) => Verdict::Unsafe(trace),
        Found::Stopped(reason) => Verdict::Unknown(reason),
        Found::Nothing => closed(context, visited),
    }
}

/// A frugal search adds at most one predicate for this many that there are.
const GROWTH: usize = 4;

/// Searches with more and more predicates.
fn general_splitting(
    context: &mut SearchContext<'_, '_>,
    config: &Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let mut random = Random::new(config.seed);
    let mut predicates = Predicates::default();
    for refinements in 0.. {
        let mut states = States::new(&predicates, kept(config));
        context.transitions = 0;
        context.predicates(predicates.len());
        let found = search(context, &mut states, budget);
        stats.set("refinements", refinements);
        stats.set("predicates", predicates.len() as u64);
        stats.set("abstract states", states.len() as u64);
        match found {
            Found::Error(trace) => return Verdict::Unsafe(trace),
            Found::Stopped(reason) => return Verdict::Unknown(reason),
            Found::Nothing => {}
        }
        let eligible = states.eligible();
        if eligible.is_empty() {
            return closed(context, states.len() as u64);
        }
        let mut chosen = split(config.strategy, &eligible, &mut random);
        if config.frugal {
            chosen = few(chosen, 1 + predicates.len() / GROWTH);
        }
        for predicate in chosen {
            predicates.insert(predicate);
        }
    }
    unreachable!("refinement goes on until it is stopped")
}

/// Greatest values are kept where they are needed: to split at, or to see what goes beyond them.
fn kept(config: &Config) -> Kept {
    match config.strategy {
        Strategy::MinOnly if !config.frugal => Kept::Minimums,
        _ => Kept::Segments,
    }
}

fn split(strategy: Strategy, eligible: &[Vec<Segment>], random: &mut Random) -> Vec<Predicate> {
    match strategy {
        Strategy::MaxOverlap => max_overlap(eligible, random).into_iter().collect(),
        Strategy::MinSet => min_set(eligible, random),
        Strategy::MinOnly => min_only(eligible, random),
        _ => Vec::new(),
    }
}

/// The verdict when every concrete state has been visited, or one that stands for it, and none was bad.
fn closed(context: &SearchContext<'_, '_>, states: u64) -> Verdict {
    let inputs = context.inputs.not_covered();
    // States that differ in which addresses are free are not distinguished.
    let reuses = context
        .machine
        .xcfa
        .objects
        .iter()
        .any(|object| object.reuses);
    let reuses = reuses.then_some("an allocation that may reuse a freed address");
    match (context.beyond.or(reuses), context.open) {
        (Some(what), _) => Verdict::Unknown(Reason::unsupported(what)),
        (_, Some(open)) => Verdict::Unknown(Reason::open(context.machine.xcfa, open)),
        _ if !inputs.is_empty() => Verdict::Unknown(Reason::SomeInputsOnly(inputs)),
        _ => Verdict::Safe(match context.leaves_out() {
            None => Proof::ClosedExploration {
                states,
                transitions: context.transitions,
            },
            Some(precision) => Proof::AbstractGraph {
                nodes: states,
                precision: vec![precision.to_owned()],
                certificate: Default::default(),
            },
        }),
    }
}
