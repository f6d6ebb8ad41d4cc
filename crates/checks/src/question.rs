//! Questions made small before a solver sees them.
//!
//! Facts fix many variables: these are put in everywhere. What is left falls apart into groups that
//! have no variable in common, and a question is about one group only.

use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Facts, with what they fix put in.
pub struct Facts {
    /// What was put in, one after the other.
    fixed: Vec<FxHashMap<VarId, Term>>,
    /// What is left to say.
    rest: Vec<Term>,
    /// Can they not hold together, as far as that is plain?
    pub contradict: bool,
}

impl Facts {
    /// Puts in what the facts fix, until they fix no more.
    pub fn of(terms: &mut Terms, facts: &[Term]) -> Facts {
        let mut known = Facts {
            fixed: Vec::new(),
            rest: Vec::new(),
            contradict: false,
        };
        for &fact in facts {
            known.add(terms, fact);
        }
        loop {
            let fixed = known.fixing(terms);
            if fixed.is_empty() {
                return known;
            }
            for fact in std::mem::take(&mut known.rest) {
                let fact = terms.substitute(fact, &fixed);
                known.add(terms, fact);
            }
            known.fixed.push(fixed);
        }
    }

    fn add(&mut self, terms: &Terms, fact: Term) {
        match (terms.node(fact), terms.as_const(fact)) {
            (_, Some(truth)) => self.contradict |= truth == 0,
            (Node::Binary(Op::And, a, b), _) => {
                self.add(terms, a);
                self.add(terms, b);
            }
            _ => self.rest.push(fact),
        }
    }

    /// Variables that a fact says the value of; no value mentions such a variable.
    fn fixing(&self, terms: &mut Terms) -> FxHashMap<VarId, Term> {
        let mut fixed: FxHashMap<VarId, Term> = FxHashMap::default();
        let mut used: FxHashSet<VarId> = FxHashSet::default();
        for &fact in &self.rest {
            let Some((var, value)) = fixes(terms, fact) else {
                continue;
            };
            let copied = terms.as_var(value);
            let free = |var: VarId| !fixed.contains_key(&var) && !used.contains(&var);
            if free(var) && copied.is_none_or(|copied| !fixed.contains_key(&copied)) {
                used.extend(copied);
                fixed.insert(var, value);
            }
        }
        fixed
    }

    /// A term with what is fixed put in.
    pub fn put_into(&self, terms: &mut Terms, term: Term) -> Term {
        let mut result = term;
        for fixed in &self.fixed {
            result = terms.substitute(result, fixed);
        }
        result
    }

    /// What is left to say once all that is fixed is put in.
    pub fn rest(&self) -> &[Term] {
        &self.rest
    }

    /// Is a term one of the facts?
    pub fn contains(&self, term: Term) -> bool {
        self.rest.contains(&term)
    }

    /// Groups the terms: those that have to do with each other, with the facts about them.
    pub fn groups<T: Copy>(&self, terms: &Terms, wanted: &[(T, Term)]) -> Vec<Group<T>> {
        let mut classes = Classes::default();
        let all = wanted.iter().map(|&(_, term)| term);
        for term in all.chain(self.rest.iter().copied()) {
            classes.join(&terms.vars(term));
        }
        let mut groups: Vec<(VarId, Group<T>)> = Vec::new();
        for &(tag, term) in wanted {
            let Some(&var) = terms.vars(term).first() else {
                continue;
            };
            let class = classes.of(var);
            match groups.iter_mut().find(|(known, _)| *known == class) {
                Some((_, group)) => group.wanted.push((tag, term)),
                None => {
                    let facts = self.rest.iter().copied();
                    let about = facts.filter(|&fact| {
                        let vars = terms.vars(fact);
                        vars.first().is_some_and(|&var| classes.of(var) == class)
                    });
                    let facts = about.collect();
                    let wanted = vec![(tag, term)];
                    groups.push((class, Group { facts, wanted }));
                }
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

/// Terms that have to do with each other.
pub struct Group<T> {
    /// The facts about their variables.
    pub facts: Vec<Term>,
    /// The terms, each with its tag.
    pub wanted: Vec<(T, Term)>,
}

/// A variable, and the constant or the other variable that a fact says it is equal to.
fn fixes(terms: &mut Terms, fact: Term) -> Option<(VarId, Term)> {
    match terms.node(fact) {
        Node::Var(var, Sort::Bool) => Some((var, terms.bool(true))),
        Node::Unary(Op::Not, a) => Some((terms.as_var(a)?, terms.bool(false))),
        Node::Binary(Op::Eq, a, b) => {
            let plain = |term| terms.as_const(term).is_some() || terms.as_var(term).is_some();
            match (terms.as_var(a), terms.as_var(b)) {
                (Some(var), _) if plain(b) => Some((var, b)),
                (_, Some(var)) if plain(a) => Some((var, a)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Variables that are joined by terms.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<VarId, VarId>,
}

impl Classes {
    fn of(&self, var: VarId) -> VarId {
        let mut at = var;
        while let Some(&next) = self.parent.get(&at) {
            at = next;
        }
        at
    }

    fn join(&mut self, vars: &[VarId]) {
        let Some((&first, others)) = vars.split_first() else {
            return;
        };
        for &other in others {
            let (a, b) = (self.of(first), self.of(other));
            if a != b {
                self.parent.insert(b, a);
            }
        }
    }
}
