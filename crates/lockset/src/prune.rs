//! Steps that are never taken.

use crate::values::Values;
use xcfa::Xcfa;

/// The program without the steps whose condition is certainly false.
///
/// Law: the same runs.
pub fn without_impossible_steps(xcfa: &Xcfa) -> Xcfa {
    let mut xcfa = xcfa.clone();
    while let Some(values) = Values::of(&xcfa) {
        let before = xcfa.edges.len();
        xcfa.retain_edges(|edge, _| values.is_feasible(edge));
        if xcfa.edges.len() == before {
            break;
        }
    }
    xcfa
}
