//! MaxOverlap: the one predicate that splits the most states (section 4.1).

use crate::predicates::{Predicate, Variable};
use crate::states::Segment;
use statespace::Random;
use std::collections::BTreeMap;

/// The predicate that splits the most of the states; a random one of the best, if there are several.
pub fn max_overlap(eligible: &[Vec<Segment>], random: &mut Random) -> Option<Predicate> {
    let mut by_variable: BTreeMap<Variable, Vec<(u64, u64)>> = BTreeMap::new();
    for segment in eligible.iter().flatten() {
        let ends = (segment.least, segment.greatest);
        by_variable.entry(segment.variable).or_default().push(ends);
    }
    let mut best: (usize, Vec<Predicate>) = (0, Vec::new());
    for (variable, segments) in by_variable {
        for (bound, splits) in overlaps(segments) {
            if splits > best.0 {
                best = (splits, Vec::new());
            }
            if splits == best.0 {
                best.1.push(Predicate { variable, bound });
            }
        }
    }
    let (_, candidates) = best;
    (!candidates.is_empty()).then(|| candidates[random.below(candidates.len())])
}

/// How many segments each bound splits: `least <= bound < greatest`. The number grows only where a
/// segment begins, so no other bounds need be tried.
fn overlaps(segments: Vec<(u64, u64)>) -> Vec<(u64, usize)> {
    let mut begins: Vec<u64> = segments.iter().map(|&(least, _)| least).collect();
    let mut ends: Vec<u64> = segments.iter().map(|&(_, greatest)| greatest).collect();
    begins.sort_unstable();
    ends.sort_unstable();
    let mut overlaps = Vec::new();
    let mut ended = 0;
    for (at, &bound) in begins.iter().enumerate() {
        if begins.get(at + 1) == Some(&bound) {
            continue;
        }
        while ends[ended] <= bound {
            ended += 1;
        }
        overlaps.push((bound, at + 1 - ended));
    }
    overlaps
}
