//! Affine hulls of points whose coordinates are bit vectors of one width.
//!
//! The smallest set of the form `{x : A x = b}` modulo a power of two that contains some points, apart
//! from equations about the remainder by a large power of two. After King and Søndergaard, "Automatic
//! Abstraction for Congruences" (VMCAI 2010, doi:10.1007/978-3-642-11319-2_16), simplified.

use super::linear::{Equations, Sum, unit};

/// Remainders by two to this power are remembered: that a number is even, or a multiple of four.
const LOW_BITS: u32 = 2;

/// Larger factors are none that programs have.
const LARGEST_FACTOR: u64 = 16;

/// How often one equation is added to another to get rid of large factors: sizes of elements.
const MULTIPLES: [u64; 4] = [1, 2, 4, 8];

/// A set of points that is given by one of them and the directions to others.
#[derive(Clone, Debug)]
pub struct Hull {
    width: u32,
    base: Vec<u64>,
    directions: Vec<Vec<u64>>,
    equations: Vec<Equation>,
}

/// What one point more changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Growth {
    /// It broke an equation.
    pub grown: bool,
    /// There is a short equation that did not follow from the short ones before: a sum of long ones.
    pub gained: bool,
}

/// The factors of a sum, and the constant that it equals.
pub type Equation = (Vec<u64>, u64);

impl Hull {
    /// One point.
    pub fn point(width: u32, base: Vec<u64>) -> Hull {
        let mut hull = Hull {
            width,
            base,
            directions: Vec::new(),
            equations: Vec::new(),
        };
        hull.equations = hull.all_equations();
        hull
    }

    /// One point more.
    pub fn add(&mut self, point: &[u64]) -> Growth {
        if self.contains(point) {
            return Growth::default();
        }
        let both = point.iter().zip(&self.base);
        let direction: Vec<u64> = both
            .map(|(to, from)| self.cut(to.wrapping_sub(*from)))
            .collect();
        self.directions.push(direction);
        let before = std::mem::take(&mut self.equations);
        self.equations = self.all_equations();
        Growth {
            grown: true,
            gained: self.has_gained(&before),
        }
    }

    /// Is there a short equation that does not follow from the short ones of these?
    fn has_gained(&self, before: &[Equation]) -> bool {
        let sum = |(factors, constant): &Equation| {
            let factors = factors.iter().copied().enumerate();
            Sum::new(factors, self.cut(constant.wrapping_neg()))
        };
        let short = |it: &&Equation| self.is_short(&it.0);
        let mut known = Equations::new(self.width);
        before
            .iter()
            .filter(short)
            .for_each(|it| known.add(sum(it)));
        let mut now = self.equations.iter().filter(short);
        now.any(|it| !known.imply(sum(it)))
    }

    /// Does a point obey all equations?
    fn contains(&self, point: &[u64]) -> bool {
        self.equations.iter().all(|(factors, constant)| {
            let both = factors.iter().zip(point);
            let sum = both.fold(0u64, |sum, (factor, at)| {
                sum.wrapping_add(factor.wrapping_mul(*at))
            });
            self.cut(sum) == *constant
        })
    }

    /// What all points of the set obey.
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// All points of another hull of the same width.
    pub fn join(&mut self, other: Hull) {
        self.add(&other.base);
        self.directions.extend(other.directions);
        self.equations = self.all_equations();
    }

