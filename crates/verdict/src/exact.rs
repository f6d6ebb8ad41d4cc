//! Executions that need results which the library might not return.

use crate::tainted::{Tainted, Use};
use crate::{Task, Trace};
use semantics::{Machine, Outcome, Script, Tid, Violation};
use std::collections::BTreeMap;
use xcfa::{EdgeId, HavocOrigin, Inexact, Label};

/// A result in an execution that is arbitrary here but determined in the library, and that the violation depends
/// on: whether the execution is possible is not known. What it is, as text.
pub fn not_exact(task: &Task, trace: &Trace) -> Option<String> {
    // Only few programs have such results: do not run the execution again for the others.
    let (edge, name) = first_in_doubt(task, trace)?;
    let (edge, name) = match dependent(task, trace) {
        Dependent::On(edge, name) => (edge, name),
        Dependent::OnNothing => return None,
        Dependent::Unclear => (edge, name),
    };
    let what = format!("the violation depends on what `{name}` does, which is not worked out");
    Some(task.xcfa.remark(task.xcfa[edge].span, &what))
}

/// Counts results that are determined in the library.
#[derive(Default)]
struct Doubts<'t>(BTreeMap<&'t str, usize>);

impl<'t> Doubts<'t> {
    /// The function, if this label gives a result of it that it might not return.
    fn note(&mut self, task: &'t Task, label: &'t Label) -> Option<&'t str> {
        let name = function_behind(label)?;
        let inexact = task.xcfa.inexact.get(name)?;
        let seen = self.0.entry(name).or_default();
        *seen += 1;
        let from = match inexact {
            Inexact::Every => 1,
            Inexact::FromSecond => 2,
        };
        (*seen >= from).then_some(name)
    }
}

fn first_in_doubt<'t>(task: &'t Task, trace: &Trace) -> Option<(EdgeId, &'t str)> {
    let mut doubts = Doubts::default();
    trace.steps.iter().find_map(|step| {
        let edge = task.xcfa.edges.get(step.edge as usize)?;
        let mut labels = edge.labels.iter();
        let name = labels.find_map(|label| doubts.note(task, label))?;
        Some((EdgeId(step.edge), name))
    })
}

/// What a violation depends on.
enum Dependent<'t> {
    /// The result of this function, in this step.
    On(EdgeId, &'t str),
    /// The execution goes the same way whatever these results are.
    OnNothing,
    /// It cannot be followed label by label.
    Unclear,
}

/// Follows what is computed from results that the library might not return.
fn dependent<'t>(task: &'t Task, trace: &Trace) -> Dependent<'t> {
    let mut labels = task.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    // Frames of calls and their results are not followed.
    let calls = |label: &Label| matches!(label, Label::Call { .. });
    if trace.graph.is_some() || trace.loop_start.is_some() || labels.any(calls) {
        return Dependent::Unclear;
    }
    let machine = Machine::new(&task.xcfa, task.property);
    let mut state = machine.initial();
    let (mut doubts, mut tainted) = (Doubts::default(), Tainted::new(&machine));
    let mut last = None;
    for step in &trace.steps {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let mut at = state.clone();
        let mut host = Script::new(&step.choices);
        for label in &task.xcfa[edge].labels {
            let doubt = doubts.note(task, label);
            last = doubt.map(|name| (edge, name)).or(last);
            match tainted.follow(&at, tid, label, doubt.is_some()) {
                Use::Harmless => {}
                Use::Decides => {
                    let (edge, name) = last.expect("nothing else is in doubt");
                    return Dependent::On(edge, name);
                }
            }
            match machine.step_label(&mut at, tid, edge, label, &mut host) {
                Outcome::Moved { .. } => {}
                // The violation itself, or the end of the thread or the process.
                _ => break,
            }
        }
        let mut host = Script::new(&step.choices);
        machine.step(&mut state, tid, edge, &mut host);
    }
    // What a thread waits for, and what memory holds, decide whether there is a violation at the end of the execution.
    let about_the_end = matches!(
        trace.violation,
        Violation::Deadlock | Violation::NonTermination | Violation::InvalidMemtrack
    );
    match about_the_end && !tainted.is_empty() {
        true => Dependent::Unclear,
        false => Dependent::OnNothing,
    }
}

fn function_behind(label: &Label) -> Option<&str> {
    let Label::Havoc { origin, .. } = label else {
        return None;
    };
    match origin {
        HavocOrigin::External(name, _) | HavocOrigin::Pointer(name) => Some(name),
        HavocOrigin::Input(..) | HavocOrigin::Uninitialised | HavocOrigin::WeakFailure => None,
    }
}
