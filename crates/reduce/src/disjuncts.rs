//! Invariants that are disjunctions, with the machine's arithmetic: lazy predicate abstraction of the clauses.
//!
//! A disjunct of an invariant is a conjunction of literals. The disjuncts are unfolded along the rules: what
//! follows from one is the strongest conjunction of the literals in use at the head. When the
//! unfolding reaches an error, the literals of the [`Pool`] are followed along that path alone, and those
//! that refute it come into use (Henzinger et al., "Lazy Abstraction", POPL 2002,
//! doi:10.1145/503272.503279). The pool is finite, so this ends: with invariants, or with a path that the
//! pool cannot refute.

use crate::clauses::{Clauses, is_possible};
use crate::pool::Pool;
use crate::repair::Parts;
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::time::Instant;

/// Larger cores are not made smaller.
const LARGEST_CORE: usize = 12;

/// Why there are no invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There was not enough time.
    Time,
    /// The pool does not refute a path to an error.
    Stuck,
}

/// The literals in use, and what is known about their consequences.
pub struct Disjuncts {
    /// What may come into use.
    pub pool: Pool,
    used: Parts,
    /// By rule and disjunct before it: the literals after it about which something is known.
    known: FxHashMap<(usize, Vec<Term>), Consequences>,
}

#[derive(Default)]
struct Consequences {
    /// Can the rule be taken?
    possible: Option<bool>,
    /// Does a literal follow?
    follows: FxHashMap<Term, bool>,
}

/// A disjunct of the invariant of a predicate, and how the unfolding got there.
struct Disjunct {
    pred: usize,
    literals: Vec<Term>,
    parent: Option<usize>,
    rule: usize,
}

enum Unfolded {
    Closed(Vec<Disjunct>),
    /// The rules on the way to an error.
    Error(Vec<usize>),
}

impl Disjuncts {
    /// Nothing is in use yet.
    pub fn new(pool: Pool) -> Disjuncts {
        Disjuncts {
            used: vec![Vec::new(); pool.literals.len()],
            pool,
            known: FxHashMap::default(),
        }
    }

    /// A formula for each predicate that excludes the errors together with what is assumed for ever.
    pub fn search(
        &mut self,
        terms: &mut Terms,
        clauses: &mut Clauses,
        deadline: Instant,
    ) -> Result<Vec<Term>, Failure> {
        loop {
            match self.unfold(terms, clauses, deadline)? {
                Unfolded::Closed(disjuncts) => return Ok(self.formulas(terms, &disjuncts)),
                Unfolded::Error(path) => self.refine(terms, clauses, &path, deadline)?,
            }
        }
    }

    fn unfold(
        &mut self,
        terms: &mut Terms,
        clauses: &mut Clauses,
        deadline: Instant,
    ) -> Result<Unfolded, Failure> {
        let mut found: Vec<Disjunct> = Vec::new();
        let mut open: VecDeque<Option<usize>> = VecDeque::from([None]);
        while let Some(at) = open.pop_front() {
            let (pred, literals) = match at {
                Some(at) => (Some(found[at].pred), found[at].literals.clone()),
                None => (None, Vec::new()),
            };
            for rule in 0..clauses.system.rules().len() {
                if clauses.body(rule) != pred
                    || !self.is_possible(terms, clauses, rule, &literals, deadline)?
                {
                    continue;
                }
                let Some(head) = clauses.head(rule) else {
                    return Ok(Unfolded::Error(path_to(&found, at, rule)));
                };
                let wanted = self.used[head].clone();
                let after = self.after(terms, clauses, rule, &literals, &wanted, deadline)?;
                let weaker = |it: &Disjunct| {
                    it.pred == head && it.literals.iter().all(|literal| after.contains(literal))
                };
                if !found.iter().any(weaker) {
                    open.push_back(Some(found.len()));
                    found.push(Disjunct {
                        pred: head,
                        literals: after,
                        parent: at,
                        rule,
                    });
                }
            }
        }
        Ok(Unfolded::Closed(found))
    }

    /// Can a rule be taken where some literals hold?
    fn is_possible(
        &mut self,
        terms: &Terms,
        clauses: &Clauses,
        rule: usize,
        literals: &[Term],
        deadline: Instant,
    ) -> Result<bool, Failure> {
        let known = self.known.entry((rule, literals.to_vec())).or_default();
        if let Some(possible) = known.possible {
            return Ok(possible);
        }
        let mut solver = clauses.solver(terms, rule, literals);
        let possible = is_possible(&mut solver, terms, &[], deadline);
        let possible = possible.ok_or(Failure::Time)?;
        known.possible = Some(possible);
        Ok(possible)
    }

