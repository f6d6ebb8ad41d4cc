//! Objects that could not become variables, and are given up.
//!
//! What is read from them is arbitrary, what is written to them is lost, and so is the address of
//! a heap object. The result has more runs than the program. Locks must not be given up.

use dataflow::PointsTo;
use expr::ObjId;
use passes::Unsupported;
use xcfa::{HavocOrigin, Label, Xcfa};

/// Leaves out what is done to objects that are given up.
pub(super) fn give_up(
    xcfa: &mut Xcfa,
    points_to: &PointsTo,
    given_up: &[ObjId],
) -> Result<(), Unsupported> {
    for edge in xcfa.edge_ids() {
        let mut labels = std::mem::take(&mut xcfa[edge].labels);
        let mut refused = None;
        labels.retain_mut(|label| {
            let (objects, lost) = touched(xcfa, points_to, label, given_up);
            match label {
                Label::Alloc { .. } | Label::Free(_) | Label::Dealloc(_) if lost == 0 => {
                    refused = Some("memory that could not be turned into variables");
                    true
                }
                _ if lost == 0 => true,
                Label::Alloc { var, .. } | Label::Load { var, .. } => {
                    *label = Label::Havoc {
                        var: *var,
                        origin: HavocOrigin::Uninitialised,
                    };
                    true
                }
                Label::Dealloc(_) => false,
                Label::Store { .. } | Label::Free(_) if lost == objects => false,
                _ => {
                    refused =
                        Some("a lock may be in memory that could not be turned into variables");
                    true
                }
            }
        });
        if let Some(what) = refused {
            return Err(Unsupported::at(xcfa[edge].span, what));
        }
        xcfa[edge].labels = labels;
    }
    Ok(())
}

/// How many objects a label may be about, and how many of them are given up.
fn touched(xcfa: &Xcfa, points_to: &PointsTo, label: &Label, given_up: &[ObjId]) -> (usize, usize) {
    let objects = match label {
        Label::Alloc { object, .. } | Label::Dealloc(object) => vec![*object],
        Label::Load { addr, .. }
        | Label::Store { addr, .. }
        | Label::Free(addr)
        | Label::Lock { addr, .. }
        | Label::Unlock { addr, .. } => points_to.objects(xcfa, *addr),
        _ => Vec::new(),
    };
    let lost = objects.iter().filter(|object| given_up.contains(object));
    (objects.len(), lost.count())
}
