//! No endless execution is fair (docs/decisions/008).
//!
//! Strongly connected components by two depth-first searches (Kosaraju), over steps that are not
//! spurious wake-ups. A component that can be gone round is endless if each of its threads moves or
//! waits somewhere in it, or if all of it is inside of an atomic section.

/// A state: its outgoing edges and its threads.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Steps: which thread, and where to.
    pub steps: Vec<(u32, u32)>,
    /// Where spurious wake-ups lead.
    pub woken: Vec<u32>,
    /// Threads that have to wait here.
    pub blocked: Vec<u32>,
    /// Threads that have not ended.
    pub running: Vec<u32>,
    /// Is a thread in an atomic section?
    pub is_held: bool,
}

/// All states.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    /// Adds the node of that number.
    pub fn add(&mut self, id: u32, node: Node) {
        let at = id as usize;
        if self.nodes.len() <= at {
            self.nodes.resize_with(at + 1, Node::default);
        }
        self.nodes[at] = node;
    }

    /// Checks every component.
    pub fn no_fair_cycle(&self) -> Result<(), String> {
        let component = self.components();
        let count = component.iter().max().map_or(0, |&most| most as usize + 1);
        let mut members = vec![Vec::new(); count];
        for (node, &at) in component.iter().enumerate() {
            members[at as usize].push(node);
        }
        match members
            .iter()
            .any(|members| self.is_fair(members, &component))
        {
            true => Err("there is an endless execution".into()),
            false => Ok(()),
        }
    }

    fn is_fair(&self, members: &[usize], component: &[u32]) -> bool {
        let here = component[members[0]];
        let inner = |&node: &usize| {
            let steps = self.nodes[node].steps.iter();
            steps.filter(|&&(_, to)| component[to as usize] == here)
        };
        if members.iter().flat_map(inner).next().is_none() {
            return false;
        }
        let all_held = members.iter().all(|&node| self.nodes[node].is_held);
        let moves = |tid: u32| members.iter().flat_map(inner).any(|&(who, _)| who == tid);
        let waits = |tid: u32| {
            let mut members = members.iter();
            members.any(|&node| self.nodes[node].blocked.contains(&tid))
        };
        let threads = &self.nodes[members[0]].running;
        threads
            .iter()
            .all(|&tid| all_held || moves(tid) || waits(tid))
    }

    /// By node: the number of its component.
    fn components(&self) -> Vec<u32> {
        let nodes = self.nodes.iter();
        let steps = nodes.map(|node| node.steps.iter().map(|&(_, to)| to).collect());
        components(&steps.collect::<Vec<Vec<u32>>>())
    }
}

/// By node of a graph: the number of its strongly connected component.
pub fn components(forward: &[Vec<u32>]) -> Vec<u32> {
    let mut backward = vec![Vec::new(); forward.len()];
    for (from, targets) in forward.iter().enumerate() {
        for &to in targets {
            backward[to as usize].push(from as u32);
        }
    }
    let order = finishing_order(forward);
    let mut component = vec![u32::MAX; forward.len()];
    let mut count = 0;
    for &root in order.iter().rev() {
        if component[root as usize] != u32::MAX {
            continue;
        }
        let mut open = vec![root];
        component[root as usize] = count;
        while let Some(node) = open.pop() {
            for &before in &backward[node as usize] {
                if component[before as usize] == u32::MAX {
                    component[before as usize] = count;
                    open.push(before);
                }
            }
        }
        count += 1;
    }
    component
}

/// The nodes in the order in which a depth-first search is done with them.
fn finishing_order(graph: &[Vec<u32>]) -> Vec<u32> {
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    for root in 0..graph.len() as u32 {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, done)) = path.last_mut() {
            match graph[*node as usize].get(*done) {
                Some(&next) => {
                    *done += 1;
                    if !std::mem::replace(&mut seen[next as usize], true) {
                        path.push((next, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}