    /// Which of the wanted literals hold after a rule that is taken where some literals hold?
    fn after(
        &mut self,
        terms: &mut Terms,
        clauses: &mut Clauses,
        rule: usize,
        literals: &[Term],
        wanted: &[Term],
        deadline: Instant,
    ) -> Result<Vec<Term>, Failure> {
        let known = self.known.entry((rule, literals.to_vec())).or_default();
        let new = wanted.iter().filter(|it| !known.follows.contains_key(it));
        let new: Vec<Term> = new.copied().collect();
        let kept = clauses.kept(terms, rule, literals, &new, deadline);
        let kept = kept.ok_or(Failure::Time)?;
        let follows = new.into_iter().map(|it| (it, kept.contains(&it)));
        known.follows.extend(follows);
        let follows = wanted.iter().filter(|it| known.follows[it]).copied();
        Ok(follows.collect())
    }

    /// Takes literals into use that refute a path to an error.
    fn refine(
        &mut self,
        terms: &mut Terms,
        clauses: &mut Clauses,
        path: &[usize],
        deadline: Instant,
    ) -> Result<(), Failure> {
        // What all literals of the pool say along the path, until it cannot go on.
        let mut said: Vec<Vec<Term>> = vec![Vec::new()];
        let mut end = None;
        for (at, &rule) in path.iter().enumerate() {
            let before = said[at].clone();
            if !self.is_possible(terms, clauses, rule, &before, deadline)? {
                end = Some(at);
                break;
            }
            if let Some(head) = clauses.head(rule) {
                let wanted = self.pool.literals[head].clone();
                said.push(self.after(terms, clauses, rule, &before, &wanted, deadline)?);
            }
        }
        let end = end.ok_or(Failure::Stuck)?;
        let mut grown = false;
        let mut goal: Option<Vec<Term>> = None;
        for at in (0..=end).rev() {
            let rule = path[at];
            let mut goals = Vec::new();
            for literal in goal.iter().flatten() {
                goals.push(clauses.before(terms, rule, *literal));
            }
            let missed = goal.map(|_| {
                let all = terms.and_all(goals);
                terms.not(all)
            });
            let needed = core(terms, clauses, rule, &said[at], missed, deadline)?;
            let Some(body) = clauses.body(rule).filter(|_| !needed.is_empty()) else {
                break;
            };
            for &literal in &needed {
                if !self.used[body].contains(&literal) {
                    self.used[body].push(literal);
                    grown = true;
                }
            }
            goal = Some(needed);
        }
        grown.then_some(()).ok_or(Failure::Stuck)
    }

    fn formulas(&self, terms: &mut Terms, disjuncts: &[Disjunct]) -> Vec<Term> {
        let formula = |pred: usize| {
            let own = disjuncts.iter().filter(|it| it.pred == pred);
            let own: Vec<Term> = own
                .map(|it| terms.and_all(it.literals.iter().copied()))
                .collect();
            terms.or_all(own)
        };
        (0..self.used.len()).map(formula).collect()
    }
}

/// The rules from the start to a disjunct, and one more.
fn path_to(found: &[Disjunct], mut at: Option<usize>, last: usize) -> Vec<usize> {
    let mut path = vec![last];
    while let Some(disjunct) = at {
        path.push(found[disjunct].rule);
        at = found[disjunct].parent;
    }
    path.reverse();
    path
}

/// Few of the literals that exclude a rule, together with what else is assumed.
fn core(
    terms: &Terms,
    clauses: &Clauses,
    rule: usize,
    literals: &[Term],
    also: Option<Term>,
    deadline: Instant,
) -> Result<Vec<Term>, Failure> {
    let mut solver = clauses.solver(terms, rule, &also.into_iter().collect::<Vec<Term>>());
    let mut excluded = |some: &[Term]| {
        let possible = is_possible(&mut solver, terms, some, deadline);
        let core = match possible.ok_or(Failure::Time)? {
            true => None,
            false => solver.core().map(<[Term]>::to_vec),
        };
        Ok(core)
    };
    let used = excluded(literals)?.ok_or(Failure::Stuck)?;
    let mut needed: Vec<Term> = literals.to_vec();
    needed.retain(|it| used.contains(it));
    if needed.len() > LARGEST_CORE {
        return Ok(needed);
    }
    // What was found last is the most special.
    for literal in needed.clone().into_iter().rev() {
        let fewer: Vec<Term> = needed
            .iter()
            .filter(|&&it| it != literal)
            .copied()
            .collect();
        if excluded(&fewer)?.is_some() {
            needed = fewer;
        }
    }
    Ok(needed)
}
