//! A task without a violation that is known already, so that a search finds the next one.

use dataflow::{Touch, touches};
use semantics::{Replay, What};
use verdict::Task;
use xcfa::{Edge, EdgeId, ErrorKind, Label, Misuse, Span, Xcfa};

/// What was done to a task so that a violation is not found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The steps that are the error are not taken: a thread stops in front of them. An execution ends with its first
    /// error anyway, so that every other error is still there, unless the step is part of a large block.
    Error,
    /// The two accesses are atomic. Every other access that takes part in a race still does.
    Race,
    /// No execution goes through the place. What goes wrong only behind it is not seen.
    Place,
}

/// The same question without a violation of the task. `None` where that cannot be asked: how threads wait
/// for ever, or what a memory model allows, is not at one place.
///
/// Law: an execution of the new task is one of the old task, step by step, and what violates the new task violates
/// the old one.
pub fn without(task: &Task, known: &Replay) -> Option<(Task, LeftOut)> {
    if !task.memory_model.is_sc() {
        return None;
    }
    let mut xcfa = Xcfa::clone(&task.xcfa);
    let what = match &known.failure.what {
        What::Race { .. } => {
            for step in known.racing? {
                let edge = known.steps.get(step)?.edge;
                for same in accesses_like(task, edge) {
                    xcfa.edges[same.0 as usize].atomic = true;
                }
            }
            LeftOut::Race
        }
        What::Stuck { .. } | What::Endless { .. } | What::Cycle { .. } => return None,
        what => {
            let edge = known.steps.last()?.edge;
            // A call of an error function tells little by its own line: each copy of it is an error of its own.
            let same = match what {
                What::ErrorCall { .. } => vec![edge],
                _ => errors_like(task, edge),
            };
            let never = xcfa.terms.bool(false);
            for same in same {
                let edge = &mut xcfa.edges[same.0 as usize];
                (edge.labels, edge.statements) = (vec![Label::Assume(never)], Vec::new());
            }
            match error_after(&task.xcfa, &task.xcfa[edge]) {
                Some(_) => LeftOut::Error,
                None => LeftOut::Place,
            }
        }
    };
    let mut without = task.clone();
    without.xcfa = xcfa.into();
    Some((without, what))
}

/// The edges that make the same access of the text, in whichever copy of its function.
fn accesses_like(task: &Task, edge: EdgeId) -> Vec<EdgeId> {
    let touched = |edge: &Edge| -> Vec<Touch> {
        let labels = edge.labels.iter();
        let all = labels.flat_map(|label| touches(&task.xcfa, task.xcfa.points_to(), label));
        all.collect()
    };
    let known = &task.xcfa[edge];
    let (span, places) = (known.span, touched(known));
    edges_where(&task.xcfa, |edge| {
        edge.span == span && touched(edge) == places
    })
}

/// The edges at which the same text goes wrong.
fn errors_like(task: &Task, edge: EdgeId) -> Vec<EdgeId> {
    let known = &task.xcfa[edge];
    let (span, error) = (last_span(known), error_after(&task.xcfa, known));
    edges_where(&task.xcfa, |edge| {
        last_span(edge) == span && error_after(&task.xcfa, edge) == error
    })
}

fn edges_where(xcfa: &Xcfa, test: impl Fn(&Edge) -> bool) -> Vec<EdgeId> {
    let edges = xcfa.edges.iter().enumerate();
    let found = edges.filter(|(_, edge)| test(edge));
    found.map(|(at, _)| EdgeId(at as u32)).collect()
}

fn error_after(xcfa: &Xcfa, edge: &Edge) -> Option<(ErrorKind, Option<Misuse>)> {
    let target = &xcfa[edge.target];
    target.error.map(|kind| (kind, target.misuse))
}

/// The text that an edge ends with.
fn last_span(edge: &Edge) -> Span {
    edge.statements()
        .last()
        .map_or(edge.span, |(_, span)| *span)
}
