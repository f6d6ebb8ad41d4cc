//! Which procedures threads run, and how often they can be started.

use crate::{BitSet, CallGraph, graph};
use xcfa::{EdgeId, Label, ProcId, Xcfa};

/// The thread procedures of a program.
#[derive(Clone, Debug)]
pub struct Threads {
    roots: Vec<ProcId>,
    once: BitSet,
    /// By procedure: the thread procedures that can be running it, by position in `roots`.
    running: Vec<Vec<usize>>,
}

impl Threads {
    /// Visits every edge that starts a thread.
    pub fn of(xcfa: &Xcfa) -> Threads {
        let calls = CallGraph::of(xcfa);
        let roots = calls.threads(xcfa.main);
        let mut running = vec![Vec::new(); xcfa.procs.len()];
        let mut called = BitSet::new();
        for (at, &root) in roots.iter().enumerate() {
            for proc in calls.reaches(root) {
                running[proc.0 as usize].push(at);
                if proc != root || calls.is_recursive(root) {
                    called.insert(proc.0 as usize);
                }
            }
        }
        let once = started_once(xcfa, &roots, &called);
        Threads {
            roots,
            once,
            running,
        }
    }

    /// `main` and every procedure that some thread can start in, sorted.
    pub fn roots(&self) -> &[ProcId] {
        &self.roots
    }

    /// Is there at most one thread in any run that starts in this procedure?
    pub fn starts_at_most_once(&self, proc: ProcId) -> bool {
        self.once.contains(proc.0 as usize)
    }

    /// The thread procedures that can be running code of `proc`.
    pub fn running(&self, proc: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        self.running[proc.0 as usize]
            .iter()
            .map(|&at| self.roots[at])
    }
}

fn started_once(xcfa: &Xcfa, roots: &[ProcId], called: &BitSet) -> BitSet {
    let starts: Vec<Vec<EdgeId>> = roots
        .iter()
        .map(|&root| edges_that_start(xcfa, root))
        .collect();
    let candidates: Vec<bool> = starts
        .iter()
        .map(|edges| exclude_each_other(xcfa, edges))
        .collect();
    let mut once = BitSet::new();
    if starts[roots
        .iter()
        .position(|&root| root == xcfa.main)
        .expect("main is a root")]
    .is_empty()
        && !called.contains(xcfa.main.0 as usize)
    {
        once.insert(xcfa.main.0 as usize);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (at, &root) in roots
            .iter()
            .enumerate()
            .filter(|&(_, &root)| root != xcfa.main)
        {
            let by = starts[at]
                .iter()
                .map(|&edge| xcfa[xcfa[edge].source].proc.0 as usize);
            let mut by = by.peekable();
            let first = by.peek().copied();
            let one = first.is_some_and(|first| {
                by.all(|proc| proc == first) && once.contains(first) && !called.contains(first)
            });
            if one && candidates[at] {
                changed |= once.insert(root.0 as usize);
            }
        }
    }
    once
}

fn edges_that_start(xcfa: &Xcfa, root: ProcId) -> Vec<EdgeId> {
    let starts = |label: &Label| matches!(label, Label::Start { proc, .. } if *proc == root);
    xcfa.edge_ids()
        .flat_map(|edge| {
            // An edge that starts two threads is listed twice, and so never alone.
            let count = xcfa[edge]
                .labels
                .iter()
                .filter(|label| starts(label))
                .count();
            std::iter::repeat_n(edge, count)
        })
        .collect()
}

/// Can a run take at most one of these edges, and that once?
pub fn exclude_each_other(xcfa: &Xcfa, edges: &[EdgeId]) -> bool {
    if edges.windows(2).any(|pair| pair[0] == pair[1]) {
        return false;
    }
    let after = graph::reachable(xcfa, edges.iter().map(|&edge| xcfa[edge].target));
    let mut sources = edges.iter().map(|&edge| xcfa[edge].source.0 as usize);
    sources.all(|source| !after[source])
}

#[cfg(test)]
mod tests {
    use super::Threads;
    use automata::parse;

    #[test]
    fn branches_start_once_and_loops_many_times() {
        let xcfa = parse(
            "proc a(px)
               in -> out: h := start c()
             proc b(px)
               in -> out: h := start d()
             proc c(px)
             proc d(px)
             proc main()
               in -> 1: assume h == 0; h := start a()
               in -> 1: assume h != 0; h := start a()
               1 -> 1: h := start b()
               1 -> out: skip",
        );
        let threads = Threads::of(&xcfa);
        let once: Vec<_> = threads
            .roots()
            .iter()
            .filter(|&&root| threads.starts_at_most_once(root))
            .map(|&root| xcfa[root].name.as_str())
            .collect();
        assert_eq!(once, ["a", "c", "main"]);
        assert_eq!(threads.roots().len(), 5);
    }
}
