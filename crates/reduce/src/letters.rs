//! The letters of executions: steps of threads that no other thread can interrupt.
//!
//! A letter is one action outside of atomic sections, or a path through an atomic section as a whole.
//! It is a condition and simultaneous assignments. What it does to memory that did not become
//! variables is listed beside them ([`Access`]), and so is what threads remember of that memory, which
//! is no part of the program but of its over-approximation ([`abstraction::Memory`]).

use abstraction::{AccessKind, ActionId, Program};
use dataflow::BitSet;
use expr::{Node, Term, Terms, VarId};
use passes::Unsupported;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Index;
use xcfa::{ErrorKind, LocId};

/// More paths through one atomic section than this are refused.
const MOST_PATHS: usize = 400;

/// A letter, by number; `letters[id]` is the letter itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetterId(pub u32);

/// An access to memory that did not become variables.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The class of objects.
    pub class: usize,
    /// What is done.
    pub kind: AccessKind,
    /// Where, in terms of what was before the letter.
    pub addr: Term,
    /// The value that is read or written.
    pub value: Term,
}

/// A step that no other thread interrupts.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Whose it is.
    pub thread: usize,
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// What is done.
    pub actions: Vec<ActionId>,
    /// It can be taken if this holds before it, over variables and inputs.
    pub guard: Term,
    /// The new values of the variables that it changes and that are of use afterwards.
    pub updates: BTreeMap<VarId, Term>,
    /// What it reads from memory agrees with what is remembered.
    pub agrees: Term,
    /// The new values of the variables that remember memory.
    pub remembered: BTreeMap<VarId, Term>,
    /// What it does to memory that did not become variables.
    pub accesses: Vec<Access>,
    /// The threads that it starts.
    pub starts: Vec<usize>,
    /// The heads of the loops that it leads back to.
    pub heads: Vec<LocId>,
    /// Does it end in an atomic section? Then it leads to an error there.
    pub cut: bool,
}

/// All letters of a program.
#[derive(Debug)]
pub struct Letters {
    all: Vec<Letter>,
    /// By location: the letters that leave it.
    out: Vec<Vec<LetterId>>,
    /// By location: can no execution be right that gets there?
    errors: Vec<bool>,
    /// By location: the locations of its thread that can be reached from it, itself included.
    later: Vec<BitSet>,
}

impl Index<LetterId> for Letters {
    type Output = Letter;
    fn index(&self, letter: LetterId) -> &Letter {
        &self.all[letter.0 as usize]
    }
}

impl Letters {
    /// The letters of a program in which `target` or the end of the unrolling must not be reached. If
    /// `loose`, conditions that only keep sums in the range of their type are left out, which adds
    /// executions.
    pub fn of(
        program: &Program,
        terms: &mut Terms,
        target: ErrorKind,
        loose: bool,
    ) -> Result<Letters, Unsupported> {
        let errors = (0..program.locations()).map(|loc| {
            let error = program.error(LocId(loc as u32));
            error.is_some_and(|kind| kind == target || kind == ErrorKind::Unwound)
        });
        let mut letters = Letters {
            all: Vec::new(),
            out: vec![Vec::new(); program.locations()],
            errors: errors.collect(),
            later: vec![BitSet::new(); program.locations()],
        };
        for thread in &program.threads {
            letters.thread(program, terms, thread.init, loose)?;
        }
        letters.reach();
        Ok(letters)
    }

    /// All letters.
    pub fn ids(&self) -> impl Iterator<Item = LetterId> + use<> {
        (0..self.all.len() as u32).map(LetterId)
    }

    /// The letters that leave a location.
    pub fn out(&self, loc: LocId) -> &[LetterId] {
        &self.out[loc.0 as usize]
    }

    /// Can no execution be right that gets there?
    pub fn is_error(&self, loc: LocId) -> bool {
        self.errors[loc.0 as usize]
    }

    /// The locations of its thread that can be reached from a location, itself included.
    pub fn later(&self, loc: LocId) -> &BitSet {
        &self.later[loc.0 as usize]
    }

    fn thread(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        init: LocId,
        loose: bool,
    ) -> Result<(), Unsupported> {
        let mut open = vec![init];
        let mut seen: FxHashSet<LocId> = open.iter().copied().collect();
        while let Some(loc) = open.pop() {
            if self.is_error(loc) {
                continue;
            }
            for mut letter in self.leave(program, terms, loc, loose)? {
                let dead = program.dead(letter.target);
                letter
                    .updates
                    .retain(|var, _| !dead.contains(var.0 as usize));
                if seen.insert(letter.target) {
                    open.push(letter.target);
                }
                self.out[loc.0 as usize].push(LetterId(self.all.len() as u32));
                self.all.push(letter);
            }
        }
        Ok(())
    }

