//! A program without cycles: loops, recursion and the start of threads unrolled to a bound.
//!
//! Law: up to [`ErrorKind::Unwound`](xcfa::ErrorKind::Unwound) locations the result has the same
//! runs as the program, step by step: step `e` of the result is step `origin[e]` of the program,
//! by the same thread and with the same choices of the environment. Where a run would go on
//! beyond the bound it arrives at such a location instead, so if none of them is reachable the
//! result has all runs of the program.
//!
//! In the result every procedure runs at most once, in a thread of its own, unless its threads are
//! to share a copy ([`Limits::shared`]); there are no calls; every edge is taken at most once in a
//! run; every heap object is allocated at most once. A stack object is one object for each
//! activation, as it has one address in each: a block that is entered again gives it new contents.
//!
//! It deliberately proves nothing about bounds: that is done by [`Loops`](dataflow::Loops), whose
//! bounds are taken where they are small enough, and by the engine that checks that no `Unwound`
//! location is reachable.

mod activation;
mod location;
mod thread;

use crate::Unsupported;
use activation::Activation;
use dataflow::{Analysed, Loop, Loops};
use expr::{ObjId, VarId};
use location::UnrolledLocation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use xcfa::{EdgeId, ErrorKind, Label, LocId, ObjectKind, ProcId, Scope, Span, Xcfa};

/// How far to unroll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A run may take the back edges of a loop this many times before it leaves the loop; calls of
    /// a procedure below itself, and threads that start threads of their own procedure, may nest
    /// as deep.
    pub rounds: u32,
    /// For the loops with these heads, another number of rounds.
    pub rounds_at: FxHashMap<LocId, u32>,
    /// Edges that are not taken: those that close rounds of loops which change nothing, where that
    /// does not matter ([`Loops::idle_back_edges`]). The result has no run with such an edge.
    pub skipped: FxHashSet<EdgeId>,
    /// At most this many threads are started, counted over all branches.
    pub threads: u32,
    /// A result with more edges than this is refused.
    pub edges: usize,
    /// Leave loops as they are unless they start threads or allocate heap memory: then cycles
    /// remain, but every procedure still runs at most once and every object exists at most once.
    pub keep_loops: bool,
    /// With `keep_loops`: allocating heap memory is no reason to unroll a loop; then an object may
    /// exist more than once.
    pub repeated_objects: bool,
    /// All threads in one of these procedures run the same copy of it, however many there are;
    /// starting them is no reason to unroll a loop.
    pub shared: FxHashSet<ProcId>,
}

impl Default for Limits {
    /// One round, and as large as is still comfortable.
    fn default() -> Limits {
        Limits {
            rounds: 1,
            rounds_at: FxHashMap::default(),
            skipped: FxHashSet::default(),
            threads: 64,
            edges: crate::MOST_EDGES,
            keep_loops: false,
            repeated_objects: false,
            shared: FxHashSet::default(),
        }
    }
}

/// A program without cycles, and where it comes from.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The program.
    pub xcfa: Xcfa,
    /// By edge: the edge of the original program that it stands for.
    pub origin: Vec<EdgeId>,
    /// By procedure: the original procedure that it is a copy of.
    pub procs: Vec<ProcId>,
    /// The procedures that any number of threads can run.
    pub shared: Vec<ProcId>,
    /// Is there nothing beyond the bounds, so that the result has all runs of the program?
    pub complete: bool,
}

/// Unrolls a prepared program: no calls but direct ones.
pub fn unroll(xcfa: &Analysed, limits: &Limits) -> Result<Unrolled, Unsupported> {
    let mut unroller = Unroller::new(xcfa, limits);
    unroller.main();
    while let Some(place) = unroller.work.pop_front() {
        for &edge in &xcfa[place.loc].out {
            unroller.copy_edge(&place, edge)?;
        }
    }
    Ok(unroller.finish())
}

/// Does a round of the loop start threads, call, or allocate heap memory?
fn makes_new_things(xcfa: &Xcfa, l: &Loop, limits: &Limits) -> bool {
    let inside = |edge: &&EdgeId| l.contains(xcfa[**edge].target);
    let edges = l.body.iter().flat_map(|&loc| xcfa[loc].out.iter());
    let mut labels = edges.filter(inside).flat_map(|&edge| &xcfa[edge].labels);
    labels.any(|label| match label {
        Label::Start { proc, .. } => !limits.shared.contains(proc),
        Label::Call { .. } => true,
        Label::Alloc { object, .. } => {
            !limits.repeated_objects && xcfa[*object].kind == ObjectKind::Heap
        }
        _ => false,
    })
}

