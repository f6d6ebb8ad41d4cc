//! Where variables and objects live: everything about storage that does not change while running.
//!
//! Static objects have fixed addresses. Each thread has an address region of its own, one half for
//! stack objects and one for the heap objects that it allocates, so that allocations of different
//! threads do not influence each other's addresses (and therefore commute). Between two objects
//! there is always a gap: a pointer one past the end of an object is never the address of another.
//!
//! Addresses on the heap are not used twice, and an object of a block has the same address
//! whenever the block is entered, unless the program could observe it ([`Object::reuses`]). Then the
//! next object on the heap is a new one or takes the place of any such object that was freed and
//! is large enough; and the next one on the stack has one of two addresses.
//!
//! [`Object::reuses`]: xcfa::Object::reuses

use crate::{Property, Tid};
use expr::{ObjId, VarId};
use xcfa::{DataModel, ObjectKind, ProcId, Scope, Xcfa};

/// Where a variable is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Index into the globals of the state.
    Global(u32),
    /// Index into the slots of the thread.
    ThreadLocal(u32),
    /// Index into the current frame of the thread.
    Local(u32),
}

/// A static object that has bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticRange {
    pub base: u64,
    pub size: u64,
    /// Index of its first byte in `Memory::statics`.
    pub at: usize,
    pub obj: ObjId,
    /// Can it be written?
    pub writable: bool,
}

/// Storage of a program.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) slots: Vec<Slot>,
    pub(crate) bases: Vec<u64>,
    pub(crate) statics: Vec<StaticRange>,
    /// Where functions start, in ascending order.
    functions: Vec<u64>,
    pub(crate) static_bytes: usize,
    pub(crate) globals: Vec<VarId>,
    pub(crate) thread_locals: Vec<VarId>,
    pub(crate) frame_sizes: Vec<u32>,
    stack_offsets: Vec<u64>,
    /// Where the other address of a stack object is whose address is open.
    second_offsets: Vec<Option<u64>>,
    stack_size: u64,
    /// Bytes that every heap object whose address is open has room for.
    room: u64,
    /// Bytes between two objects.
    gap: u64,
    regions: Regions,
}

/// The part of the address space that threads share out.
#[derive(Clone, Copy, Debug)]
struct Regions {
    start: u64,
    size: u64,
    count: u64,
}

pub(crate) const FIRST_ADDRESS: u64 = 0x1000;
/// Static objects end below this address. A state has all their bytes, and a search has many states.
const STATIC_END: u64 = 1 << 28;
const ALIGN: u64 = 16;

impl Layout {
    /// Lays out a program with small gaps between objects.
    pub fn new(xcfa: &Xcfa) -> Layout {
        Layout::with_gaps(xcfa, ALIGN)
    }

    /// Lays out a program for a property: for memory safety with gaps that an access beyond the end
    /// of an object seldom crosses.
    pub fn of(xcfa: &Xcfa, property: Property) -> Layout {
        match xcfa.data_model {
            _ if !property.is_memsafety() => Layout::new(xcfa),
            DataModel::Ilp32 => Layout::with_gaps(xcfa, 256),
            DataModel::Lp64 => Layout::with_gaps(xcfa, 4096),
        }
    }

    fn with_gaps(xcfa: &Xcfa, gap: u64) -> Layout {
        let regions = match xcfa.data_model {
            DataModel::Ilp32 => Regions {
                start: STATIC_END,
                size: 1 << 22,
                count: 900,
            },
            DataModel::Lp64 => Regions {
                start: 1 << 40,
                size: 1 << 32,
                count: 1 << 20,
            },
        };
        let mut layout = Layout {
            slots: Vec::with_capacity(xcfa.vars.len()),
            bases: vec![0; xcfa.objects.len()],
            statics: Vec::new(),
            functions: Vec::new(),
            static_bytes: 0,
            globals: Vec::new(),
            thread_locals: Vec::new(),
            frame_sizes: vec![0; xcfa.procs.len()],
            stack_offsets: vec![0; xcfa.objects.len()],
            second_offsets: vec![None; xcfa.objects.len()],
            stack_size: 0,
            room: 0,
            gap,
            regions,
        };
        layout.place_variables(xcfa);
        layout.place_objects(xcfa);
        layout
    }

    fn place_variables(&mut self, xcfa: &Xcfa) {
        for id in xcfa.var_ids() {
            let slot = match xcfa[id].scope {
                Scope::Global => {
                    self.globals.push(id);
                    Slot::Global(self.globals.len() as u32 - 1)
                }
                Scope::ThreadLocal => {
                    self.thread_locals.push(id);
                    Slot::ThreadLocal(self.thread_locals.len() as u32 - 1)
                }
                Scope::Local(proc) => {
                    let size = &mut self.frame_sizes[proc.0 as usize];
                    *size += 1;
                    Slot::Local(*size - 1)
                }
            };
            self.slots.push(slot);
        }
    }

