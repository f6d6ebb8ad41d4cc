//! Two threads whose next steps race, where the witness says so.

use super::ways::{Way, Ways};
use super::{Frame, Taken};
use crate::annotated_program::AnnotatedProgram;
use crate::automaton::Automaton;
use semantics::{Outcome, Status, Step, Tid};

/// Two next steps of different threads that race, if the witness accepts them. A thread that an
/// atomic section of another keeps from moving counts: its access could have come before.
pub(super) fn find(
    program: &AnnotatedProgram<'_>,
    automaton: &Automaton,
    ways: &mut Ways<'_, '_>,
    frame: &Frame,
) -> Option<[Step; 2]> {
    let state = &frame.state;
    let running = |&tid: &Tid| state.thread(tid).status == Status::Running;
    let tids: Vec<Tid> = state.tids().filter(running).collect();
    if tids.len() < 2 || state.ended {
        return None;
    }
    let mut all: Vec<Way> = Vec::new();
    for tid in tids {
        for &edge in program.machine.edges(state, tid) {
            if !program.machine.guard_holds(state, tid, edge) {
                continue;
            }
            for way in ways.all(state, &frame.position, (tid, edge), &[]) {
                if !matches!(way.outcome, Outcome::Moved { .. }) || way.accesses.is_empty() {
                    continue;
                }
                for other in all.iter().filter(|other| race(other, &way)) {
                    let pair = [taken(frame, other), taken(frame, &way)];
                    if frame.position.accepts(program, automaton, &pair) {
                        return Some([other.step.clone(), way.step]);
                    }
                }
                all.push(way);
            }
        }
    }
    None
}

fn taken<'s>(frame: &'s Frame, way: &'s Way) -> Taken<'s> {
    Taken {
        tid: Tid(way.step.thread),
        edge: xcfa::EdgeId(way.step.edge),
        before: &frame.state,
        after: Some(&way.state),
        inputs: &way.inputs,
    }
}

fn race(a: &Way, b: &Way) -> bool {
    let mut pairs = a
        .accesses
        .iter()
        .flat_map(|x| b.accesses.iter().map(move |y| (x, y)));
    pairs.any(|(x, y)| x.conflicts(y))
}
