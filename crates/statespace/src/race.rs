//! Data races in one state: two threads whose next steps access the same cell.
//!
//! When every state is visited this finds every race: accesses that nothing orders can be brought
//! next to each other by reordering the steps between them that do not matter to either, and the
//! state before both is then a state in which both can be taken.

use crate::choices::accesses;
use crate::inputs::Inputs;
use crate::scratch::Scratch;
use semantics::{Access, Machine, State, Status, Step, Tid};
use xcfa::EdgeId;

/// A step that a thread could take, and what it would access.
struct Next {
    step: Step,
    accesses: Vec<Access>,
}

/// Two next steps of different threads that race, if there are any.
///
/// A thread that an atomic section of another keeps from moving counts: its access could have
/// come just before the section.
pub fn find(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    state: &State,
    scratch: &mut Scratch,
) -> Option<[Step; 2]> {
    let running = |&tid: &Tid| state.thread(tid).status == Status::Running;
    let tids: Vec<Tid> = state.tids().filter(running).collect();
    if tids.len() < 2 || state.ended {
        return None;
    }
    let mut all: Vec<Next> = Vec::new();
    for tid in tids {
        for &edge in machine.edges(state, tid) {
            if !machine.guard_holds(state, tid, edge) {
                continue;
            }
            for next in next_steps(machine, inputs, state, scratch, (tid, edge)) {
                if let Some(other) = all.iter().find(|other| race(other, &next)) {
                    return Some([other.step.clone(), next.step]);
                }
                all.push(next);
            }
        }
    }
    None
}

fn next_steps(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    state: &State,
    scratch: &mut Scratch,
    (tid, edge): (Tid, EdgeId),
) -> impl Iterator<Item = Next> {
    let ways = accesses(machine, inputs, state, scratch, (tid, edge));
    ways.into_iter().map(move |(choices, accesses)| Next {
        step: Step::new(tid.0, edge.0, choices),
        accesses,
    })
}

fn race(a: &Next, b: &Next) -> bool {
    a.accesses
        .iter()
        .any(|x| b.accesses.iter().any(|y| x.conflicts(y)))
}
