//! Lemmas of the theory of order: these events cannot all be ordered like that.

use crate::order::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// What literals say about the order of events.
#[derive(Clone, Debug, Default)]
pub struct Acyclic {
    /// By node: what always comes after it.
    always: Vec<Vec<Node>>,
    /// By literal: the edges that it brings.
    brings: FxHashMap<i32, Vec<(Node, Node)>>,
    /// By node: everything that always comes after it, or is it.
    after: FxHashMap<Node, FxHashSet<Node>>,
}

impl Acyclic {
    /// No edges yet between this many events.
    pub fn new(nodes: usize) -> Acyclic {
        Acyclic {
            always: vec![Vec::new(); nodes],
            ..Acyclic::default()
        }
    }

    /// One is always before the other.
    pub fn always(&mut self, from: Node, to: Node) {
        self.always[from as usize].push(to);
    }

    /// One is before the other when the literal holds.
    pub fn when(&mut self, lit: i32, from: Node, to: Node) {
        self.brings.entry(lit).or_default().push((from, to));
    }

    /// Must one of the literals hold, because otherwise there would be a circle?
    pub fn implies(&mut self, clause: &[i32]) -> bool {
        let brought = clause.iter().filter_map(|lit| self.brings.get(&-lit));
        let edges: Vec<(Node, Node)> = brought.flatten().copied().collect();
        for &(_, to) in &edges {
            self.reach(to);
        }
        // An edge leads to another if what comes after its end contains the other's start.
        let leads = |a: usize, b: usize| self.after[&edges[a].1].contains(&edges[b].0);
        let mut done = vec![false; edges.len()];
        loop {
            // An edge that leads nowhere but to edges that are done is on no circle.
            let next = (0..edges.len())
                .find(|&a| !done[a] && !(0..edges.len()).any(|b| !done[b] && leads(a, b)));
            match next {
                Some(edge) => done[edge] = true,
                None => return done.contains(&false),
            }
        }
    }

    fn reach(&mut self, start: Node) {
        if self.after.contains_key(&start) {
            return;
        }
        let mut found = FxHashSet::default();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if found.insert(node) {
                open.extend(&self.always[node as usize]);
            }
        }
        self.after.insert(start, found);
    }
}
