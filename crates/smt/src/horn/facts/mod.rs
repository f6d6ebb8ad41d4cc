//! Simple invariants that hold whatever wraps: comparisons that conditions make, and linear equalities
//! modulo the width of their variables, both for each combination of values of the variables that take
//! few of them.
//!
//! All are found from examples. As long as a solver finds a step from a state that obeys what is said of
//! one predicate to a state that does not obey what is said of the next, the affine hull there grows by
//! that state, and the comparisons that do not hold in it are left out (symbolic abstraction, Reps, Sagiv
//! and Yorsh, VMCAI 2004, doi:10.1007/978-3-540-24622-0_21). What is returned is inductive.

mod affine;
mod atoms;
mod case;
mod linear;
mod order;
mod premises;
mod space;

use super::constants::Smaller;
use super::{HornSystem, recheck};
use crate::{Check, Model, Solver};
use atoms::atoms;
use case::Case;
use expr::{Node, Sort, Term, Terms, VarId};
use order::from_the_start;
use premises::Premises;
use space::{Space, spaces};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// By predicate: the parts of its formula.
pub type Parts = Vec<Vec<Term>>;

/// A state of a predicate: its number, and the values of its parameters.
pub type Reached = (usize, Vec<u64>);

/// What a further state of a predicate has changed.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// It did not obey what was said.
    grown: bool,
    /// Something is said that did not follow from what was said before.
    gained: bool,
    /// Fewer variables are told apart.
    regrouped: bool,
}

/// A variable that takes more values than this does not take few.
const FEW_VALUES: usize = 6;

/// A predicate has no more cases than this: of the variables told apart, one is given up.
const MOST_CASES: usize = 48;

/// A solution made of simple invariants, if there is one; nothing too if it was not found in time.
pub fn solve_simply(terms: &mut Terms, system: &HornSystem, limit: Duration) -> Option<Vec<Term>> {
    let deadline = Instant::now() + limit;
    let solution = simple_invariants(terms, system, limit)?;
    let check = recheck::check(terms, system, &solution, Some(deadline));
    (check == Check::Unsat).then_some(solution)
}

/// Simple invariants, one formula for each predicate: rules with a head keep them. Nothing if they were
/// not found in time.
pub fn simple_invariants(
    terms: &mut Terms,
    system: &HornSystem,
    limit: Duration,
) -> Option<Vec<Term>> {
    system.validate(terms).ok()?;
    let deadline = Instant::now() + limit;
    let smaller = Smaller::of(terms, system);
    let mut search = FactSearch::by_cases(terms, &smaller.system);
    let parts = search.run(terms, &smaller.system, deadline, &mut |_, _| Vec::new())?;
    let formulas = parts.into_iter().map(|own| terms.and_all(own));
    let formulas: Vec<Term> = formulas.collect();
    Some(smaller.whole(terms, system, &formulas))
}

/// By predicate: parameters that may become a value that nothing fixes, and copies of these.
fn arbitrary(terms: &Terms, system: &HornSystem) -> Vec<BTreeSet<Term>> {
    let mut found = vec![BTreeSet::new(); system.predicates().len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in system.rules() {
            let Some(head) = &rule.head else { continue };
            let mut free: BTreeSet<VarId> =
                rule.terms().iter().flat_map(|&it| terms.vars(it)).collect();
            for body in &rule.body {
                let params = &system.predicates()[body.pred.index()].params;
                for (param, &arg) in params.iter().zip(&body.args) {
                    // Of several predicates another one may say more.
                    if rule.body.len() > 1 || !found[body.pred.index()].contains(param) {
                        terms.vars(arg).iter().for_each(|var| {
                            free.remove(var);
                        });
                    }
                }
            }
            let params = &system.predicates()[head.pred.index()].params;
            for (&param, &arg) in params.iter().zip(&head.args) {
                if is_chosen_from(terms, arg, &free) {
                    changed |= found[head.pred.index()].insert(param);
                }
            }
        }
    }
    found
}

