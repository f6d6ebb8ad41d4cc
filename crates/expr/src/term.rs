//! The pool of hash-consed terms.

use crate::{Op, Sort};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A variable, by number; its owner says what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VarId(pub u32);

/// A memory object or function whose address is a constant of the program, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjId(pub u32);

/// A term, by number into its [`Terms`]; equal terms of one pool have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The number, for tables indexed by term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Node {
    /// A constant, by its bits.
    Const(Sort, u64),
    /// A variable.
    Var(VarId, Sort),
    /// The address of an object, as a bit vector of the given width.
    Base(ObjId, u32),
    /// One argument.
    Unary(Op, Term),
    /// Two arguments.
    Binary(Op, Term, Term),
    /// `if .0 then .1 else .2`.
    Ite(Term, Term, Term),
}

/// Tells one pool from every other, also from its own copies: those grow on their own.
#[derive(Clone, Debug, Default)]
pub struct PoolId(Arc<()>);

impl PartialEq for PoolId {
    fn eq(&self, other: &PoolId) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PoolId {}

/// Owns terms; every constructor is a method, and simplifies as it builds.
#[derive(Debug, Default)]
pub struct Terms {
    nodes: Vec<(Node, Sort)>,
    /// How many nodes each term has when it is written out as a tree, as far as 16 bits can tell.
    tree_sizes: Vec<u16>,
    index: FxHashMap<Node, Term>,
    id: PoolId,
}

impl Clone for Terms {
    fn clone(&self) -> Terms {
        Terms {
            nodes: self.nodes.clone(),
            tree_sizes: self.tree_sizes.clone(),
            index: self.index.clone(),
            id: PoolId::default(),
        }
    }
}

impl Terms {
    /// An empty pool.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// How many nodes a term has when it is written out as a tree; at most `u16::MAX`.
    pub(crate) fn tree_size(&self, term: Term) -> u16 {
        self.tree_sizes[term.0 as usize]
    }

    /// Which pool this is, for tables that are indexed by term.
    pub fn id(&self) -> &PoolId {
        &self.id
    }

    /// How many distinct terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Has nothing been built yet?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What `term` is made of.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()].0
    }

    /// The sort of `term`.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].1
    }

    /// Width in bits.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width()
    }

    /// How many bytes of memory the value of a term takes.
    pub fn bytes(&self, term: Term) -> u64 {
        self.sort(term).bytes()
    }

    /// The bits of a constant.
    pub fn as_const(&self, term: Term) -> Option<u64> {
        match self.node(term) {
            Node::Const(_, bits) => Some(bits),
            _ => None,
        }
    }

    /// The variable, if `term` is just one.
    pub fn as_var(&self, term: Term) -> Option<VarId> {
        match self.node(term) {
            Node::Var(var, _) => Some(var),
            _ => None,
        }
    }

    /// Direct arguments, in order.
    pub fn args(&self, term: Term) -> impl Iterator<Item = Term> + use<> {
        let (args, count) = match self.node(term) {
            Node::Const(..) | Node::Var(..) | Node::Base(..) => ([term; 3], 0),
            Node::Unary(_, a) => ([a; 3], 1),
            Node::Binary(_, a, b) => ([a, b, b], 2),
            Node::Ite(a, b, c) => ([a, b, c], 3),
        };
        args.into_iter().take(count)
    }

    /// Stores `node` unless it is there already.
    pub(crate) fn intern(&mut self, node: Node) -> Term {
        if let Some(&term) = self.index.get(&node) {
            return term;
        }
        let sort = match node {
            Node::Const(sort, _) | Node::Var(_, sort) => sort,
            Node::Base(_, width) => Sort::Bv(width),
            Node::Unary(op, a) => op.result(&[self.sort(a)]),
            Node::Binary(op, a, b) => op.result(&[self.sort(a), self.sort(b)]),
            Node::Ite(_, a, _) => self.sort(a),
        };
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        let size = |term: Term| self.tree_size(term);
        let below = match node {
            Node::Const(..) | Node::Var(..) | Node::Base(..) => 0,
            Node::Unary(_, a) => size(a),
            Node::Binary(_, a, b) => size(a).saturating_add(size(b)),
            Node::Ite(c, a, b) => size(c).saturating_add(size(a)).saturating_add(size(b)),
        };
        self.tree_sizes.push(below.saturating_add(1));
        self.nodes.push((node, sort));
        self.index.insert(node, term);
        term
    }
}
