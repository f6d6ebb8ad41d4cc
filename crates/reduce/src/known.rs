//! What is known about threads and locks from the locations alone.
//!
//! Handles of threads, whether they have ended and who holds a lock are variables with few values.
//! Following them exactly shows which letters are impossible, without a solver.

use crate::letters::{Letter, Letters};
use abstraction::Program;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Values of variables that are known; all others can be anything.
pub type Known = BTreeMap<VarId, u64>;

/// The variables whose values are followed.
pub struct Followed {
    vars: BTreeSet<VarId>,
}

impl Followed {
    /// Everything about threads and locks, and copies of that.
    pub fn of(program: &Program, terms: &Terms, letters: &Letters) -> Followed {
        let all = program.vars.iter().enumerate();
        let apart = |var: usize| program.memory.remembered.contains(var);
        let control = all.filter(|&(number, var)| var.control && !var.input && !apart(number));
        let mut vars: BTreeSet<VarId> = control.map(|(var, _)| VarId(var as u32)).collect();
        let mut sources: BTreeMap<VarId, Option<BTreeSet<VarId>>> = BTreeMap::new();
        for id in letters.ids() {
            for (&var, &value) in &letters[id].updates {
                let read = terms.vars(value);
                let constant = read.is_empty();
                let entry = sources.entry(var).or_insert_with(|| Some(BTreeSet::new()));
                match entry {
                    Some(set) if !constant => set.extend(read),
                    _ => {}
                }
            }
        }
        loop {
            let copies = sources.iter().filter(|(var, read)| {
                let fed = |read: &BTreeSet<VarId>| !read.is_empty() && read.is_subset(&vars);
                !vars.contains(var) && read.as_ref().is_some_and(fed)
            });
            let copies: Vec<VarId> = copies.map(|(&var, _)| var).collect();
            if copies.is_empty() {
                return Followed { vars };
            }
            vars.extend(copies);
        }
    }

    /// What is known at the start.
    pub fn initial(&self, program: &Program) -> Known {
        let value = |&var: &VarId| Some((var, program.vars[var.0 as usize].init?));
        self.vars.iter().filter_map(value).collect()
    }

    /// What is known after a letter.
    pub fn after(
        &self,
        program: &Program,
        terms: &mut Terms,
        known: &Known,
        letter: &Letter,
    ) -> Known {
        let before = constants(program, terms, known);
        let mut after = known.clone();
        after.retain(|var, _| !letter.remembered.contains_key(var));
        for (&var, &value) in &letter.updates {
            if !self.vars.contains(&var) {
                after.remove(&var);
                continue;
            }
            let value = terms.substitute(value, &before);
            match terms.as_const(value) {
                Some(bits) => after.insert(var, bits),
                None => after.remove(&var),
            };
        }
        after
    }
}

/// What is known, to be put into terms.
pub fn constants(program: &Program, terms: &mut Terms, known: &Known) -> FxHashMap<VarId, Term> {
    let known = known.iter();
    let value = |(&var, &bits): (&VarId, &u64)| {
        let sort = program.vars[var.0 as usize].sort;
        (var, terms.constant(sort, bits))
    };
    known.map(value).collect()
}

/// Is the letter impossible, given what is known?
pub fn is_impossible(program: &Program, terms: &mut Terms, known: &Known, letter: &Letter) -> bool {
    let before = constants(program, terms, known);
    let guard = terms.substitute(letter.guard, &before);
    terms.as_const(guard) == Some(0)
}
