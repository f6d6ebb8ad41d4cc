//! Circuits over words: arithmetic, shifts and comparisons. The lowest bit comes first.

use super::Gates;
use crate::Lit;

/// The bits of a value, the lowest first.
pub type Word = Vec<Lit>;

impl Gates {
    /// A constant.
    pub fn constant_word(width: u32, bits: u64) -> Word {
        (0..width)
            .map(|at| Lit::constant(bits >> at & 1 == 1))
            .collect()
    }

    /// A free input of this many bits.
    pub fn input_word(&mut self, width: u32) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// Applies a gate bit by bit.
    pub fn zip(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        mut gate: impl FnMut(&mut Gates, Lit, Lit) -> Lit,
    ) -> Word {
        debug_assert_eq!(a.len(), b.len(), "both words have one width");
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    /// `if c then a else b`.
    pub fn ite_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        self.zip(a, b, |gates, a, b| gates.ite(c, a, b))
    }

    /// The word whose condition holds, or another one if none does. No two conditions hold at once.
    pub fn select_word(&mut self, choices: &[(Lit, Word)], otherwise: &[Lit]) -> Word {
        if let [(when, word)] = choices {
            return self.ite_word(*when, word, otherwise);
        }
        let some = self.or_all(choices.iter().map(|&(when, _)| when));
        let bits = otherwise.iter().enumerate();
        bits.map(|(at, &rest)| {
            if choices.iter().all(|(_, word)| word[at] == rest) {
                return rest;
            }
            let out = self.input();
            let all = choices.iter().map(|(when, word)| (*when, word[at]));
            for (when, bit) in all.chain([(!some, rest)]) {
                self.sat.clause(&[!when, !bit, out]);
                self.sat.clause(&[!when, bit, !out]);
            }
            out
        })
        .collect()
    }

    /// Are all bits equal?
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits = self.zip(a, b, Gates::iff);
        self.and_all(bits)
    }

    /// Is any bit set?
    pub fn nonzero(&mut self, a: &[Lit]) -> Lit {
        self.or_all(a.iter().copied())
    }

    /// `a + b + carry`, and the carry out.
    pub fn add_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    /// `a + b`.
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_carry(a, b, Lit::FALSE).0
    }

    /// `a - b`, and whether nothing was borrowed, that is, `a >= b` without sign.
    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        let b: Word = b.iter().map(|&bit| !bit).collect();
        self.add_carry(a, &b, Lit::TRUE)
    }

    /// `-a`.
    pub fn negate(&mut self, a: &[Lit]) -> Word {
        let zero = vec![Lit::FALSE; a.len()];
        self.subtract(&zero, a).0
    }

    /// `a < b` without sign.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // Only the borrow is needed, not the difference.
        let mut at_least = Lit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            at_least = self.majority(a, !b, at_least);
        }
        !at_least
    }

    /// `a < b` with sign.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less(&flip(a), &flip(b))
    }

    /// `a * b` cut to the width of `a`; `b` may have another width.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        for (shift, &bit) in b.iter().enumerate().take(width) {
            if bit == Lit::FALSE {
                continue;
            }
            let row: Word = a[..width - shift]
                .iter()
                .map(|&a| self.and(a, bit))
                .collect();
            let high = self.add(&sum[shift..], &row);
            sum.splice(shift.., high);
        }
        sum
    }

    /// Quotient and remainder without sign, with SMT-LIB's results for a divisor of zero.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        // One bit more, so that shifting the rest does not lose its highest bit.
        let mut divisor = b.to_vec();
        divisor.push(Lit::FALSE);
        let mut rest = vec![Lit::FALSE; width + 1];
        let mut quotient = vec![Lit::FALSE; width];
        for at in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[at]);
            let (difference, fits) = self.subtract(&rest, &divisor);
            quotient[at] = fits;
            rest = self.ite_word(fits, &difference, &rest);
        }
        // Dividing by zero subtracts zero in every round: all ones, and the dividend remains.
        rest.pop();
        (quotient, rest)
    }

    /// Quotient and remainder with sign, rounding towards zero, with SMT-LIB's results for zero.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let [minus_a, minus_b] = [self.negate(a), self.negate(b)];
        let size_a = self.ite_word(sign_a, &minus_a, a);
        let size_b = self.ite_word(sign_b, &minus_b, b);
        let (quotient, rest) = self.divide(&size_a, &size_b);
        let [minus_quotient, minus_rest] = [self.negate(&quotient), self.negate(&rest)];
        let differ = self.xor(sign_a, sign_b);
        let quotient = self.ite_word(differ, &minus_quotient, &quotient);
        (quotient, self.ite_word(sign_a, &minus_rest, &rest))
    }

    /// Moves `a` up by `by` bits, or down; `fill` comes in from outside.
    pub fn shift(&mut self, a: &[Lit], by: &[Lit], up: bool, fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut too_far = Lit::FALSE;
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1usize
                .checked_shl(stage as u32)
                .filter(|&distance| distance < width);
            let Some(distance) = distance else {
                too_far = self.or(too_far, bit);
                continue;
            };
            let moved: Word = (0..width)
                .map(|at| match up {
                    true => at.checked_sub(distance).map_or(fill, |from| word[from]),
                    false => word.get(at + distance).copied().unwrap_or(fill),
                })
                .collect();
            word = self.ite_word(bit, &moved, &word);
        }
        let outside = vec![fill; width];
        self.ite_word(too_far, &outside, &word)
    }
}
