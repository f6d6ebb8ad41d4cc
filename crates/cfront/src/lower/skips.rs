//! Removes edges that do nothing, which jumps and joins leave behind.
//!
//! A loop of such edges becomes one: it is a program that runs for ever.

use xcfa::{LocId, Xcfa};

/// Redirects edges past locations that do nothing, and drops what becomes unreachable.
pub(super) fn remove_skips(xcfa: &mut Xcfa) {
    let next: Vec<LocId> = xcfa.loc_ids().map(|loc| destination(xcfa, loc)).collect();
    for edge in &mut xcfa.edges {
        edge.target = next[edge.target.0 as usize];
    }
    for proc in &mut xcfa.procs {
        // An empty procedure keeps a first location that is not its last.
        let init = next[proc.init.0 as usize];
        if init != proc.exit {
            proc.init = init;
        }
    }
    xcfa.retain_edges(|_, _| true);
}

/// Where doing nothing leads from a location; itself if there is something to do. A loop of
/// nothing leads to its first location.
fn destination(xcfa: &Xcfa, from: LocId) -> LocId {
    let mut at = from;
    for _ in 0..xcfa.locs.len() {
        match only_skip(xcfa, at) {
            Some(next) => at = next,
            None => return at,
        }
    }
    let mut first = at;
    let mut next = only_skip(xcfa, at);
    while let Some(loc) = next.filter(|&loc| loc != at) {
        first = first.min(loc);
        next = only_skip(xcfa, loc);
    }
    first
}

fn only_skip(xcfa: &Xcfa, loc: LocId) -> Option<LocId> {
    match xcfa[loc].out.as_slice() {
        &[edge] if xcfa[edge].labels.is_empty() && !xcfa[edge].atomic => {
            // The step into an error stays: users look for its line.
            let target = xcfa[edge].target;
            xcfa[target].error.is_none().then_some(target)
        }
        _ => None,
    }
}
