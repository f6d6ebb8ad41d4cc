//! The theory of order: a set of events, some always ordered, some ordered by literals, and no
//! cycle among them.
//!
//! [`Order`] takes part in the search of the SAT solver: it is notified of every literal that orders
//! events, finds a cycle as soon as there is one and explains it with as few literals as possible,
//! and propagates orders that are forced by those that hold. It goes back exactly with the solver.
//!
//! [`Pairs`] has the literals of any two events, each once.
//!
//! It deliberately knows nothing of reads, writes and threads: the caller that makes the literals
//! says what they order.

mod graph;
mod pairs;
mod theory;

pub use graph::{Graph, Node};
pub use pairs::Pairs;

use crate::refutation::Acyclic;
use crate::{Lit, Sat};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What the theory did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Cycles that were found.
    pub conflicts: u64,
    /// Orders that were forced.
    pub propagations: u64,
}

/// An order of events that a solver is looking for.
#[derive(Default)]
pub struct Order {
    graph: Graph,
    /// The edges that are always there.
    always: Vec<(Node, Node)>,
    /// By [`Lit::index`]: the edges that a literal brings.
    brings: FxHashMap<Lit, Vec<(Node, Node)>>,
    /// By node: edges that may come, with their literals.
    possible: Vec<Vec<(Node, Lit)>>,
    /// By variable: is it assigned?
    is_assigned: Vec<bool>,
    assigned: Vec<Lit>,
    /// How many of them the graph knows.
    known: usize,
    /// By literal that the graph knows: how many edges there were before it.
    edges_before: Vec<usize>,
    /// By decision level: how many literals were assigned before it.
    levels: Vec<usize>,
    /// Forced literals that the solver has not taken yet.
    forced: Vec<Lit>,
    /// By forced literal: how many edges there were when it was forced.
    forced_at: FxHashMap<Lit, u32>,
    conflict: Option<Vec<Lit>>,
    /// The clause that is being handed over, last literal first, and the literal it explains.
    handing_over: Vec<Lit>,
    explained: Option<Lit>,
    /// What was done so far.
    pub figures: Figures,
}

/// An order is impossible already by what always holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cyclic;

impl Order {
    /// This many events, none of them ordered.
    pub fn new(nodes: usize) -> Order {
        Order {
            graph: Graph::new(nodes),
            possible: vec![Vec::new(); nodes],
            ..Order::default()
        }
    }

    /// One more event.
    pub fn node(&mut self) -> Node {
        self.possible.push(Vec::new());
        self.graph.node()
    }

    /// `from` is always before `to`. All of these come before the solver is attached.
    pub fn always(&mut self, from: Node, to: Node) -> Result<(), Cyclic> {
        self.always.push((from, to));
        self.graph.add(from, to, None).map_err(|_| Cyclic)
    }

    /// `from` is before `to` when the literal holds, which is no constant.
    pub fn when(&mut self, lit: Lit, from: Node, to: Node) {
        debug_assert!(
            lit.as_constant().is_none(),
            "a constant order is said with `always`"
        );
        if self.is_assigned.len() <= lit.var() {
            self.is_assigned.resize(lit.var() + 1, false);
        }
        self.brings.entry(lit).or_default().push((from, to));
        self.possible[from as usize].push((to, lit));
    }

    /// Lets this theory take part in the search of a solver.
    pub fn attach(self, sat: &mut Sat) -> Rc<RefCell<Order>> {
        let mut lits: Vec<Lit> = self.brings.keys().copied().collect();
        lits.sort_unstable();
        sat.set_order(self.acyclic());
        let shared = Rc::new(RefCell::new(self));
        sat.attach(Rc::clone(&shared));
        for lit in lits {
            sat.observe(lit);
        }
        shared
    }

    /// The places of all events in an order that fits the literals which hold in a model.
    pub fn ranks(&self, mut holds: impl FnMut(Lit) -> bool) -> Result<Vec<u32>, Cyclic> {
        let mut graph = self.graph.clone();
        graph.truncate(self.edges_always());
        for (lit, from, to) in self.literal_edges() {
            if holds(lit) {
                graph.add(from, to, Some(lit)).map_err(|_| Cyclic)?;
            }
        }
        Ok((0..graph.nodes() as Node)
            .map(|node| graph.rank(node))
            .collect())
    }

    /// All edges that a literal can bring, in a fixed order.
    fn literal_edges(&self) -> impl Iterator<Item = (Lit, Node, Node)> + '_ {
        let nodes = self.possible.iter().enumerate();
        nodes.flat_map(|(from, edges)| edges.iter().map(move |&(to, lit)| (lit, from as Node, to)))
    }

    /// All edges, for a checker that looks for cycles independently.
    pub fn acyclic(&self) -> Acyclic {
        let mut acyclic = Acyclic::new(self.graph.nodes());
        for &(from, to) in &self.always {
            acyclic.always(from, to);
        }
        for (lit, from, to) in self.literal_edges() {
            acyclic.when(lit.number(), from, to);
        }
        acyclic
    }

    fn edges_always(&self) -> usize {
        self.edges_before
            .first()
            .copied()
            .unwrap_or(self.graph.edges())
    }
}

#[cfg(test)]
mod tests;
