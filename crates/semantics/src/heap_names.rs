//! The heap objects of one execution by name: `struct task #2`.

use crate::naming::without_copy;
use crate::{Machine, State};
use expr::ObjId;
use std::collections::BTreeMap;
use xcfa::ObjectKind;

/// A heap object that was made at some time.
#[derive(Clone, Debug)]
pub(crate) struct HeapObject {
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Of which object of the program it is an instance.
    pub obj: ObjId,
    /// Has it been freed?
    pub freed: bool,
    /// `struct task #2`: the second one of its type in this execution.
    pub name: String,
}

/// All heap objects that an execution has made so far.
#[derive(Clone, Debug, Default)]
pub struct HeapNames {
    known: Vec<HeapObject>,
    /// How many there are of each type.
    counts: BTreeMap<String, u32>,
}

impl HeapNames {
    /// Notes the objects that a step has made and freed.
    pub fn note(&mut self, machine: &Machine<'_>, before: &State, after: &State) {
        let (old, new) = (before.memory.instances(), after.memory.instances());
        if old == new {
            return;
        }
        let is_in = |list: &[crate::Instance], it: &crate::Instance| {
            let at = list.binary_search_by_key(&it.base, |other| other.base);
            at.is_ok_and(|at| list[at].obj == it.obj && list[at].size == it.size)
        };
        for gone in old.iter().filter(|it| !is_in(new, it)) {
            let mut known = self.known.iter_mut().rev();
            if let Some(it) = known.find(|known| known.base == gone.base) {
                it.freed = true;
            }
        }
        // What other files define has a name.
        let on_heap = |it: &&crate::Instance| {
            let object = &machine.xcfa[it.obj];
            object.kind == ObjectKind::Heap && !object.external
        };
        for made in new.iter().filter(on_heap).filter(|it| !is_in(old, it)) {
            let kind = kind(machine, made.obj);
            let number = self.counts.entry(kind.clone()).or_default();
            *number += 1;
            self.known.push(HeapObject {
                base: made.base,
                size: made.size,
                obj: made.obj,
                freed: false,
                name: format!("{kind} #{number}"),
            });
        }
    }

    /// The last object that was at an address.
    pub(crate) fn find(&self, addr: u64) -> Option<&HeapObject> {
        let is_there = |it: &&HeapObject| addr.wrapping_sub(it.base) < it.size.max(1);
        self.known.iter().rev().find(is_there)
    }
}

/// What a heap object is: its type, or the function that makes it.
fn kind(machine: &Machine<'_>, obj: ObjId) -> String {
    let object = &machine.xcfa[obj];
    let made_by = || {
        let name = without_copy(&object.name);
        name.split('@').next().unwrap_or(&name).to_owned()
    };
    object.ty.clone().unwrap_or_else(made_by)
}
