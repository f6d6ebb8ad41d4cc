//! How the threads got where they are, as far as product states tell that apart.
//!
//! Where branches meet again, an invariant has to say *or*: a loop ended because its bound was reached,
//! or because two numbers differ. If the state remembers the branch until the next head of a loop, each
//! of its nodes has an invariant that is a conjunction, which is much easier to find (trace
//! partitioning, Mauborgne and Rival, ESOP 2005). A node says less than it could if it is split, so
//! nothing depends on it that a proof is made of.

use crate::letters::{Letter, LetterId, Letters};
use std::collections::BTreeSet;
use xcfa::LocId;

/// By thread: the letters that it took to places where branches meet, since the last head of a loop.
pub type History = Vec<Vec<LetterId>>;

/// Which letters are remembered.
pub struct Histories {
    /// Where branches meet.
    joins: BTreeSet<LocId>,
    /// Where loops begin.
    heads: BTreeSet<LocId>,
}

impl Histories {
    /// Of all threads.
    pub fn of(letters: &Letters) -> Histories {
        let all = || letters.ids().map(move |id| &letters[id]);
        let heads: BTreeSet<LocId> = all().flat_map(|it| it.heads.iter().copied()).collect();
        let mut targets = BTreeSet::new();
        let again = all()
            .map(|it| it.target)
            .filter(|&loc| !targets.insert(loc));
        let joins = again.filter(|loc| !heads.contains(loc)).collect();
        Histories { joins, heads }
    }

    /// Nothing has been remembered yet.
    pub fn start(&self, threads: usize) -> History {
        vec![Vec::new(); threads]
    }

    /// What is remembered after a letter.
    pub fn after(&self, history: &History, id: LetterId, letter: &Letter) -> History {
        let mut history = history.clone();
        let own = &mut history[letter.thread];
        if !letter.heads.is_empty() || self.heads.contains(&letter.target) {
            own.clear();
        } else if self.joins.contains(&letter.target) {
            own.push(id);
        }
        history
    }
}
