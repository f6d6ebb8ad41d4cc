//! Accesses through addresses that come from outside of the program.
//!
//! What a function without a body returns as a pointer is an arbitrary address, and so is a number
//! from outside that is used as one. The machine and the engines end a run that accesses memory
//! where no object of the program is, as for every access that is undefined; but this one may be
//! perfectly fine, and then the run goes on. So nothing is proved about a program that may have
//! such an access. A number that is added to a pointer is an index, and no address.

use crate::PointsTo;
use crate::pointsto::accessed;
use xcfa::Xcfa;

/// The first access through a pointer that was never set, in words. It is undefined; what it does
/// to the object that happens to be there is not followed.
pub fn uninitialised_access(xcfa: &Xcfa, points_to: &PointsTo) -> Option<String> {
    let mut edges = xcfa.edges.iter();
    let edge = edges.find(|edge| {
        let mut accessed = edge.labels.iter().filter_map(accessed);
        accessed.any(|addr| points_to.is_uninitialised(xcfa, addr))
    })?;
    let what = "what an uninitialised pointer points to is not known";
    Some(xcfa.remark(edge.span, what))
}

/// The first access through a foreign pointer, in words; none if there can be none.
pub fn foreign_access(xcfa: &Xcfa, points_to: &PointsTo) -> Option<String> {
    xcfa.edges.iter().find_map(|edge| {
        let mut accessed = edge.labels.iter().filter_map(accessed);
        let from = accessed.find_map(|addr| points_to.origin(xcfa, addr))?;
        let place = xcfa.sources.place(edge.span);
        Some(format!(
            "{}:{}: what an address from `{from}` points to is not known",
            place.file, place.line
        ))
    })
}
