//! What is known about the data in an abstract state.

use dataflow::BitSet;

/// What is known about a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// It holds in every state that is meant.
    Yes,
    /// It holds in none.
    No,
    /// Either.
    Unknown,
}

/// The data of an abstract state, in the slots of a [`crate::Precision`].
///
/// It stands for all states in which every known variable has its value and every known predicate
/// its truth. What lies beyond the end of a vector is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Data {
    /// By slot: the value, if it is known.
    pub values: Vec<Option<u64>>,
    /// By predicate: its truth.
    pub truths: Vec<Truth>,
}

impl Data {
    /// The value in a slot.
    pub fn value(&self, slot: usize) -> Option<u64> {
        self.values.get(slot).copied().flatten()
    }

    /// The truth of a predicate.
    pub fn truth(&self, predicate: usize) -> Truth {
        self.truths
            .get(predicate)
            .copied()
            .unwrap_or(Truth::Unknown)
    }

    /// Does `other` stand for at least the same states?
    pub fn leq(&self, other: &Data) -> bool {
        let values = other.values.iter().enumerate();
        let mut values = values.filter(|(_, value)| value.is_some());
        let truths = other.truths.iter().enumerate();
        let mut truths = truths.filter(|(_, truth)| **truth != Truth::Unknown);
        values.all(|(slot, value)| self.value(slot) == *value)
            && truths.all(|(number, truth)| self.truth(number) == *truth)
    }
}

/// Which values and truths are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    values: BitSet,
    truths: BitSet,
}

impl Data {
    /// What is known.
    pub fn shape(&self) -> Shape {
        let values = self.values.iter().enumerate();
        let values = values.filter(|(_, value)| value.is_some());
        let truths = self.truths.iter().enumerate();
        let truths = truths.filter(|(_, truth)| **truth != Truth::Unknown);
        Shape {
            values: values.map(|(slot, _)| slot).collect(),
            truths: truths.map(|(number, _)| number).collect(),
        }
    }

    /// The part that the shape knows, if all of that is known here.
    pub fn part(&self, shape: &Shape) -> Option<Data> {
        let knows_values = || shape.values.iter().all(|slot| self.value(slot).is_some());
        let is_known = |number| self.truth(number) != Truth::Unknown;
        if !knows_values() || !shape.truths.iter().all(is_known) {
            return None;
        }
        let length = |slots: &BitSet| slots.iter().last().map_or(0, |last| last + 1);
        let mut part = Data {
            values: vec![None; length(&shape.values)],
            truths: vec![Truth::Unknown; length(&shape.truths)],
        };
        for slot in shape.values.iter() {
            part.values[slot] = self.value(slot);
        }
        for number in shape.truths.iter() {
            part.truths[number] = self.truth(number);
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_above_everything() {
        let precise = Data {
            values: vec![Some(1), Some(2)],
            truths: vec![Truth::Yes],
        };
        let coarse = Data {
            values: vec![Some(1)],
            truths: vec![],
        };
        assert!(precise.leq(&coarse));
        assert!(!coarse.leq(&precise));
        assert!(precise.leq(&precise));
        let other = Data {
            values: vec![Some(1), Some(3)],
            truths: vec![Truth::Yes],
        };
        assert!(!precise.leq(&other));
        assert_eq!(precise.part(&coarse.shape()), Some(coarse.clone()));
        assert_eq!(coarse.part(&precise.shape()), None);
    }
}
