//! Systems with few values: every fact that can be derived is derived.
//!
//! Where parameters take few values, as in protocols with flags and turns, it is quicker to derive
//! all facts than to search for formulas. If no more can be derived, the facts themselves are a
//! solution, the smallest there is; it is checked like every other. If falsity can be derived in
//! a linear system, the way there is kept.
//!
//! A few truth values that nothing fixes are tried both ways. Any other variable that nothing fixes
//! may have any value, and so may what depends on it; conditions on it are taken to hold. That
//! derives too much at worst, so falsity says nothing then.

use super::constants::Smaller;
use super::spacer::variables;
use super::{HornSystem, Rule, recheck};
use crate::Check;
use expr::{Env, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};

/// More facts than this are not few.
const MOST_FACTS: usize = 20_000;

/// The time is checked once in this many uses of rules.
const INTERVAL: u64 = 1000;

/// A fact: a predicate by number, and the values of its parameters; none stands for any.
type Fact = (usize, Vec<Option<u64>>);

/// What all facts come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enumerated {
    /// As in [`super::HornAnswer`].
    Solution(Vec<Term>),
    /// Falsity was derived.
    Falsity {
        /// The rules of a shortest derivation, if the system is linear.
        chain: Option<Vec<usize>>,
        /// Or is something among them that was only taken to hold?
        certain: bool,
    },
}

/// Derives all facts; nothing if there are too many.
pub fn enumerate(terms: &mut Terms, system: &HornSystem, limit: Duration) -> Option<Enumerated> {
    system.validate(terms).ok()?;
    let deadline = Instant::now() + limit;
    let smaller = Smaller::of(terms, system);
    let mut search = Search::new(terms, &smaller.system, deadline);
    if let Some(Falsity { chain }) = search.run().ok()? {
        let certain = !search.assumed;
        let chain = chain.map(|chain| smaller.rules_of(&chain));
        return Some(Enumerated::Falsity { chain, certain });
    }
    let facts = search.facts;
    let formulas = formulas(terms, &smaller.system, &facts);
    let solution = smaller.whole(terms, system, &formulas);
    match recheck::check(terms, system, &solution, Some(deadline)) {
        Check::Unsat => Some(Enumerated::Solution(solution)),
        _ => None,
    }
}

/// For each predicate, that its parameters are those of one of its facts.
fn formulas(terms: &mut Terms, system: &HornSystem, facts: &[Fact]) -> Vec<Term> {
    let nothing = terms.bool(false);
    let mut formulas = vec![nothing; system.predicates().len()];
    for (pred, values) in facts {
        let mut here = terms.bool(true);
        for (&param, &value) in system.predicates()[*pred].params.iter().zip(values) {
            let Some(value) = value else { continue };
            let value = terms.constant(terms.sort(param), value);
            let equal = terms.eq(param, value);
            here = terms.and(here, equal);
        }
        formulas[*pred] = terms.or(formulas[*pred], here);
    }
    formulas
}

/// The values of variables in the middle of a rule.
struct Values<'a> {
    values: FxHashMap<VarId, u64>,
    system: &'a HornSystem,
}

impl Env for Values<'_> {
    fn var(&self, var: VarId) -> u64 {
        self.values[&var]
    }

    fn base(&self, obj: ObjId) -> u64 {
        self.system.bases()[&obj]
    }
}

struct Search<'a> {
    terms: &'a Terms,
    system: &'a HornSystem,
    facts: Vec<Fact>,
    known: FxHashSet<Fact>,
    /// By predicate: its facts, by number.
    of: Vec<Vec<usize>>,
    /// By fact: the rule, and the fact that it was derived from if there was only one.
    parents: Vec<(usize, Option<usize>)>,
    /// By predicate: rules that need it, and where.
    users: Vec<Vec<(usize, usize)>>,
    /// By rule: the truth values that are in no fact, if they are few.
    free: Vec<Vec<VarId>>,
    /// By rule: the parts of its constraint, with their variables.
    conditions: Vec<Vec<(Term, Vec<VarId>)>>,
    /// Has something been taken to hold?
    assumed: bool,
    deadline: Instant,
    used: u64,
}

/// This many truth values are tried both ways.
const MOST_FREE: usize = 4;

/// The truth values of a rule that are no part of a fact; none if they are too many.
fn free_truths(terms: &Terms, rule: &Rule) -> Vec<VarId> {
    let mut vars = variables(terms, &rule.terms());
    for &arg in rule.body.iter().flat_map(|part| &part.args) {
        for var in terms.vars(arg) {
            vars.remove(&var);
        }
    }
    let truths = vars.into_iter().filter(|(_, sort)| *sort == Sort::Bool);
    let truths: Vec<VarId> = truths.map(|(var, _)| var).collect();
    match truths.len() <= MOST_FREE {
        true => truths,
        false => Vec::new(),
    }
}

struct GivenUp;

struct Falsity {
    /// From these rules, as far as they are a chain.
    chain: Option<Vec<usize>>,
}

/// What came of a rule.
enum Used {
    Falsity(Option<usize>),
    Nothing,
}

