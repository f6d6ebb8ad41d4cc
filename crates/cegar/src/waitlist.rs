//! The nodes that are still to be expanded.

use crate::Search;
use crate::arg::NodeId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Nodes in the order of a search.
#[derive(Debug)]
pub enum Waitlist {
    Bfs(VecDeque<NodeId>),
    Dfs(Vec<NodeId>),
    Error(BinaryHeap<(Reverse<u32>, u32, NodeId)>),
}

impl Waitlist {
    pub fn new(search: Search) -> Waitlist {
        match search {
            Search::Bfs => Waitlist::Bfs(VecDeque::new()),
            Search::Dfs => Waitlist::Dfs(Vec::new()),
            Search::Error => Waitlist::Error(BinaryHeap::new()),
        }
    }

    /// Adds a node that is `distance` steps away from an error, as far as locations tell.
    pub fn push(&mut self, node: NodeId, depth: u32, distance: impl FnOnce() -> u32) {
        match self {
            Waitlist::Bfs(queue) => queue.push_back(node),
            Waitlist::Dfs(stack) => stack.push(node),
            Waitlist::Error(heap) => heap.push((Reverse(distance()), depth, node)),
        }
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        match self {
            Waitlist::Bfs(queue) => queue.pop_front(),
            Waitlist::Dfs(stack) => stack.pop(),
            Waitlist::Error(heap) => heap.pop().map(|(_, _, node)| node),
        }
    }
}
