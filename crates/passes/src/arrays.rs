//! Arrays of variable length whose size turned out to be a constant.
//!
//! The machine follows the end of an object on the stack only if its size is known. Once calls are inlined
//! and constants propagated, most arrays of variable length have one size, and become objects of that size.
//! Where the size stays open, the marks of their end are removed: nothing follows them.

use std::collections::{BTreeMap, BTreeSet};
use xcfa::{Label, ObjectKind, Xcfa};

/// Larger arrays stay as they are.
const MOST: u64 = 1 << 16;

/// Gives each array of variable length its size, if it has one only and its end is marked.
pub fn fix_array_sizes(xcfa: &mut Xcfa) {
    let mut sizes: BTreeMap<_, Option<u64>> = BTreeMap::new();
    let mut ended = BTreeSet::new();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        match label {
            Label::Alloc { object, size, .. } if is_open(xcfa, *object) => {
                let size = xcfa.terms.as_const(*size).filter(|&size| size <= MOST);
                let known = sizes.entry(*object).or_insert(size);
                *known = known.filter(|_| *known == size);
            }
            Label::Dealloc(object) if is_open(xcfa, *object) => {
                ended.insert(*object);
            }
            _ => {}
        }
    }
    for object in ended {
        match sizes.get(&object).copied().flatten() {
            Some(size) => xcfa[object].size = Some(size),
            None => {
                for edge in &mut xcfa.edges {
                    edge.labels.retain(|label| *label != Label::Dealloc(object));
                }
            }
        }
    }
}

fn is_open(xcfa: &Xcfa, object: expr::ObjId) -> bool {
    xcfa[object].kind == ObjectKind::Stack && xcfa[object].size.is_none()
}
