//! Points-to analysis: which objects a term can be the address of.
//!
//! Andersen's analysis (inclusion constraints), flow-insensitive, field-sensitive by offset.
//!
//! Law: if in some run a term holds an address that was derived from the address of an object,
//! through casts, arithmetic, memory, calls and threads, then the object is among its targets,
//! at that offset or at [`Offset::Any`]. A value that was not derived from an address (an input,
//! uninitialised memory) has no targets: an access through it is undefined behaviour even if the
//! number happens to be that of an object.
//!
//! It deliberately knows neither the order of steps nor the instances of an allocation site.

mod flow;
mod memory;
mod solver;

use expr::{ObjId, Term, VarId};
use flow::{Flows, Source};
use rustc_hash::FxHashSet;
use xcfa::{ObjectKind, ProcId, Xcfa};

/// Where in an object an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offset {
    /// So many bytes from its start; perhaps outside it.
    At(i64),
    /// Anywhere.
    Any,
}

/// What an address can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The object.
    pub object: ObjId,
    /// Where in it.
    pub offset: Offset,
}

/// The result of the analysis for one program; it goes stale when the program is changed.
#[derive(Clone, Debug)]
pub struct PointsTo {
    vars: Vec<Vec<Target>>,
    contents: Vec<Vec<Target>>,
    exits: Vec<Target>,
}

impl PointsTo {
    /// Analyses the whole program.
    pub fn of(xcfa: &Xcfa) -> PointsTo {
        solver::solve(xcfa)
    }

    /// What the value of a variable can point to, sorted.
    pub fn var(&self, var: VarId) -> &[Target] {
        &self.vars[var.0 as usize]
    }

    /// What any pointer stored in an object can point to, sorted.
    pub fn contents(&self, object: ObjId) -> &[Target] {
        &self.contents[object.0 as usize]
    }

    /// What the values that threads end with can point to, sorted.
    pub fn thread_results(&self) -> &[Target] {
        &self.exits
    }

    /// What the value of a term can point to, sorted; an object has [`Offset::Any`] alone or
    /// some known offsets.
    pub fn targets(&self, xcfa: &Xcfa, term: Term) -> Vec<Target> {
        let mut targets = Vec::new();
        for flow in Flows::new(xcfa.pointer_bits()).of(&xcfa.terms, term).iter() {
            match flow.source {
                Source::Base(object) => {
                    targets.push(flow.shift.apply(Target {
                        object,
                        offset: Offset::At(0),
                    }));
                }
                Source::Var(var) => {
                    targets.extend(self.var(var).iter().map(|&target| flow.shift.apply(target)));
                }
            }
        }
        normalise(targets)
    }

    /// The objects that an address can point to, each once, sorted.
    pub fn objects(&self, xcfa: &Xcfa, addr: Term) -> Vec<ObjId> {
        let mut objects: Vec<_> = self
            .targets(xcfa, addr)
            .iter()
            .map(|target| target.object)
            .collect();
        objects.dedup();
        objects
    }

    /// The procedures that a function pointer can call, sorted.
    pub fn callees(&self, xcfa: &Xcfa, pointer: Term) -> Vec<(ObjId, ProcId)> {
        let function = |object: ObjId| match xcfa[object].kind {
            ObjectKind::Function(proc) => Some((object, proc)),
            _ => None,
        };
        self.objects(xcfa, pointer)
            .into_iter()
            .filter_map(function)
            .collect()
    }
}

/// Sorts, and drops known offsets of objects of which any offset is possible.
fn normalise(mut targets: Vec<Target>) -> Vec<Target> {
    let any: FxHashSet<ObjId> = targets
        .iter()
        .filter(|t| t.offset == Offset::Any)
        .map(|t| t.object)
        .collect();
    targets.retain(|t| t.offset == Offset::Any || !any.contains(&t.object));
    targets.sort_unstable();
    targets.dedup();
    targets
}

#[cfg(test)]
mod tests;
