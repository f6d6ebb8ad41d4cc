//! A short summary of a program, for choosing how to check it and for printing.

use crate::{Analysed, CallGraph, Loops, graph};
use std::fmt;
use xcfa::{Callee, HavocOrigin, Label, ObjectKind, Xcfa};

/// What kind of program this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Control locations.
    pub locations: usize,
    /// Edges.
    pub edges: usize,
    /// Procedures that threads run, `main` among them.
    pub thread_procedures: usize,
    /// Is there a bound on the number of threads of all runs?
    pub threads_bounded: bool,
    /// Is it small, as far as loops go that start threads?
    pub few_threads: bool,
    /// Loops.
    pub loops: usize,
    /// Can every loop only go round a known number of times?
    pub loops_bounded: bool,
    /// Are there calls that could not be inlined?
    pub recursive: bool,
    /// Places that read an input or call something unknown, of more than two values.
    pub inputs: usize,
    /// Places that allocate heap memory.
    pub heap_sites: usize,
    /// Variables that threads share.
    pub shared_variables: usize,
    /// Objects that threads share.
    pub shared_objects: usize,
}

impl Facts {
    /// Reads the facts off a prepared program.
    pub fn of(xcfa: &Analysed) -> Facts {
        let (loops, calls, sharing) = (xcfa.loops(), xcfa.calls(), xcfa.sharing());
        let labels = || xcfa.edges.iter().flat_map(|edge| &edge.labels);
        let is_input = |label: &&Label| match label {
            Label::Havoc {
                origin: HavocOrigin::Uninitialised,
                ..
            } => false,
            Label::Havoc { var, .. } => xcfa[*var].sort.width() > 1,
            _ => false,
        };
        let allocates = |label: &&Label| matches!(label, Label::Alloc { object, .. } if xcfa[*object].kind == ObjectKind::Heap);
        Facts {
            locations: xcfa.locs.len(),
            edges: xcfa.edges.len(),
            thread_procedures: xcfa.threads().roots().len(),
            threads_bounded: threads_are_bounded(xcfa, calls, loops, u64::MAX),
            few_threads: threads_are_bounded(xcfa, calls, loops, FEW_ROUNDS),
            loops: loops.loops.len(),
            loops_bounded: loops.all_bounded(),
            recursive: xcfa.proc_ids().any(|proc| calls.is_recursive(proc)),
            inputs: labels().filter(is_input).count(),
            heap_sites: labels().filter(allocates).count(),
            shared_variables: xcfa.var_ids().filter(|&v| sharing.is_shared_var(v)).count(),
            shared_objects: xcfa
                .obj_ids()
                .filter(|&o| sharing.is_shared_object(o))
                .count(),
        }
    }
}

/// A loop that starts threads and has more rounds than this starts many.
const FEW_ROUNDS: u64 = 64;

/// Is there a bound on the number of threads of all runs? Threads must not start threads in
/// circles, nor in recursion, nor in loops that may have more rounds than `most`.
fn threads_are_bounded(xcfa: &Xcfa, calls: &CallGraph, loops: &Loops, most: u64) -> bool {
    let mut started = vec![Vec::new(); xcfa.procs.len()];
    for edge in &xcfa.edges {
        for label in &edge.labels {
            let Label::Start { proc, .. } = label else {
                continue;
            };
            let here = xcfa[edge.source].proc;
            let mut around = loops.innermost(edge.source);
            while let Some(at) = around {
                if loops.loops[at].bound.is_none_or(|bound| bound > most) {
                    return false;
                }
                around = loops.loops[at].parent;
            }
            if calls.is_recursive(here) {
                return false;
            }
            started[here.0 as usize].push(proc.0 as usize);
        }
        // What is still called is recursive.
        for label in &edge.labels {
            if let Label::Call {
                callee: Callee::Direct(proc),
                ..
            } = label
                && calls.starts_threads(*proc)
            {
                return false;
            }
        }
    }
    !graph::on_cycle(&started).contains(&true)
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounded = |is: bool| if is { "bounded" } else { "unbounded" };
        write!(
            f,
            "{} locations, {} edges, {} thread procedures ({}), {} loops ({}), {} inputs, \
             {} heap sites, {} shared variables, {} shared objects{}",
            self.locations,
            self.edges,
            self.thread_procedures,
            bounded(self.threads_bounded),
            self.loops,
            bounded(self.loops_bounded),
            self.inputs,
            self.heap_sites,
            self.shared_variables,
            self.shared_objects,
            if self.recursive { ", recursive" } else { "" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Facts;
    use automata::parse;
    use expect_test::expect;

    #[test]
    fn a_summary_reads_well() {
        let xcfa = parse(
            "heap h
             global x
             proc worker(pa)
               in -> 1: x := 1
               1 -> out: thread_exit 0
             proc main()
               in -> 1: i := 0; t := input
               1 -> 2: assume i < 3
               2 -> 1: i := i + 1; h := start worker()
               1 -> 3: assume !(i < 3); p := alloc h
               3 -> out: exit",
        );
        expect!["8 locations, 7 edges, 2 thread procedures (bounded), 1 loops (bounded), 1 inputs, 1 heap sites, 1 shared variables, 0 shared objects"].assert_eq(&Facts::of(&xcfa.into()).to_string());
    }
}
