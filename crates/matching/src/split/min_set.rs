//! MinSet: a small set of predicates that splits all states (section 4.2).

use crate::predicates::{Predicate, Variable};
use crate::states::Segment;
use statespace::Random;
use std::collections::BTreeMap;

/// A state by its place in the list, and the least and greatest value of the current variable.
type Ends = (usize, u64, u64);

/// Predicates that split all of the states: for each variable as few as split all that it can, and of
/// these again and again the one that splits the most states that are left.
pub fn min_set(eligible: &[Vec<Segment>], random: &mut Random) -> Vec<Predicate> {
    let mut by_variable: BTreeMap<Variable, Vec<Ends>> = BTreeMap::new();
    for (state, segments) in eligible.iter().enumerate() {
        for segment in segments {
            let ends = (state, segment.least, segment.greatest);
            by_variable.entry(segment.variable).or_default().push(ends);
        }
    }
    let mut table: Vec<(Predicate, Vec<usize>)> = Vec::new();
    for (variable, segments) in by_variable {
        for bound in stabbing(&segments) {
            let splits = segments
                .iter()
                .filter(|&&(_, least, greatest)| least <= bound && bound < greatest)
                .map(|&(state, ..)| state);
            table.push((Predicate { variable, bound }, splits.collect()));
        }
    }
    cover(table, eligible.len(), random)
}

/// As few bounds as split all segments: the one that ends first has to be split, as late as can be.
fn stabbing(segments: &[Ends]) -> Vec<u64> {
    let mut by_end: Vec<(u64, u64)> = segments
        .iter()
        .map(|&(_, least, greatest)| (greatest, least))
        .collect();
    by_end.sort_unstable();
    let mut bounds: Vec<u64> = Vec::new();
    for (greatest, least) in by_end {
        if bounds.last().is_none_or(|&bound| bound < least) {
            bounds.push(greatest - 1);
        }
    }
    bounds
}

/// The greedy cover of this many states.
fn cover(
    mut table: Vec<(Predicate, Vec<usize>)>,
    count: usize,
    random: &mut Random,
) -> Vec<Predicate> {
    let mut left = vec![true; count];
    let mut chosen = Vec::new();
    loop {
        for (_, splits) in &mut table {
            splits.retain(|&state| left[state]);
        }
        table.retain(|(_, splits)| !splits.is_empty());
        let Some(most) = table.iter().map(|(_, splits)| splits.len()).max() else {
            return chosen;
        };
        let places = (0..table.len()).filter(|&at| table[at].1.len() == most);
        let best: Vec<usize> = places.collect();
        let (predicate, splits) = table.swap_remove(best[random.below(best.len())]);
        chosen.push(predicate);
        for state in splits {
            left[state] = false;
        }
    }
}
