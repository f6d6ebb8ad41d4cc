//! What a thread holds and knows on some of the ways to a location.
//!
//! A lock is often taken under a condition and released under the same one: the result of
//! `pthread_mutex_trylock` is tested. So paths with different locks are not merged, and each remembers the
//! conditions that hold on it, as terms over symbols ([`crate::values`]). This is property simulation
//! (Das, Lerner, Seigle, PLDI 2002, doi:10.1145/512529.512538), with the held locks as the property.

use crate::lock::{Identity, Lock};
use crate::prover::Prover;
use crate::values::{Site, Values};
use crate::words::At;
use expr::{Node, Op, Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// More ways than this to one location are mixed.
const MOST_BRANCHES: usize = 12;

/// What holds on some ways to a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// The locks that are held, and where they may have been taken.
    pub locks: BTreeMap<Lock, BTreeSet<At>>,
    /// Conditions that hold.
    pub facts: BTreeSet<Term>,
}

impl Branch {
    /// Forgets what is said about symbols that get a new value.
    pub fn forget(&mut self, values: &mut Values, is_set: impl Fn(VarId, Site) -> bool) {
        let set = |values: &Values, symbol: VarId| {
            let known = values.symbol(symbol);
            known.is_some_and(|it| is_set(symbol, it.site))
        };
        let stale = |values: &mut Values, term: Term| {
            let symbols = values.mentioned(term);
            symbols.iter().any(|&symbol| set(values, symbol))
        };
        let lost: Vec<Lock> = self
            .locks
            .keys()
            .filter(|lock| lock.address().is_some_and(|it| stale(values, it)))
            .copied()
            .collect();
        if !lost.is_empty() {
            let names = self.other_names(values, |values, symbol| set(values, symbol));
            for lock in lost {
                let taken = self.locks.remove(&lock).expect("it is listed");
                let address = lock.address().expect("it has no name");
                let address = values.terms.substitute(address, &names);
                if !stale(values, address) {
                    let identity = Identity::Address(address);
                    let renamed = Lock { identity, ..lock };
                    self.locks.entry(renamed).or_default().extend(taken);
                }
            }
        }
        self.facts.retain(|&fact| !stale(values, fact));
    }

    /// For symbols that are about to be lost: other symbols that have the same value.
    fn other_names(
        &self,
        values: &Values,
        is_lost: impl Fn(&Values, VarId) -> bool,
    ) -> FxHashMap<VarId, Term> {
        let mut names = FxHashMap::default();
        for (a, b) in self.facts.iter().filter_map(|&fact| equation(values, fact)) {
            for (old, new) in [(a, b), (b, a)] {
                let (Some(from), Some(to)) = (values.terms.as_var(old), values.terms.as_var(new))
                else {
                    continue;
                };
                if is_lost(values, from) && !is_lost(values, to) {
                    names.entry(from).or_insert(new);
                }
            }
        }
        names
    }

    /// From now on this holds.
    pub fn learn(&mut self, values: &mut Values, condition: Term) {
        for part in values.terms.conjuncts(condition) {
            if values.terms.as_const(part).is_none() {
                self.facts.insert(part);
            }
        }
    }

    /// Is it certain that the condition does not hold?
    pub fn excludes(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        asked: &mut FxHashMap<Vec<Term>, bool>,
        condition: Term,
    ) -> bool {
        if let Some(value) = values.terms.as_const(condition) {
            return value == 0;
        }
        let opposite = values.terms.not(condition);
        if self.facts.contains(&opposite) {
            return true;
        }
        let mut about = self.connected(values, condition);
        if about.is_empty() {
            return false;
        }
        about.push(condition);
        if let Some(&known) = asked.get(&about) {
            return known;
        }
        let answer = prover.excludes(values, &about);
        asked.insert(about, answer);
        answer
    }

    /// The facts that have symbols in common with a condition, or with such facts.
    fn connected(&self, values: &mut Values, condition: Term) -> Vec<Term> {
        let mut symbols: BTreeSet<VarId> = values.mentioned(condition).iter().copied().collect();
        let mut rest: Vec<Term> = self.facts.iter().copied().collect();
        let mut found = Vec::new();
        loop {
            let (near, far): (Vec<Term>, Vec<Term>) = rest.into_iter().partition(|&fact| {
                let others = values.mentioned(fact);
                others.iter().any(|it| symbols.contains(it))
            });
            for &fact in &near {
                symbols.extend(values.mentioned(fact).iter());
            }
            if near.is_empty() {
                found.sort_unstable();
                return found;
            }
            found.extend(near);
            rest = far;
        }
    }

    /// The lock of this identity that is held, given that `fits` it.
    pub fn holds(
        &self,
        values: Option<&mut Values>,
        identity: Identity,
        fits: impl Fn(Lock) -> bool,
    ) -> Option<Lock> {
        let fitting = || self.locks.keys().copied().filter(|&lock| fits(lock));
        if let Some(lock) = fitting().find(|lock| lock.identity == identity) {
            return Some(lock);
        }
        let (Identity::Address(address), Some(values)) = (identity, values) else {
            return None;
        };
        let equal = self.equal_symbols(values);
        let address = values.terms.substitute(address, &equal);
        fitting().find(|lock| {
            let other = lock.address();
            other.is_some_and(|other| values.terms.substitute(other, &equal) == address)
        })
    }

    /// For symbols that are equal to another one: that one.
    fn equal_symbols(&self, values: &mut Values) -> FxHashMap<VarId, Term> {
        let mut names: FxHashMap<VarId, Term> = FxHashMap::default();
        for &fact in &self.facts {
            let Some((a, b)) = equation(values, fact) else {
                continue;
            };
            let a = values.terms.substitute(a, &names);
            let b = values.terms.substitute(b, &names);
            if let (Some(from), Some(_)) = (values.terms.as_var(a), values.terms.as_var(b))
                && a != b
            {
                let one = FxHashMap::from_iter([(from, b)]);
                for old in names.values_mut() {
                    *old = values.terms.substitute(*old, &one);
                }
                names.insert(from, b);
            }
        }
        names
    }

    /// Keeps what holds on both. Law: says no more than either.
    fn mix(&mut self, other: &Branch) {
        self.facts.retain(|fact| other.facts.contains(fact));
        self.locks.retain(|lock, _| other.locks.contains_key(lock));
        for (lock, taken) in &mut self.locks {
            taken.extend(&other.locks[lock]);
        }
    }
}

/// The two sides of an equation between symbols.
fn equation(values: &Values, fact: Term) -> Option<(Term, Term)> {
    match values.terms.node(fact) {
        Node::Binary(Op::Eq, a, b) => Some((a, b)),
        _ => None,
    }
}

/// What holds on the ways to a location, way by way.
#[derive(Clone, Debug, Default)]
pub struct Branches {
    /// A way that is taken is one of these; none if the location is not reached.
    pub all: Vec<Branch>,
    mixed: bool,
}

impl Branches {
    /// Adds a way; true if that makes a difference.
    pub fn add(&mut self, new: Branch) -> bool {
        let same = |it: &&mut Branch| self.mixed || it.locks.keys().eq(new.locks.keys());
        if let Some(old) = self.all.iter_mut().find(same) {
            let before = old.clone();
            old.mix(&new);
            return *old != before;
        }
        self.all.push(new);
        if self.all.len() > MOST_BRANCHES {
            let mut mixed = self.all.swap_remove(0);
            self.all.iter().for_each(|it| mixed.mix(it));
            self.all = vec![mixed];
            self.mixed = true;
        }
        true
    }
}
