//! Which letters of different threads can be swapped.
//!
//! The law of a [`Claim`] that `first` and then `second` can be swapped where a condition holds: in
//! every state with the condition in which `first` and then `second` can be taken, `second` and then
//! `first` can be taken with the same inputs, and lead to the same state. Everything is meant as the
//! machine computes it, bit for bit, and for the real memory: what threads remember of it does not
//! count.
//!
//! Memory that did not become variables is an array for each class of objects. Accesses of one class
//! are aligned and of one size, so two of them touch the same place or have nothing in common. A read
//! has the same value in both orders if its address is the same and the other letter does not write
//! there.

use crate::known::Known;
use crate::letters::{Access, Letter, LetterId, Letters};
use abstraction::{AccessKind, Program};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::{Check, Solver};
use std::collections::BTreeSet;

/// No question may take more; what is not answered does not commute. It is no time limit, so that
/// the same question always has the same answer.
const EFFORT: u32 = 300_000;

/// How much is done to show that letters commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Commutativity {
    /// Nothing commutes.
    Off,
    /// Letters that do not touch a common variable, or only read it.
    Syntactic,
    /// A solver is asked about the others.
    Semantic,
    /// The same, and about those that commute in some states only.
    Conditional,
}

/// Two letters, and where they can be swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Comes first.
    pub first: LetterId,
    /// Comes second, and is to come first.
    pub second: LetterId,
    /// Before both of them.
    pub condition: Option<Term>,
}

/// Answers claims, and remembers the answers.
pub struct Commutes<'a> {
    program: &'a Program,
    letters: &'a Letters,
    level: Commutativity,
    solver: Solver,
    touched: Vec<Touched>,
    answers: FxHashMap<Claim, bool>,
    conditions: FxHashMap<(LetterId, LetterId), Option<Term>>,
}

/// The variables of the program that a letter touches.
struct Touched {
    reads: BTreeSet<VarId>,
    writes: BTreeSet<VarId>,
}

impl<'a> Commutes<'a> {
    /// Nothing has been asked yet.
    pub fn new(
        program: &'a Program,
        terms: &Terms,
        letters: &'a Letters,
        level: Commutativity,
    ) -> Commutes<'a> {
        let mut solver = Solver::new();
        solver.set_effort(EFFORT);
        let touched = letters
            .ids()
            .map(|id| Touched::by(program, terms, &letters[id]));
        Commutes {
            program,
            letters,
            level,
            solver,
            touched: touched.collect(),
            answers: FxHashMap::default(),
            conditions: FxHashMap::default(),
        }
    }

    /// With this many times the usual effort, so that what was answered once is answered again.
    pub fn with_patience(mut self, times: u32) -> Commutes<'a> {
        self.solver.set_effort(EFFORT.saturating_mul(times));
        self
    }

    /// Can `first` and then `second` always be swapped?
    pub fn always(&mut self, terms: &mut Terms, first: LetterId, second: LetterId) -> bool {
        self.holds(
            terms,
            Claim {
                first,
                second,
                condition: None,
            },
        )
    }

    /// Can `first` and then `second` be swapped in states of which so much is known?
    pub fn given(
        &mut self,
        terms: &mut Terms,
        first: LetterId,
        second: LetterId,
        known: &Known,
    ) -> bool {
        if self.always(terms, first, second) {
            return true;
        }
        let condition = self.facts(terms, first, second, known);
        let claim = Claim {
            first,
            second,
            condition: Some(condition),
        };
        terms.as_const(condition).is_none() && self.holds(terms, claim)
    }

    /// What is known about the variables that two letters touch.
    fn facts(&self, terms: &mut Terms, first: LetterId, second: LetterId, known: &Known) -> Term {
        let touched = [first, second].map(|letter| &self.touched[letter.0 as usize]);
        let is_touched = |var: &VarId| {
            touched
                .iter()
                .any(|it| it.reads.contains(var) || it.writes.contains(var))
        };
        let known = known.iter().filter(|(var, _)| is_touched(var));
        let facts: Vec<Term> = known
            .map(|(&var, &value)| {
                let sort = self.program.vars[var.0 as usize].sort;
                let (var, value) = (terms.var(var, sort), terms.constant(sort, value));
                terms.eq(var, value)
            })
            .collect();
        terms.and_all(facts)
    }

    /// A condition under which `first` and then `second` can be swapped, if there is a useful one: that
    /// `second` was possible before, and that both access different memory.
    pub fn condition(
        &mut self,
        terms: &mut Terms,
        first: LetterId,
        second: LetterId,
    ) -> Option<Term> {
        if self.level < Commutativity::Conditional {
            return None;
        }
        if let Some(&known) = self.conditions.get(&(first, second)) {
            return known;
        }
        let condition = self.find_condition(terms, first, second);
        self.conditions.insert((first, second), condition);
        condition
    }

    fn find_condition(
        &mut self,
        terms: &mut Terms,
        first: LetterId,
        second: LetterId,
    ) -> Option<Term> {
        let (a, b) = (&self.letters[first], &self.letters[second]);
        let mut parts = terms.conjuncts(b.guard);
        parts.retain(|&part| self.is_about_state(terms, part));
        for (one, other) in conflicts(a, b) {
            let same = terms.eq(one.addr, other.addr);
            parts.push(terms.not(same));
        }
        let condition = terms.and_all(parts);
        let useful = self.is_about_state(terms, condition) && terms.as_const(condition).is_none();
        let claim = Claim {
            first,
            second,
            condition: Some(condition),
        };
        (useful && self.holds(terms, claim)).then_some(condition)
    }

    fn is_about_state(&self, terms: &Terms, term: Term) -> bool {
        let vars = terms.vars(term);
        vars.iter()
            .all(|var| !self.program.vars[var.0 as usize].input)
    }

    /// Is a claim true?
    pub fn holds(&mut self, terms: &mut Terms, claim: Claim) -> bool {
        if self.level == Commutativity::Off {
            return false;
        }
        if let Some(&known) = self.answers.get(&claim) {
            return known;
        }
        let answer = self.decide(terms, claim);
        self.answers.insert(claim, answer);
        answer
    }

    fn decide(&mut self, terms: &mut Terms, claim: Claim) -> bool {
        let (a, b) = (&self.letters[claim.first], &self.letters[claim.second]);
        let started = |by: &Letter, thread: usize| by.starts.contains(&thread);
        if a.thread == b.thread || a.cut || b.cut || started(a, b.thread) || started(b, a.thread) {
            return false;
        }
        if a.starts.iter().any(|thread| b.starts.contains(thread)) {
            return false;
        }
        let both = (claim.first.0 as usize, claim.second.0 as usize);
        let conflicts = conflicts(a, b);
        if conflicts.is_empty() && self.touched[both.0].is_apart_from(&self.touched[both.1]) {
            return true;
        }
        if self.level < Commutativity::Semantic {
            return false;
        }
        let Some(same) = same_outcome(terms, a, b, &conflicts) else {
            return false;
        };
        let differs = terms.not(same);
        if terms.as_const(differs) == Some(0) {
            return true;
        }
        let later = terms.substitute(b.guard, &a.real_values());
        let mut possible = vec![a.guard, later, differs];
        possible.extend(claim.condition);
        self.solver.check(terms, &possible) == Check::Unsat
    }
}