struct Unroller<'a> {
    old: &'a Xcfa,
    limits: &'a Limits,
    loops: &'a Loops,
    /// By location: the loops around it.
    around: Vec<Vec<usize>>,
    new: Xcfa,
    origin: Vec<EdgeId>,
    /// By new procedure: the original.
    procs: Vec<ProcId>,
    activations: Vec<Activation>,
    /// New numbers of variables that are not local.
    shared_vars: FxHashMap<VarId, VarId>,
    /// The copies that any number of threads run.
    shared_copies: FxHashMap<ProcId, ProcId>,
    /// How often each procedure has been copied.
    copies: FxHashMap<ProcId, u32>,
    /// How often each object has been copied.
    object_copies: FxHashMap<ObjId, u32>,
    threads: u32,
    locs: FxHashMap<UnrolledLocation, LocId>,
    unwound: FxHashMap<ProcId, LocId>,
    /// Places whose edges have still to be copied.
    work: VecDeque<UnrolledLocation>,
}

impl<'a> Unroller<'a> {
    fn new(old: &'a Analysed, limits: &'a Limits) -> Unroller<'a> {
        let loops = old.loops();
        let mut around = vec![Vec::new(); old.locs.len()];
        for (number, l) in loops.loops.iter().enumerate() {
            if limits.keep_loops && !makes_new_things(old, l, limits) {
                continue;
            }
            for loc in &l.body {
                around[loc.0 as usize].push(number);
            }
        }
        let mut new = Xcfa::new(old.data_model, old.sources.clone());
        new.terms = old.terms.clone();
        new.objects = old.objects.clone();
        new.assumptions = old.assumptions.clone();
        new.foreign = old.foreign.clone();
        new.unspecified = old.unspecified.clone();
        new.inexact = old.inexact.clone();
        new.detaches = old.detaches;
        new.checks_memory = old.checks_memory;
        new.vars.clear();
        let mut shared_vars = FxHashMap::default();
        for var in old.var_ids() {
            if !matches!(old[var].scope, Scope::Local(_)) {
                shared_vars.insert(var, new.add_var(old[var].clone()));
            }
        }
        new.self_var = shared_vars[&old.self_var];
        Unroller {
            old,
            limits,
            loops,
            around,
            new,
            origin: Vec::new(),
            procs: Vec::new(),
            activations: Vec::new(),
            shared_vars,
            shared_copies: FxHashMap::default(),
            copies: FxHashMap::default(),
            object_copies: FxHashMap::default(),
            threads: 0,
            locs: FxHashMap::default(),
            unwound: FxHashMap::default(),
            work: VecDeque::new(),
        }
    }

    fn main(&mut self) {
        let main = self.new_thread(self.old.main, None);
        self.new.main = main;
    }

    /// The location of this procedure at which the unrolling ends.
    fn unwound(&mut self, host: ProcId) -> LocId {
        if let Some(&loc) = self.unwound.get(&host) {
            return loc;
        }
        let loc = self.new.add_loc(host);
        self.new[loc].error = Some(ErrorKind::Unwound);
        self.unwound.insert(host, loc);
        loc
    }

    fn check_size(&self, span: Span) -> Result<(), Unsupported> {
        if self.new.edges.len() < self.limits.edges {
            return Ok(());
        }
        let what = format!(
            "unrolling loops {} times makes more than {} edges",
            self.limits.rounds, self.limits.edges
        );
        Err(Unsupported::at(span, what))
    }

    fn finish(mut self) -> Unrolled {
        for object in self.new.obj_ids() {
            if let ObjectKind::Function(proc) = self.new[object].kind {
                let body = self.function(proc);
                self.new[object].kind = ObjectKind::Function(body);
            }
        }
        let mut shared: Vec<ProcId> = self.shared_copies.into_values().collect();
        shared.sort_unstable();
        Unrolled {
            shared,
            complete: self.unwound.is_empty(),
            xcfa: self.new,
            origin: self.origin,
            procs: self.procs,
        }
    }

    /// A procedure for a function of which only the address is left.
    fn function(&mut self, proc: ProcId) -> ProcId {
        match self.procs.iter().position(|&original| original == proc) {
            Some(copy) => ProcId(copy as u32),
            None => {
                self.procs.push(proc);
                let old = &self.old[proc];
                self.new.add_proc(old.name.clone(), old.span)
            }
        }
    }
}

#[cfg(test)]
mod tests;