/// May the value be that of one of these variables, or be computed from one alone?
fn is_chosen_from(terms: &Terms, value: Term, these: &BTreeSet<VarId>) -> bool {
    match terms.node(value) {
        Node::Var(var, _) => these.contains(&var),
        Node::Ite(_, a, b) => [a, b]
            .into_iter()
            .any(|it| is_chosen_from(terms, it, these)),
        Node::Unary(_, a) => is_chosen_from(terms, a, these),
        _ => false,
    }
}

/// The search for facts about each predicate of a system. It can be interrupted and goes on where it was.
pub struct FactSearch {
    spaces: Vec<Vec<Space>>,
    /// By predicate: the parameters of which each combination of values is a case of its own.
    told_apart: Vec<Vec<Term>>,
    /// By predicate: the values that these were seen to have.
    values: Vec<BTreeMap<Term, BTreeSet<u64>>>,
    /// By predicate: what is said of each case.
    cases: Vec<BTreeMap<Vec<u64>, Case>>,
    /// By predicate: comparisons that may hold.
    atoms: Parts,
    /// The rules that may lead to states that are not known, by their place in [`FactSearch::order`].
    open: BTreeSet<usize>,
    /// The rules, those near the start first.
    order: Vec<usize>,
}

impl FactSearch {
    /// Nothing has been found yet, and nothing is told apart. Some variables have no sign.
    pub fn new(terms: &mut Terms, system: &HornSystem, naturals: &BTreeSet<VarId>) -> FactSearch {
        FactSearch::about(terms, system, Some(naturals))
    }

    fn about(
        terms: &mut Terms,
        system: &HornSystem,
        naturals: Option<&BTreeSet<VarId>>,
    ) -> FactSearch {
        let predicates = system.predicates().iter();
        FactSearch {
            spaces: predicates
                .map(|predicate| spaces(terms, predicate, naturals))
                .collect(),
            told_apart: vec![Vec::new(); system.predicates().len()],
            values: vec![BTreeMap::new(); system.predicates().len()],
            cases: system
                .predicates()
                .iter()
                .map(|_| BTreeMap::new())
                .collect(),
            atoms: atoms(terms, system),
            open: (0..system.rules().len()).collect(),
            order: from_the_start(system),
        }
    }

    /// The same, where variables are told apart until they turn out to take many values.
    pub fn by_cases(terms: &mut Terms, system: &HornSystem) -> FactSearch {
        let mut search = FactSearch::about(terms, system, None);
        let arbitrary = arbitrary(terms, system);
        for (pred, predicate) in system.predicates().iter().enumerate() {
            let params = predicate.params.iter().copied();
            let fits = |param: &Term| {
                !matches!(terms.sort(*param), Sort::Float(_)) && !arbitrary[pred].contains(param)
            };
            search.told_apart[pred] = params.filter(fits).collect();
        }
        search
    }

