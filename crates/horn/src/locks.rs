//! Which locks a thread holds for certain.
//!
//! In [`analysis::Program`] a lock is a word that is 0 while nobody holds it. A word counts as a
//! lock here only if everybody treats it as one: it starts at 0, it is only set by those who have
//! seen it at 0, and otherwise only those look at it or clear it who hold it. Of other words
//! nothing is claimed.

use crate::clauses;
use analysis::{Action, ActionId, Program};
use expr::{Node, Op, Term, Terms, VarId};
use passes::BitSet;

/// What an action does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Acquire,
    Release,
    /// Both, in one step.
    Through,
    /// A look by somebody who holds it.
    Look,
}

/// Locks, and who holds them where.
#[derive(Debug)]
pub struct Locks {
    /// The words that are locks.
    words: BitSet,
    /// By location: the locks that are held there for certain; none if no path leads there.
    held: Vec<Option<BitSet>>,
    /// By action: the locks that it takes.
    acquired: Vec<BitSet>,
    /// By action: the locks that it gives back.
    released: Vec<BitSet>,
}

impl Locks {
    /// The locks of a program.
    pub fn of(program: &Program, terms: &mut Terms) -> Locks {
        let mut words: BitSet = candidates(program).collect();
        let mut uses = Vec::new();
        for action in &program.actions {
            uses.push(uses_of(program, terms, action, &mut words));
        }
        loop {
            let locks = Locks::among(program, &words, &uses);
            match locks.broken(program, &uses) {
                Some(word) => {
                    words.remove(word);
                }
                None => return locks,
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

    fn among(program: &Program, words: &BitSet, uses: &[Vec<(usize, Use)>]) -> Locks {
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
            released: with(&[Use::Release, Use::Through]),
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

    /// A word that somebody clears or looks at without holding it.
    fn broken(&self, program: &Program, uses: &[Vec<(usize, Use)>]) -> Option<usize> {
        for id in program.action_ids() {
            let Some(held) = &self.held[program[id].source.0 as usize] else {
                continue;
            };
            for &(word, kind) in &uses[id.0 as usize] {
                let must_hold = matches!(kind, Use::Release | Use::Look);
                if self.words.contains(word) && must_hold && !held.contains(word) {
                    return Some(word);
                }
            }
        }
        None
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

    /// Does the action give a lock back?
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
        let mut mine = during(a);
        mine.any(|word| during(b).any(|other| other == word))
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
fn says_free(terms: &Terms, part: Term, word: VarId) -> bool {
    let Node::Binary(Op::Eq, a, b) = terms.node(part) else {
        return false;
    };
    let is_word = |term| terms.as_var(term) == Some(word);
    let is_zero = |term| terms.as_const(term) == Some(0);
    is_word(a) && is_zero(b) || is_word(b) && is_zero(a)
}

/// Is it the handle of the acting thread, which is never 0?
fn is_handle(program: &Program, terms: &Terms, action: &Action, value: Term) -> bool {
    match terms.as_const(value) {
        Some(number) => number != 0,
        None => terms.vars(value) == [program.about[action.thread].handle],
    }
}
