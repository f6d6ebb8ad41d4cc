//! Simple invariants of the reduced product that hold whatever wraps: comparisons that conditions make,
//! and linear equalities modulo the width of their variables.
//!
//! Comparisons are kept while no rule breaks them. Equalities are found from examples: as long as a
//! solver finds a step from states that obey the equalities of one node to one that does not obey
//! those of the next, the affine hull there grows by that state (symbolic abstraction, Reps, Sagiv
//! and Yorsh, VMCAI 2004). Both are inductive when they are returned.

use crate::affine::Hull;
use crate::repair::{Parts, applied, houdini};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use smt::horn::HornSystem;
use smt::{Check, Solver};
use std::collections::BTreeSet;
use std::time::Instant;

/// At most this many comparisons are tried for a predicate.
const MOST_ATOMS: usize = 40;

/// At most this many coordinates: the work grows with their cube.
const MOST_COORDINATES: usize = 40;

/// Equations with larger factors are left out.
const LARGEST_FACTOR: u64 = 16;

/// Facts for each predicate; nothing if there was not enough time.
pub fn facts(
    terms: &mut Terms,
    system: &HornSystem,
    naturals: &BTreeSet<VarId>,
    deadline: Instant,
) -> Option<Parts> {
    let atoms = atoms(terms, system);
    // Comparisons are worth a part of the time only.
    let left = deadline.saturating_duration_since(Instant::now());
    let atoms = houdini(terms, system, atoms, Instant::now() + left / 3);
    let atoms = atoms.unwrap_or_else(|| vec![Vec::new(); system.predicates().len()]);
    let mut finder = Finder {
        system,
        spaces: spaces(terms, system, naturals),
        hulls: vec![None; system.predicates().len()],
        atoms,
        deadline,
    };
    finder.run(terms)?;
    let all = (0..system.predicates().len()).map(|pred| finder.parts(terms, pred));
    Some(all.collect())
}

/// The comparisons of conditions, where they are about parameters only.
fn atoms(terms: &mut Terms, system: &HornSystem) -> Parts {
    let mut compared: BTreeSet<Term> = BTreeSet::new();
    for rule in system.rules() {
        terms.for_each_subterm(rule.constraint, &mut |term, node| {
            if let Node::Binary(Op::Slt | Op::Sle | Op::Ult | Op::Ule, a, _) = node
                && terms.width(a) <= 32
            {
                compared.insert(term);
            }
        });
    }
    let mut found: Vec<Term> = Vec::new();
    for term in compared {
        let Node::Binary(op, a, b) = terms.node(term) else {
            continue;
        };
        let weak = match op {
            Op::Slt | Op::Sle => Op::Sle,
            _ => Op::Ule,
        };
        let otherwise = terms.not(term);
        found.extend([term, otherwise]);
        found.extend([terms.binary(weak, a, b), terms.binary(weak, b, a)]);
    }
    let params = |pred: usize| {
        let params = system.predicates()[pred].params.iter();
        params
            .filter_map(|&param| terms.as_var(param))
            .collect::<BTreeSet<VarId>>()
    };
    let fits = |pred: usize| {
        let params = params(pred);
        let about = |term: &&Term| terms.vars(**term).iter().all(|var| params.contains(var));
        let mut own: Vec<Term> = found.iter().filter(about).copied().collect();
        own.sort_unstable();
        own.dedup();
        own.truncate(MOST_ATOMS);
        own
    };
    (0..system.predicates().len()).map(fits).collect()
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
    system: &'a HornSystem,
    spaces: Vec<Vec<Space>>,
    /// By predicate: nothing if no state of it is known yet, else the hull in each space.
    hulls: Vec<Option<Vec<Hull>>>,
    atoms: Parts,
    deadline: Instant,
}

impl Finder<'_> {
    fn run(&mut self, terms: &mut Terms) -> Option<()> {
        let mut open: Vec<usize> = (0..self.system.rules().len()).rev().collect();
        while let Some(number) = open.pop() {
            let rule = &self.system.rules()[number];
            let Some(head) = &rule.head else { continue };
            let known = |body: &smt::horn::Application| self.hulls[body.pred.index()].is_some();
            if !rule.body.iter().all(known) {
                continue;
            }
            if self.rule(terms, number)? {
                for (other, rule) in self.system.rules().iter().enumerate() {
                    let uses = rule.body.iter().any(|body| body.pred == head.pred);
                    if uses && !open.contains(&other) {
                        open.insert(0, other);
                    }
                }
            }
        }
        Some(())
    }

    /// Adds states until the rule leads to no new ones. Were there any?
    fn rule(&mut self, terms: &mut Terms, number: usize) -> Option<bool> {
        let rule = &self.system.rules()[number];
        let head = rule.head.as_ref()?;
        let mut solver = Solver::new();
        for (&object, &base) in self.system.bases() {
            solver.bind_base(object, base);
        }
        solver.assert(terms, rule.constraint);
        for body in &rule.body {
            for part in self.parts(terms, body.pred.index()) {
                let part = applied(terms, self.system, body, part);
                solver.assert(terms, part);
            }
        }
        let pred = head.pred.index();
        let spaces = &self.spaces[pred];
        let here: Vec<Vec<Term>> = spaces
            .iter()
            .map(|space| {
                let own = space.coordinates.iter();
                own.map(|&it| applied(terms, self.system, head, it))
                    .collect()
            })
            .collect();
        let mut grown = false;
        loop {
            let obeyed = self.equalities(terms, pred);
            let obeyed: Vec<Term> = obeyed
                .into_iter()
                .map(|it| applied(terms, self.system, head, it))
                .collect();
            let obeyed = match self.hulls[pred].is_some() {
                true => terms.and_all(obeyed),
                false => terms.bool(false),
            };
            let new = terms.not(obeyed);
            if terms.as_const(new) == Some(0) {
                return Some(grown);
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            solver.set_timeout(Some(left));
            match solver.check(terms, &[new]) {
                Check::Unsat => return Some(grown),
                Check::Unknown(_) => return None,
                Check::Sat => {}
            }
            grown = true;
            let mut points = Vec::new();
            for coordinates in &here {
                let values = coordinates.iter().map(|&it| solver.value(terms, it));
                points.push(values.collect::<Option<Vec<u64>>>()?);
            }
            self.add(pred, points);
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
        let mut parts = self.atoms[pred].clone();
        parts.extend(self.equalities(terms, pred));
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
