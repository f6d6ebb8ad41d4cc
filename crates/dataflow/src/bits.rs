//! Sets of small numbers, one bit each. The set grows as numbers come in; sets of different
//! lengths compare by their members.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A set of numbers.
#[derive(Clone, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set.
    pub fn new() -> BitSet {
        BitSet::default()
    }

    /// Adds `member`; was it new?
    pub fn insert(&mut self, member: usize) -> bool {
        let (word, bit) = (member / 64, 1u64 << (member % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes `member` out; was it there?
    pub fn remove(&mut self, member: usize) -> bool {
        let (word, bit) = (member / 64, 1u64 << (member % 64));
        match self.words.get_mut(word) {
            Some(bits) => std::mem::replace(bits, *bits & !bit) & bit != 0,
            None => false,
        }
    }

    /// Is `member` in the set?
    pub fn contains(&self, member: usize) -> bool {
        self.words
            .get(member / 64)
            .is_some_and(|bits| bits >> (member % 64) & 1 == 1)
    }

    /// Has it no members?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&bits| bits == 0)
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|bits| bits.count_ones() as usize)
            .sum()
    }

    /// Adds every member of `other`; were any of them new?
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (mine, &theirs) in self.words.iter_mut().zip(&other.words) {
            grown |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grown
    }

    /// Keeps what `other` has as well; were any members lost?
    pub fn intersect_with(&mut self, other: &BitSet) -> bool {
        let mut shrunk = false;
        for (at, mine) in self.words.iter_mut().enumerate() {
            let theirs = other.words.get(at).copied().unwrap_or(0);
            shrunk |= *mine & !theirs != 0;
            *mine &= theirs;
        }
        shrunk
    }

    /// Have the two a member in common?
    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Have the three a member in common?
    pub fn intersects_within(&self, other: &BitSet, third: &BitSet) -> bool {
        let words = self.words.iter().zip(&other.words).zip(&third.words);
        words.into_iter().any(|((a, b), c)| a & b & c != 0)
    }

    /// The members, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| word * 64 + bit)
        })
    }

    /// The words up to the last that is not zero.
    fn significant(&self) -> &[u64] {
        let end = self
            .words
            .iter()
            .rposition(|&bits| bits != 0)
            .map_or(0, |at| at + 1);
        &self.words[..end]
    }
}

impl PartialEq for BitSet {
    fn eq(&self, other: &BitSet) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for BitSet {}

impl Hash for BitSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> BitSet {
        let mut set = BitSet::new();
        for member in members {
            set.insert(member);
        }
        set
    }
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    #[test]
    fn sets_of_different_lengths_compare_by_members() {
        let mut long: BitSet = [1, 200].into_iter().collect();
        assert!(long.remove(200));
        assert_eq!(long, [1].into_iter().collect());
        assert!(!long.contains(200) && long.contains(1));
    }

    #[test]
    fn union_and_intersection_tell_whether_they_changed_anything() {
        let mut set: BitSet = [1, 70].into_iter().collect();
        assert!(!set.union_with(&[70].into_iter().collect()));
        assert!(set.union_with(&[3].into_iter().collect()));
        assert!(set.intersect_with(&[3, 70].into_iter().collect()));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 70]);
        assert_eq!(set.len(), 2);
        assert!(set.intersects(&[70].into_iter().collect()));
    }
}
