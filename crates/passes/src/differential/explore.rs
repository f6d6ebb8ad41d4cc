//! A plain search of all states, for small programs.

use dataflow::graph;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Access, Machine, Outcome, Property, Script, State, Tid};
use xcfa::Xcfa;

/// Is the property violated? Nothing if there are too many states.
pub(crate) fn violated(xcfa: &Xcfa, property: Property, most_states: usize) -> Option<bool> {
    let machine = Machine::new(xcfa, property);
    let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
    let mut successors: Vec<Vec<usize>> = vec![Vec::new()];
    numbers.insert(machine.initial(), 0);
    let mut work = vec![(0, machine.initial())];
    while let Some((number, state)) = work.pop() {
        let steps = match steps_of(&machine, &state) {
            Ok(steps) => steps,
            Err(Stop::Violated) => return Some(true),
            Err(Stop::Beyond) => return None,
        };
        if property == Property::Race && races(&whole_sections(&machine, &steps)) {
            return Some(true);
        }
        if property == Property::Deadlock && machine.is_deadlock(&state) {
            return Some(true);
        }
        for step in steps {
            let next = numbers.len();
            let target = *numbers.entry(step.after.clone()).or_insert(next);
            successors[number].push(target);
            if target == next {
                successors.push(Vec::new());
                work.push((next, step.after));
            }
        }
        if numbers.len() > most_states {
            return None;
        }
    }
    Some(property == Property::Termination && graph::on_cycle(&successors).contains(&true))
}

enum Stop {
    Violated,
    Beyond,
}

struct Step {
    tid: Tid,
    after: State,
    accesses: Vec<Access>,
}

/// All steps from a state, with both answers to every question.
fn steps_of(machine: &Machine, state: &State) -> Result<Vec<Step>, Stop> {
    let mut steps = Vec::new();
    for tid in state.runnable() {
        for &edge in machine.edges(state, tid) {
            let mut scripts: Vec<Vec<u64>> = vec![Vec::new()];
            while let Some(answers) = scripts.pop() {
                let mut host = Script::new(&answers);
                let mut after = state.clone();
                let outcome = machine.step(&mut after, tid, edge, &mut host);
                if host.exhausted {
                    for answer in [0, 1] {
                        scripts.push(answers.iter().copied().chain([answer]).collect());
                    }
                    continue;
                }
                // A pass may change the layout.
                if host.open.is_some() {
                    return Err(Stop::Beyond);
                }
                match outcome {
                    Outcome::Moved { .. } => {
                        steps.push(Step {
                            tid,
                            after,
                            accesses: host.accesses,
                        });
                    }
                    Outcome::Violation(_) => return Err(Stop::Violated),
                    Outcome::Beyond(_) => return Err(Stop::Beyond),
                    Outcome::Blocked | Outcome::Cut(_) => {}
                }
            }
        }
    }
    Ok(steps)
}

/// By step: its accesses, and where it begins an atomic section all accesses of that.
fn whole_sections(machine: &Machine, steps: &[Step]) -> Vec<(Tid, Vec<Access>)> {
    let mut whole = Vec::new();
    for step in steps {
        let mut accesses = step.accesses.clone();
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut inside = vec![step.after.clone()];
        while let Some(state) = inside.pop() {
            if state.holder != Some(step.tid) || !seen.insert(state.clone()) {
                continue;
            }
            let next = steps_of(machine, &state).unwrap_or_default();
            accesses.extend(next.iter().flat_map(|step| step.accesses.iter().copied()));
            inside.extend(next.into_iter().map(|step| step.after));
        }
        whole.push((step.tid, accesses));
    }
    whole
}

/// Can two threads access the same cell next?
fn races(steps: &[(Tid, Vec<Access>)]) -> bool {
    steps.iter().any(|(tid, a)| {
        let others = steps.iter().filter(|(other, _)| other != tid);
        others
            .flat_map(|(_, b)| b)
            .any(|y| a.iter().any(|x| x.conflicts(y)))
    })
}
