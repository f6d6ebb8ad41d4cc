//! Simple invariants of the reduced product that hold whatever wraps: comparisons that conditions make,
//! and linear equalities modulo the width of their variables.
//!
//! Literals are kept while no rule breaks them. Equalities are found from examples: as long as a
//! solver finds a step from states that obey the equalities of one node to one that does not obey
//! those of the next, the affine hull there grows by that state (symbolic abstraction, Reps, Sagiv
//! and Yorsh, VMCAI 2004). Both are inductive when they are returned.

use crate::affine::Hull;
use crate::clauses::{Clauses, is_possible};
use crate::repair::{Parts, houdini};
use expr::{Op, Sort, Term, Terms, VarId};
use smt::horn::HornSystem;
use std::collections::BTreeSet;
use std::time::Instant;

/// More literals hold given the equalities, and then more equalities given the literals; so often.
const ROUNDS: usize = 2;

/// At most this many coordinates: the work grows with their cube.
const MOST_COORDINATES: usize = 40;

/// Equations with larger factors are left out.
const LARGEST_FACTOR: u64 = 16;

/// Facts for each predicate; nothing if there was not enough time.
pub fn facts(
    terms: &mut Terms,
    clauses: &mut Clauses,
    literals: &Parts,
    naturals: &BTreeSet<VarId>,
    deadline: Instant,
) -> Option<Parts> {
    let count = clauses.system.predicates().len();
    let mut finder = Finder {
        spaces: spaces(terms, &clauses.system, naturals),
        clauses,
        hulls: vec![None; count],
        literals: vec![Vec::new(); count],
        deadline,
    };
    let mut known: Option<Parts> = None;
    for _ in 0..ROUNDS {
        let mut tried = literals.clone();
        for (own, found) in tried.iter_mut().zip(known.iter().flatten()) {
            own.extend(found);
            own.sort_unstable();
            own.dedup();
        }
        // Literals are worth a part of the time only.
        let left = deadline.saturating_duration_since(Instant::now());
        let kept = houdini(terms, finder.clauses, tried, Instant::now() + left / 3);
        if known.is_some() && (kept.is_none() || kept == known) {
            break;
        }
        finder.literals = kept.unwrap_or(finder.literals);
        finder.hulls = vec![None; count];
        if finder.run(terms).is_none() {
            break;
        }
        known = Some((0..count).map(|pred| finder.parts(terms, pred)).collect());
    }
    known
}

/// Terms of one width over the parameters of a predicate.
struct Space {
    width: u32,
    coordinates: Vec<Term>,
}

/// The spaces of each predicate: one for each width of its parameters. Narrower numbers take part in the
/// widest one too, because addresses are sums of both.
fn spaces(terms: &mut Terms, system: &HornSystem, naturals: &BTreeSet<VarId>) -> Vec<Vec<Space>> {
    let mut all = Vec::new();
    for predicate in system.predicates() {
        let widths = predicate.params.iter().map(|&param| terms.sort(param));
        let widths: BTreeSet<u32> = widths.map(Sort::width).collect();
        let mut own = Vec::new();
        for width in widths {
            let mut coordinates = Vec::new();
            for &param in &predicate.params {
                let natural = terms
                    .as_var(param)
                    .is_some_and(|var| naturals.contains(&var));
                match terms.sort(param) {
                    Sort::Bool if width == 1 => coordinates.push(terms.bool_to_bv(param, 1)),
                    Sort::Bv(own) if own == width => coordinates.push(param),
                    Sort::Bv(32) if width == 64 => {
                        coordinates.push(terms.resize(param, 64, !natural))
                    }
                    _ => {}
                }
            }
            if coordinates.len() <= MOST_COORDINATES {
                own.push(Space { width, coordinates });
            }
        }
        all.push(own);
    }
    all
}

struct Finder<'a> {
    clauses: &'a mut Clauses,
    spaces: Vec<Vec<Space>>,
    /// By predicate: nothing if no state of it is known yet, else the hull in each space.
    hulls: Vec<Option<Vec<Hull>>>,
    literals: Parts,
    deadline: Instant,
}

