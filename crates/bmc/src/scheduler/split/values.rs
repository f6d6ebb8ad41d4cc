//! A few values, or any.

use expr::{Env, Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A set of more values than this is as good as all.
const MOST_VALUES: usize = 8;

/// A term is evaluated for no more combinations of values than this.
const MOST_CASES: usize = 64;

/// What a variable can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these, in ascending order.
    Few(Vec<u64>),
    /// Anything.
    Any,
}

impl Values {
    /// No value.
    pub fn none() -> Values {
        Values::Few(Vec::new())
    }

    /// One value.
    pub fn one(value: u64) -> Values {
        Values::Few(vec![value])
    }

    /// The value, if there is exactly one.
    pub fn as_one(&self) -> Option<u64> {
        match self {
            Values::Few(values) if values.len() == 1 => Some(values[0]),
            _ => None,
        }
    }

    /// Adds values; were there new ones among them?
    pub fn add(&mut self, others: &Values) -> bool {
        let (Values::Few(values), Values::Few(others)) = (&mut *self, others) else {
            let grows = *self != Values::Any && *others == Values::Any;
            if grows {
                *self = Values::Any;
            }
            return grows;
        };
        let before = values.len();
        for value in others {
            if let Err(at) = values.binary_search(value) {
                values.insert(at, *value);
            }
        }
        let grows = values.len() > before;
        if values.len() > MOST_VALUES {
            *self = Values::Any;
        }
        grows
    }
}

/// What is known at a place.
#[derive(Clone, Debug)]
pub struct Known {
    /// By variable: what it can hold.
    pub values: Vec<Values>,
    /// The threads that may have been started.
    pub running: BTreeSet<usize>,
}

/// One value for each variable.
struct Case<'a>(&'a FxHashMap<VarId, u64>);

impl Env for Case<'_> {
    fn var(&self, var: VarId) -> u64 {
        self.0[&var]
    }

    fn base(&self, _: ObjId) -> u64 {
        unreachable!("terms with addresses of objects are not evaluated")
    }
}

impl Known {
    /// Can the condition hold?
    pub fn may_hold(&self, terms: &mut Terms, condition: Term) -> bool {
        if let Node::Binary(Op::And, a, b) = terms.node(condition)
            && terms.sort(condition) == Sort::Bool
        {
            return self.may_hold(terms, a) && self.may_hold(terms, b);
        }
        match self.possible(terms, condition) {
            Values::Few(values) => values.contains(&1),
            Values::Any => true,
        }
    }

    /// What a term can be.
    pub fn possible(&self, terms: &mut Terms, term: Term) -> Values {
        let term = self.with_constants(terms, term);
        if let Some(value) = terms.as_const(term) {
            return Values::one(value);
        }
        if let Some(values) = self.by_cases(terms, term) {
            return values;
        }
        let Node::Ite(condition, a, b) = terms.node(term) else {
            return Values::Any;
        };
        let mut all = Values::none();
        if self.may_hold(terms, condition) {
            all.add(&self.possible(terms, a));
        }
        let otherwise = terms.not(condition);
        if self.may_hold(terms, otherwise) {
            all.add(&self.possible(terms, b));
        }
        all
    }

    /// What an update can write to a variable, where it does not keep what is there.
    pub fn written(&self, terms: &mut Terms, var: VarId, value: Term) -> Values {
        match terms.node(value) {
            Node::Var(same, _) if same == var => Values::none(),
            Node::Ite(condition, a, b) => {
                let mut all = Values::none();
                if self.may_hold(terms, condition) {
                    all.add(&self.written(terms, var, a));
                }
                let otherwise = terms.not(condition);
                if self.may_hold(terms, otherwise) {
                    all.add(&self.written(terms, var, b));
                }
                all
            }
            _ => self.possible(terms, value),
        }
    }

    fn with_constants(&self, terms: &mut Terms, term: Term) -> Term {
        let mut constants = FxHashMap::default();
        for var in terms.vars(term) {
            // An input of an action is no variable of the state.
            let values = self.values.get(var.0 as usize).and_then(Values::as_one);
            constants.extend(values.map(|value| (var, value)));
        }
        terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
            Node::Var(var, sort) => {
                let value = constants.get(&var).copied()?;
                Some(terms.constant(sort, value))
            }
            _ => None,
        })
    }

    /// The values of a term over variables that have few values, if these are few combinations.
    fn by_cases(&self, terms: &Terms, term: Term) -> Option<Values> {
        let mut bases = false;
        terms.for_each_subterm(term, &mut |_, node| bases |= matches!(node, Node::Base(..)));
        let mut vars = terms.vars(term);
        vars.sort_unstable();
        vars.dedup();
        let mut cases: Vec<FxHashMap<VarId, u64>> = vec![FxHashMap::default()];
        for var in vars {
            let Values::Few(values) = self.values.get(var.0 as usize)? else {
                return None;
            };
            let more = cases.iter().flat_map(|case| {
                values.iter().map(move |&value| {
                    let mut case = case.clone();
                    case.insert(var, value);
                    case
                })
            });
            cases = more.take(MOST_CASES + 1).collect();
            if cases.len() > MOST_CASES {
                return None;
            }
        }
        let mut found = Values::none();
        for case in cases.iter().filter(|_| !bases) {
            found.add(&Values::one(terms.eval(term, &Case(case))));
        }
        (!bases).then_some(found)
    }
}
