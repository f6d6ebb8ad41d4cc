//! Executions that need results which the library might not return.

use crate::{Task, Trace};
use std::collections::BTreeMap;
use xcfa::{EdgeId, HavocOrigin, Inexact, Label};

/// A result in an execution that is arbitrary here but determined in the library: whether the execution
/// is possible is not known. What it is, as text.
pub fn not_exact(task: &Task, trace: &Trace) -> Option<String> {
    let mut results: BTreeMap<&str, usize> = BTreeMap::new();
    for step in &trace.steps {
        let edge = task.xcfa.edges.get(step.edge as usize)?;
        for label in &edge.labels {
            let Some(name) = function_behind(label) else {
                continue;
            };
            let Some(inexact) = task.xcfa.inexact.get(name) else {
                continue;
            };
            let seen = results.entry(name).or_default();
            *seen += 1;
            let from = match inexact {
                Inexact::Every => 1,
                Inexact::FromSecond => 2,
            };
            if *seen >= from {
                let what =
                    format!("the violation depends on what `{name}` does, which is not worked out");
                let edge = EdgeId(step.edge);
                return Some(task.xcfa.remark(task.xcfa[edge].span, &what));
            }
        }
    }
    None
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
