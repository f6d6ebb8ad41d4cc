//! Atomic sections as single edges.
//!
//! No other thread moves inside a section, so where in it a thread is cannot be observed: each path from
//! its begin to its end is one step. A section stays as it is if it has loops or many paths, or
//! if something in it blocks, starts or ends a thread.

use super::{Classifier, is_plain, total::is_total};
use dataflow::Validity;
use xcfa::{Edge, EdgeId, Label, LocId, Xcfa};

/// A section with more paths than this stays.
const MOST_PATHS: usize = 16;

/// A section with a longer path than this stays.
const MOST_LABELS: usize = 200;

/// Replaces the sections that can be folded by edges from their begin to their ends.
pub(super) fn fold_sections(xcfa: &mut Xcfa, classifier: &Classifier<'_>, keep_loads: bool) {
    let validity = Validity::of(xcfa);
    let mut replaced = vec![false; xcfa.edges.len()];
    // All paths are found before the first edge is added, so that no path is found twice.
    let mut sections = Vec::new();
    for id in xcfa.edge_ids() {
        if xcfa[id].labels.first() != Some(&Label::AtomicBegin) {
            continue;
        }
        if let Some(paths) = Section::paths(xcfa, &validity, id, keep_loads) {
            replaced[id.0 as usize] = true;
            sections.extend(paths);
        }
    }
    for path in sections {
        let edge = whole(xcfa, classifier, &path);
        xcfa.add_edge(edge);
        replaced.push(false);
    }
    xcfa.retain_edges(|edge, _| !replaced[edge.0 as usize]);
}

/// A search for the paths of one section.
struct Section<'a> {
    xcfa: &'a Xcfa,
    validity: &'a Validity,
    /// Paths from the begin to an end.
    found: Vec<Vec<EdgeId>>,
    path: Vec<EdgeId>,
    /// Can a thread always get to the end?
    total: bool,
}

/// The section has to stay.
struct Stays;

impl Section<'_> {
    fn paths(
        xcfa: &Xcfa,
        validity: &Validity,
        begin: EdgeId,
        keep_loads: bool,
    ) -> Option<Vec<Vec<EdgeId>>> {
        let mut section = Section {
            xcfa,
            validity,
            found: Vec::new(),
            path: Vec::new(),
            total: true,
        };
        section.take(begin, 0).ok()?;
        // A thread that is cut off inside must not appear blocked because of another edge, and
        // where accesses count those before the cut do too.
        let may_be_cut = xcfa[xcfa[begin].source].out.len() == 1 && !keep_loads;
        let complete = !section.found.is_empty() && (section.total || may_be_cut);
        complete.then_some(section.found)
    }

    fn take(&mut self, edge: EdgeId, mut depth: u32) -> Result<(), Stays> {
        let labels = &self.xcfa[edge].labels;
        for (index, label) in labels.iter().enumerate() {
            match label {
                Label::AtomicBegin => depth += 1,
                Label::AtomicEnd => {
                    depth = depth.checked_sub(1).ok_or(Stays)?;
                    if depth == 0 && index + 1 < labels.len() {
                        return Err(Stays);
                    }
                }
                label if is_plain(label) => {}
                _ => return Err(Stays),
            }
        }
        self.path.push(edge);
        let target = self.xcfa[edge].target;
        if depth == 0 || self.xcfa[target].error.is_some() {
            self.end_path()?;
        } else {
            self.go_on(target, depth)?;
        }
        self.path.pop();
        Ok(())
    }

    fn end_path(&mut self) -> Result<(), Stays> {
        let labels: usize = self
            .path
            .iter()
            .map(|&edge| self.xcfa[edge].labels.len())
            .sum();
        self.found.push(self.path.clone());
        match labels > MOST_LABELS || self.found.len() > MOST_PATHS {
            true => Err(Stays),
            false => Ok(()),
        }
    }

    fn go_on(&mut self, loc: LocId, depth: u32) -> Result<(), Stays> {
        let looped = self.path.iter().any(|&edge| self.xcfa[edge].source == loc);
        let leaves = self.xcfa[self.xcfa[loc].proc].exit == loc;
        if looped || leaves {
            return Err(Stays);
        }
        self.total &= is_total(self.xcfa, self.validity, loc);
        for &edge in &self.xcfa[loc].out {
            self.take(edge, depth)?;
        }
        Ok(())
    }
}

/// The edges of a path as one step.
fn whole(xcfa: &Xcfa, classifier: &Classifier<'_>, path: &[EdgeId]) -> Edge {
    let marks = |label: &&Label| !matches!(label, Label::AtomicBegin | Label::AtomicEnd);
    let without_marks = |&edge: &EdgeId| Edge {
        labels: xcfa[edge].labels.iter().filter(marks).cloned().collect(),
        ..xcfa[edge].clone()
    };
    let edges: Vec<Edge> = path.iter().map(without_marks).collect();
    let shared = edges.iter().find(|edge| !classifier.kind(xcfa, edge).local);
    let mut all = edges[0].clone();
    for edge in &edges[1..] {
        all.statements = all.statements_with(edge, xcfa[edge.target].error.is_some());
        all.labels.extend_from_slice(&edge.labels);
        all.modelled &= edge.modelled;
    }
    Edge {
        target: edges[edges.len() - 1].target,
        atomic: true,
        order: Some(xcfa::MemoryOrder::SeqCst),
        span: shared.map_or(all.span, |edge| edge.span),
        ..all
    }
}
