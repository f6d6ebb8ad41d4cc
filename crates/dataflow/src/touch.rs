//! What a label reads and writes outside its own frame.
//!
//! Law: if a step of a label reads or writes a global variable or a byte of memory, one of its
//! touches covers it. Accesses through pointers without targets are undefined behaviour and
//! touch nothing. `Alloc` touches nothing: no other thread knows the new memory yet.

use crate::pointsto::{Offset, PointsTo, Target};
use expr::{Term, VarId};
use xcfa::{Label, Xcfa};

/// Something that more than one thread may be able to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// A global variable.
    Var(VarId),
    /// This many bytes at a target.
    Memory(Target, u64),
}

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    /// What is accessed.
    pub place: Storage,
    /// Is it changed?
    pub write: bool,
    /// Is it used as a lock or condition variable?
    pub sync: bool,
}

impl Touch {
    /// An access to data.
    fn of(place: Storage, write: bool) -> Touch {
        let sync = false;
        Touch { place, write, sync }
    }
}

/// Words of a lock; see [`xcfa::LockMode`].
const LOCK_BYTES: u64 = 8;

/// The accesses of one label, in order.
pub fn touches(xcfa: &Xcfa, points_to: &PointsTo, label: &Label) -> Vec<Touch> {
    let mut found = Vec::new();
    for var in label.terms().flat_map(|term| xcfa.terms.vars(term)) {
        if xcfa.is_global(var) {
            found.push(Touch::of(Storage::Var(var), false));
        }
    }
    let mut memory = |addr: Term, size: u64, write: bool, sync: bool| {
        for target in points_to.targets(xcfa, addr) {
            found.push(Touch {
                place: Storage::Memory(target, size),
                write,
                sync,
            });
        }
    };
    match label {
        Label::Load { var, addr } => memory(*addr, xcfa[*var].sort.bytes(), false, false),
        Label::Store { addr, value } => {
            memory(*addr, xcfa.terms.bytes(*value), true, false);
        }
        Label::Lock { addr, .. } | Label::Unlock { addr, .. } => {
            memory(*addr, LOCK_BYTES, true, true);
        }
        Label::Wait { cond } | Label::Signal { cond, .. } => memory(*cond, 1, true, true),
        Label::Free(addr) => {
            for object in points_to.objects(xcfa, *addr) {
                found.push(whole(object));
            }
        }
        Label::Dealloc(object) => found.push(whole(*object)),
        _ => {}
    }
    if let Some(var) = label.defines()
        && xcfa.is_global(var)
    {
        found.push(Touch::of(Storage::Var(var), true));
    }
    found
}

/// The end of an object changes all of it.
fn whole(object: expr::ObjId) -> Touch {
    let target = Target::new(object, Offset::Any);
    Touch::of(Storage::Memory(target, 1), true)
}
