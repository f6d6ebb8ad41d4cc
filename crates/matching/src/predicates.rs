//! The predicates: `variable > constant`.

/// A variable of the state, by number.
pub type Variable = u32;

/// `variable > bound`, in the order of the variable's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Predicate {
    /// The variable.
    pub variable: Variable,
    /// The constant.
    pub bound: u64,
}

/// A set of predicates. Those about one variable cut its values into intervals, so that their truth
/// values are told by the number of the interval.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// By variable: the bounds, the smallest first.
    bounds: Vec<Vec<u64>>,
    count: usize,
}

impl Predicates {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Adds one; `false` if it was there.
    pub fn insert(&mut self, predicate: Predicate) -> bool {
        let at = predicate.variable as usize;
        if self.bounds.len() <= at {
            self.bounds.resize(at + 1, Vec::new());
        }
        match self.bounds[at].binary_search(&predicate.bound) {
            Ok(_) => false,
            Err(place) => {
                self.bounds[at].insert(place, predicate.bound);
                self.count += 1;
                true
            }
        }
    }

    /// Is anything asked about the variable?
    pub fn mention(&self, variable: Variable) -> bool {
        let bounds = self.bounds.get(variable as usize);
        bounds.is_some_and(|bounds| !bounds.is_empty())
    }

    /// How many of the predicates about the variable hold for the value.
    pub fn interval(&self, variable: Variable, value: u64) -> usize {
        let bounds = &self.bounds[variable as usize];
        bounds.partition_point(|&bound| bound < value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_tell_the_truth_values() {
        let mut predicates = Predicates::default();
        for bound in [7, 3, 3, 5] {
            predicates.insert(Predicate { variable: 2, bound });
        }
        assert_eq!(predicates.len(), 3);
        assert!(predicates.mention(2) && !predicates.mention(0) && !predicates.mention(9));
        let intervals = [0, 3, 4, 5, 6, 8].map(|value| predicates.interval(2, value));
        assert_eq!(intervals, [0, 0, 1, 1, 2, 3]);
    }
}
