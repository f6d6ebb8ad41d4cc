//! What is said of some states of a predicate.

use super::affine::{Growth, Hull};
use super::space::Space;
use expr::{Term, Terms};

/// Equalities and comparisons that all states seen so far obey.
pub struct Case {
    /// One for each space of the predicate.
    hulls: Vec<Hull>,
    /// The equalities of the hulls.
    equalities: Vec<Term>,
    /// Comparisons.
    atoms: Vec<Term>,
}

impl Case {
    /// The first state, as a point of each space. Of some comparisons, those that hold there are taken.
    pub fn new(
        terms: &mut Terms,
        spaces: &[Space],
        points: Vec<Vec<u64>>,
        atoms: &[Term],
        mut holds: impl FnMut(&mut Terms, Term) -> bool,
    ) -> Case {
        let both = spaces.iter().zip(points);
        let mut case = Case {
            hulls: both
                .map(|(space, point)| Hull::point(space.width, point))
                .collect(),
            equalities: Vec::new(),
            atoms: Vec::new(),
        };
        let atoms = atoms.iter().copied();
        case.atoms = atoms.filter(|&atom| holds(terms, atom)).collect();
        case.refresh(terms, spaces);
        case
    }

    /// One state more.
    pub fn add(
        &mut self,
        terms: &mut Terms,
        spaces: &[Space],
        points: Vec<Vec<u64>>,
        mut holds: impl FnMut(&mut Terms, Term) -> bool,
    ) -> Growth {
        let mut growth = Growth::default();
        for (hull, point) in self.hulls.iter_mut().zip(&points) {
            let of_hull = hull.add(point);
            growth.grown |= of_hull.grown;
            growth.gained |= of_hull.gained;
        }
        if growth.grown {
            self.refresh(terms, spaces);
        }
        let before = self.atoms.len();
        self.atoms.retain(|&atom| holds(terms, atom));
        growth.grown |= self.atoms.len() < before;
        growth
    }

    /// The states of another case are some of this one.
    pub fn join(&mut self, terms: &mut Terms, spaces: &[Space], other: Case) {
        for (hull, other) in self.hulls.iter_mut().zip(other.hulls) {
            hull.join(other);
        }
        self.atoms.retain(|atom| other.atoms.contains(atom));
        self.refresh(terms, spaces);
    }

    fn refresh(&mut self, terms: &mut Terms, spaces: &[Space]) {
        let both = spaces.iter().zip(&self.hulls);
        self.equalities = both
            .flat_map(|(space, hull)| space.equalities(terms, hull, true))
            .collect();
    }

    /// All that all states so far obey, also equalities that are not said because no program has them.
    pub fn strongest(&self, terms: &mut Terms, spaces: &[Space]) -> Vec<Term> {
        let both = spaces.iter().zip(&self.hulls);
        let mut all = self.atoms.clone();
        all.extend(both.flat_map(|(space, hull)| space.equalities(terms, hull, false)));
        all
    }

    /// All that is said.
    pub fn parts(&self) -> impl Iterator<Item = Term> {
        self.atoms.iter().chain(&self.equalities).copied()
    }
}
