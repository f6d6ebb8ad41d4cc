//! Programs for proofs about one thread at a time.
//!
//! Law: such a program has at least the runs of the one it was made from, but for the names of handles;
//! and in these runs two threads that have been started have different handles. In the fine view a
//! thread of a template has a handle that no counting of threads arrives at. Only locks show it there,
//! and the machine has no room for more threads than there are such handles.

use expr::Sort;
use serde::{Deserialize, Serialize};
use xcfa::{HavocOrigin, Label, Xcfa};

/// What is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// All threads that are started in a loop are of one template, a lock can always be taken, and of
    /// memory that does not become variables nothing is known. Nothing is refused because of a lock.
    Coarse,
    /// Threads that are started in a short loop are told apart, and locks are followed.
    Fine,
}

/// No object is at address 0.
pub(super) fn addresses_exist(xcfa: &mut Xcfa) {
    for edge in xcfa.edge_ids() {
        let labels = std::mem::take(&mut xcfa[edge].labels);
        let mut all = Vec::with_capacity(labels.len());
        for label in labels {
            let made = match &label {
                Label::Alloc { var, .. } => Some(*var),
                _ => None,
            };
            all.push(label);
            if let Some(var) = made {
                let (address, null) = (xcfa.read(var), xcfa[var].sort);
                let null = xcfa.terms.constant(null, 0);
                all.push(Label::Assume(xcfa.terms.ne(address, null)));
            }
        }
        xcfa[edge].labels = all;
    }
}

/// Leaves out locks and all that is done to memory: what is read from it is arbitrary.
pub(super) fn forget_memory(xcfa: &mut Xcfa) {
    for edge in xcfa.edge_ids() {
        xcfa[edge].labels.retain_mut(|label| match label {
            Label::Alloc { var, .. } | Label::Load { var, .. } => {
                let origin = HavocOrigin::Uninitialised;
                *label = Label::Havoc { var: *var, origin };
                true
            }
            Label::Store { .. }
            | Label::Free(_)
            | Label::Dealloc(_)
            | Label::Lock { .. }
            | Label::Unlock { .. } => false,
            _ => true,
        });
    }
}

/// The handles that threads of templates have: from the first on, below the second.
pub(super) fn template_handles(sort: Sort) -> (u64, u64) {
    debug_assert!(sort.width() >= 32, "a handle has the size of a pointer");
    (super::compile::TEMPLATE, 1 << 31)
}
