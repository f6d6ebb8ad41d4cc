//! Large-block encoding: one step is a shared operation and the local steps that follow it.
//!
//! After section 4.3.3 of "Abstraction-aware partial order reduction" (paper 1). Local steps
//! commute with everything that other threads do, so it is enough to interleave other threads'
//! steps before shared operations. Atomic sections become single steps where their paths are
//! few.
//!
//! Law: reachable error locations of the kind that is checked, deadlocks, endless runs and races
//! on shared cells stay the same. What makes this hold beyond the paper:
//! - A shared effect must not be lost because a later local step cannot happen (an assumption
//!   fails, an access faults): behind an effect only *total* locations are folded, those that
//!   always have a way on. Behind a mere read others are folded too, where no alternative edge
//!   could make the difference between cut off and blocked, and where the read itself is not
//!   what is checked (races).
//! - Reaching an error that is not checked ends the process, and so is a shared operation.
//! - Every loop keeps its head, so that no step is without end.

mod atomic;
mod fold;
mod total;

use crate::Options;
use dataflow::{Loops, PointsTo, Sharing, locations_before_threads, touches};
use xcfa::{Edge, ErrorKind, Label, Xcfa};

/// What matters about an edge here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    /// Touches nothing shared, and ends neither thread, process nor frame.
    local: bool,
    /// Others may see that it happened.
    effect: bool,
}

/// Folds local steps into the shared operation before them.
pub fn large_blocks(xcfa: &mut Xcfa, options: &Options) {
    let points_to = PointsTo::of(xcfa);
    let sharing = Sharing::of(xcfa, &points_to);
    let classifier = Classifier {
        points_to: &points_to,
        sharing: &sharing,
        checked: options.checked,
        alone: locations_before_threads(xcfa),
    };
    atomic::fold_sections(xcfa, &classifier, options.keep_loads);
    // The locations have new numbers now.
    let classifier = Classifier {
        alone: locations_before_threads(xcfa),
        ..classifier
    };
    let loops = Loops::of(xcfa);
    fold::fold_locations(xcfa, &classifier, &loops, options.keep_loads);
}

/// Tells shared operations from local ones.
struct Classifier<'a> {
    points_to: &'a PointsTo,
    sharing: &'a Sharing,
    checked: Option<ErrorKind>,
    /// By location: is a thread there the only one so far?
    alone: Vec<bool>,
}

impl Classifier<'_> {
    fn kind(&self, xcfa: &Xcfa, edge: &Edge) -> Kind {
        let mut kind = Kind {
            local: true,
            effect: false,
        };
        let alone = self.alone[edge.source.0 as usize];
        for label in &edge.labels {
            if !is_plain(label) {
                kind = Kind {
                    local: false,
                    effect: true,
                };
            }
            for touch in touches(xcfa, self.points_to, label) {
                if !alone && self.sharing.is_shared(touch.place) {
                    kind.local = false;
                    kind.effect |= touch.write;
                }
            }
        }
        if xcfa[edge.target]
            .error
            .is_some_and(|error| Some(error) != self.checked)
        {
            kind.local = false;
        }
        kind
    }
}

/// Does the label only compute and access memory, without blocking?
fn is_plain(label: &Label) -> bool {
    matches!(
        label,
        Label::Assign { .. }
            | Label::Havoc { .. }
            | Label::Load { .. }
            | Label::Store { .. }
            | Label::Assume(_)
            | Label::Alloc { .. }
            | Label::Dealloc(_)
    )
}

#[cfg(test)]
mod tests;
