//! Which locks a thread holds for certain.
//!
//! In [`abstraction::Program`] a lock is a word that is 0 while no thread holds it. A word counts as a
//! lock here only if every thread treats it as one: it starts at 0, it is set only by a thread that
//! has seen it at 0, and otherwise only its holder reads or clears it. Two words can be a
//! reader-writer lock ([`crate::readers`]): a thread that has taken it for writing holds the word of its
//! owner, a thread that has taken it for reading a share in the word that counts readers. Of other words
//! nothing is claimed.

use crate::clauses;
use crate::readers::{Pair, pairs};
use abstraction::{Action, ActionId, Program};
use dataflow::BitSet;
use expr::{Node, Op, Term, Terms, VarId};

/// What an action does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Acquire,
    Release,
    /// Both, in one step.
    Through,
    /// A read by a thread that holds it.
    Look,
    /// A reader-writer lock is unlocked, whichever of its words is held.
    ReleaseEither,
}

/// Locks, and which thread holds them where.
#[derive(Debug)]
pub struct Locks {
    words: BitSet,
    /// By location: the locks that are held there for certain; none if no path leads there.
    held: Vec<Option<BitSet>>,
    /// By action: the locks that it takes.
    acquired: Vec<BitSet>,
    /// By action: the locks that it unlocks.
    released: Vec<BitSet>,
    /// Reader-writer locks.
    pairs: Vec<Pair>,
}

impl Locks {
    /// The locks of a program.
    pub fn of(program: &Program, terms: &mut Terms) -> Locks {
        let mut words: BitSet = candidates(program).collect();
        let (mut pairs, mut uses) = pairs(program, terms, &words);
        let of_pairs: Vec<usize> = pairs.iter().flat_map(|p| [p.owner, p.readers]).collect();
        for &word in &of_pairs {
            words.remove(word);
        }
        for (action, uses) in program.actions.iter().zip(&mut uses) {
            uses.extend(uses_of(program, terms, action, &mut words));
        }
        for word in of_pairs {
            words.insert(word);
        }
        loop {
            let locks = Locks::among(program, &words, &uses, &pairs);
            let broken = locks.broken(program, &uses);
            let Some(word) = broken.or_else(|| locks.taken_again(program)) else {
                return locks;
            };
            words.remove(word);
            // One word of a reader-writer lock is no lock without the other.
            for pair in pairs.extract_if(.., |pair| pair.has(word)) {
                words.remove(pair.owner);
                words.remove(pair.readers);
            }
        }
    }

    /// The same, with what is held found by Horn clauses, as far as they have a solution in time.
    pub fn by_clauses(program: &Program, terms: &mut Terms) -> Locks {
        let mut locks = Locks::of(program, terms);
        let (words, acquired) = (&locks.words, &locks.acquired);
        if let Some(held) = clauses::held(program, terms, words, acquired, &locks.released) {
            locks.held = held;
        }
        locks
    }

    fn among(
        program: &Program,
        words: &BitSet,
        uses: &[Vec<(usize, Use)>],
        pairs: &[Pair],
    ) -> Locks {
        let with = |kinds: &[Use]| -> Vec<BitSet> {
            let of = |uses: &Vec<(usize, Use)>| {
                let fitting = uses
                    .iter()
                    .filter(|(word, kind)| words.contains(*word) && kinds.contains(kind));
                fitting.map(|&(word, _)| word).collect()
            };
            uses.iter().map(of).collect()
        };
        let mut locks = Locks {
            words: words.clone(),
            held: vec![None; program.locations()],
            acquired: with(&[Use::Acquire, Use::Through]),
            released: with(&[Use::Release, Use::Through, Use::ReleaseEither]),
            pairs: pairs.to_vec(),
        };
        locks.spread(program);
        locks
    }

    /// Follows the actions until nothing changes.
    fn spread(&mut self, program: &Program) {
        let mut work = Vec::new();
        for thread in &program.threads {
            self.held[thread.init.0 as usize] = Some(BitSet::new());
            work.push(thread.init);
        }
        while let Some(loc) = work.pop() {
            for &id in program.out(loc) {
                let action = &program[id];
                let after = self.after(id, action);
                let slot = &mut self.held[action.target.0 as usize];
                let common = match slot {
                    None => after,
                    Some(known) => known.iter().filter(|&word| after.contains(word)).collect(),
                };
                if slot.as_ref() != Some(&common) {
                    *slot = Some(common);
                    work.push(action.target);
                }
            }
        }
    }

    fn after(&self, id: ActionId, action: &Action) -> BitSet {
        let before = self.held[action.source.0 as usize].iter();
        let before = before.flat_map(|held| held.iter());
        let now = before.chain(self.acquired[id.0 as usize].iter());
        now.filter(|&word| !self.released[id.0 as usize].contains(word))
            .collect()
    }

    /// A word that some thread clears or reads without holding it.
    fn broken(&self, program: &Program, uses: &[Vec<(usize, Use)>]) -> Option<usize> {
        for id in program.action_ids() {
            let Some(held) = &self.held[program[id].source.0 as usize] else {
                continue;
            };
            for &(word, kind) in &uses[id.0 as usize] {
                let holds = match kind {
                    Use::Release | Use::Look => held.contains(word),
                    Use::ReleaseEither => {
                        held.contains(word)
                            || self.other_word(word).is_some_and(|w| held.contains(w))
                    }
                    Use::Acquire | Use::Through => true,
                };
                if self.words.contains(word) && !holds {
                    return Some(word);
                }
            }
        }
        None
    }

