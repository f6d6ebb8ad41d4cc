//! The examples of the paper's figures.

use super::{few, max_overlap, min_only, min_set};
use crate::predicates::Predicate;
use crate::states::Segment;
use statespace::Random;

const X: u32 = 0;
const Y: u32 = 1;

fn segment(variable: u32, least: u64, greatest: u64) -> Segment {
    Segment {
        variable,
        least,
        greatest,
    }
}

fn splits(predicate: &Predicate, segments: &[Segment]) -> bool {
    segments.iter().any(|segment| {
        let inside = segment.least <= predicate.bound && predicate.bound < segment.greatest;
        segment.variable == predicate.variable && inside
    })
}

/// Three segments meet between 3 and 4, so `x > 3` splits all three states.
#[test]
fn figure_4_1() {
    let states = [(1, 4), (2, 6), (3, 8)].map(|(a, b)| vec![segment(X, a, b)]);
    for seed in 0..20 {
        let found = max_overlap(&states, &mut Random::new(seed));
        let expected = Predicate {
            variable: X,
            bound: 3,
        };
        assert_eq!(found, Some(expected));
    }
}

/// Two predicates are needed for `x` and two for `y`, and two of these four split everything.
#[test]
fn figure_4_2() {
    let states = [
        vec![segment(X, 1, 3), segment(Y, 1, 3)],
        vec![segment(X, 5, 7), segment(Y, 2, 4)],
        vec![segment(X, 6, 9), segment(Y, 6, 7)],
    ];
    for seed in 0..20 {
        let found = min_set(&states, &mut Random::new(seed));
        assert_eq!(found.len(), 2, "{found:?}");
        for state in &states {
            assert!(found.iter().any(|predicate| splits(predicate, state)));
        }
        for predicate in found {
            assert!([2, 6].contains(&predicate.bound), "{predicate:?}");
        }
    }
}

/// Two states with values 6 and 8 of `x` are told apart by `x > 6`.
#[test]
fn figure_4_3() {
    let found = min_only(&[vec![segment(X, 6, 1)]], &mut Random::new(1));
    let expected = Predicate {
        variable: X,
        bound: 6,
    };
    assert_eq!(found, [expected]);
}

/// The most wanted ones stay.
#[test]
fn few_of_many() {
    let wanted = [4, 2, 7, 2, 7, 7, 1].map(|bound| Predicate { variable: X, bound });
    let bounds = |most| {
        let few = few(wanted.to_vec(), most);
        few.iter().map(|it| it.bound).collect::<Vec<u64>>()
    };
    assert_eq!(bounds(1), [7]);
    assert_eq!(bounds(3), [7, 2, 4]);
    assert_eq!(bounds(9), [7, 2, 4, 1]);
}

#[test]
fn the_best_predicate_is_the_one_that_splits_most() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let count = 1 + random.below(8);
        let mut states = Vec::new();
        for _ in 0..count {
            let mut ends = |variable| {
                let least = random.below(9) as u64;
                segment(variable, least, least + 1 + random.below(5) as u64)
            };
            states.push(vec![ends(X), ends(Y)]);
        }
        let split_by = |predicate: &Predicate| {
            let split = states.iter().filter(|state| splits(predicate, state));
            split.count()
        };
        let candidates =
            (0..20).flat_map(|bound| [X, Y].map(|variable| Predicate { variable, bound }));
        let most = candidates.map(|predicate| split_by(&predicate)).max();
        let best = max_overlap(&states, &mut random);
        assert_eq!(best.map(|predicate| split_by(&predicate)), most);
        let all = min_set(&states, &mut random);
        let every = states
            .iter()
            .all(|state| all.iter().any(|p| splits(p, state)));
        assert!(every, "{all:?} does not split all of {states:?}");
    }
}
