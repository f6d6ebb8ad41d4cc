//! Locations where a thread may repeat a loop without effect.

use dataflow::{Analysed, graph};
use xcfa::{Edge, Label, LocId, Xcfa};

/// By location: can a thread come back there with nothing changed, as far as the text tells? A
/// round that writes, starts a thread, or belongs to a loop that ends after this many rounds is no
/// such thing.
pub fn idle_rounds(xcfa: &Analysed) -> Vec<bool> {
    let loops = xcfa.loops();
    let successors: Vec<Vec<usize>> = xcfa
        .loc_ids()
        .map(|loc| {
            let edges = xcfa[loc].out.iter().map(|&edge| &xcfa[edge]);
            let idle = edges.filter(|edge| !changes_something(xcfa, edge));
            idle.map(|edge| edge.target.0 as usize).collect()
        })
        .collect();
    let endless = |loc: LocId| {
        let mut around = loops.loops.iter().filter(|it| it.contains(loc));
        around.any(|it| it.bound.is_none())
    };
    let on_cycle = graph::on_cycle(&successors);
    xcfa.loc_ids()
        .map(|loc| on_cycle[loc.0 as usize] && endless(loc))
        .collect()
}

fn changes_something(xcfa: &Xcfa, edge: &Edge) -> bool {
    edge.labels.iter().any(|label| {
        matches!(label, Label::Store { .. } | Label::Start { .. })
            || label.defines().is_some_and(|var| xcfa.is_global(var))
    })
}