    /// A lock that a thread may take for reading while it already has it. Counting how often would
    /// be possible, but a count can wrap.
    fn taken_again(&self, program: &Program) -> Option<usize> {
        let mut perhaps: Vec<BitSet> = vec![BitSet::new(); program.locations()];
        let mut work: Vec<ActionId> = program.action_ids().collect();
        while let Some(id) = work.pop() {
            let action = &program[id];
            let before = &perhaps[action.source.0 as usize];
            let acquired = &self.acquired[id.0 as usize];
            let again = |word: &usize| self.is_shared(*word) && before.contains(*word);
            if let Some(word) = acquired.iter().find(again) {
                return Some(word);
            }
            let now = before.iter().chain(acquired.iter());
            let now = now.filter(|&word| !self.released[id.0 as usize].contains(word));
            let now: Vec<usize> = now.collect();
            let target = &mut perhaps[action.target.0 as usize];
            let mut is_new = false;
            for word in now {
                is_new |= target.insert(word);
            }
            if is_new {
                work.extend(program.out(action.target));
            }
        }
        None
    }

    fn other_word(&self, word: usize) -> Option<usize> {
        let pair = self.pairs.iter().find(|pair| pair.has(word))?;
        Some(pair.owner + pair.readers - word)
    }

    /// Is it a word that many can hold at a time?
    fn is_shared(&self, word: usize) -> bool {
        self.pairs.iter().any(|pair| pair.readers == word)
    }

    /// Is the variable a lock?
    pub fn is_lock(&self, var: VarId) -> bool {
        self.words.contains(var.0 as usize)
    }

    /// All locks.
    pub fn words(&self) -> impl Iterator<Item = VarId> + '_ {
        self.words.iter().map(|word| VarId(word as u32))
    }

    /// Does a path lead to the location?
    pub fn reaches(&self, loc: xcfa::LocId) -> bool {
        self.held[loc.0 as usize].is_some()
    }

    /// The locks that are held at a location for certain.
    pub fn held(&self, loc: xcfa::LocId) -> impl Iterator<Item = VarId> + '_ {
        let held = self.held[loc.0 as usize].iter();
        held.flat_map(|held| held.iter().map(|word| VarId(word as u32)))
    }

    /// Does the action take a lock?
    pub fn acquires(&self, id: ActionId) -> bool {
        self.acquired[id.0 as usize].iter().next().is_some()
    }

    /// Does the action unlock a lock?
    pub fn releases(&self, id: ActionId) -> bool {
        self.released[id.0 as usize].iter().next().is_some()
    }

    /// Can no two threads do these two actions from the same state, because of a lock?
    pub fn keep_apart(&self, program: &Program, a: ActionId, b: ActionId) -> bool {
        let during = |id: ActionId| {
            let held = self.held[program[id].source.0 as usize].iter();
            let held = held.flat_map(|held| held.iter());
            held.chain(self.acquired[id.0 as usize].iter())
        };
        // A writer is alone; readers never meet a writer.
        let excludes = |mine: usize, other: usize| match mine == other {
            true => !self.is_shared(mine),
            false => self.other_word(mine) == Some(other),
        };
        let mut mine = during(a);
        mine.any(|word| during(b).any(|other| excludes(word, other)))
    }
}

/// Words that could be locks: what is shared and starts at 0. Programs that make their own locks
/// out of atomic sections have them among their data.
fn candidates(program: &Program) -> impl Iterator<Item = usize> + '_ {
    let about_threads = |var: usize| {
        let mut about = program.about.iter();
        about.any(|about| [about.handle.0, about.ended.0, about.result.0].contains(&(var as u32)))
    };
    let vars = program.vars.iter().enumerate();
    let words = vars.filter(|(_, var)| !var.input && var.init == Some(0) && var.owner.is_none());
    words
        .map(|(number, _)| number)
        .filter(move |&var| !about_threads(var))
}

/// What an action does to the words; those that it treats in another way are crossed out.
fn uses_of(
    program: &Program,
    terms: &mut Terms,
    action: &Action,
    words: &mut BitSet,
) -> Vec<(usize, Use)> {
    let touched: Vec<usize> = words
        .iter()
        .filter(|&word| action.reads.contains(word) || action.writes.contains(word))
        .collect();
    let mut uses = Vec::new();
    for word in touched {
        match use_of(program, terms, action, VarId(word as u32)) {
            Some(kind) => uses.push((word, kind)),
            None => {
                words.remove(word);
            }
        }
    }
    uses
}

fn use_of(program: &Program, terms: &mut Terms, action: &Action, word: VarId) -> Option<Use> {
    let conditions = terms.conjuncts(action.guard);
    let seen_free = conditions.iter().any(|&part| says_free(terms, part, word));
    let mut updates = action.updates.iter();
    let new = updates.find(|(var, _)| *var == word).map(|&(_, new)| new);
    let Some(new) = new else {
        return Some(Use::Look);
    };
    match (seen_free, terms.as_const(new) == Some(0)) {
        (true, true) => Some(Use::Through),
        (false, true) => Some(Use::Release),
        (true, false) if is_handle(program, terms, action, new) => Some(Use::Acquire),
        _ => None,
    }
}

/// Is it the condition that the word is 0?
pub(crate) fn says_free(terms: &Terms, part: Term, word: VarId) -> bool {
    let Node::Binary(Op::Eq, a, b) = terms.node(part) else {
        return false;
    };
    let is_word = |term| terms.as_var(term) == Some(word);
    let is_zero = |term| terms.as_const(term) == Some(0);
    is_word(a) && is_zero(b) || is_word(b) && is_zero(a)
}

/// Is it the handle of the acting thread, which is never 0?
pub(crate) fn is_handle(program: &Program, terms: &Terms, action: &Action, value: Term) -> bool {
    match terms.as_const(value) {
        Some(number) => number != 0,
        None => terms.vars(value) == [program.about[action.thread].handle],
    }
}
