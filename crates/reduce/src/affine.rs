//! Affine hulls of points whose coordinates are bit vectors of one width.
//!
//! The smallest set of the form `{x : A x = b}` modulo a power of two that contains some points, apart
//! from equations that only say something about low bits. After King and Søndergaard, "Automatic
//! Abstraction for Congruences" (VMCAI 2010, doi:10.1007/978-3-642-11319-2_16), simplified.

/// A set of points that is given by one of them and the directions to others.
#[derive(Clone, Debug)]
pub struct Hull {
    width: u32,
    base: Vec<u64>,
    directions: Vec<Vec<u64>>,
}

/// The factors of a sum, and the constant that it equals.
pub type Equation = (Vec<u64>, u64);

impl Hull {
    /// One point.
    pub fn point(width: u32, base: Vec<u64>) -> Hull {
        Hull {
            width,
            base,
            directions: Vec::new(),
        }
    }

    /// One point more.
    pub fn add(&mut self, point: &[u64]) {
        let both = point.iter().zip(&self.base);
        let direction: Vec<u64> = both
            .map(|(to, from)| self.cut(to.wrapping_sub(*from)))
            .collect();
        self.directions.push(direction);
    }

    fn cut(&self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.width))
    }

    /// What all points of the set obey.
    pub fn equations(&self) -> Vec<Equation> {
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
        while let Some((row, column)) = self.pivot(&rows, rank) {
            rows.swap(rank, row);
            for line in rows.iter_mut().chain(&mut change) {
                line.swap(rank, column);
            }
            let (shift, inverse) = self.unit(rows[rank][rank]);
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
        let normals = (rank..size).map(|column| change.iter().map(|line| line[column]).collect());
        self.reduced(normals.collect())
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

    /// How often two divides a number, and the inverse of what is left.
    fn unit(&self, value: u64) -> (u32, u64) {
        let shift = value.trailing_zeros();
        let odd = value >> shift;
        // Newton: each round doubles the number of right bits.
        let inverse = (0..6).fold(odd, |guess: u64, _| {
            guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)))
        });
        (shift, inverse)
    }

    /// Each vector has a coordinate with the factor one that no other vector has.
    fn reduced(&self, mut vectors: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        for at in 0..vectors.len() {
            let Some(column) = vectors[at].iter().rposition(|value| value % 2 == 1) else {
                continue;
            };
            let (_, inverse) = self.unit(vectors[at][column]);
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
        points[1..].iter().for_each(|point| hull.add(point));
        let equations = hull.equations();
        for (factors, constant) in &equations {
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
}
