//! What is known of an edge.

use super::{Backup, EdgeInfo, Meeting};
use crate::event::LockOp;
use expr::{Term, VarId};
use rustc_hash::FxHashSet;
use xcfa::{Edge, Label, LockMode, Xcfa};

pub fn edge_info(meeting: &Meeting<'_>, edge: &Edge) -> EdgeInfo {
    let any = |test: fn(&Label) -> bool| edge.labels.iter().any(test);
    let xcfa = meeting.xcfa;
    let shared = meeting.shared_labels(edge);
    let mut locking = shared.clone();
    locking.retain(|label| !matches!(label, Label::Wait { .. } | Label::AwaitSignal { .. }));
    let lock = match locking[..] {
        [Label::Lock { mode, .. }] if *mode == LockMode::Read => LockOp::AcquireRead,
        [Label::Lock { .. }] => LockOp::Acquire,
        [Label::Unlock { mode, .. }] if *mode == LockMode::Exclusive => LockOp::Release,
        [Label::Unlock { .. }] => LockOp::ReleaseShared,
        _ => LockOp::None,
    };
    let guard = edge.labels.first();
    EdgeInfo {
        lock,
        signals: any(|label| matches!(label, Label::Wait { .. } | Label::Signal { .. })),
        awaits: any(|label| matches!(label, Label::AwaitSignal { timed: false })),
        frees: any(|label| {
            matches!(
                label,
                Label::Alloc { .. } | Label::Dealloc(_) | Label::ThreadExit(_) | Label::Call { .. }
            )
        }) || edge.target == xcfa[xcfa[edge.source].proc].exit,
        joins: any(|label| matches!(label, Label::Join { .. })),
        repeatable: !any(|label| {
            let makes = matches!(
                label,
                Label::Start { .. } | Label::Alloc { .. } | Label::Free(_)
            );
            makes || label.is_signalling()
        }),
        guarded: matches!(guard, Some(Label::Assume(cond)) if is_local(xcfa, *cond)),
        stable: shared.len() <= 1
            || (!edge.labels.iter().any(can_fail_on_values) && fixed(xcfa, edge)),
    }
}

fn is_local(xcfa: &Xcfa, term: Term) -> bool {
    !xcfa
        .terms
        .vars(term)
        .into_iter()
        .any(|var| xcfa.is_global(var))
}

fn can_fail_on_values(label: &Label) -> bool {
    matches!(
        label,
        Label::Assume(_) | Label::Await(_) | Label::AtomicBegin | Label::Call { .. }
    )
}

/// No address depends on what the same edge reads.
fn fixed(xcfa: &Xcfa, edge: &Edge) -> bool {
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    for label in &edge.labels {
        let addr = match label {
            Label::Join { thread, .. } => Some(*thread),
            _ => label.address(),
        };
        let depends = |term| {
            let vars = xcfa.terms.vars(term);
            vars.iter()
                .any(|var| read.contains(var) || xcfa.is_global(*var))
        };
        if addr.is_some_and(depends) {
            return false;
        }
        read.extend(label.defines());
    }
    true
}

/// How much an edge may have changed before it fails.
pub fn backup(xcfa: &Xcfa, edge: &Edge) -> Backup {
    let (mut dirty, mut needed) = (Backup::Nothing, Backup::Nothing);
    for label in &edge.labels {
        let may_fail = !matches!(
            label,
            Label::Assign { .. }
                | Label::Havoc { .. }
                | Label::Dealloc(_)
                | Label::AtomicEnd
                | Label::AwaitSignal { .. }
                | Label::ThreadExit(_)
        );
        if may_fail {
            needed = needed.max(dirty);
        }
        let changes = match label {
            Label::Assume(_) | Label::Await(_) => Backup::Nothing,
            Label::Assign { var, .. } | Label::Havoc { var, .. } if !xcfa.is_global(*var) => {
                Backup::Thread
            }
            _ => Backup::Everything,
        };
        // A load may also fix what is undefined.
        dirty = dirty.max(changes);
        if matches!(label, Label::AtomicBegin | Label::Call { .. }) {
            needed = Backup::Everything;
        }
    }
    if xcfa[edge.target].error.is_some() {
        needed = needed.max(dirty);
    }
    needed
}