impl<'a> Search<'a> {
    fn new(terms: &'a mut Terms, system: &'a HornSystem, deadline: Instant) -> Search<'a> {
        let mut users = vec![Vec::new(); system.predicates().len()];
        let mut conditions = Vec::new();
        let mut free = Vec::new();
        for (number, rule) in system.rules().iter().enumerate() {
            for (at, part) in rule.body.iter().enumerate() {
                users[part.pred.index()].push((number, at));
            }
            let parts = terms.conjuncts(rule.constraint).into_iter();
            conditions.push(parts.map(|part| (part, terms.vars(part))).collect());
            free.push(free_truths(terms, rule));
        }
        Search {
            terms,
            system,
            facts: Vec::new(),
            known: FxHashSet::default(),
            of: vec![Vec::new(); users.len()],
            parents: Vec::new(),
            users,
            free,
            conditions,
            assumed: false,
            deadline,
            used: 0,
        }
    }

    /// Fires rules until falsity was derived, or there is nothing new.
    fn run(&mut self) -> Result<Option<Falsity>, GivenUp> {
        for (number, rule) in self.system.rules().iter().enumerate() {
            if rule.body.is_empty()
                && let Used::Falsity(from) = self.fire(number, None, &[])?
            {
                let chain = self.chain(number, from);
                return Ok(Some(Falsity { chain }));
            }
        }
        let mut next = 0;
        while next < self.facts.len() {
            let pred = self.facts[next].0;
            for (rule, at) in self.users[pred].clone() {
                if let Used::Falsity(from) = self.fire(rule, Some((at, next)), &[])? {
                    let chain = self.chain(rule, from);
                    return Ok(Some(Falsity { chain }));
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// Uses a rule with one fact at one place and all facts so far at the others.
    fn fire(
        &mut self,
        rule: usize,
        new: Option<(usize, usize)>,
        chosen: &[usize],
    ) -> Result<Used, GivenUp> {
        let at = chosen.len();
        if at == self.system.rules()[rule].body.len() {
            return self.conclude(rule, chosen);
        }
        let candidates: Vec<usize> = match new {
            Some((place, fact)) if place == at => vec![fact],
            // What comes later will be combined with this one then.
            Some((_, fact)) => {
                let all = &self.of[self.system.rules()[rule].body[at].pred.index()];
                all.iter().copied().filter(|&other| other <= fact).collect()
            }
            None => Vec::new(),
        };
        for candidate in candidates {
            let mut chosen = chosen.to_vec();
            chosen.push(candidate);
            self.tick()?;
            if self.bind(rule, &chosen).is_none() {
                continue;
            }
            if let found @ Used::Falsity(_) = self.fire(rule, new, &chosen)? {
                return Ok(found);
            }
        }
        Ok(Used::Nothing)
    }

    fn tick(&mut self) -> Result<(), GivenUp> {
        self.used += 1;
        match self.used.is_multiple_of(INTERVAL) && Instant::now() >= self.deadline {
            true => Err(GivenUp),
            false => Ok(()),
        }
    }

    /// The values of the variables if these facts are chosen; nothing if they do not fit together.
    fn bind(&self, rule: usize, chosen: &[usize]) -> Option<FxHashMap<VarId, u64>> {
        let mut values: FxHashMap<VarId, u64> = FxHashMap::default();
        for (part, &fact) in self.system.rules()[rule].body.iter().zip(chosen) {
            for (&arg, &value) in part.args.iter().zip(&self.facts[fact].1) {
                let Some(value) = value else { continue };
                let fits = match self.terms.as_var(arg) {
                    Some(var) => *values.entry(var).or_insert(value) == value,
                    None => self.terms.as_const(arg) == Some(value),
                };
                if !fits {
                    return None;
                }
            }
        }
        Some(values)
    }

    fn conclude(&mut self, rule: usize, chosen: &[usize]) -> Result<Used, GivenUp> {
        let Some(values) = self.bind(rule, chosen) else {
            return Ok(Used::Nothing);
        };
        let free = self.free[rule].clone();
        for choice in 0..1u64 << free.len() {
            let mut values = values.clone();
            for (at, &var) in free.iter().enumerate() {
                values.insert(var, choice >> at & 1);
            }
            if let found @ Used::Falsity(_) = self.conclude_with(rule, chosen, values)? {
                return Ok(found);
            }
        }
        Ok(Used::Nothing)
    }

    fn conclude_with(
        &mut self,
        rule: usize,
        chosen: &[usize],
        values: FxHashMap<VarId, u64>,
    ) -> Result<Used, GivenUp> {
        let env = Values {
            values,
            system: self.system,
        };
        let mut assumed = false;
        for (part, vars) in &self.conditions[rule] {
            if !vars.iter().all(|var| env.values.contains_key(var)) {
                assumed = true;
            } else if self.terms.eval(*part, &env) == 0 {
                return Ok(Used::Nothing);
            }
        }
        self.assumed |= assumed;
        let from = match chosen {
            [only] => Some(*only),
            _ => None,
        };
        let Some(head) = &self.system.rules()[rule].head else {
            return Ok(Used::Falsity(from));
        };
        let value = |&arg: &Term| {
            let vars = self.terms.vars(arg);
            let known = vars.iter().all(|var| env.values.contains_key(var));
            known.then(|| self.terms.eval(arg, &env))
        };
        let args = head.args.iter().map(value).collect();
        self.add((head.pred.index(), args), rule, from)?;
        Ok(Used::Nothing)
    }

    fn add(&mut self, fact: Fact, rule: usize, from: Option<usize>) -> Result<(), GivenUp> {
        if !self.known.insert(fact.clone()) {
            return Ok(());
        }
        if self.facts.len() == MOST_FACTS {
            return Err(GivenUp);
        }
        self.of[fact.0].push(self.facts.len());
        self.facts.push(fact);
        self.parents.push((rule, from));
        Ok(())
    }

    /// The rules from the first fact to the last rule, if every one needed one fact only.
    fn chain(&self, last: usize, from: Option<usize>) -> Option<Vec<usize>> {
        if self.system.rules().iter().any(|rule| rule.body.len() > 1) {
            return None;
        }
        let mut chain = vec![last];
        let mut next = from;
        while let Some(fact) = next {
            let (rule, parent) = self.parents[fact];
            chain.push(rule);
            next = parent;
        }
        chain.reverse();
        Some(chain)
    }
}
