//! A step before each join of which it is not known what it does.
//!
//! The step is there for the verdict: an execution that takes it depends on what the library does
//! ([`Xcfa::inexact`]), and so proves nothing.

use dataflow::{Doubt, DoubtfulJoin};
use expr::Sort;
use xcfa::{Edge, HavocOrigin, Inexact, Label, Xcfa};

const JOIN: &str = "pthread_join";

/// Marks the joins that may not wait, and those that may wait for ever where that matters.
pub(crate) fn mark_doubtful(xcfa: &mut Xcfa, joins: &[DoubtfulJoin], waits: bool) {
    let mut edges: Vec<_> = joins
        .iter()
        .filter(|join| join.doubt == Doubt::Detached || waits)
        .map(|join| join.edge)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    for edge in edges {
        xcfa.inexact.insert(JOIN.into(), Inexact::Every);
        let Edge { source, span, .. } = xcfa[edge];
        let proc = xcfa[source].proc;
        let before = xcfa.add_loc(proc);
        let var = xcfa.add_temp(proc, Sort::Bool);
        let known = xcfa.terms.var(var, Sort::Bool);
        let origin = HavocOrigin::External(JOIN.into(), span);
        let labels = vec![Label::Havoc { var, origin }, Label::Assume(known)];
        xcfa[source].out.retain(|&out| out != edge);
        xcfa.connect(source, before, labels, span);
        xcfa[edge].source = before;
        xcfa[before].out.push(edge);
    }
}
