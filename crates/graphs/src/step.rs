//! What an edge is for a memory model: a fence, a lock, or an access with an order.

use crate::Stop;
use models::MemoryOrder;
use semantics::Access;
use xcfa::{Edge, Label, LockMode};

/// Why an access has no meaning here.
pub(crate) const UNKNOWN_ORDER: Stop = Stop::Unsupported("a memory order that is not constant");

/// Is the step a fence?
pub(crate) fn is_fence(edge: &Edge) -> bool {
    edge.atomic && edge.labels.is_empty()
}

/// Is the step a lock (`true`) or an unlock (`false`)?
pub(crate) fn lock_of(edge: &Edge) -> Option<bool> {
    edge.labels.iter().find_map(|label| match label {
        Label::Lock { .. } => Some(true),
        Label::Unlock { .. } => Some(false),
        _ => None,
    })
}

/// Refuses what has no meaning here.
pub(crate) fn check_labels(edge: &Edge) -> Result<(), Stop> {
    for label in &edge.labels {
        let what = match label {
            Label::AtomicBegin | Label::AtomicEnd => "an atomic section",
            Label::Wait { .. } | Label::AwaitSignal { .. } | Label::Signal { .. } => {
                "a condition variable"
            }
            Label::Lock { mode, .. } | Label::Unlock { mode, .. }
                if *mode != LockMode::Exclusive =>
            {
                "a reader-writer lock"
            }
            Label::Free(_) => "memory that is freed",
            _ => continue,
        };
        return Err(Stop::Unsupported(what));
    }
    Ok(())
}

/// A half of a read-modify-write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Read,
    Write,
}

/// The memory order of an access: locks acquire, unlocks release.
pub(crate) fn order_of(
    edge: &Edge,
    access: &Access,
    side: Side,
) -> Result<Option<MemoryOrder>, Stop> {
    let order = match lock_of(edge) {
        Some(true) => MemoryOrder::Acquire,
        Some(false) => MemoryOrder::Release,
        None if !access.atomic => return Ok(None),
        None => edge.order.ok_or(UNKNOWN_ORDER)?,
    };
    Ok(Some(match side {
        Side::Read => order.of_read(),
        Side::Write => order.of_write(),
    }))
}