impl Finder<'_> {
    fn run(&mut self, terms: &mut Terms) -> Option<()> {
        let rules = self.clauses.system.rules().len();
        let mut open: Vec<usize> = (0..rules).rev().collect();
        while let Some(rule) = open.pop() {
            let Some(head) = self.clauses.head(rule) else {
                continue;
            };
            let body = self.clauses.body(rule);
            if body.is_some_and(|body| self.hulls[body].is_none()) {
                continue;
            }
            if self.rule(terms, rule, body, head)? {
                let uses = |&other: &usize| self.clauses.body(other) == Some(head);
                for other in (0..rules).filter(uses) {
                    if !open.contains(&other) {
                        open.insert(0, other);
                    }
                }
            }
        }
        Some(())
    }

    /// Adds states until the rule leads to no new ones. Were there any?
    fn rule(
        &mut self,
        terms: &mut Terms,
        rule: usize,
        body: Option<usize>,
        head: usize,
    ) -> Option<bool> {
        let assumed = body.map_or(Vec::new(), |body| self.parts(terms, body));
        let mut here: Vec<Vec<Term>> = Vec::new();
        for space in &self.spaces[head] {
            let own = space.coordinates.iter();
            here.push(
                own.map(|&it| self.clauses.before(terms, rule, it))
                    .collect(),
            );
        }
        let mut solver = self.clauses.solver(terms, rule, &assumed);
        let mut grown = false;
        loop {
            let mut obeyed = Vec::new();
            for equality in self.equalities(terms, head) {
                obeyed.push(self.clauses.before(terms, rule, equality));
            }
            let obeyed = match self.hulls[head].is_some() {
                true => terms.and_all(obeyed),
                false => terms.bool(false),
            };
            let new = terms.not(obeyed);
            if terms.as_const(new) == Some(0) {
                return Some(grown);
            }
            if !is_possible(&mut solver, terms, &[new], self.deadline)? {
                return Some(grown);
            }
            grown = true;
            let mut points = Vec::new();
            for coordinates in &here {
                let values = coordinates.iter().map(|&it| solver.value(terms, it));
                points.push(values.collect::<Option<Vec<u64>>>()?);
            }
            self.add(head, points);
        }
    }

    fn add(&mut self, pred: usize, points: Vec<Vec<u64>>) {
        let spaces = &self.spaces[pred];
        match &mut self.hulls[pred] {
            Some(hulls) => {
                for (hull, point) in hulls.iter_mut().zip(&points) {
                    hull.add(point);
                }
            }
            empty => {
                let points = spaces.iter().zip(points);
                *empty = Some(
                    points
                        .map(|(space, at)| Hull::point(space.width, at))
                        .collect(),
                );
            }
        }
    }

    /// The equalities of a predicate, as formulas over its parameters.
    fn equalities(&self, terms: &mut Terms, pred: usize) -> Vec<Term> {
        let mut found = Vec::new();
        let hulls = self.hulls[pred].iter().flatten();
        for (space, hull) in self.spaces[pred].iter().zip(hulls) {
            for (factors, constant) in hull.equations() {
                if factors.iter().all(|&factor| is_small(factor, space.width)) {
                    found.push(equality(terms, space, &factors, constant));
                }
            }
        }
        found
    }

    /// All that is known of a predicate; falsity if no state of it is.
    fn parts(&self, terms: &mut Terms, pred: usize) -> Vec<Term> {
        if self.hulls[pred].is_none() {
            return vec![terms.bool(false)];
        }
        let mut parts = self.literals[pred].clone();
        parts.extend(self.equalities(terms, pred));
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}

/// Is a factor one that programs have? Few examples obey equations with any factors, which are hard for a
/// solver and soon refuted.
fn is_small(factor: u64, width: u32) -> bool {
    expr::sign_extend(factor, width).unsigned_abs() <= LARGEST_FACTOR
}

/// A sum that is constant; what has a negative factor stands on the other side.
fn equality(terms: &mut Terms, space: &Space, factors: &[u64], constant: u64) -> Term {
    let width = space.width;
    let half = 1u64 << (width - 1);
    let minus = |value: u64| value.wrapping_neg() & Sort::Bv(width).mask();
    let is_negative = |value: u64| width > 1 && value >= half;
    let mut sides = match is_negative(constant) {
        true => [terms.bv(width, minus(constant)), terms.bv(width, 0)],
        false => [terms.bv(width, 0), terms.bv(width, constant)],
    };
    for (&factor, &coordinate) in factors.iter().zip(&space.coordinates) {
        let (side, factor) = match is_negative(factor) {
            true => (1, minus(factor)),
            false => (0, factor),
        };
        if factor == 0 {
            continue;
        }
        let factor = terms.bv(width, factor);
        let product = terms.binary(Op::Mul, factor, coordinate);
        sides[side] = terms.add(sides[side], product);
    }
    terms.eq(sides[0], sides[1])
}
