//! Which functions call, and which start threads at, which others.
//!
//! Only direct calls count: run it after `resolve`.

use crate::{BitSet, graph};
use xcfa::{Callee, Label, ProcId, Xcfa};

/// The call graph.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<usize>>,
    started: Vec<Vec<usize>>,
    recursive: Vec<bool>,
}

impl CallGraph {
    /// Reads the call graph off the labels.
    pub fn of(xcfa: &Xcfa) -> CallGraph {
        let mut callees = vec![Vec::new(); xcfa.procs.len()];
        let mut started = vec![Vec::new(); xcfa.procs.len()];
        for edge in &xcfa.edges {
            let caller = xcfa[edge.source].proc.0 as usize;
            for label in &edge.labels {
                match label {
                    Label::Call {
                        callee: Callee::Direct(to),
                        ..
                    } => {
                        callees[caller].push(to.0 as usize);
                    }
                    Label::Start { proc, .. } => started[caller].push(proc.0 as usize),
                    _ => {}
                }
            }
        }
        for list in callees.iter_mut().chain(&mut started) {
            list.sort_unstable();
            list.dedup();
        }
        let recursive = graph::on_cycle(&callees);
        CallGraph {
            callees,
            started,
            recursive,
        }
    }

    /// Can an activation of `proc` be on the stack below another one?
    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.recursive[proc.0 as usize]
    }

    /// The procedures that `proc` calls, directly or not, itself included.
    pub fn reaches(&self, proc: ProcId) -> Vec<ProcId> {
        closure([proc.0 as usize], |node| self.callees[node].clone())
    }

    /// Everything that can run: what `main` reaches over calls and starts.
    pub fn live(&self, main: ProcId) -> Vec<ProcId> {
        closure([main.0 as usize], |node| {
            self.callees[node]
                .iter()
                .chain(&self.started[node])
                .copied()
                .collect()
        })
    }

    /// The procedures that threads begin in: `main`, and everything started by what can run.
    pub fn threads(&self, main: ProcId) -> Vec<ProcId> {
        let mut threads = vec![main];
        for proc in self.live(main) {
            threads.extend(
                self.started[proc.0 as usize]
                    .iter()
                    .map(|&p| ProcId(p as u32)),
            );
        }
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// Does running `proc` ever start a thread?
    pub fn starts_threads(&self, proc: ProcId) -> bool {
        self.reaches(proc)
            .iter()
            .any(|proc| !self.started[proc.0 as usize].is_empty())
    }
}

fn closure(
    from: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> Vec<usize>,
) -> Vec<ProcId> {
    let mut found = BitSet::new();
    let mut work: Vec<usize> = from.into_iter().collect();
    while let Some(node) = work.pop() {
        if found.insert(node) {
            work.extend(next(node));
        }
    }
    found.iter().map(|proc| ProcId(proc as u32)).collect()
}
