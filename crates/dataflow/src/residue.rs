//! Numbers of which the low bits are known.

/// A value that equals `value` modulo `2^bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue {
    value: u64,
    bits: u32,
}

impl Residue {
    /// Anything.
    pub(crate) const ANY: Residue = Residue { value: 0, bits: 0 };

    pub(crate) fn new(value: u64, bits: u32) -> Residue {
        let bits = bits.min(64);
        Residue {
            value: value & low(bits),
            bits,
        }
    }

    /// The same, with no more than `bits` bits known.
    pub(crate) fn cut(self, bits: u32) -> Residue {
        Residue::new(self.value, self.bits.min(bits))
    }

    /// Covers both.
    pub(crate) fn join(self, other: Residue) -> Residue {
        let differ = (self.value ^ other.value).trailing_zeros();
        self.cut(other.bits.min(differ))
    }

    pub(crate) fn add(self, other: Residue) -> Residue {
        let bits = self.bits.min(other.bits);
        Residue::new(self.value.wrapping_add(other.value), bits)
    }

    pub(crate) fn sub(self, other: Residue) -> Residue {
        let bits = self.bits.min(other.bits);
        Residue::new(self.value.wrapping_sub(other.value), bits)
    }

    pub(crate) fn mul(self, other: Residue) -> Residue {
        let bits = (self.bits + other.zeros()).min(other.bits + self.zeros());
        Residue::new(self.value.wrapping_mul(other.value), bits)
    }

    /// Bitwise operations know of each bit what they know of both arguments.
    pub(crate) fn bitwise(self, other: Residue, op: impl Fn(u64, u64) -> u64) -> Residue {
        Residue::new(op(self.value, other.value), self.bits.min(other.bits))
    }

    /// How many low bits are certainly zero.
    pub(crate) fn zeros(self) -> u32 {
        self.value.trailing_zeros().min(self.bits)
    }

    /// Are so many low bits known of both, and the same?
    pub fn agrees(self, other: Residue, bits: u32) -> bool {
        let known = self.bits.min(other.bits);
        known >= bits && (self.value ^ other.value) & low(bits) == 0
    }

    /// The numbers from 0 to `last` that fit, in order.
    pub fn up_to(self, last: u64) -> impl Iterator<Item = u64> {
        let step = 1u64.checked_shl(self.bits);
        std::iter::successors(Some(self.value), move |at| at.checked_add(step?))
            .take_while(move |&at| at <= last)
    }

    /// Is the value certainly a multiple of `2^bits`?
    pub fn is_aligned(self, bits: u32) -> bool {
        self.zeros() >= bits
    }
}

fn low(bits: u32) -> u64 {
    match bits {
        64.. => u64::MAX,
        _ => (1 << bits) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::Residue;

    /// All operations against all numbers that two residues stand for.
    #[test]
    fn operations_cover_what_numbers_do() {
        let residues = (0..4).flat_map(|bits| (0..1 << bits).map(move |v| Residue::new(v, bits)));
        let residues: Vec<Residue> = residues.collect();
        let fits = |r: Residue, n: u64| (n ^ r.value) & super::low(r.bits) == 0;
        for &a in &residues {
            for &b in &residues {
                for (x, y) in a.up_to(20).flat_map(|x| b.up_to(20).map(move |y| (x, y))) {
                    assert!(fits(a.add(b), x.wrapping_add(y)));
                    assert!(fits(a.sub(b), x.wrapping_sub(y)));
                    assert!(fits(a.mul(b), x.wrapping_mul(y)), "{a:?} {b:?} {x} {y}");
                    assert!(fits(a.bitwise(b, |x, y| x & y), x & y));
                    assert!(fits(a.join(b), x) && fits(a.join(b), y));
                }
            }
        }
        let every_fourth: Vec<u64> = Residue::new(6, 2).up_to(12).collect();
        assert_eq!(every_fourth, [2, 6, 10]);
        assert_eq!(Residue::new(5, 64).up_to(9).count(), 1);
    }
}
