//! A directed graph that stays acyclic while edges come and go.
//!
//! A topological numbering is kept as edges are added (Pearce and Kelly 2006). Taking edges away
//! never makes it wrong, so going back costs nothing.

use crate::Lit;
use std::collections::VecDeque;

/// A node, by number.
pub type Node = u32;

/// An edge as one of its ends sees it.
#[derive(Clone, Copy, Debug)]
struct Arc {
    /// The other end.
    node: Node,
    /// Why the edge is there; `None` for one that always is.
    lit: Option<Lit>,
    /// Edges are numbered in the order in which they came.
    stamp: u32,
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    out: Vec<Vec<Arc>>,
    inc: Vec<Vec<Arc>>,
    /// The topological numbering: an edge leads to a larger number.
    rank: Vec<u32>,
    added: Vec<(Node, Node)>,
    /// Marks of the current searches, by node; a search has its own value.
    seen: Vec<u32>,
    search: u32,
}

/// What a search of a path needs to know of a node.
#[derive(Clone, Copy)]
struct Reached {
    cost: u32,
    from: Node,
    lit: Option<Lit>,
}

impl Graph {
    /// This many nodes and no edges.
    pub fn new(nodes: usize) -> Graph {
        Graph {
            out: vec![Vec::new(); nodes],
            inc: vec![Vec::new(); nodes],
            rank: (0..nodes as u32).collect(),
            added: Vec::new(),
            seen: vec![0; nodes],
            search: 0,
        }
    }

    /// One more node.
    pub fn node(&mut self) -> Node {
        let node = self.rank.len() as Node;
        self.out.push(Vec::new());
        self.inc.push(Vec::new());
        self.rank.push(node);
        self.seen.push(0);
        node
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.rank.len()
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.added.len()
    }

    /// The place of a node in a topological order.
    pub fn rank(&self, node: Node) -> u32 {
        self.rank[node as usize]
    }

    /// Adds an edge. If that would close a cycle nothing is added, and the literals of a cycle
    /// with as few of them as possible are given.
    pub fn add(&mut self, from: Node, to: Node, lit: Option<Lit>) -> Result<(), Vec<Lit>> {
        if self.rank[from as usize] >= self.rank[to as usize] && !self.renumber(from, to) {
            let all = self.added.len() as u32;
            let mut lits = self.path(to, from, all).expect("renumbering found a path");
            lits.extend(lit);
            return Err(lits);
        }
        let stamp = self.added.len() as u32;
        self.out[from as usize].push(Arc {
            node: to,
            lit,
            stamp,
        });
        self.inc[to as usize].push(Arc {
            node: from,
            lit,
            stamp,
        });
        self.added.push((from, to));
        Ok(())
    }

    /// Takes edges away, the last one first, until this many are left.
    pub fn truncate(&mut self, edges: usize) {
        while self.added.len() > edges {
            let Some((from, to)) = self.added.pop() else {
                return;
            };
            self.out[from as usize].pop();
            self.inc[to as usize].pop();
        }
    }

    /// Makes `from` come before `to`; false if `to` leads to `from`.
    fn renumber(&mut self, from: Node, to: Node) -> bool {
        let (low, high) = (self.rank[to as usize], self.rank[from as usize]);
        let ahead = self.collect(to, true, |rank| rank <= high);
        if ahead.contains(&from) {
            return false;
        }
        let behind = self.collect(from, false, |rank| rank >= low);
        let by_rank = |graph: &Graph, mut nodes: Vec<Node>| {
            nodes.sort_unstable_by_key(|&node| graph.rank[node as usize]);
            nodes
        };
        let nodes = [by_rank(self, behind), by_rank(self, ahead)].concat();
        let mut ranks: Vec<u32> = nodes.iter().map(|&node| self.rank[node as usize]).collect();
        ranks.sort_unstable();
        for (node, rank) in nodes.into_iter().zip(ranks) {
            self.rank[node as usize] = rank;
        }
        true
    }

    /// The nodes that can be reached from `start` (or reach it) through ranks that are allowed.
    pub fn collect(
        &mut self,
        start: Node,
        forward: bool,
        allowed: impl Fn(u32) -> bool,
    ) -> Vec<Node> {
        self.search += 1;
        self.seen[start as usize] = self.search;
        let mut nodes = vec![start];
        let mut at = 0;
        while at < nodes.len() {
            let node = nodes[at] as usize;
            at += 1;
            let arcs = if forward {
                &self.out[node]
            } else {
                &self.inc[node]
            };
            for arc in arcs {
                let next = arc.node as usize;
                if self.seen[next] != self.search && allowed(self.rank[next]) {
                    self.seen[next] = self.search;
                    nodes.push(arc.node);
                }
            }
        }
        nodes
    }

    /// Was the node found by the last search?
    pub fn was_found(&self, node: Node) -> bool {
        self.seen[node as usize] == self.search
    }

    /// The literals of a path with as few of them as possible, over the first `edges` edges.
    pub fn path(&self, from: Node, to: Node, edges: u32) -> Option<Vec<Lit>> {
        let mut reached: Vec<Option<Reached>> = vec![None; self.nodes()];
        let mut queue = VecDeque::from([(from, 0)]);
        reached[from as usize] = Some(Reached {
            cost: 0,
            from,
            lit: None,
        });
        while let Some((node, cost)) = queue.pop_front() {
            if node == to {
                return Some(self.walk_back(&reached, from, to));
            }
            if reached[node as usize].is_some_and(|known| known.cost < cost) {
                continue;
            }
            for arc in self.out[node as usize]
                .iter()
                .take_while(|arc| arc.stamp < edges)
            {
                let cost = cost + u32::from(arc.lit.is_some());
                let known = &mut reached[arc.node as usize];
                if known.is_some_and(|known| known.cost <= cost) {
                    continue;
                }
                *known = Some(Reached {
                    cost,
                    from: node,
                    lit: arc.lit,
                });
                match arc.lit {
                    Some(_) => queue.push_back((arc.node, cost)),
                    None => queue.push_front((arc.node, cost)),
                }
            }
        }
        None
    }

    fn walk_back(&self, reached: &[Option<Reached>], from: Node, to: Node) -> Vec<Lit> {
        let mut lits = Vec::new();
        let mut at = to;
        while at != from {
            let step = reached[at as usize].expect("every node of the path was reached");
            lits.extend(step.lit);
            at = step.from;
        }
        lits
    }
}
