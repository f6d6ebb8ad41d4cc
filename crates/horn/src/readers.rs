//! Reader-writer locks: a word for the owner, and a word for the number of readers.
//!
//! Two words are such a lock only if all that is ever done to them is what [`abstraction::Program`]
//! makes of taking it for reading, taking it for writing and releasing it. Then a thread that
//! has taken it for writing is alone, and one that has taken it for reading is among readers.

use crate::locks::{Use, is_handle, says_free};
use abstraction::{Action, Program};
use dataflow::BitSet;
use expr::{Op, Sort, Term, Terms, VarId};

/// The two words of a reader-writer lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The owner, 0 if no thread writes.
    pub owner: usize,
    /// The number of readers.
    pub readers: usize,
}

/// What an action does to the lock; nothing if it is none of what is done to such a lock.
type Done = Option<Vec<(usize, Use)>>;

/// The pairs among these words that are reader-writer locks, with what each action does to them.
pub fn pairs(
    program: &Program,
    terms: &mut Terms,
    words: &BitSet,
) -> (Vec<Pair>, Vec<Vec<(usize, Use)>>) {
    let mut found = Vec::new();
    let mut uses = vec![Vec::new(); program.actions.len()];
    for pair in candidates(program, terms, words) {
        let clash = |other: &Pair| other.has(pair.owner) || other.has(pair.readers);
        if found.iter().any(clash) {
            continue;
        }
        let actions = program.actions.iter();
        let done: Option<Vec<_>> = actions
            .map(|action| pair.done(program, terms, action))
            .collect();
        if let Some(done) = done {
            for (uses, done) in uses.iter_mut().zip(done) {
                uses.extend(done);
            }
            found.push(pair);
        }
    }
    (found, uses)
}

/// A word that some thread increments while another word is 0.
fn candidates(program: &Program, terms: &mut Terms, words: &BitSet) -> Vec<Pair> {
    let mut found: Vec<Pair> = Vec::new();
    let is_word = |var: VarId| {
        let number = var.0 as usize;
        words.contains(number) && program.vars[number].sort == Sort::Bv(32)
    };
    for action in &program.actions {
        for &(readers, value) in &action.updates {
            if !is_word(readers) || value != more(program, terms, readers) {
                continue;
            }
            for part in terms.conjuncts(action.guard) {
                let owner = terms.vars(part).first().copied();
                let Some(owner) = owner.filter(|&owner| says_free(terms, part, owner)) else {
                    continue;
                };
                let pair = Pair {
                    owner: owner.0 as usize,
                    readers: readers.0 as usize,
                };
                if is_word(owner) && owner != readers && !found.contains(&pair) {
                    found.push(pair);
                }
            }
        }
    }
    found
}

fn word(program: &Program, terms: &mut Terms, var: VarId) -> Term {
    terms.var(var, program.vars[var.0 as usize].sort)
}

/// One more than a word holds.
fn more(program: &Program, terms: &mut Terms, var: VarId) -> Term {
    let count = word(program, terms, var);
    let one = terms.bv(terms.width(count), 1);
    terms.add(count, one)
}

impl Pair {
    /// Is it one of the two words?
    pub fn has(self, word: usize) -> bool {
        word == self.owner || word == self.readers
    }

    fn done(self, program: &Program, terms: &mut Terms, action: &Action) -> Done {
        let touches = |word| action.reads.contains(word) || action.writes.contains(word);
        if !touches(self.owner) && !touches(self.readers) {
            return Some(Vec::new());
        }
        let (owner, readers) = (VarId(self.owner as u32), VarId(self.readers as u32));
        let new = |word: VarId| {
            let mut updates = action.updates.iter();
            updates.find(|(var, _)| *var == word).map(|&(_, new)| new)
        };
        let parts = terms.conjuncts(action.guard);
        let free = |word: VarId| parts.iter().any(|&part| says_free(terms, part, word));
        let (no_owner, no_readers) = (free(owner), free(readers));
        // Nothing else may depend on the words.
        let others = action
            .updates
            .iter()
            .filter(|(var, _)| ![owner, readers].contains(var));
        let others: Vec<Term> = others.map(|&(_, value)| value).collect();
        let conditions = parts
            .iter()
            .copied()
            .filter(|&part| !says_free(terms, part, owner) && !says_free(terms, part, readers));
        let rest: Vec<Term> = others.into_iter().chain(conditions).collect();
        let looked_at = |term: &Term| {
            let vars = terms.vars(*term);
            vars.contains(&owner) || vars.contains(&readers)
        };
        if rest.iter().any(looked_at) {
            return None;
        }
        match (new(owner), new(readers)) {
            (None, Some(count)) if no_owner && !no_readers => {
                let is_more = count == more(program, terms, readers);
                is_more.then(|| vec![(self.readers, Use::Acquire)])
            }
            (Some(who), None) if no_owner && no_readers => {
                let is_owner = is_handle(program, terms, action, who);
                is_owner.then(|| vec![(self.owner, Use::Acquire)])
            }
            (Some(who), Some(count)) if !no_owner && !no_readers => {
                let is_free = terms.as_const(who) == Some(0);
                let is_fewer = count == self.fewer(program, terms);
                let either = [self.owner, self.readers].map(|word| (word, Use::ReleaseEither));
                (is_free && is_fewer).then(|| either.to_vec())
            }
            _ => None,
        }
    }

    /// The number of readers after the lock has been released, whichever thread held it.
    fn fewer(self, program: &Program, terms: &mut Terms) -> Term {
        let owner = word(program, terms, VarId(self.owner as u32));
        let count = word(program, terms, VarId(self.readers as u32));
        let (zero, one) = (terms.bv(32, 0), terms.bv(32, 1));
        let (owned, none) = (terms.ne(owner, zero), terms.eq(count, zero));
        let unchanged = terms.or(owned, none);
        let fewer = terms.binary(Op::Sub, count, one);
        terms.ite(unchanged, count, fewer)
    }
}
