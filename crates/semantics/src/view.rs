//! The values of variables as one thread sees them.

use crate::layout::{Layout, Slot};
use crate::state::{State, Tid};
use expr::{Env, ObjId, VarId};

/// The environment in which a thread's terms are evaluated.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    layout: &'a Layout,
    globals: &'a [u64],
    slots: &'a [u64],
    base: usize,
}

impl<'a> View<'a> {
    pub fn new(layout: &'a Layout, state: &'a State, tid: Tid) -> View<'a> {
        let thread = state.thread(tid);
        View {
            layout,
            globals: &state.globals,
            slots: &thread.slots,
            base: thread.base as usize,
        }
    }
}

impl Env for View<'_> {
    fn var(&self, var: VarId) -> u64 {
        match self.layout.slots[var.0 as usize] {
            Slot::Global(slot) => self.globals[slot as usize],
            Slot::ThreadLocal(slot) => self.slots[slot as usize],
            Slot::Local(slot) => self.slots[self.base + slot as usize],
        }
    }

    fn base(&self, obj: ObjId) -> u64 {
        self.layout.base(obj)
    }
}
