//! Accesses that are certainly inside a living object.
//!
//! Law: an access that is called valid here never faults. Known are static objects at constant
//! offsets (but writes to those that are constant do fault), and stack objects reached through the
//! variable that their `Alloc` set, between that and the `Dealloc`. Everything else may fault for
//! all we know: heap memory can be freed.

use expr::{Node, ObjId, Op, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::{Edge, EdgeId, Label, LocId, ObjectKind, Xcfa};

/// Knows which stack objects are alive where.
#[derive(Clone, Debug)]
pub struct Validity {
    /// Variables that only ever hold the address of one stack object.
    frames: FxHashMap<VarId, ObjId>,
    /// Stack objects that are alive on every way to a location; `None` where no way leads.
    alive: Vec<Option<Vec<ObjId>>>,
}

impl Validity {
    /// Analyses every procedure.
    pub fn of(xcfa: &Xcfa) -> Validity {
        let mut alive: Vec<Option<Vec<ObjId>>> = vec![None; xcfa.locs.len()];
        let mut work: Vec<LocId> = Vec::new();
        for proc in &xcfa.procs {
            alive[proc.init.0 as usize] = Some(Vec::new());
            work.push(proc.init);
        }
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let mut after = alive[loc.0 as usize].clone().expect("it was reached");
                for label in &xcfa[edge].labels {
                    pass(xcfa, label, &mut after);
                }
                let target = xcfa[edge].target;
                if join(&mut alive[target.0 as usize], after) {
                    work.push(target);
                }
            }
        }
        Validity {
            frames: frame_variables(xcfa),
            alive,
        }
    }

    /// Is the access of the label at `index` certainly valid? A label that accesses no memory is.
    pub fn is_valid(&self, xcfa: &Xcfa, edge: EdgeId, index: usize) -> bool {
        let Edge { source, labels, .. } = &xcfa[edge];
        let (addr, width) = match &labels[index] {
            Label::Load { var, addr } => (*addr, xcfa[*var].sort.width()),
            Label::Store { addr, value } => (*addr, xcfa.terms.width(*value)),
            _ => return true,
        };
        let (base, offset) = split(&xcfa.terms, addr);
        let writes = matches!(labels[index], Label::Store { .. });
        let object = match xcfa.terms.node(base) {
            Node::Base(object, _) if writes && xcfa[object].constant => None,
            Node::Base(object, _) if is_static(xcfa, object) => Some(object),
            Node::Var(var, _) => self.frames.get(&var).copied().filter(|&object| {
                let Some(mut alive) = self.alive[source.0 as usize].clone() else {
                    return true;
                };
                labels[..index]
                    .iter()
                    .for_each(|label| pass(xcfa, label, &mut alive));
                alive.binary_search(&object).is_ok()
            }),
            _ => None,
        };
        let size = object.and_then(|object| xcfa[object].size);
        let end = offset.checked_add(u64::from(width).div_ceil(8));
        matches!((size, end), (Some(size), Some(end)) if end <= size)
    }
}

fn is_static(xcfa: &Xcfa, object: ObjId) -> bool {
    matches!(xcfa[object].kind, ObjectKind::Static { .. })
}

/// An address as a base and a constant offset.
pub fn split(terms: &Terms, addr: Term) -> (Term, u64) {
    match terms.node(addr) {
        Node::Binary(Op::Add, base, offset) => match terms.as_const(offset) {
            Some(offset) => (base, offset),
            None => (addr, 0),
        },
        _ => (addr, 0),
    }
}

/// Variables that are set by `Alloc` of one stack object and by nothing else.
fn frame_variables(xcfa: &Xcfa) -> FxHashMap<VarId, ObjId> {
    let mut frames: FxHashMap<VarId, Option<ObjId>> = FxHashMap::default();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        let Some(var) = label.defines() else { continue };
        let object = match label {
            Label::Alloc { object, .. } if xcfa[*object].kind == ObjectKind::Stack => Some(*object),
            _ => None,
        };
        let known = frames.entry(var).or_insert(object);
        if *known != object {
            *known = None;
        }
    }
    for proc in &xcfa.procs {
        for param in &proc.params {
            frames.remove(param);
        }
    }
    frames
        .into_iter()
        .filter_map(|(var, object)| Some((var, object?)))
        .collect()
}

fn pass(xcfa: &Xcfa, label: &Label, alive: &mut Vec<ObjId>) {
    match label {
        Label::Alloc { object, .. } if xcfa[*object].kind == ObjectKind::Stack => {
            if let Err(at) = alive.binary_search(object) {
                alive.insert(at, *object);
            }
        }
        Label::Dealloc(object) => alive.retain(|other| other != object),
        _ => {}
    }
}

fn join(known: &mut Option<Vec<ObjId>>, new: Vec<ObjId>) -> bool {
    match known {
        Some(old) => {
            let before = old.len();
            old.retain(|object| new.binary_search(object).is_ok());
            old.len() < before
        }
        None => {
            *known = Some(new);
            true
        }
    }
}
