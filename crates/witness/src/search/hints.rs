//! Values for inputs that are known from somewhere else.

use std::collections::BTreeMap;
use xcfa::{HavocOrigin, Label, Span};

/// Values to try for inputs before others.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// For all inputs.
    pub anywhere: Vec<u64>,
    /// By thread and the call that returns them: the values in the order in which they are asked for.
    pub in_order: BTreeMap<(u32, Span), Vec<u64>>,
}

/// Where the function is called that returns an input.
pub(crate) fn call_of(label: &Label) -> Option<Span> {
    match label {
        Label::Havoc {
            origin: HavocOrigin::Input(_, call) | HavocOrigin::External(_, call),
            ..
        } => Some(*call),
        _ => None,
    }
}
