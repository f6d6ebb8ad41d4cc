//! Walking and rebuilding terms.

use crate::{Node, ObjId, Op, Term, Terms, VarId};
use rustc_hash::FxHashMap;

impl Terms {
    /// Calls `visit` once for each distinct subterm of `term`, children first.
    pub fn for_each_subterm(&self, term: Term, visit: &mut impl FnMut(Term, Node)) {
        let mut seen = rustc_hash::FxHashSet::default();
        self.walk(term, &mut seen, visit);
    }

    fn walk(
        &self,
        term: Term,
        seen: &mut rustc_hash::FxHashSet<Term>,
        visit: &mut impl FnMut(Term, Node),
    ) {
        if !seen.insert(term) {
            return;
        }
        for arg in self.args(term) {
            self.walk(arg, seen, visit);
        }
        visit(term, self.node(term));
    }

    /// The distinct variables of `term`, in order of first occurrence.
    pub fn vars(&self, term: Term) -> Vec<VarId> {
        let mut vars = Vec::new();
        self.for_each_subterm(term, &mut |_, node| {
            if let Node::Var(var, _) = node {
                vars.push(var);
            }
        });
        vars
    }

    /// The distinct objects whose address occurs in `term`.
    pub fn bases(&self, term: Term) -> Vec<ObjId> {
        let mut bases = Vec::new();
        self.for_each_subterm(term, &mut |_, node| {
            if let Node::Base(obj, _) = node {
                bases.push(obj);
            }
        });
        bases
    }

    /// The parts that all have to hold for a truth value to hold.
    pub fn conjuncts(&mut self, cond: Term) -> Vec<Term> {
        let (a, b) = match self.node(cond) {
            Node::Binary(Op::And, a, b) => (a, b),
            Node::Const(_, 1) => return Vec::new(),
            Node::Unary(Op::Not, inner) => match self.node(inner) {
                Node::Binary(Op::Or, a, b) => (self.not(a), self.not(b)),
                _ => return vec![cond],
            },
            _ => return vec![cond],
        };
        let mut parts = self.conjuncts(a);
        parts.extend(self.conjuncts(b));
        parts
    }

    /// Rebuilds `term` with every leaf (variable, base, constant) that `leaf` maps replaced.
    ///
    /// Law: the replacement has the sort of the leaf it replaces.
    pub fn map_leaves(
        &mut self,
        term: Term,
        leaf: &mut impl FnMut(&mut Terms, Term) -> Option<Term>,
    ) -> Term {
        self.rebuild(term, &mut FxHashMap::default(), leaf)
    }

    fn rebuild(
        &mut self,
        term: Term,
        done: &mut FxHashMap<Term, Term>,
        leaf: &mut impl FnMut(&mut Terms, Term) -> Option<Term>,
    ) -> Term {
        if let Some(&result) = done.get(&term) {
            return result;
        }
        let result = match self.node(term) {
            Node::Const(..) | Node::Var(..) | Node::Base(..) => leaf(self, term).unwrap_or(term),
            Node::Unary(op, a) => {
                let a = self.rebuild(a, done, leaf);
                self.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let a = self.rebuild(a, done, leaf);
                let b = self.rebuild(b, done, leaf);
                self.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let c = self.rebuild(c, done, leaf);
                let a = self.rebuild(a, done, leaf);
                let b = self.rebuild(b, done, leaf);
                self.ite(c, a, b)
            }
        };
        done.insert(term, result);
        result
    }

    /// Replaces variables by terms of the same sort.
    pub fn substitute(&mut self, term: Term, with: &FxHashMap<VarId, Term>) -> Term {
        self.map_leaves(term, &mut |terms, leaf| {
            with.get(&terms.as_var(leaf)?).copied()
        })
    }
}
