//! Graphs by number: strongly connected components and reachability, without recursion, so that
//! automata of any length are fine.

use xcfa::{LocId, Xcfa};

/// The nearest common dominator of two nodes, which are numbered after those that dominate them.
pub fn common_dominator(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a];
        }
        while b > a {
            b = idom[b];
        }
    }
    a
}

/// The component of each node; a component's number is greater than those it reaches.
pub fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut tarjan = Tarjan {
        successors,
        order: vec![usize::MAX; successors.len()],
        low: vec![0; successors.len()],
        component: vec![usize::MAX; successors.len()],
        stack: Vec::new(),
        visited: 0,
        found: 0,
    };
    for root in 0..successors.len() {
        if tarjan.order[root] == usize::MAX {
            tarjan.visit(root);
        }
    }
    tarjan.component
}

struct Tarjan<'a> {
    successors: &'a [Vec<usize>],
    order: Vec<usize>,
    low: Vec<usize>,
    component: Vec<usize>,
    stack: Vec<usize>,
    visited: usize,
    found: usize,
}

impl Tarjan<'_> {
    fn enter(&mut self, node: usize) {
        self.order[node] = self.visited;
        self.low[node] = self.visited;
        self.visited += 1;
        self.stack.push(node);
    }

    fn visit(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&to) = self.successors[node].get(*next) {
                *next += 1;
                if self.order[to] == usize::MAX {
                    self.enter(to);
                    path.push((to, 0));
                } else if self.component[to] == usize::MAX {
                    self.low[node] = self.low[node].min(self.order[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.order[node] {
                self.close(node);
            }
        }
    }

    fn close(&mut self, root: usize) {
        while let Some(node) = self.stack.pop() {
            self.component[node] = self.found;
            if node == root {
                break;
            }
        }
        self.found += 1;
    }
}

/// Which nodes lie on a cycle.
pub fn on_cycle(successors: &[Vec<usize>]) -> Vec<bool> {
    let component = components(successors);
    let mut size = vec![0; successors.len()];
    for &c in &component {
        size[c] += 1;
    }
    (0..successors.len())
        .map(|node| size[component[node]] > 1 || successors[node].contains(&node))
        .collect()
}

/// The locations that each location's edges lead to.
pub fn location_successors(xcfa: &Xcfa) -> Vec<Vec<usize>> {
    let targets = |loc: LocId| {
        xcfa[loc]
            .out
            .iter()
            .map(|&e| xcfa[e].target.0 as usize)
            .collect()
    };
    xcfa.loc_ids().map(targets).collect()
}

/// The locations that `from` reaches, themselves included.
pub fn reachable(xcfa: &Xcfa, from: impl IntoIterator<Item = LocId>) -> Vec<bool> {
    let mut seen = vec![false; xcfa.locs.len()];
    let mut work: Vec<LocId> = from.into_iter().collect();
    while let Some(loc) = work.pop() {
        if !std::mem::replace(&mut seen[loc.0 as usize], true) {
            work.extend(xcfa[loc].out.iter().map(|&edge| xcfa[edge].target));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::{components, on_cycle};

    #[test]
    fn components_come_callee_first() {
        let graph = [vec![1], vec![2, 3], vec![1], vec![3], vec![]];
        let component = components(&graph);
        assert_eq!(component[1], component[2]);
        assert!(component[0] > component[1] && component[1] > component[3]);
        assert_eq!(on_cycle(&graph), [false, true, true, true, false]);
    }
}
