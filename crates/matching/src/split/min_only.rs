//! MinOnly: for each state a predicate that splits off a least value (section 4.3).

use crate::predicates::Predicate;
use crate::states::Segment;
use statespace::Random;

/// For each of the states `x > min(x)`, for one of the variables that have several values there.
pub fn min_only(eligible: &[Vec<Segment>], random: &mut Random) -> Vec<Predicate> {
    let mut chosen = Vec::new();
    for segments in eligible.iter().filter(|segments| !segments.is_empty()) {
        let segment = segments[random.below(segments.len())];
        chosen.push(Predicate {
            variable: segment.variable,
            bound: segment.least,
        });
    }
    chosen
}