/// The pairs of accesses of which one changes what the other sees.
fn conflicts<'l>(a: &'l Letter, b: &'l Letter) -> Vec<(&'l Access, &'l Access)> {
    let mut found = Vec::new();
    for one in &a.accesses {
        for other in &b.accesses {
            let reads = one.kind == AccessKind::Read && other.kind == AccessKind::Read;
            if one.class == other.class && !reads {
                found.push((one, other));
            }
        }
    }
    found
}

/// Holds before both letters if `b` can come before `a` with the same outcome; nothing if they touch
/// memory in a way that cannot be said.
fn same_outcome(
    terms: &mut Terms,
    a: &Letter,
    b: &Letter,
    conflicts: &[(&Access, &Access)],
) -> Option<Term> {
    let (after_a, after_b) = (a.real_values(), b.real_values());
    let a_later = terms.substitute(a.guard, &after_b);
    let mut same = terms.and(b.guard, a_later);
    let changed: BTreeSet<VarId> = a.updates.keys().chain(b.updates.keys()).copied().collect();
    for var in changed {
        let one = value(terms, var, b, &after_a);
        let other = value(terms, var, a, &after_b);
        let equal = terms.eq(one?, other?);
        same = terms.and(same, equal);
    }
    for (accesses, after) in [(&a.accesses, &after_b), (&b.accesses, &after_a)] {
        for access in accesses {
            for term in [access.addr, access.value] {
                let moved = terms.substitute(term, after);
                let equal = terms.eq(term, moved);
                same = terms.and(same, equal);
            }
        }
    }
    for (one, other) in conflicts {
        if one.kind == AccessKind::Anew || other.kind == AccessKind::Anew {
            return None;
        }
        let apart = terms.ne(one.addr, other.addr);
        same = terms.and(same, apart);
    }
    Some(same)
}

/// The value of a variable if `late` is done after something else.
fn value(
    terms: &mut Terms,
    var: VarId,
    late: &Letter,
    early: &FxHashMap<VarId, Term>,
) -> Option<Term> {
    match late.updates.get(&var) {
        Some(&value) => Some(terms.substitute(value, early)),
        None => early.get(&var).copied(),
    }
}

impl Touched {
    fn by(program: &Program, terms: &Terms, letter: &Letter) -> Touched {
        let accessed = letter
            .accesses
            .iter()
            .flat_map(|access| [access.addr, access.value]);
        let read = letter.updates.values().copied().chain([letter.guard]);
        let read = read.chain(accessed).flat_map(|term| terms.vars(term));
        Touched {
            reads: read
                .filter(|var| !program.vars[var.0 as usize].input)
                .collect(),
            writes: letter.updates.keys().copied().collect(),
        }
    }

    fn is_apart_from(&self, other: &Touched) -> bool {
        self.writes.is_disjoint(&other.writes)
            && self.writes.is_disjoint(&other.reads)
            && self.reads.is_disjoint(&other.writes)
    }
}
