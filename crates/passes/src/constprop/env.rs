//! What is known about locals at one point: each equals a term.

use expr::{Term, VarId};

/// One known variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fact {
    var: VarId,
    value: Term,
    /// The variables of the value.
    over: Vec<VarId>,
}

/// Known variables, sorted. A variable that is not listed can be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Env {
    facts: Vec<Fact>,
}

impl Env {
    fn find(&self, var: VarId) -> Result<usize, usize> {
        self.facts.binary_search_by_key(&var, |fact| fact.var)
    }

    pub(crate) fn get(&self, var: VarId) -> Option<Term> {
        self.find(var).ok().map(|at| self.facts[at].value)
    }

    /// `var` has changed: what was said about it, or with its help, no longer holds.
    pub(crate) fn forget(&mut self, var: VarId) {
        self.facts
            .retain(|fact| fact.var != var && !fact.over.contains(&var));
    }

    /// `var` equals `value`, a term over `over`.
    pub(crate) fn set(&mut self, var: VarId, value: Term, over: Vec<VarId>) {
        let fact = Fact { var, value, over };
        match self.find(var) {
            Ok(at) => self.facts[at] = fact,
            Err(at) => self.facts.insert(at, fact),
        }
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(VarId) -> bool) {
        self.facts.retain(|fact| keep(fact.var));
    }

    /// Drops what `other` does not say as well; was there any?
    pub(crate) fn keep_common(&mut self, other: &Env) -> bool {
        let before = self.facts.len();
        self.facts
            .retain(|fact| other.get(fact.var) == Some(fact.value));
        self.facts.len() < before
    }
}
