//! Where the nodes of a tree are drawn: depth downwards, leaves side by side.

use crate::{NodeView, Snapshot};
use std::collections::HashMap;

/// How many nodes are drawn at most; a larger drawing is unreadable.
pub const MOST_NODES: usize = 3_000;

/// A node with its place, in units of one column and one row.
pub struct Placed<'a> {
    pub node: &'a NodeView,
    pub column: f64,
    pub row: u32,
}

/// Places the nodes; those beyond [`MOST_NODES`] are left out.
pub fn place(snapshot: &Snapshot) -> Vec<Placed<'_>> {
    let nodes = &snapshot.nodes[..snapshot.nodes.len().min(MOST_NODES)];
    let at: HashMap<u32, usize> = nodes.iter().enumerate().map(|(i, n)| (n.id, i)).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut rows = vec![0; nodes.len()];
    let mut roots = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let parent = node.parent.as_ref().and_then(|(parent, _)| at.get(parent));
        match parent {
            Some(&parent) => {
                children[parent].push(index);
                rows[index] = rows[parent] + 1;
            }
            None => roots.push(index),
        }
    }
    let mut columns = vec![0.0; nodes.len()];
    let mut next = 0.0;
    // Post-order, without recursion because trees may be deep.
    let mut work: Vec<(usize, bool)> = roots.into_iter().rev().map(|root| (root, false)).collect();
    while let Some((index, done)) = work.pop() {
        if done {
            let below = &children[index];
            let left_out = nodes[index].left_out.len() as f64;
            columns[index] = match (below.first(), below.last()) {
                (Some(&first), Some(&last)) => {
                    next += left_out;
                    (columns[first] + columns[last]) / 2.0
                }
                _ => {
                    next += 1.0 + left_out;
                    next - 1.0 - left_out
                }
            };
        } else {
            work.push((index, true));
            work.extend(children[index].iter().rev().map(|&child| (child, false)));
        }
    }
    let placed = nodes.iter().zip(columns).zip(rows);
    let placed = placed.map(|((node, column), row)| Placed { node, column, row });
    placed.collect()
}
