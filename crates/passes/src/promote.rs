//! Objects on the stack that nothing but whole loads and stores use become variables.
//!
//! Law: the same executions, event by event, but for the accesses to these objects, which no other thread can see. An
//! object is turned only if its address is used for nothing else, all accesses have its size, none is atomic, and no
//! load can come before a store. C's macros for atomics make such objects.

use crate::follow::is_of_library;
use dataflow::BitSet;
use expr::{Node, ObjId, Sort, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, Label, LocId, ObjectKind, Scope, Var, Xcfa};

/// Turns all.
pub fn promote(xcfa: &mut Xcfa) {
    promote_some(xcfa, &|_| true);
}

/// Turns those that the library's models are given the address of, such as where they are in a list of arguments.
pub fn promote_for_models(xcfa: &mut Xcfa) {
    let edges = xcfa.edges.iter().filter(|edge| is_of_library(xcfa, edge));
    let addresses = edges
        .flat_map(|edge| &edge.labels)
        .filter_map(|label| match label {
            Label::Load { addr, .. } | Label::Store { addr, .. } => xcfa.terms.as_var(*addr),
            _ => None,
        });
    let given: FxHashSet<VarId> = addresses.collect();
    promote_some(xcfa, &|address| given.contains(&address));
}

fn promote_some(xcfa: &mut Xcfa, wanted: &dyn Fn(VarId) -> bool) {
    let candidates = Candidates::of(xcfa);
    let mut turned: FxHashMap<VarId, (ObjId, VarId)> = FxHashMap::default();
    for (address, object) in candidates.found(xcfa, wanted) {
        let name = xcfa[object].name.clone();
        let scope = xcfa[address].scope;
        let sort = Sort::Bv(8 * xcfa[object].size.unwrap_or(0) as u32);
        let var = xcfa.add_var(Var::temp(name, sort, scope));
        turned.insert(address, (object, var));
    }
    let objects: FxHashSet<ObjId> = turned.values().map(|&(object, _)| object).collect();
    for at in 0..xcfa.edges.len() {
        let labels = std::mem::take(&mut xcfa.edges[at].labels);
        let kept = labels.into_iter().filter_map(|label| {
            let target = |addr: Term| match xcfa.terms.node(addr) {
                Node::Var(var, _) => turned.get(&var).map(|&(_, new)| new),
                _ => None,
            };
            match label {
                Label::Load { var, addr } if target(addr).is_some() => {
                    let from = target(addr)?;
                    let value = xcfa.terms.var(from, xcfa[from].sort);
                    Some(Label::Assign { var, value })
                }
                Label::Store { addr, value } if target(addr).is_some() => Some(Label::Assign {
                    var: target(addr)?,
                    value,
                }),
                Label::Alloc { object, .. } | Label::Dealloc(object)
                    if objects.contains(&object) =>
                {
                    None
                }
                other => Some(other),
            }
        });
        let kept: Vec<Label> = kept.collect();
        xcfa.edges[at].labels = kept;
    }
}

/// Variables that hold nothing but the address of one object.
struct Candidates {
    /// By variable: the object, and the edges that make it.
    made: FxHashMap<VarId, (ObjId, Vec<EdgeId>)>,
    refused: FxHashSet<VarId>,
}

impl Candidates {
    fn of(xcfa: &Xcfa) -> Candidates {
        let mut candidates = Candidates {
            made: FxHashMap::default(),
            refused: FxHashSet::default(),
        };
        for id in xcfa.edge_ids() {
            for label in &xcfa[id].labels {
                candidates.definition(xcfa, id, label);
            }
        }
        for edge in &xcfa.edges {
            for label in &edge.labels {
                candidates.uses(xcfa, edge.atomic, label);
            }
        }
        candidates
    }

    fn definition(&mut self, xcfa: &Xcfa, edge: EdgeId, label: &Label) {
        match label {
            Label::Alloc {
                var, object, size, ..
            } => {
                let is_local = matches!(xcfa[*var].scope, Scope::Local(_));
                let is_word = matches!(xcfa[*object].size, Some(1 | 2 | 4 | 8));
                let is_whole = xcfa.terms.as_const(*size) == xcfa[*object].size;
                let is_stack = xcfa[*object].kind == ObjectKind::Stack;
                let (known, edges) = self.made.entry(*var).or_insert((*object, Vec::new()));
                edges.push(edge);
                if *known != *object || !(is_local && is_word && is_whole && is_stack) {
                    self.refused.insert(*var);
                }
            }
            other => self.refused.extend(other.defines()),
        }
    }

    /// An address that is used for anything but a whole access is known to others.
    fn uses(&mut self, xcfa: &Xcfa, atomic: bool, label: &Label) {
        let (addr, sort) = match label {
            Label::Load { var, addr } => (Some(*addr), xcfa[*var].sort),
            Label::Store { addr, value } => (Some(*addr), xcfa.terms.sort(*value)),
            _ => (None, Sort::Bool),
        };
        let accessed = addr.and_then(|addr| match xcfa.terms.node(addr) {
            Node::Var(var, _) => Some(var),
            _ => None,
        });
        if let Some(var) = accessed {
            let size = self.size(xcfa, var);
            if atomic || size.is_none_or(|size| sort != Sort::Bv(8 * size as u32)) {
                self.refused.insert(var);
            }
        }
        let terms = label.terms();
        let others = terms.filter(|&term| accessed.is_none() || Some(term) != addr);
        self.refused
            .extend(others.flat_map(|term| xcfa.terms.vars(term)));
    }

    /// The size of the object whose address is in a variable.
    fn size(&self, xcfa: &Xcfa, var: VarId) -> Option<u64> {
        let (object, _) = self.made.get(&var)?;
        xcfa[*object].size
    }

    fn found(&self, xcfa: &Xcfa, wanted: &dyn Fn(VarId) -> bool) -> Vec<(VarId, ObjId)> {
        let mut users: FxHashMap<ObjId, usize> = FxHashMap::default();
        for (object, _) in self.made.values() {
            *users.entry(*object).or_default() += 1;
        }
        let mut found: Vec<(VarId, ObjId)> = Vec::new();
        for (&var, (object, edges)) in &self.made {
            let is_set = || edges.iter().all(|&edge| is_stored_first(xcfa, edge, var));
            if wanted(var) && !self.refused.contains(&var) && users[object] == 1 && is_set() {
                found.push((var, *object));
            }
        }
        found.sort_unstable();
        found
    }
}

/// Does every path from the edge that makes the object store to it before it loads?
fn is_stored_first(xcfa: &Xcfa, made: EdgeId, address: VarId) -> bool {
    // Nothing else may be done with the object on the edge that makes it.
    if xcfa[made].labels.len() != 1 {
        return false;
    }
    let mut seen = BitSet::new();
    let mut work: Vec<LocId> = vec![xcfa[made].target];
    while let Some(loc) = work.pop() {
        if !seen.insert(loc.0 as usize) {
            continue;
        }
        for &edge in &xcfa[loc].out {
            let mut stored = false;
            for label in &xcfa[edge].labels {
                let is_it = |addr: Term| matches!(xcfa.terms.node(addr), Node::Var(var, _) if var == address);
                match label {
                    Label::Load { addr, .. } if is_it(*addr) => return false,
                    Label::Store { addr, .. } if is_it(*addr) => stored = true,
                    _ => {}
                }
                if stored {
                    break;
                }
            }
            if !stored {
                work.push(xcfa[edge].target);
            }
        }
    }
    true
}
