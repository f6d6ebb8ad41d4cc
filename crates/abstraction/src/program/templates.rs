//! Which threads become templates, and whether they can.

use super::View;
use super::lock_words::LockWords;
use dataflow::{Analysed, PointsTo};
use expr::ObjId;
use passes::{Unrolled, Unsupported};
use rustc_hash::FxHashSet;
use xcfa::{Edge, EdgeId, Label, ObjectKind, ProcId, Xcfa};

/// The procedures of threads that are started in loops that may have more rounds than this, and of the
/// threads that those start.
pub(super) fn started_in_loops(xcfa: &Analysed, longest: u64) -> FxHashSet<ProcId> {
    let started = |edges: &mut dyn Iterator<Item = EdgeId>| -> Vec<ProcId> {
        let labels = edges.flat_map(|edge| &xcfa[edge].labels);
        let started = labels.filter_map(|label| match label {
            Label::Start { proc, .. } => Some(*proc),
            _ => None,
        });
        started.collect()
    };
    let mut found = Vec::new();
    for l in &xcfa.loops().loops {
        if l.bound.is_none_or(|bound| bound > longest) {
            let edges = l.body.iter().flat_map(|&loc| xcfa[loc].out.iter().copied());
            let mut inside = edges.filter(|&edge| l.contains(xcfa[edge].target));
            found.extend(started(&mut inside));
        }
    }
    let mut shared = FxHashSet::default();
    while let Some(proc) = found.pop() {
        if shared.insert(proc) {
            let own = |edge: &EdgeId| xcfa[xcfa[*edge].source].proc == proc;
            found.extend(started(&mut xcfa.edge_ids().filter(own)));
        }
    }
    shared
}

/// Makes sure that threads of one template cannot be distinguished: none starts another of its template or
/// asks for its own handle (unless that is arbitrary), and of a lock nobody sees more than whether it is
/// free.
pub(super) fn alike(
    unrolled: &Unrolled,
    without_memory: &Xcfa,
    points_to: &PointsTo,
    given_up: &[ObjId],
    view: Option<View>,
) -> Result<(), Unsupported> {
    let xcfa = &unrolled.xcfa;
    for edge in &xcfa.edges {
        let proc = xcfa[edge.source].proc;
        let is_start = |label: &&Label| matches!(label, Label::Start { .. });
        if edge.labels.iter().filter(is_start).count() > 1 {
            let what = "several threads are started in one step";
            return Err(Unsupported::at(edge.span, what));
        }
        let is_own = |label: &Label| matches!(label, Label::Start { proc: it, .. } if *it == proc);
        if edge.labels.iter().any(is_own) {
            let what = "threads without bound start threads like themselves";
            return Err(Unsupported::at(edge.span, what));
        }
    }
    if !given_up.is_empty() {
        // Two threads may have such an object each, and only one address would stand for both.
        let makes = |edge: &Edge, object: ObjId| {
            let mut labels = edge.labels.iter();
            unrolled.shared.contains(&xcfa[edge.source].proc)
                && labels
                    .any(|label| matches!(label, Label::Alloc { object: it, .. } if *it == object))
        };
        let of_many = |object: &&ObjId| {
            let is_stack = xcfa[**object].kind == ObjectKind::Stack;
            is_stack && xcfa.edges.iter().any(|edge| makes(edge, **object))
        };
        if let Some(&object) = given_up.iter().find(of_many) {
            let what = format!("{} is shared by threads without bound", xcfa[object].name);
            return Err(Unsupported::at(xcfa[object].span, what));
        }
    }
    let words = LockWords::of(without_memory, points_to, given_up);
    for edge in &without_memory.edges {
        let many = unrolled.shared.contains(&without_memory[edge.source].proc);
        let hides = many && view != Some(View::Coarse);
        for label in &edge.labels {
            let what = match label {
                _ if words.look_inside(label) => {
                    "a lock is accessed as memory while there are threads without bound"
                }
                _ if hides && words.show_self(label) => {
                    "threads without bound ask for their own handle"
                }
                _ => continue,
            };
            return Err(Unsupported::at(edge.span, what));
        }
    }
    Ok(())
}
