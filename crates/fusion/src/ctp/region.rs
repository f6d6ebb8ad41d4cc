//! The code of a branch that was not taken: what it may write, and where it ends.

use super::merge::MergePoints;
use dataflow::{Analysed, Storage};
use expr::VarId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use xcfa::{EdgeId, ErrorKind, Label, LocId, Scope, Xcfa};

/// Code between a location and the point where its branches meet.
#[derive(Debug, Default)]
pub struct Region {
    /// Where the branches meet.
    pub merge: Option<LocId>,
    /// Variables of the thread that may be set.
    pub locals: Vec<VarId>,
    /// Shared places that may be written.
    pub places: Vec<Storage>,
    /// It has an assertion, or does something that cannot be left out of the picture.
    pub unclear: bool,
}

/// The regions of a program, computed when they are asked for.
pub struct Regions {
    merges: MergePoints,
    known: FxHashMap<EdgeId, Rc<Region>>,
}

impl Regions {
    /// Prepares a program.
    pub fn of(xcfa: &Xcfa) -> Regions {
        Regions {
            merges: MergePoints::of(xcfa),
            known: FxHashMap::default(),
        }
    }

    /// What a thread may do instead of taking an edge, up to where the branches meet.
    pub fn beside(&mut self, xcfa: &Analysed, taken: EdgeId) -> Rc<Region> {
        if let Some(known) = self.known.get(&taken) {
            return known.clone();
        }
        let region = Rc::new(self.compute(xcfa, taken));
        self.known.insert(taken, region.clone());
        region
    }

    fn compute(&self, xcfa: &Analysed, taken: EdgeId) -> Region {
        let from = xcfa[taken].source;
        let mut region = Region {
            merge: self.merges.after(from),
            ..Region::default()
        };
        let Some(merge) = region.merge else {
            region.unclear = true;
            return region;
        };
        let others = xcfa[from].out.iter().copied();
        let mut work: Vec<EdgeId> = others.filter(|&edge| edge != taken).collect();
        let mut seen: FxHashSet<EdgeId> = work.iter().copied().collect();
        let mut places: FxHashSet<Storage> = FxHashSet::default();
        while let Some(edge) = work.pop() {
            for label in &xcfa[edge].labels {
                Self::add(xcfa, label, &mut region, &mut places);
            }
            let target = xcfa[edge].target;
            // An error right beside the edge is a goal of its own.
            let beside = xcfa[edge].source == from;
            region.unclear |= xcfa[target].error == Some(ErrorKind::Reached) && !beside;
            region.unclear |= target == from && leads_to_error(xcfa, from);
            if target == merge {
                continue;
            }
            work.extend(xcfa[target].out.iter().filter(|&&next| seen.insert(next)));
        }
        region.places = places.into_iter().collect();
        region.places.sort_unstable();
        region
    }

    fn add(xcfa: &Analysed, label: &Label, region: &mut Region, places: &mut FxHashSet<Storage>) {
        region.unclear |= matches!(
            label,
            Label::Start { .. }
                | Label::ThreadExit(_)
                | Label::Alloc { .. }
                | Label::Free(_)
                | Label::Call { .. }
        );
        if let Some(var) = label.defines()
            && xcfa[var].scope != Scope::Global
            && !region.locals.contains(&var)
        {
            region.locals.push(var);
        }
        let touches = dataflow::touches(xcfa, xcfa.points_to(), label);
        let writes = touches
            .into_iter()
            .filter(|touch| touch.write || touch.sync);
        places.extend(writes.map(|touch| touch.place));
    }
}

fn leads_to_error(xcfa: &Xcfa, loc: LocId) -> bool {
    let out = xcfa[loc].out.iter();
    out.map(|&edge| xcfa[xcfa[edge].target].error)
        .any(|error| error == Some(ErrorKind::Reached))
}
