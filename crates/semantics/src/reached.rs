//! Which parts of a program somebody has executed.

use std::sync::atomic::{AtomicU32, Ordering};
use xcfa::{EdgeId, Xcfa};

/// How far the edges of a program were executed, by all machines that were told to note it ([`crate::Machine::noting`]).
///
/// It decides nothing and proves nothing: what was executed once, with some values, may still go wrong with others.
/// Several threads may note at the same time.
#[derive(Debug)]
pub struct Reached {
    /// By edge: the labels that were begun, and one more if the edge was taken to its end.
    begun: Box<[AtomicU32]>,
}

/// An edge, and how many of its labels were begun; one more if it was taken to its end.
pub type Mark = (u32, u32);

impl Reached {
    /// Nothing of this program yet.
    pub fn new(xcfa: &Xcfa) -> Reached {
        let none = xcfa.edges.iter().map(|_| AtomicU32::new(0));
        Reached {
            begun: none.collect(),
        }
    }

    /// So many labels of an edge were begun.
    pub(crate) fn note(&self, edge: EdgeId, begun: usize) {
        self.add((edge.0, begun as u32));
    }

    /// Takes over what somebody else has noted.
    pub fn add(&self, (edge, begun): Mark) {
        if let Some(known) = self.begun.get(edge as usize)
            && known.load(Ordering::Relaxed) < begun
        {
            known.fetch_max(begun, Ordering::Relaxed);
        }
    }

    /// Was the label of this number begun? The number behind the last one stands for the end of the edge.
    pub fn has_begun(&self, edge: EdgeId, label: usize) -> bool {
        let known = self.begun.get(edge.0 as usize);
        known.is_some_and(|begun| begun.load(Ordering::Relaxed) as usize > label)
    }

    /// What has been noted since `told` was brought up to date, which happens now.
    pub fn news(&self, told: &mut Vec<u32>) -> Vec<Mark> {
        told.resize(self.begun.len(), 0);
        let mut news = Vec::new();
        for (edge, (begun, told)) in self.begun.iter().zip(told).enumerate() {
            let now = begun.load(Ordering::Relaxed);
            if now > *told {
                *told = now;
                news.push((edge as u32, now));
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_is_told() {
        let begun = (0..3).map(|_| AtomicU32::new(0)).collect();
        let reached = Reached { begun };
        let mut told = Vec::new();
        assert_eq!(reached.news(&mut told), []);
        reached.note(EdgeId(1), 2);
        reached.note(EdgeId(1), 1);
        assert!(reached.has_begun(EdgeId(1), 1) && !reached.has_begun(EdgeId(1), 2));
        assert_eq!(reached.news(&mut told), [(1, 2)]);
        // What a program does not have is not noted.
        reached.add((7, 1));
        reached.add((2, 1));
        assert_eq!(reached.news(&mut told), [(2, 1)]);
        assert_eq!(reached.news(&mut told), []);
    }
}