    fn cut(&self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.width))
    }

    fn all_equations(&self) -> Vec<Equation> {
        let normal = self.normals();
        let equation = |factors: Vec<u64>| {
            let both = factors.iter().zip(&self.base);
            let sum = both.fold(0u64, |sum, (factor, at)| {
                sum.wrapping_add(factor.wrapping_mul(*at))
            });
            (factors, self.cut(sum))
        };
        normal.into_iter().map(equation).collect()
    }

    /// Vectors that are orthogonal to all directions, in a form with small factors.
    fn normals(&self) -> Vec<Vec<u64>> {
        let size = self.base.len();
        let mut rows = self.directions.clone();
        // The columns of `change` are what became of the coordinates.
        let mut change: Vec<Vec<u64>> = (0..size)
            .map(|at| (0..size).map(|to| u64::from(at == to)).collect())
            .collect();
        let mut rank = 0;
        let mut shifts = Vec::new();
        while let Some((row, column)) = self.pivot(&rows, rank) {
            rows.swap(rank, row);
            for line in rows.iter_mut().chain(&mut change) {
                line.swap(rank, column);
            }
            let (shift, inverse) = unit(rows[rank][rank]);
            shifts.push(shift);
            let (above, below) = rows.split_at_mut(rank + 1);
            let pivot = &above[rank];
            for row in below {
                let factor = (row[rank] >> shift).wrapping_mul(inverse);
                for (entry, &of_pivot) in row.iter_mut().zip(pivot) {
                    let less = factor.wrapping_mul(of_pivot);
                    *entry = self.cut(entry.wrapping_sub(less));
                }
            }
            for column in rank + 1..size {
                let factor = (rows[rank][column] >> shift).wrapping_mul(inverse);
                for line in rows.iter_mut().chain(&mut change) {
                    line[column] =
                        self.cut(line[column].wrapping_sub(factor.wrapping_mul(line[rank])));
                }
            }
            rank += 1;
        }
        // Along a pivot the low bits of a coordinate never change.
        let scaled = |column: usize, by: u32| -> Vec<u64> {
            let entries = change.iter().map(|line| self.cut(line[column] << by));
            entries.collect()
        };
        let low_bits = shifts.iter().enumerate();
        let low_bits = low_bits.filter(|&(_, &shift)| shift > 0 && self.width > LOW_BITS);
        let low_bits =
            low_bits.map(|(column, &shift)| scaled(column, self.width - shift.min(LOW_BITS)));
        let normals = (rank..size).map(|column| scaled(column, 0));
        let normals: Vec<Vec<u64>> = normals.chain(low_bits).collect();
        let mut normals = self.reduced(normals);
        self.shorten(&mut normals);
        normals
    }

    /// Has an equation only factors that programs have? Few examples obey equations with any factors,
    /// which are hard for a solver and soon refuted.
    pub fn is_short(&self, factors: &[u64]) -> bool {
        let is_small = |&factor: &u64| {
            let about_low_bits =
                self.width > LOW_BITS && factor.trailing_zeros() >= self.width - LOW_BITS;
            about_low_bits || expr::sign_extend(factor, self.width).unsigned_abs() <= LARGEST_FACTOR
        };
        factors.iter().all(is_small)
    }

    /// Two equations that have large factors in common may have a difference without any: nothing may
    /// be said of the index and of the address of an element, but that one follows from the other.
    fn shorten(&self, vectors: &mut [Vec<u64>]) {
        for at in 0..vectors.len() {
            if self.is_short(&vectors[at]) {
                continue;
            }
            let others = vectors.iter().enumerate();
            let others = others.filter(|&(other, vector)| other != at && !self.is_short(vector));
            let mut shorter = others.flat_map(|(_, other)| {
                let signed = MULTIPLES
                    .iter()
                    .flat_map(|&times| [times, times.wrapping_neg()]);
                signed.map(|times| self.less(&vectors[at], times, other))
            });
            if let Some(found) = shorter.find(|vector| self.is_short(vector)) {
                vectors[at] = found;
            }
        }
    }

    /// A vector without some multiple of another.
    fn less(&self, vector: &[u64], times: u64, other: &[u64]) -> Vec<u64> {
        let both = vector.iter().zip(other);
        both.map(|(entry, of_other)| self.cut(entry.wrapping_sub(times.wrapping_mul(*of_other))))
            .collect()
    }

    /// The entry with the fewest low zeros, from this row and column on.
    fn pivot(&self, rows: &[Vec<u64>], from: usize) -> Option<(usize, usize)> {
        let rows = rows.iter().enumerate().skip(from);
        let entries = rows.flat_map(|(row, line)| {
            let line = line.iter().enumerate().skip(from);
            line.map(move |(column, &value)| (value, row, column))
        });
        let entries = entries.filter(|(value, ..)| *value != 0);
        let best = entries.min_by_key(|(value, ..)| value.trailing_zeros());
        best.map(|(_, row, column)| (row, column))
    }

    /// Each vector has a coordinate with the factor one that no other vector has.
    fn reduced(&self, mut vectors: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        for at in 0..vectors.len() {
            let Some(column) = vectors[at].iter().rposition(|value| value % 2 == 1) else {
                continue;
            };
            let (_, inverse) = unit(vectors[at][column]);
            vectors[at] = vectors[at]
                .iter()
                .map(|it| self.cut(it.wrapping_mul(inverse)))
                .collect();
            let pivot = vectors[at].clone();
            for (other, vector) in vectors.iter_mut().enumerate() {
                if other != at {
                    let factor = vector[column];
                    for (value, less) in vector.iter_mut().zip(&pivot) {
                        *value = self.cut(value.wrapping_sub(factor.wrapping_mul(*less)));
                    }
                }
            }
        }
        vectors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_hold_of_all_points_and_find_sums() {
        let points: &[[u64; 4]] = &[
            [0, 0, 0, 7],
            [1, 2, 3, 7],
            [5, u64::MAX >> 32, 4, 7],
            [9, 9, 18, 7],
        ];
        let mut hull = Hull::point(32, points[0].to_vec());
        for point in &points[1..] {
            hull.add(point);
        }
        let equations = hull.equations();
        for (factors, constant) in equations {
            for point in points {
                let sum = factors.iter().zip(point).fold(0u64, |sum, (factor, at)| {
                    sum.wrapping_add(factor.wrapping_mul(*at))
                });
                assert_eq!(sum & 0xffff_ffff, *constant);
            }
        }
        assert_eq!(
            equations.len(),
            2,
            "x + y == z and the constant: {equations:?}"
        );
    }

    #[test]
    fn addresses_follow_from_indices() {
        let mut hull = Hull::point(64, vec![0, 0, 0, 1000]);
        for (index, base) in [(0, 123_456_789), (422_098_454, 98_765_432)] {
            hull.add(&[77 * index, base, base + 4 * index, 1000]);
            hull.add(&[index, base, base + 4 * index, 1000]);
        }
        let equations = hull.equations();
        let short = equations
            .iter()
            .filter(|(factors, _)| hull.is_short(factors));
        assert!(short.count() >= 1, "{equations:?}");
        let mut few = Hull::point(64, vec![0, 0, 0, 5]);
        few.add(&[422_098_454, 2, 4 * 422_098_454, 5]);
        let short = |it: &(Vec<u64>, u64)| few.is_short(&it.0) && it.0[2] != 0;
        assert!(few.equations().iter().any(short), "{:?}", few.equations());
    }

    #[test]
    fn even_numbers_stay_even() {
        let mut hull = Hull::point(32, vec![1, 4]);
        hull.add(&[3, 8]);
        hull.add(&[7, 24]);
        let odd = (vec![1 << 31, 0], 1 << 31);
        let two_odds = (vec![1 << 31, 1 << 30], 1 << 31);
        assert_eq!(hull.equations(), [odd, two_odds]);
    }
}
