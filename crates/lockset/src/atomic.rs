//! Steps whose accesses are certainly atomic.

use xcfa::{Edge, Label, LocId, Xcfa};

/// By edge: is it an atomic operation, or inside an atomic section on every path?
pub fn atomic_edges(xcfa: &Xcfa) -> Vec<bool> {
    let depths = depths(xcfa);
    let is_atomic = |edge: &Edge| edge.atomic || in_section(edge, depths[edge.source.0 as usize]);
    xcfa.edges.iter().map(is_atomic).collect()
}

/// Is every label that could access something inside a section?
fn in_section(edge: &Edge, before: Option<u32>) -> bool {
    let mut depth = before.unwrap_or(0);
    edge.labels.iter().all(|label| {
        let inside = depth > 0;
        depth = after(label, depth);
        inside || *label == Label::AtomicBegin
    })
}

fn after(label: &Label, depth: u32) -> u32 {
    match label {
        Label::AtomicBegin => depth + 1,
        Label::AtomicEnd => depth.saturating_sub(1),
        // What a recursive call does to sections is not followed.
        Label::Call { .. } => 0,
        _ => depth,
    }
}

/// By location: in how many sections a thread there is at least; none if it is not reached.
fn depths(xcfa: &Xcfa) -> Vec<Option<u32>> {
    let mut depths: Vec<Option<u32>> = vec![None; xcfa.locs.len()];
    let mut work: Vec<LocId> = Vec::new();
    for proc in &xcfa.procs {
        depths[proc.init.0 as usize] = Some(0);
        work.push(proc.init);
    }
    while let Some(loc) = work.pop() {
        let before = depths[loc.0 as usize].expect("it was reached");
        for &edge in &xcfa[loc].out {
            let edge = &xcfa[edge];
            let depth = edge
                .labels
                .iter()
                .fold(before, |depth, label| after(label, depth));
            let known = &mut depths[edge.target.0 as usize];
            if known.is_none_or(|known| depth < known) {
                *known = Some(depth);
                work.push(edge.target);
            }
        }
    }
    depths
}
