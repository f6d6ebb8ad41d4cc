//! Which objects exist once, so that one set of variables can hold their contents.

use super::access::{Accesses, Kind};
use dataflow::{BitSet, PointsTo, Threads, escaped_objects, exclude_each_other};
use expr::ObjId;
use xcfa::{Callee, EdgeId, Label, ObjectKind, ProcId, Scope, Xcfa};

/// A place in the program that brings an object to life.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) edge: EdgeId,
    pub(super) index: usize,
    pub(super) zeroed: bool,
}

/// The owner of an object that exists once.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    /// The procedure that allocates it; none for static objects.
    pub(super) proc: Option<ProcId>,
    /// Whose its cells are.
    pub(super) scope: Scope,
    /// Is it allocated at most once in a run (by each thread, if the cells are local)?
    pub(super) allocated_once: bool,
    /// Do other procedures access it as well?
    pub(super) shared: bool,
    /// Is there at most one in a run, rather than one for each thread?
    pub(super) single: bool,
}

pub(super) fn allocation_sites(xcfa: &Xcfa) -> Vec<Vec<Site>> {
    let mut sites = vec![Vec::new(); xcfa.objects.len()];
    for edge in xcfa.edge_ids() {
        for (index, label) in xcfa[edge].labels.iter().enumerate() {
            if let Label::Alloc { object, zeroed, .. } = label {
                sites[object.0 as usize].push(Site {
                    edge,
                    index,
                    zeroed: *zeroed,
                });
            }
        }
    }
    sites
}

/// Sizes of objects, where all instances have the same.
pub(super) fn sizes(xcfa: &Xcfa) -> Vec<Option<u64>> {
    let mut sizes: Vec<Option<u64>> = xcfa.objects.iter().map(|object| object.size).collect();
    let mut seen = BitSet::new();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        if let Label::Alloc { object, size, .. } = label {
            // The machine does not know when one of these ends, and neither would its variables.
            let unending = xcfa.checks_memory
                && xcfa[*object].kind == ObjectKind::Stack
                && xcfa[*object].size.is_none();
            let size = xcfa.terms.as_const(*size).filter(|_| !unending);
            let known = &mut sizes[object.0 as usize];
            let first = seen.insert(object.0 as usize) && xcfa[*object].size.is_none();
            *known = if first {
                size
            } else {
                size.filter(|_| *known == size)
            };
        }
    }
    sizes
}

/// Answers which objects exist once.
pub(super) struct Owners<'a> {
    xcfa: &'a Xcfa,
    accesses: &'a Accesses,
    sites: &'a [Vec<Site>],
    threads: Threads,
    escaped: BitSet,
    called: BitSet,
    /// Can a thread end inside a call?
    exits_in_call: bool,
}

impl<'a> Owners<'a> {
    pub(super) fn new(
        xcfa: &'a Xcfa,
        points_to: &PointsTo,
        accesses: &'a Accesses,
        sites: &'a [Vec<Site>],
    ) -> Owners<'a> {
        let labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
        let called = labels.filter_map(|label| match label {
            Label::Call {
                callee: Callee::Direct(proc),
                ..
            } => Some(proc.0 as usize),
            _ => None,
        });
        let called: BitSet = called.collect();
        let exits_in_call = xcfa.edges.iter().any(|edge| {
            let exits = |label: &Label| matches!(label, Label::ThreadExit(_));
            called.contains(xcfa[edge.source].proc.0 as usize) && edge.labels.iter().any(exits)
        });
        Owners {
            xcfa,
            accesses,
            sites,
            threads: Threads::of(xcfa),
            escaped: escaped_objects(xcfa, points_to),
            called,
            exits_in_call,
        }
    }

    /// The owner of an object, or why it can exist more than once.
    pub(super) fn of(&self, object: ObjId) -> Result<Owner, String> {
        let sites = &self.sites[object.0 as usize];
        let Some(first) = sites.first() else {
            return Ok(Owner {
                proc: None,
                scope: Scope::Global,
                allocated_once: true,
                shared: true,
                single: true,
            });
        };
        let proc_of = |site: &Site| self.xcfa[self.xcfa[site.edge].source].proc;
        let proc = proc_of(first);
        if sites.iter().any(|site| proc_of(site) != proc) {
            return Err("several procedures allocate it".into());
        }
        if self.called.contains(proc.0 as usize) {
            return Err(format!("`{}` is called recursively", self.xcfa[proc].name));
        }
        let edges: Vec<EdgeId> = sites.iter().map(|site| site.edge).collect();
        let allocated_once = exclude_each_other(self.xcfa, &edges);
        if !allocated_once && !self.has_fixed_address(object) {
            return Err("it can be allocated more than once".into());
        }
        let scope = self.scope(object, proc)?;
        let shared = !self.is_own(object, proc);
        if shared && self.exits_in_call && self.has_fixed_address(object) {
            return Err("its thread can end inside a recursive call".into());
        }
        Ok(Owner {
            shared,
            proc: Some(proc),
            scope,
            allocated_once,
            single: self.threads.starts_at_most_once(proc),
        })
    }

    /// Has each activation one address for it, however often it is allocated?
    fn has_fixed_address(&self, object: ObjId) -> bool {
        let object = &self.xcfa[object];
        object.kind == ObjectKind::Stack && object.size.is_some()
    }

    /// Does no other procedure access it?
    fn is_own(&self, object: ObjId, proc: ProcId) -> bool {
        let mut accesses = self.accesses.of_object(object);
        accesses.all(|access| access.proc == proc)
    }

    fn scope(&self, object: ObjId, proc: ProcId) -> Result<Scope, String> {
        let own = self.is_own(object, proc);
        let mut syncs = self.accesses.of_object(object);
        let syncs = syncs.any(|access| access.kind == Kind::Sync);
        let once = self.threads.starts_at_most_once(proc);
        let escapes = self.escaped.contains(object.0 as usize);
        match (once, own) {
            (true, true) if !syncs => Ok(Scope::Local(proc)),
            (true, _) => Ok(Scope::Global),
            (false, true) if !escapes && !syncs => Ok(Scope::Local(proc)),
            (false, _) => Err(format!(
                "more than one thread can run `{}`",
                self.xcfa[proc].name
            )),
        }
    }
}
