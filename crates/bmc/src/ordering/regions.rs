//! How deep in atomic sections each location is, and the order in which to visit locations.

use super::Unsupported;
use xcfa::{Edge, Label, LocId, ProcId, Xcfa};

/// What is known about the locations of a program.
pub struct Regions {
    depth: Vec<Option<u32>>,
    /// By location: its place in a topological order of its procedure.
    place: Vec<u32>,
}

impl Regions {
    /// Analyses one procedure after the other.
    pub fn of(xcfa: &Xcfa) -> Result<Regions, Unsupported> {
        let mut regions = Regions {
            depth: vec![None; xcfa.locs.len()],
            place: vec![0; xcfa.locs.len()],
        };
        for proc in xcfa.proc_ids() {
            regions.order(xcfa, proc)?;
        }
        Ok(regions)
    }

    /// In how many atomic sections a thread at this location is.
    pub fn depth(&self, loc: LocId) -> u32 {
        self.depth[loc.0 as usize].unwrap_or(0)
    }

    /// Locations with smaller numbers come first on every path.
    pub fn place(&self, loc: LocId) -> u32 {
        self.place[loc.0 as usize]
    }

    fn order(&mut self, xcfa: &Xcfa, proc: ProcId) -> Result<(), Unsupported> {
        let finished = postorder(xcfa, xcfa[proc].init);
        let count = finished.len() as u32;
        for (at, &loc) in finished.iter().enumerate() {
            self.place[loc.0 as usize] = count - at as u32;
        }
        self.depth[xcfa[proc].init.0 as usize] = Some(0);
        for &loc in finished.iter().rev() {
            let depth = self.depth(loc);
            for &edge in &xcfa[loc].out {
                let edge = &xcfa[edge];
                if self.place(edge.target) <= self.place(loc) {
                    return Err(Unsupported::at(edge.span, "a loop that was not unrolled"));
                }
                if !xcfa[edge.target].out.is_empty() {
                    self.enter(edge, depth)?;
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, edge: &Edge, depth: u32) -> Result<(), Unsupported> {
        let Some(depth) = depth_after(edge, depth) else {
            return Ok(());
        };
        match self.depth[edge.target.0 as usize].replace(depth) {
            Some(known) if known != depth => {
                let what = "an atomic section that begins or ends on some paths only";
                Err(Unsupported::at(edge.span, what))
            }
            _ => Ok(()),
        }
    }
}

/// How deep a thread is after an edge; nothing if it ends there.
pub fn depth_after(edge: &Edge, depth: u32) -> Option<u32> {
    let mut depth = depth;
    for label in &edge.labels {
        match label {
            Label::AtomicBegin => depth += 1,
            Label::AtomicEnd => depth = depth.saturating_sub(1),
            Label::ThreadExit(_) | Label::Exit(_) => return None,
            _ => {}
        }
    }
    Some(depth)
}

/// The locations that can be reached, each after all that it leads to.
fn postorder(xcfa: &Xcfa, start: LocId) -> Vec<LocId> {
    let mut seen = vec![false; xcfa.locs.len()];
    let mut finished = Vec::new();
    let mut stack = vec![(start, 0)];
    seen[start.0 as usize] = true;
    while let Some((loc, next)) = stack.last_mut() {
        let Some(&edge) = xcfa[*loc].out.get(*next) else {
            finished.push(*loc);
            stack.pop();
            continue;
        };
        *next += 1;
        let target = xcfa[edge].target;
        if !std::mem::replace(&mut seen[target.0 as usize], true) {
            stack.push((target, 0));
        }
    }
    finished
}