    /// Goes on until the deadline: facts for each predicate once they are inductive. From each state that a solver finds,
    /// `go_on` may know further ones that every solution has.
    pub fn run(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        deadline: Instant,
        go_on: &mut dyn FnMut(&mut Terms, &Reached) -> Vec<Reached>,
    ) -> Option<Parts> {
        while let Some(place) = self.open.pop_first() {
            let number = self.order[place];
            let rule = &system.rules()[number];
            let Some(head) = &rule.head else { continue };
            let known = |body: &super::Application| !self.cases[body.pred.index()].is_empty();
            if !rule.body.iter().all(known) {
                continue;
            }
            let Some(grown) = self.rule(terms, system, number, deadline, go_on) else {
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

    /// What is said of a predicate is no longer implied by what was: rules that lead there are open again.
    fn open_sources(&mut self, system: &HornSystem, pred: usize) {
        for (place, &number) in self.order.iter().enumerate() {
            let head = system.rules()[number].head.as_ref();
            if head.is_some_and(|head| head.pred.index() == pred) {
                self.open.insert(place);
            }
        }
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
        go_on: &mut dyn FnMut(&mut Terms, &Reached) -> Vec<Reached>,
    ) -> Option<bool> {
        let rule = &system.rules()[number];
        let head = rule.head.as_ref()?;
        let mut before = vec![rule.constraint];
        for body in &rule.body {
            for part in self.parts(terms, body.pred.index()) {
                before.push(system.instance(terms, body, part));
            }
        }
        let premises = Premises::of(terms, &before);
        let pred = head.pred.index();
        let mut grown = false;
        loop {
            let obeyed = self.parts(terms, pred).into_iter();
            let mut obeyed: Vec<Term> = obeyed
                .map(|part| system.instance(terms, head, part))
                .collect();
            obeyed.retain(|&part| !premises.imply(terms, part));
            let obeyed = terms.and_all(obeyed);
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
            let args = head.args.iter();
            let state: Vec<u64> = args.map(|&arg| terms.eval(arg, &model)).collect();
            let reached = (pred, state);
            self.add(terms, system, &reached);
            for other in go_on(terms, &reached) {
                if self.add(terms, system, &other) && other.0 != pred {
                    self.open_users(system, other.0);
                }
            }
        }
    }

    /// Adds a state that every solution has. Did it not obey what was said?
    pub fn add(&mut self, terms: &mut Terms, system: &HornSystem, reached: &Reached) -> bool {
        let change = self.insert(terms, system, reached);
        if change.regrouped {
            // What variables are told apart has changed, and so may have what the body says.
            self.open_users(system, reached.0);
        }
        if change.regrouped || change.gained {
            self.open_sources(system, reached.0);
        }
        change.grown
    }

    fn insert(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        (pred, state): &Reached,
    ) -> Change {
        let pred = *pred;
        let mut values = Model {
            vars: BTreeMap::new(),
            bases: system.bases().clone(),
        };
        let params = system.predicates()[pred].params.iter();
        let vars = params.filter_map(|&param| terms.as_var(param));
        values.vars.extend(vars.zip(state.iter().copied()));
        let told_apart = self.told_apart[pred].iter();
        let key: Vec<u64> = told_apart.map(|&it| terms.eval(it, &values)).collect();
        let spaces = &self.spaces[pred];
        let points = spaces.iter().map(|space| {
            let coordinates = space.coordinates.iter();
            coordinates.map(|&it| terms.eval(it, &values)).collect()
        });
        let points: Vec<Vec<u64>> = points.collect();
        let holds = |terms: &mut Terms, atom| terms.eval(atom, &values) == 1;
        let mut change = Change::default();
        match self.cases[pred].get_mut(&key) {
            Some(case) => {
                let growth = case.add(terms, spaces, points, holds);
                (change.grown, change.gained) = (growth.grown, growth.gained);
            }
            None => {
                let case = Case::new(terms, spaces, points, &self.atoms[pred], holds);
                self.cases[pred].insert(key.clone(), case);
                change.grown = true;
            }
        }
        for (param, value) in self.told_apart[pred].clone().into_iter().zip(key) {
            let seen = self.values[pred].entry(param).or_default();
            seen.insert(value);
            if seen.len() > FEW_VALUES {
                self.give_up(terms, system, pred, param);
                change.regrouped = true;
            }
        }
        while self.cases[pred].len() > MOST_CASES {
            let seen = |param: &&Term| self.values[pred].get(*param).map_or(0, BTreeSet::len);
            let Some(most) = self.told_apart[pred].iter().max_by_key(seen).copied() else {
                break;
            };
            self.give_up(terms, system, pred, most);
            change.regrouped = true;
        }
        change
    }

    /// Tells the values of a parameter apart no longer: cases that differ in nothing else become one.
    fn give_up(&mut self, terms: &mut Terms, system: &HornSystem, pred: usize, param: Term) {
        let told_apart = &mut self.told_apart[pred];
        let Some(at) = told_apart.iter().position(|&it| it == param) else {
            return;
        };
        told_apart.remove(at);
        for (mut key, case) in std::mem::take(&mut self.cases[pred]) {
            key.remove(at);
            match self.cases[pred].get_mut(&key) {
                Some(first) => first.join(terms, &self.spaces[pred], case),
                None => {
                    self.cases[pred].insert(key, case);
                }
            }
        }
        self.open_users(system, pred);
    }

    /// Is it certain that no facts of this kind exclude the errors? Whatever is said later, it is true of all
    /// that obeys what all states so far have in common.
    pub fn is_hopeless(&self, terms: &mut Terms, system: &HornSystem, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        let mut goals = system.rules().iter().filter(|rule| rule.head.is_none());
        goals.any(|rule| {
            let mut broken = vec![rule.constraint];
            for body in &rule.body {
                let pred = body.pred.index();
                let parts = self.all_parts(terms, pred, |terms, case| {
                    case.strongest(terms, &self.spaces[pred])
                });
                for part in parts {
                    broken.push(system.instance(terms, body, part));
                }
            }
            let mut solver = Solver::new();
            for (&object, &base) in system.bases() {
                solver.bind_base(object, base);
            }
            broken.iter().for_each(|&part| solver.assert(terms, part));
            let left = deadline.saturating_duration_since(Instant::now());
            solver.set_timeout(Some(left));
            !left.is_zero() && solver.check(terms, &[]) == Check::Sat
        })
    }

    /// All that is known of a predicate; falsity if no state of it is.
    fn parts(&self, terms: &mut Terms, pred: usize) -> Vec<Term> {
        self.all_parts(terms, pred, |_, case| case.parts().collect())
    }

    fn all_parts(
        &self,
        terms: &mut Terms,
        pred: usize,
        said: impl Fn(&mut Terms, &Case) -> Vec<Term>,
    ) -> Vec<Term> {
        let told_apart = &self.told_apart[pred];
        let cases = self.cases[pred].iter();
        let mut cases: Vec<Vec<Term>> = cases
            .map(|(key, case)| {
                let both = told_apart.iter().zip(key);
                let mut parts: Vec<Term> = both
                    .map(|(&param, &value)| {
                        let value = terms.constant(terms.sort(param), value);
                        terms.eq(param, value)
                    })
                    .collect();
                parts.extend(said(terms, case));
                parts
            })
            .collect();
        match cases.len() {
            1 => cases.remove(0),
            _ => {
                let formulas: Vec<Term> = cases.into_iter().map(|it| terms.and_all(it)).collect();
                vec![terms.or_all(formulas)]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::{Application, Rule};
    use expr::Op;

    /// A buffer of three places: what was put in and not taken out is in it, though both counts wrap.
    #[test]
    fn sums_that_wrap_and_small_counters() {
        let mut terms = Terms::new();
        let [filled, put, taken] = [0, 1, 2].map(|at| terms.var(VarId(at), Sort::Bv(32)));
        let mut system = HornSystem::new();
        let state = system.predicate("state", vec![filled, put, taken]);
        let (zero, one, three) = (terms.bv(32, 0), terms.bv(32, 1), terms.bv(32, 3));
        let always = terms.bool(true);
        let start = Application::new(state, vec![zero, zero, zero]);
        system.rule(Rule::new(vec![], always, Some(start)));
        let here = Application::new(state, vec![filled, put, taken]);
        let room = terms.ne(filled, three);
        let more = vec![terms.add(filled, one), terms.add(put, one), taken];
        let more = Application::new(state, more);
        system.rule(Rule::new(vec![here.clone()], room, Some(more)));
        let some = terms.ne(filled, zero);
        let less = terms.binary(Op::Sub, filled, one);
        let less = Application::new(state, vec![less, put, terms.add(taken, one)]);
        system.rule(Rule::new(vec![here.clone()], some, Some(less)));
        // What may go wrong: more than three, or the numbers do not fit together.
        let sum = terms.add(taken, filled);
        let (lost, fits) = (terms.ne(put, sum), terms.eq(put, sum));
        let full = terms.binary(Op::Ult, three, filled);
        let wrong = terms.or(lost, full);
        let ask = |terms: &mut Terms, wrong: Term| {
            let mut system = system.clone();
            system.rule(Rule::new(vec![here.clone()], wrong, None));
            solve_simply(terms, &system, Duration::from_secs(60)).is_some()
        };
        assert!(ask(&mut terms, wrong), "none of it goes wrong");
        assert!(!ask(&mut terms, fits), "this is so at the start");
        let empty = terms.eq(filled, zero);
        let filled_later = terms.not(empty);
        assert!(!ask(&mut terms, filled_later), "it is filled later");
    }
}