    fn place_objects(&mut self, xcfa: &Xcfa) {
        let mut next = FIRST_ADDRESS;
        for obj in xcfa.obj_ids() {
            let object = &xcfa[obj];
            let size = object.size.unwrap_or(0);
            let align = object.align.max(ALIGN);
            match &object.kind {
                ObjectKind::Static { .. } => {
                    let base = next.next_multiple_of(align);
                    self.bases[obj.0 as usize] = base;
                    let at = self.static_bytes;
                    self.statics.push(StaticRange {
                        base,
                        size,
                        at,
                        obj,
                        writable: !object.constant,
                    });
                    self.static_bytes = self.static_bytes.saturating_add(size as usize);
                    next = beyond(base, size, self.gap);
                }
                ObjectKind::Function(_) => {
                    let base = next.next_multiple_of(ALIGN);
                    self.bases[obj.0 as usize] = base;
                    self.functions.push(base);
                    next = base + ALIGN;
                }
                ObjectKind::Stack => {
                    let offset = self.stack_size.next_multiple_of(align);
                    self.stack_offsets[obj.0 as usize] = offset;
                    self.stack_size = beyond(offset, size, self.gap);
                    if object.reuses {
                        let second = self.stack_size.next_multiple_of(align);
                        self.second_offsets[obj.0 as usize] = Some(second);
                        self.stack_size = beyond(second, size, self.gap);
                    }
                }
                ObjectKind::Heap if object.reuses => {
                    self.room = self.room.max(size.next_multiple_of(ALIGN));
                }
                ObjectKind::Heap => {}
            }
        }
    }

    /// Does a function start at this address?
    pub(crate) fn is_function(&self, address: u64) -> bool {
        self.functions.binary_search(&address).is_ok()
    }

    /// The static object that starts at an address.
    pub(crate) fn static_at(&self, start: u64) -> Option<&StaticRange> {
        let at = self
            .statics
            .binary_search_by_key(&start, |range| range.base);
        at.ok().map(|at| &self.statics[at])
    }

    /// The static objects in the order of their bytes in [`crate::Memory::statics`]: each with its address, its
    /// size, and where its bytes start.
    pub fn static_objects(&self) -> impl Iterator<Item = (ObjId, u64, u64, usize)> + '_ {
        let of = |range: &StaticRange| (range.obj, range.base, range.size, range.at);
        self.statics.iter().map(of)
    }

    /// The first static object that there is no room for, if there is one: such a program has no
    /// states.
    pub fn too_large(&self) -> Option<ObjId> {
        let fits = |range: &&StaticRange| range.base.saturating_add(range.size) < STATIC_END;
        let large = self.statics.iter().find(|range| !fits(range));
        large.map(|range| range.obj)
    }

    /// Address of a static object or function.
    pub fn base(&self, obj: ObjId) -> u64 {
        self.bases[obj.0 as usize]
    }

    /// The index of a variable among the globals, the thread's slots or the frame's.
    pub fn slot(&self, var: VarId) -> u32 {
        match self.slots[var.0 as usize] {
            Slot::Global(slot) | Slot::ThreadLocal(slot) | Slot::Local(slot) => slot,
        }
    }

    /// The variables of a procedure's frame have this many slots.
    pub fn frame_size(&self, proc: ProcId) -> usize {
        self.frame_sizes[proc.0 as usize] as usize
    }

    pub(crate) fn has_region(&self, tid: Tid) -> bool {
        u64::from(tid.0) < self.regions.count
    }

    fn region(&self, tid: Tid) -> u64 {
        self.regions.start + u64::from(tid.0) * self.regions.size
    }

    /// Address of a stack object in a frame at the given depth; `None` if the stack is full.
    pub(crate) fn stack_address(&self, tid: Tid, depth: usize, obj: ObjId) -> Option<u64> {
        self.frame_address(tid, depth, self.stack_offsets[obj.0 as usize])
    }

    /// The other address that a stack object may have, if that is open.
    pub(crate) fn second_address(&self, tid: Tid, depth: usize, obj: ObjId) -> Option<u64> {
        let offset = self.second_offsets[obj.0 as usize]?;
        self.frame_address(tid, depth, offset)
    }

    fn frame_address(&self, tid: Tid, depth: usize, offset: u64) -> Option<u64> {
        let offset = (depth as u64).checked_mul(self.stack_size)? + offset;
        let end = offset.checked_add(self.stack_size)?;
        (end <= self.regions.size / 2).then(|| self.region(tid) + offset)
    }

    /// How many bytes a heap object of this size has room for, if its address is open. All those
    /// whose size the text tells have the same room, so that each may take the place of any other.
    pub(crate) fn room(&self, size: u64) -> u64 {
        self.room
            .max(size.saturating_add(ALIGN - 1) / ALIGN * ALIGN)
    }

    /// The addresses of all stack objects of a thread from this depth on.
    pub fn stack_range(&self, tid: Tid, depth: usize) -> std::ops::Range<u64> {
        let half = self.regions.size / 2;
        let below = (depth as u64).saturating_mul(self.stack_size).min(half);
        self.region(tid) + below..self.region(tid) + half
    }

    /// The thread whose region an address is in.
    pub fn region_at(&self, address: u64) -> Option<Tid> {
        let number = address.checked_sub(self.regions.start)? / self.regions.size;
        (number < self.regions.count).then_some(Tid(number as u32))
    }

    /// The addresses of all heap objects that a thread allocates.
    pub fn heap_range(&self, tid: Tid) -> std::ops::Range<u64> {
        let start = self.region(tid);
        start + self.regions.size / 2..start + self.regions.size
    }

    /// Address of the next heap object of a thread that has allocated `used` bytes before, and
    /// how many it has then; `None` if the region is full.
    pub(crate) fn heap_address(&self, tid: Tid, used: u64, size: u64) -> Option<(u64, u64)> {
        let half = self.regions.size / 2;
        let after = used
            .checked_add(size.checked_next_multiple_of(ALIGN)?)?
            .checked_add(self.gap)?;
        (after <= half).then(|| (self.region(tid) + half + used, after))
    }
}

/// Where the next object may begin, after one of this size. Addresses beyond all bounds are cut, and
/// never used: such an object does not fit.
fn beyond(base: u64, size: u64, gap: u64) -> u64 {
    let end = base.saturating_add(size).saturating_add(gap);
    end.min(u64::MAX >> 2)
}
