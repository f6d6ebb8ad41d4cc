//! Locks whose words nothing but locking changes while they are held.

use crate::apart::{Access, Apart, size};
use crate::conflict::meet;
use crate::families::Role;
use crate::guards::Guards;
use crate::program::Program;
use passes::{Place, touches};
use xcfa::{EdgeId, Label, ObjectKind};

/// The locks that are found through pointers, apart from those that something else than locking may
/// change while they are held.
pub fn guards(program: &Program<'_>, apart: &mut Apart<'_, '_>) -> Guards {
    let xcfa = program.xcfa;
    let mut locks = Vec::new();
    for edge in xcfa.edge_ids() {
        for (label, it) in xcfa[edge].labels.iter().enumerate() {
            if matches!(it, Label::Lock { .. }) && is_undisturbed(program, apart, edge, label) {
                locks.push((edge, label));
            }
        }
    }
    let is_lock = |edge, label| locks.contains(&(edge, label));
    Guards::of(program, &mut apart.values, is_lock)
}

/// Does nobody else write the words of the lock, whatever the thread that holds it does?
fn is_undisturbed(
    program: &Program<'_>,
    apart: &mut Apart<'_, '_>,
    edge: EdgeId,
    label: usize,
) -> bool {
    let xcfa = program.xcfa;
    let alone = passes::locations_before_threads(xcfa);
    let lock = Access {
        edge,
        label,
        size: size(program, edge, label),
    };
    let own: Vec<Place> = touches(xcfa, &program.points_to, &xcfa[edge].labels[label])
        .into_iter()
        .map(|touch| touch.place)
        .collect();
    // Memory of a frame may come back as other memory at the same address.
    let lasts = own.iter().all(|place| match place {
        Place::Memory(target, _) => matches!(
            xcfa[target.object].kind,
            ObjectKind::Static { .. } | ObjectKind::Heap
        ),
        Place::Var(_) => false,
    });
    let is_free = |it: &Label| matches!(it, Label::Free(_) | Label::Dealloc(_));
    lasts
        && xcfa.edge_ids().all(|other| {
            let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
            if alone[xcfa[other].source.0 as usize] && !xcfa[other].labels.iter().any(starts) {
                return true;
            }
            let labels = xcfa[other].labels.iter().enumerate();
            labels.filter(|(_, it)| !is_free(it)).all(|(index, it)| {
                let touches = touches(xcfa, &program.points_to, it);
                let mut plain = touches.iter().filter(|touch| touch.write && !touch.sync);
                let hits = plain.any(|touch| own.iter().any(|&place| meet(place, touch.place)));
                let store = Access {
                    edge: other,
                    label: index,
                    size: size(program, other, index),
                };
                !hits || is_elsewhere(program, apart, store, lock)
            })
        })
}

/// Does a store of another thread never hit the lock of this one, wherever that thread is?
fn is_elsewhere(
    program: &Program<'_>,
    apart: &mut Apart<'_, '_>,
    store: Access,
    lock: Access,
) -> bool {
    let ways = apart.families.ways(program, store.edge, lock.edge);
    ways.into_iter().all(|way| {
        // What is known of a creator depends on where it is.
        way.second != Role::Creator && apart.reason(way, store, lock).is_some()
    })
}
