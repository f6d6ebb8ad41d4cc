//! Simple invariants of the reduced product that hold whatever wraps: comparisons that conditions make,
//! and linear equalities modulo the width of their variables.
//!
//! Both are found from examples. As long as a solver finds a step from a state that obeys what is said of
//! one node to a state that does not obey what is said of the next, the affine hull there grows by that
//! state, and the comparisons that do not hold in it are left out (symbolic abstraction, Reps, Sagiv
//! and Yorsh, VMCAI 2004). What is returned is inductive.

use crate::affine::Hull;
use crate::atoms::atoms;
use crate::repair::{Parts, applied};
use crate::runs::Runs;
use expr::{Op, Sort, Term, Terms, VarId};
use smt::horn::HornSystem;
use smt::{Check, Model, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// At most this many coordinates: the work grows with their cube.
const MOST_COORDINATES: usize = 40;

/// The search for facts about each predicate of a system. It can be interrupted and goes on where it was.
pub struct Search {
    spaces: Vec<Vec<Space>>,
    /// By predicate: nothing if no state of it is known yet, else the hull in each space.
    hulls: Vec<Option<Vec<Hull>>>,
    atoms: Parts,
    /// The rules that may lead to states that are not known, by their place in [`Search::order`].
    open: BTreeSet<usize>,
    /// The rules, those near the start first.
    order: Vec<usize>,
    runs: Runs,
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

impl Search {
    /// Nothing has been found yet.
    pub fn new(terms: &mut Terms, system: &HornSystem, naturals: &BTreeSet<VarId>) -> Search {
        let mut search = Search {
            spaces: spaces(terms, system, naturals),
            hulls: vec![None; system.predicates().len()],
            atoms: atoms(terms, system),
            open: (0..system.rules().len()).collect(),
            order: from_the_start(system),
            runs: Runs::new(terms, system),
        };
        for (pred, state) in search.runs.start(terms, system) {
            search.add_state(terms, system, pred, &state);
        }
        search
    }

    /// Takes away what does not hold in a state of a predicate. Was there anything?
    fn add_state(
        &mut self,
        terms: &Terms,
        system: &HornSystem,
        pred: usize,
        state: &[u64],
    ) -> bool {
        let mut values = Model {
            vars: BTreeMap::new(),
            bases: system.bases().clone(),
        };
        let params = system.predicates()[pred].params.iter();
        let vars = params.filter_map(|&param| terms.as_var(param));
        values.vars.extend(vars.zip(state.iter().copied()));
        let spaces = self.spaces[pred].iter();
        let points = spaces.map(|space| {
            let coordinates = space.coordinates.iter();
            coordinates.map(|&it| terms.eval(it, &values)).collect()
        });
        let points = points.collect();
        let grown = self.add(pred, points);
        let before = self.atoms[pred].len();
        self.atoms[pred].retain(|&atom| terms.eval(atom, &values) == 1);
        grown || self.atoms[pred].len() < before
    }

    /// Goes on until the deadline: facts for each predicate once they are inductive.
    pub fn run(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        deadline: Instant,
    ) -> Option<Parts> {
        while let Some(place) = self.open.pop_first() {
            let number = self.order[place];
            let rule = &system.rules()[number];
            let Some(head) = &rule.head else { continue };
            let known = |body: &smt::horn::Application| self.hulls[body.pred.index()].is_some();
            if !rule.body.iter().all(known) {
                continue;
            }
            let Some(grown) = self.rule(terms, system, number, deadline) else {
                self.open.insert(place);
                self.open_users(system, head.pred.index());
                return None;
            };
            if grown {
                self.open_users(system, head.pred.index());
            }
        }
        let all = (0..system.predicates().len()).map(|pred| self.parts(terms, pred));
        Some(all.collect())
    }

    /// What is said of a predicate has changed.
    fn open_users(&mut self, system: &HornSystem, pred: usize) {
        for (place, &number) in self.order.iter().enumerate() {
            let body = &system.rules()[number].body;
            if body.iter().any(|body| body.pred.index() == pred) {
                self.open.insert(place);
            }
        }
    }

    /// Adds states until the rule leads to no new ones. Were there any?
    fn rule(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        number: usize,
        deadline: Instant,
    ) -> Option<bool> {
        let rule = &system.rules()[number];
        let head = rule.head.as_ref()?;
        let mut before = vec![rule.constraint];
        for body in &rule.body {
            for part in self.parts(terms, body.pred.index()) {
                before.push(applied(terms, system, body, part));
            }
        }
        let pred = head.pred.index();
        let mut grown = false;
        loop {
            let obeyed = self.parts(terms, pred);
            let obeyed: Vec<Term> = obeyed
                .into_iter()
                .map(|it| applied(terms, system, head, it))
                .collect();
            let obeyed = match self.hulls[pred].is_some() {
                true => terms.and_all(obeyed),
                false => terms.bool(false),
            };
            let new = terms.not(obeyed);
            if terms.as_const(new) == Some(0) {
                return Some(grown);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            // A new solver each time: one that is asked more than once does not simplify first.
            let mut solver = Solver::new();
            for (&object, &base) in system.bases() {
                solver.bind_base(object, base);
            }
            for &part in before.iter().chain([&new]) {
                solver.assert(terms, part);
            }
            solver.set_timeout(Some(left));
            match solver.check(terms, &[]) {
                Check::Unsat => return Some(grown),
                Check::Unknown(_) => return None,
                Check::Sat => {}
            }
            grown = true;
            // Variables that the solver left open read as zero, which is as good as anything.
            let model = solver.model()?;
            let state: Vec<u64> = head
                .args
                .iter()
                .map(|&arg| terms.eval(arg, &model))
                .collect();
            self.add_state(terms, system, pred, &state);
            for (other, state) in self.runs.go_on(terms, system, &(pred, state)) {
                if self.add_state(terms, system, other, &state) && other != pred {
                    self.open_users(system, other);
                }
            }
        }
    }

    fn add(&mut self, pred: usize, points: Vec<Vec<u64>>) -> bool {
        let spaces = &self.spaces[pred];
        match &mut self.hulls[pred] {
            Some(hulls) => {
                let mut grown = false;
                for (hull, point) in hulls.iter_mut().zip(&points) {
                    grown |= hull.add(point);
                }
                grown
            }
            empty => {
                let points = spaces.iter().zip(points);
                let hulls = points.map(|(space, at)| Hull::point(space.width, at));
                *empty = Some(hulls.collect());
                true
            }
        }
    }

    /// The equalities of a predicate, as formulas over its parameters.
    fn equalities(&self, terms: &mut Terms, pred: usize) -> Vec<Term> {
        let mut found = Vec::new();
        let hulls = self.hulls[pred].iter().flatten();
        for (space, hull) in self.spaces[pred].iter().zip(hulls) {
            for (factors, constant) in hull.equations() {
                if hull.is_short(factors) {
                    found.push(equality(terms, space, factors, *constant));
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

/// The rules in the order of a walk that leaves a predicate only after all that lead to it, as far as
/// there are no loops.
fn from_the_start(system: &HornSystem) -> Vec<usize> {
    let count = system.predicates().len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut starts = Vec::new();
    for rule in system.rules() {
        let Some(head) = &rule.head else { continue };
        for body in &rule.body {
            next[body.pred.index()].push(head.pred.index());
        }
        if rule.body.is_empty() {
            starts.push(head.pred.index());
        }
    }
    let mut left = Vec::new();
    let mut seen = vec![false; count];
    for start in starts {
        let mut path = vec![(start, 0)];
        while let Some((pred, child)) = path.pop() {
            if child == 0 && std::mem::replace(&mut seen[pred], true) {
                continue;
            }
            match next[pred].get(child) {
                Some(&target) => path.extend([(pred, child + 1), (target, 0)]),
                None => left.push(pred),
            }
        }
    }
    let rank = |pred: usize| left.iter().rposition(|&it| it == pred).unwrap_or(0);
    let late: Vec<usize> = (0..count).map(|pred| count - rank(pred)).collect();
    let mut order: Vec<usize> = (0..system.rules().len()).collect();
    order.sort_by_key(|&number| {
        let body = system.rules()[number].body.first();
        body.map_or(0, |body| late[body.pred.index()])
    });
    order
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
