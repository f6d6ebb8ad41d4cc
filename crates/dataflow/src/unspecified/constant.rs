//! Writes that may hit a constant object on the stack.
//!
//! The machine refuses writes to constant static objects. One on the stack is written once, when it
//! is initialised: through the variable that its allocation sets. The program itself knows its
//! address by another name.

use super::at;
use crate::PointsTo;
use expr::{ObjId, VarId};
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label, ObjectKind, Xcfa};

/// The first write that may hit a constant object on the stack after its initialisation, in words.
pub fn constant_write(xcfa: &Xcfa, points_to: &PointsTo) -> Option<String> {
    let is_constant = |object: ObjId| {
        let object = &xcfa[object];
        object.constant && object.kind == ObjectKind::Stack
    };
    if !xcfa.obj_ids().any(is_constant) {
        return None;
    }
    let mut made: FxHashMap<VarId, ObjId> = FxHashMap::default();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        if let Label::Alloc { var, object, .. } = label {
            made.insert(*var, *object);
        }
    }
    let hit = |edge: EdgeId| {
        let stores = xcfa[edge].labels.iter().filter_map(|label| match label {
            Label::Store { addr, .. } => Some(*addr),
            _ => None,
        });
        stores
            .flat_map(|addr| {
                let vars = xcfa.terms.vars(addr);
                let initialised = match vars[..] {
                    [var] => made.get(&var).copied(),
                    _ => None,
                };
                let objects = points_to.objects(xcfa, addr).into_iter();
                objects.filter(move |&object| Some(object) != initialised)
            })
            .find(|&object| is_constant(object))
            .map(|object| {
                let what = format!("a write may hit `{}`, which is constant", xcfa[object].name);
                at(xcfa, edge, &what)
            })
    };
    xcfa.edge_ids().find_map(hit)
}
