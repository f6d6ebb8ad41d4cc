//! What is, or was, at an address that must not be accessed.

use super::Run;
use super::copies::Copies;
use crate::failure::{Target, ThreadName};
use crate::layout::FIRST_ADDRESS;
use crate::naming::without_copy;
use crate::{Instance, Outcome, Script, Step, Tid};
use expr::ObjId;
use xcfa::{EdgeId, Label, ObjectKind, Span};

/// An access this far behind an object was probably meant for it; further away another one may
/// have been that is not alive any more.
const NEAR: u64 = 16;

/// An object that was freed, or whose block was left.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    instance: Instance,
    freed: bool,
    thread: u32,
    span: Span,
}

impl Run<'_, '_> {
    /// Notes the objects that a step ends the life of.
    pub(super) fn note_gone(&mut self, step: &Step, copies: &mut Copies) {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let labels = &self.machine.xcfa[edge].labels;
        let ends = |label: &Label| matches!(label, Label::Free(_) | Label::Dealloc(_));
        if !labels.iter().any(ends) {
            return;
        }
        let [state, ..] = &mut copies.spare;
        let mut host = Script::new(&step.choices);
        for (labels, span) in self.machine.xcfa[edge].statements() {
            for label in &self.machine.xcfa[edge].labels[labels] {
                let earlier = state.memory.instances().to_vec();
                let outcome = (self.machine).step_label(state, tid, edge, label, &mut host);
                // The last step ends where it fails.
                if matches!(outcome, Outcome::Violation(_) | Outcome::Cut(_)) {
                    copies.restore();
                    return;
                }
                if !ends(label) {
                    continue;
                }
                let is_left = |it: &Instance| {
                    !state
                        .memory
                        .instances()
                        .iter()
                        .any(|now| now.base == it.base)
                };
                self.gone
                    .extend(earlier.into_iter().filter(is_left).map(|instance| Gone {
                        instance,
                        freed: matches!(label, Label::Free(_)),
                        thread: step.thread,
                        span,
                    }));
            }
        }
        copies.restore();
    }

    /// What is at an address.
    pub(super) fn target(&self, start: u64, bytes: u64) -> Target {
        if start < FIRST_ADDRESS {
            return Target::Nowhere { address: start };
        }
        let is_inside = |it: &&Gone| start.wrapping_sub(it.instance.base) < it.instance.size.max(1);
        let is_alive = self
            .machine
            .exists(&self.state, crate::Cell::Bytes { start, len: bytes });
        let gone = self.gone.iter().rev().find(is_inside).filter(|_| !is_alive);
        if let Some(gone) = gone {
            return Target::Gone {
                name: self.object_name(gone.instance.obj, gone.instance.base),
                size: gone.instance.size,
                offset: start - gone.instance.base,
                freed: gone.freed,
                by: self.thread_name(gone.thread),
                at: self.place(gone.span),
            };
        }
        match self.nearest(start) {
            Some((obj, base, size)) if start - base < size + NEAR => Target::Object {
                name: self.object_name(obj, base),
                size,
                offset: start - base,
            },
            _ => Target::Unknown { address: start },
        }
    }

    /// The last live object that starts at or before an address, with its start and size.
    fn nearest(&self, addr: u64) -> Option<(ObjId, u64, u64)> {
        let statics = self.machine.layout.statics.iter();
        let statics = statics.map(|range| (range.obj, range.base, range.size));
        let instances = self.state.memory.instances().iter();
        let instances = instances.map(|instance| (instance.obj, instance.base, instance.size));
        let before = statics
            .chain(instances)
            .filter(|&(_, base, _)| base <= addr);
        before.max_by_key(|&(_, base, _)| base)
    }

    /// An object as people call it: its name, or what it is and where its memory comes from.
    pub(super) fn object_name(&self, obj: ObjId, base: u64) -> String {
        let object = &self.machine.xcfa[obj];
        let name = without_copy(&object.name);
        if object.kind != ObjectKind::Heap {
            return format!("`{name}`");
        }
        let known = self.heap.find(base).filter(|it| it.obj == obj);
        let name = match (known, &object.ty) {
            (Some(known), _) => known.name.clone(),
            (None, Some(ty)) => ty.clone(),
            (None, None) => name.split('@').next().unwrap_or(&name).to_owned(),
        };
        match self.place(object.span) {
            Some(place) => format!("{name} ({place})"),
            None => name,
        }
    }

    pub(super) fn thread_name(&self, thread: u32) -> ThreadName {
        let function = self.thread_names.get(thread as usize);
        ThreadName {
            thread,
            function: function.cloned().unwrap_or_default(),
        }
    }
}