    /// The letters that leave a location outside of atomic sections.
    fn leave(
        &self,
        program: &Program,
        terms: &mut Terms,
        loc: LocId,
        loose: bool,
    ) -> Result<Vec<Letter>, Unsupported> {
        let mut done = Vec::new();
        let mut open = vec![(Letter::at(program, terms, loc), 0, vec![loc])];
        while let Some((letter, depth, path)) = open.pop() {
            for &id in program.out(letter.target).iter().rev() {
                let depth = program[id].depth_after(depth);
                let Some(next) = letter.then(program, terms, id, loose) else {
                    continue;
                };
                let target = next.target;
                if depth == 0 || self.is_error(target) {
                    done.push(Letter {
                        cut: depth > 0,
                        ..next
                    });
                } else if path.contains(&target) || open.len() + done.len() > MOST_PATHS {
                    let span = program.unrolled.xcfa[program[id].edge].span;
                    let what = "a loop or very many paths inside an atomic section";
                    return Err(Unsupported::at(span, what));
                } else {
                    let mut path = path.clone();
                    path.push(target);
                    open.push((next, depth, path));
                }
            }
        }
        done.reverse();
        Ok(done)
    }

    fn reach(&mut self) {
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            // Most letters lead to a location with a higher number.
            for loc in (0..self.out.len()).rev() {
                let mut later = std::mem::take(&mut self.later[loc]);
                is_new |= later.insert(loc);
                for &letter in &self.out[loc] {
                    let target = self[letter].target.0 as usize;
                    is_new |= later.union_with(&self.later[target]);
                }
                self.later[loc] = later;
            }
        }
    }
}

impl Letter {
    /// A letter that has not done anything yet.
    fn at(program: &Program, terms: &mut Terms, loc: LocId) -> Letter {
        let truth = terms.bool(true);
        let thread = program.out(loc).first().map_or(0, |&id| program[id].thread);
        Letter {
            thread,
            source: loc,
            target: loc,
            actions: Vec::new(),
            guard: truth,
            updates: BTreeMap::new(),
            agrees: truth,
            remembered: BTreeMap::new(),
            accesses: Vec::new(),
            starts: Vec::new(),
            heads: Vec::new(),
            cut: false,
        }
    }

    /// With one more action; nothing if that is impossible.
    fn then(
        &self,
        program: &Program,
        terms: &mut Terms,
        id: ActionId,
        loose: bool,
    ) -> Option<Letter> {
        let action = &program[id];
        let memory = &program.memory;
        let before = self.values();
        let mut next = self.clone();
        let guard = match loose && action.thread != 0 {
            true => without_range_checks(terms, action.guard),
            false => action.guard,
        };
        let guard = terms.substitute(guard, &before);
        next.guard = terms.and(next.guard, guard);
        if terms.as_const(next.guard) == Some(0) {
            return None;
        }
        let mut scratch: FxHashMap<VarId, Term> = FxHashMap::default();
        for &(var, value) in &action.updates {
            let value = terms.substitute(value, &before);
            let number = var.0 as usize;
            if memory.scratch.contains(number) {
                scratch.insert(var, value);
            } else if memory.remembered.contains(number) {
                next.remembered.insert(var, value);
            } else {
                next.updates.insert(var, value);
            }
        }
        if let Some(&agrees) = memory.agrees.and_then(|var| scratch.get(&var)) {
            next.agrees = terms.and(next.agrees, agrees);
        }
        for access in memory.accesses.get(&action.edge).into_iter().flatten() {
            let mut held = |var: VarId| {
                let sort = program.vars[var.0 as usize].sort;
                let known = scratch.get(&var).copied();
                known.unwrap_or_else(|| terms.constant(sort, 0))
            };
            next.accesses.push(Access {
                class: access.class,
                kind: access.kind,
                addr: held(access.addr),
                value: held(access.value),
            });
        }
        next.target = action.target;
        next.actions.push(id);
        next.starts.extend(&action.starts);
        next.heads.extend(action.backward.then_some(action.target));
        Some(next)
    }

    /// What all variables are after it, as far as it changes them.
    pub fn values(&self) -> FxHashMap<VarId, Term> {
        let all = self.updates.iter().chain(&self.remembered);
        all.map(|(&var, &value)| (var, value)).collect()
    }

    /// What the variables of the program are after it, as far as it changes them.
    pub fn real_values(&self) -> FxHashMap<VarId, Term> {
        self.updates
            .iter()
            .map(|(&var, &value)| (var, value))
            .collect()
    }
}

/// Leaves out the parts of a condition that compare with the bounds of a type.
fn without_range_checks(terms: &mut Terms, guard: Term) -> Term {
    let parts = terms.conjuncts(guard);
    let kept: Vec<Term> = parts
        .into_iter()
        .filter(|&part| !mentions_a_bound(terms, part))
        .collect();
    terms.and_all(kept)
}

fn mentions_a_bound(terms: &Terms, part: Term) -> bool {
    let mut found = false;
    terms.for_each_subterm(part, &mut |_, node| {
        if let Node::Const(sort, bits) = node {
            let value = expr::sign_extend(bits, sort.width());
            let bound = [i64::from(i32::MAX), i64::from(i32::MIN), 1 << 31].contains(&value);
            found |= bound && sort.width() >= 32;
        }
    });
    found
}
