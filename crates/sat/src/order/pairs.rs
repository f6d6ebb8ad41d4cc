//! Literals that say which of two events comes first.

use super::{Node, Order};
use crate::Lit;
use crate::blast::Gates;
use rustc_hash::FxHashMap;

/// By pair of nodes, the smaller first: whether the first is before the second.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    known: FxHashMap<(Node, Node), Lit>,
}

impl Pairs {
    /// Is `a` before `b`, which is another node, and of which it is open?
    pub fn before(&mut self, order: &mut Order, gates: &mut Gates, a: Node, b: Node) -> Lit {
        let (low, high) = (a.min(b), a.max(b));
        let lit = *self.known.entry((low, high)).or_insert_with(|| {
            let lit = gates.input();
            order.when(lit, low, high);
            order.when(!lit, high, low);
            lit
        });
        if a == low { lit } else { !lit }
    }

    /// Is `a` before `b`, if that was asked before?
    pub fn known(&self, a: Node, b: Node) -> Option<Lit> {
        let lit = *self.known.get(&(a.min(b), a.max(b)))?;
        Some(if a < b { lit } else { !lit })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.known.len()
    }
}
