//! What is known of a location.

use super::edge::backup;
use super::exclusive::decides;
use super::{Backup, EdgeInfo, LocInfo, Meeting};
use dataflow::Accesses;
use expr::{Term, VarId};
use xcfa::{Edge, EdgeId, ErrorKind, Label, LocId};

pub fn loc_info(
    meeting: &Meeting<'_>,
    accesses: &Accesses,
    idle_rounds: bool,
    edges: &[EdgeInfo],
    checked: Option<ErrorKind>,
    loc: LocId,
) -> LocInfo {
    let xcfa = meeting.xcfa;
    let out = &xcfa[loc].out;
    let info = |edge: &EdgeId| &edges[edge.0 as usize];
    let ends = |edge: &Edge| {
        let exits = edge
            .labels
            .iter()
            .any(|label| matches!(label, Label::Exit(_)));
        exits
            || xcfa[edge.target]
                .error
                .is_some_and(|kind| Some(kind) != checked)
    };
    let backup = out
        .iter()
        .map(|&edge| match ends(&xcfa[edge]) {
            true => Backup::Everything,
            false => backup(xcfa, &xcfa[edge]),
        })
        .max();
    let labels: Vec<&[Label]> = out.iter().map(|&edge| &xcfa[edge].labels[..]).collect();
    LocInfo {
        local: !out.is_empty() && out.iter().all(|&edge| accesses.edge(edge).is_local()),
        backup: backup.unwrap_or(Backup::Nothing),
        reaches_others: out
            .iter()
            .any(|&edge| xcfa[edge].labels.iter().any(reaches_others)),
        exclusive: decides(xcfa, &labels),
        stable: out.iter().all(|edge| info(edge).stable)
            && (out.len() < 2
                || same_reads(meeting, out)
                || out.iter().all(|edge| info(edge).guarded)),
        insists: !out.is_empty() && out.iter().all(|edge| info(edge).lock.blocks()),
        may_wait: out
            .iter()
            .any(|&edge| xcfa[edge].labels.iter().any(Label::can_wait)),
        idle_rounds,
        is_end: !out.is_empty()
            && out
                .iter()
                .all(|&edge| matches!(xcfa[edge].labels[..], [Label::Exit(_)])),
    }
}

fn reaches_others(label: &Label) -> bool {
    label.reaches_others() || *label == Label::AtomicBegin
}

/// All edges read the same one place, and write nothing.
fn same_reads(meeting: &Meeting<'_>, out: &[EdgeId]) -> bool {
    let xcfa = meeting.xcfa;
    let labels = |&edge: &EdgeId| meeting.shared_labels(&xcfa[edge]);
    let reads: Vec<Vec<&Label>> = out.iter().map(labels).collect();
    let plain = |label: &&Label| {
        matches!(label, Label::Load { .. } | Label::Assume(_))
            || matches!(label, Label::Assign { var, .. } if !xcfa.is_global(*var))
    };
    let vars = |labels: &[&Label]| -> Vec<VarId> {
        let terms = labels.iter().flat_map(|label| label.terms());
        terms
            .flat_map(|term| xcfa.terms.vars(term))
            .filter(|&var| xcfa.is_global(var))
            .collect()
    };
    let loads = |labels: &[&Label]| -> Vec<Term> {
        let addr = |label: &&Label| match label {
            Label::Load { addr, .. } => Some(*addr),
            _ => None,
        };
        labels.iter().filter_map(addr).collect()
    };
    reads.iter().all(|labels| {
        labels.iter().all(plain)
            && vars(labels) == vars(&reads[0])
            && loads(labels) == loads(&reads[0])
    })
}
