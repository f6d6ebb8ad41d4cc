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

/// By thread: the letters that are remembered, since the last head of a loop.
pub type History = Vec<Vec<LetterId>>;

/// Which letters are remembered.
pub struct Histories {
    remembered: BTreeSet<LetterId>,
    /// Where loops begin.
    heads: BTreeSet<LocId>,
}

impl Histories {
    /// Those that lead to places where branches meet.
    pub fn of_branches(letters: &Letters) -> Histories {
        let heads = heads(letters);
        let mut targets = BTreeSet::new();
        let again = letters
            .ids()
            .map(|id| letters[id].target)
            .filter(|&loc| !targets.insert(loc));
        let joins: BTreeSet<LocId> = again.filter(|loc| !heads.contains(loc)).collect();
        let remembered = letters
            .ids()
            .filter(|&id| joins.contains(&letters[id].target));
        Histories {
            remembered: remembered.collect(),
            heads,
        }
    }

    /// Those that leave a loop that can be left in several ways.
    pub fn of_exits(letters: &Letters) -> Histories {
        let reaches = |from: LocId, to: LocId| letters.later(from).contains(to.0 as usize);
        let is_exit = |id: LetterId| {
            let letter = &letters[id];
            let mut next = letters.out(letter.source).iter();
            next.any(|&it| reaches(letters[it].target, letter.source))
                && !reaches(letter.target, letter.source)
        };
        let exits: Vec<LetterId> = letters.ids().filter(|&id| is_exit(id)).collect();
        let of_one_loop = |a: LetterId, b: LetterId| {
            let (a, b) = (letters[a].source, letters[b].source);
            reaches(a, b) && reaches(b, a)
        };
        let several = |&id: &LetterId| {
            let mut others = exits.iter();
            others.any(|&other| other != id && of_one_loop(id, other))
        };
        Histories {
            remembered: exits.iter().copied().filter(several).collect(),
            heads: heads(letters),
        }
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
        } else if self.remembered.contains(&id) {
            own.push(id);
        }
        history
    }
}

fn heads(letters: &Letters) -> BTreeSet<LocId> {
    let all = letters.ids().flat_map(|id| letters[id].heads.iter());
    all.copied().collect()
}
