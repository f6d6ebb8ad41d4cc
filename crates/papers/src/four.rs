//! Tables 2.1 and 5.1 to 5.5 of "Finding Termination and Time Improvement in Predicate Abstraction
//! with Under-Approximation and Abstract Matching": where refinement by weakest preconditions ends,
//! and how soon seven methods find states that were drawn from seven models.

mod ending;
mod hunting;
mod points;

use crate::{Cell, Experiment, Part, Published, Results, Settings};
use matching::{Search, Strategy};

/// The methods: their names here and in the paper.
const METHODS: [(&str, &str, Strategy); 7] = [
    ("AMCS", "AMCS", Strategy::Amcs),
    ("RandDFS", "RandDFS", Strategy::RandomDfs),
    ("NoTP", "AMCSNoTP", Strategy::NoProver),
    ("MinOnly", "MinOnly", Strategy::MinOnly),
    ("MaxOverlap", "MaxOverlap", Strategy::MaxOverlap),
    ("AddAll", "AddAll", Strategy::AddAll),
    ("MinSet", "MinSet", Strategy::MinSet),
];

/// The experiment.
pub struct Four {
    /// How many states of each model to search for.
    pub count: usize,
    /// Decides which states these are, in the first run.
    pub seed: u64,
    /// Which state comes next, except for random search.
    pub search: Search,
    /// Do strategies that split store few states and rather search more often?
    pub frugal: bool,
}

impl Experiment for Four {
    fn cells(&self, settings: &Settings) -> Result<Vec<Cell>, String> {
        let mut cells = ending::cells(settings);
        cells.extend(hunting::cells(self, settings));
        Ok(cells)
    }

    fn parts(&self, results: &Results) -> Vec<Part> {
        let mut parts = vec![ending::part(results)];
        parts.extend(hunting::parts(results));
        parts
    }
}

/// A table as the paper prints it, by its number.
pub fn published(number: &str) -> Published {
    Published::read(match number {
        "2.1" => include_str!("../data/4-table-2-1.csv"),
        "5.1" => include_str!("../data/4-table-5-1.csv"),
        "5.2" => include_str!("../data/4-table-5-2.csv"),
        "5.3" => include_str!("../data/4-table-5-3.csv"),
        "5.4" => include_str!("../data/4-table-5-4.csv"),
        "5.5" => include_str!("../data/4-table-5-5.csv"),
        _ => panic!("the paper has no table {number}"),
    })
}
