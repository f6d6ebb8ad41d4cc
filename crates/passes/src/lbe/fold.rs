//! Folding locations into the edges that lead to them.

use super::{Classifier, Kind, total::is_total};
use dataflow::{Loops, Validity};
use xcfa::{Edge, EdgeId, Label, LocId, Xcfa};

/// No edge gets longer than this.
const MOST_LABELS: usize = 200;

/// Labels that may be written twice to fold a location with several edges in.
const MOST_COPIED_LABELS: usize = 32;

pub(super) fn fold_locations(
    xcfa: &mut Xcfa,
    classifier: &Classifier<'_>,
    loops: &Loops,
    keep_loads: bool,
) {
    let validity = Validity::of(xcfa);
    let total = xcfa
        .loc_ids()
        .map(|loc| is_total(xcfa, &validity, loc))
        .collect();
    let fixed = xcfa
        .loc_ids()
        .map(|loc| {
            let proc = &xcfa[xcfa[loc].proc];
            loc == proc.init || loc == proc.exit || loops.is_head(loc) || xcfa[loc].error.is_some()
        })
        .collect();
    let kinds: Vec<Kind> = xcfa
        .edges
        .iter()
        .map(|edge| classifier.kind(xcfa, edge))
        .collect();
    let alive = vec![true; xcfa.edges.len()];
    let mut folder = Folder {
        xcfa,
        total,
        fixed,
        kinds,
        alive,
        keep_loads,
    };
    folder.run();
    let alive = folder.alive;
    xcfa.retain_edges(|edge, _| alive[edge.0 as usize]);
}

struct Folder<'a> {
    xcfa: &'a mut Xcfa,
    /// By location: can a thread always go on from here?
    total: Vec<bool>,
    /// By location: must it stay?
    fixed: Vec<bool>,
    /// By edge.
    kinds: Vec<Kind>,
    /// By edge: has it not been replaced?
    alive: Vec<bool>,
    /// Must a read be seen even if the run is cut off behind it?
    keep_loads: bool,
}

impl Folder<'_> {
    fn run(&mut self) {
        let mut work: Vec<LocId> = self.xcfa.loc_ids().collect();
        work.reverse();
        while let Some(loc) = work.pop() {
            if !self.can_fold(loc) {
                continue;
            }
            // Folding changes how many edges the neighbours have: ask them again.
            work.extend(
                self.xcfa[loc]
                    .inc
                    .iter()
                    .map(|&edge| self.xcfa[edge].source),
            );
            work.extend(
                self.xcfa[loc]
                    .out
                    .iter()
                    .map(|&edge| self.xcfa[edge].target),
            );
            self.fold(loc);
        }
    }

    fn can_fold(&self, loc: LocId) -> bool {
        let (inc, out) = (&self.xcfa[loc].inc, &self.xcfa[loc].out);
        if self.fixed[loc.0 as usize] || inc.is_empty() || out.is_empty() {
            return false;
        }
        let labels = |&edge: &EdgeId| self.xcfa[edge].labels.len();
        let longest_in = inc.iter().map(labels).max().unwrap_or(0);
        let longest_out = out.iter().map(labels).max().unwrap_or(0);
        let cheap = match (inc.len(), out.len()) {
            (1, _) => true,
            (count, 1) => (count - 1) * longest_out <= MOST_COPIED_LABELS,
            _ => false,
        };
        cheap
            && longest_in + longest_out <= MOST_LABELS
            && out.iter().all(|edge| self.kinds[edge.0 as usize].local)
            && inc
                .iter()
                .all(|&edge| self.can_go_on(edge, self.total[loc.0 as usize]))
    }

    /// May local steps follow on this edge, from a location that is total or not?
    fn can_go_on(&self, edge: EdgeId, total: bool) -> bool {
        let ends_step = |label: &Label| {
            matches!(
                label,
                Label::Call { .. } | Label::ThreadExit(_) | Label::Exit(_)
            )
        };
        let source = self.xcfa[edge].source;
        let alternatives = self.xcfa[source].out.len() > 1;
        let Kind { local, effect } = self.kinds[edge.0 as usize];
        let may_be_cut = !effect && !alternatives && (local || !self.keep_loads);
        !self.xcfa[edge].labels.iter().any(ends_step) && (total || may_be_cut)
    }

    fn fold(&mut self, loc: LocId) {
        let inc = std::mem::take(&mut self.xcfa[loc].inc);
        let out = std::mem::take(&mut self.xcfa[loc].out);
        for &first in &inc {
            self.alive[first.0 as usize] = false;
            let source = self.xcfa[first].source;
            self.xcfa[source].out.retain(|&edge| edge != first);
            self.total[source.0 as usize] &= self.total[loc.0 as usize];
            for &second in &out {
                let kind = self.join_kinds(first, second);
                let edge = self.join(first, second);
                self.xcfa.add_edge(edge);
                self.kinds.push(kind);
                self.alive.push(true);
            }
        }
        for &second in &out {
            self.alive[second.0 as usize] = false;
            let target = self.xcfa[second].target;
            self.xcfa[target].inc.retain(|&edge| edge != second);
        }
    }

    fn join_kinds(&self, first: EdgeId, second: EdgeId) -> Kind {
        let (first, second) = (self.kinds[first.0 as usize], self.kinds[second.0 as usize]);
        Kind {
            local: first.local && second.local,
            effect: first.effect || second.effect,
        }
    }

    fn join(&self, first: EdgeId, second: EdgeId) -> Edge {
        let shared = !self.kinds[first.0 as usize].local;
        let (first, second) = (&self.xcfa[first], &self.xcfa[second]);
        let statements = first.statements_with(second, self.xcfa[second.target].error.is_some());
        let labels = first.labels.iter().chain(&second.labels).cloned().collect();
        let span = if first.labels.is_empty() {
            second.span
        } else {
            first.span
        };
        Edge {
            source: first.source,
            target: second.target,
            labels,
            // The local part cannot race: only the shared access says whether this is atomic.
            atomic: first.atomic && (shared || second.atomic),
            order: if shared { first.order } else { second.order },
            span,
            statements,
            modelled: first.modelled && second.modelled,
        }
    }
}
