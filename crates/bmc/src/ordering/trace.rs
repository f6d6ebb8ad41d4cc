//! From a model to the steps that happen in it, in their order.

use super::{Events, Goal, Model, Taken};
use crate::replay::{Planned, execute};
use expr::VarId;
use passes::Unrolled;
use semantics::{Lost, Property, Trace};

/// Runs what the model says up to the goal; why not, if the machine cannot follow.
pub fn trace(
    unrolled: &Unrolled,
    property: Property,
    events: &Events,
    model: &mut Model<'_>,
    goal: &Goal,
) -> Result<Trace, Lost> {
    let plan = plan(unrolled, events, model, goal);
    let racing = match property {
        Property::Race => Some(racing(unrolled, events, model).ok_or(Lost::NoExecution)?),
        _ => None,
    };
    execute(unrolled, property, plan, racing)
}

/// Two steps that race in the end.
fn racing(unrolled: &Unrolled, events: &Events, model: &mut Model<'_>) -> Option<[Planned; 2]> {
    let mut possible = Vec::new();
    for touch in &events.touches {
        if model.value(touch.guard) != 0 {
            possible.push(touch);
        }
    }
    let mut pairs = possible.iter().enumerate().flat_map(|(at, a)| {
        let others = possible[at + 1..].iter();
        others.map(move |b| [*a, *b])
    });
    let pair = pairs.find(|[a, b]| a.conflicts(b))?;
    Some(pair.map(|touch| {
        let chosen = touch.chosen.iter();
        let chosen: Vec<(VarId, u64)> = chosen
            .map(|&(var, term)| (var, model.value(term)))
            .collect();
        Planned::new(&unrolled.xcfa, touch.edge, &chosen)
    }))
}

/// The steps of the model in order.
fn plan(unrolled: &Unrolled, events: &Events, model: &mut Model<'_>, goal: &Goal) -> Vec<Planned> {
    let end = model.ranks[goal.node as usize];
    let mut last_rank: Vec<Option<u32>> = vec![None; events.threads.len()];
    let mut keyed: Vec<((u32, usize, usize), usize)> = Vec::new();
    for (at, step) in events.steps.iter().enumerate() {
        if model.value(step.guard) == 0 {
            continue;
        }
        let start = events.threads[step.thread].start;
        let rank = match step.node {
            Some(node) => model.ranks[node as usize],
            None => last_rank[step.thread]
                .or(start.map(|node| model.ranks[node as usize]))
                .unwrap_or(0),
        };
        last_rank[step.thread] = Some(rank);
        // Nothing of another thread has the goal's rank, so the goal comes last.
        let last = goal.step.filter(|_| rank == end);
        let up_to = |last: usize| step.thread == events.steps[last].thread && at <= last;
        if goal.step.is_none() || rank < end || last.is_some_and(up_to) {
            keyed.push(((rank, step.thread, at), at));
        }
    }
    keyed.sort_unstable();
    keyed
        .into_iter()
        .map(|(_, at)| planned(unrolled, model, &events.steps[at]))
        .collect()
}

fn planned(unrolled: &Unrolled, model: &mut Model<'_>, step: &Taken) -> Planned {
    let chosen = step.chosen.iter();
    let chosen: Vec<(VarId, u64)> = chosen
        .map(|&(var, term)| (var, model.value(term)))
        .collect();
    let mut planned = Planned::new(&unrolled.xcfa, step.edge, &chosen);
    planned.wakes = step.wakes.iter().map(|&term| model.value(term)).collect();
    planned
}
