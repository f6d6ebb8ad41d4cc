//! What C leaves open, where the program may observe it.
//!
//! The machine gives objects addresses and threads handles in one fixed way. C allows many others:
//! the order of objects in memory, the numbers that addresses are, whether the address of memory
//! that was freed is given out again, the numbers that handles are and whether they come back. A
//! program that cannot observe the choice has the same runs with all of them, and nothing is lost.
//! One that may observe it gets more runs in the machine ([`mark_reuse`]) or is not proved: the reason is kept
//! in [`Xcfa::unspecified`].
//!
//! Law: if nothing is found here, every run with other addresses and handles has a counterpart with
//! the machine's, which takes the same edges with the same values apart from addresses and handles,
//! at least up to the first access through an address at which nothing was alive any more (such a
//! run is undefined from there on). The counterpart renames addresses; what is found are the
//! operators whose result such a renaming can change.
//!
//! The models of library functions are trusted where they compare whole addresses, and where they use
//! handles.

mod besides;
mod carriers;
mod constant;
mod handles;
mod numbers;
mod reuse;

pub use constant::constant_write;
pub use handles::handle_use;
pub use numbers::{AddressUse, address_use};
pub use reuse::{mark_reuse, resized_in_place, stack_reuse};

use xcfa::{EdgeId, Label, Xcfa};

fn at(xcfa: &Xcfa, edge: EdgeId, what: &str) -> String {
    xcfa.remark(xcfa[edge].span, what)
}

fn own_labels(xcfa: &Xcfa) -> impl Iterator<Item = (EdgeId, &Label)> {
    let edges = xcfa.edge_ids().filter(|&edge| !xcfa[edge].modelled);
    edges.flat_map(|edge| xcfa[edge].labels.iter().map(move |label| (edge, label)))
}

#[cfg(test)]
mod tests;
