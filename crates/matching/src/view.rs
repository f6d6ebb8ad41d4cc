//! A state as its control and the values of its variables.
//!
//! Control is matched exactly: where the threads are, who has ended, which objects are alive. What
//! is left are numbers, one for each variable that means something there: globals, live locals of
//! each thread, cells of memory, addresses of objects. Together they say everything about a state
//! that matters to what can happen next, so two states with the same control and the same values
//! are one.

use crate::predicates::Variable;
use expr::{ObjId, VarId};
use passes::{Liveness, PointsTo};
use rustc_hash::FxHashMap;
use semantics::{Machine, State, Status, Thread, Tid};
use xcfa::{Label, ObjectKind, Scope, Xcfa};

/// What a number in a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Global(u32),
    /// Of a thread, by slot.
    Local(u32, u32),
    /// The condition variable that a thread waits on, what it returned, how much it has allocated.
    Waiting(u32),
    Result(u32),
    HeapUsed(u32),
    /// Bytes of static objects from this one on.
    Static(u32),
    /// Of the object that is so many places behind the first one: address, bytes, undefined bytes.
    Base(u32),
    Bytes(u32, u32),
    Undefined(u32, u32),
}

/// A variable as it is read: its slot, and how it is ordered.
#[derive(Clone, Copy)]
struct Field {
    slot: u32,
    /// Flipping this bit orders numbers as the type does.
    sign: u64,
}

/// Looks at states.
pub struct Viewer {
    globals: Vec<Field>,
    thread_locals: Vec<Field>,
    /// By location: its live locals.
    live: Vec<Box<[Field]>>,
    /// Where cells of static objects start, and where the last one ends.
    cells: Vec<u32>,
    /// By object: how many bytes a cell has.
    widths: Vec<u64>,
    names: FxHashMap<Name, Variable>,
}

/// What a state looks like.
#[derive(Default)]
pub struct View {
    /// Control, as bytes.
    pub control: Vec<u8>,
    /// The values of variables; which they are depends on control alone.
    pub values: Vec<u64>,
}

impl Viewer {
    /// For the states of a machine.
    pub fn new(machine: &Machine<'_>) -> Viewer {
        let xcfa = machine.xcfa;
        let field = |var: VarId| {
            let sort = xcfa[var].sort;
            let sign = match xcfa[var].signed {
                true => 1 << (sort.width() - 1),
                false => 0,
            };
            let slot = machine.layout.slot(var);
            Field { slot, sign }
        };
        let of_scope = |scope| {
            let wanted = xcfa.var_ids().filter(move |&var| xcfa[var].scope == scope);
            wanted.filter(|&var| var != xcfa.self_var)
        };
        let liveness = Liveness::of(xcfa);
        let live_at = |loc| liveness.live(loc).iter().map(|&var| field(var)).collect();
        let widths = widths(xcfa);
        Viewer {
            globals: of_scope(Scope::Global).map(field).collect(),
            thread_locals: of_scope(Scope::ThreadLocal).map(field).collect(),
            live: xcfa.loc_ids().map(live_at).collect(),
            cells: static_cells(xcfa, &widths),
            widths,
            names: FxHashMap::default(),
        }
    }

    /// Writes down what a state looks like.
    pub fn look(&self, state: &State, view: &mut View) {
        let View { control, values } = view;
        values.clear();
        self.walk(state, control, &mut |_, value| values.push(value));
    }

    /// The variables whose values [`Viewer::look`] gives for states with the control of this one.
    pub fn variables(&mut self, state: &State) -> Vec<Variable> {
        let mut names = Vec::new();
        self.walk(state, &mut Vec::new(), &mut |name, _| names.push(name));
        let numbers = names.into_iter().map(|name| {
            let next = self.names.len() as Variable;
            *self.names.entry(name).or_insert(next)
        });
        numbers.collect()
    }

    fn walk(&self, state: &State, control: &mut Vec<u8>, visit: &mut impl FnMut(Name, u64)) {
        control.clear();
        if state.ended {
            return;
        }
        put(control, state.threads.len() as u64);
        put(control, state.holder.map_or(0, Tid::handle));
        for field in &self.globals {
            let value = state.globals[field.slot as usize] ^ field.sign;
            visit(Name::Global(field.slot), value);
        }
        for (number, thread) in state.threads.iter().enumerate() {
            self.thread(number as u32, thread, control, visit);
        }
        let statics = state.memory.statics();
        for pair in self.cells.windows(2) {
            let value = number(&statics[pair[0] as usize..pair[1] as usize]);
            visit(Name::Static(pair[0]), value);
        }
        self.instances(state, control, visit);
    }

    fn thread(
        &self,
        number: u32,
        thread: &Thread,
        control: &mut Vec<u8>,
        visit: &mut impl FnMut(Name, u64),
    ) {
        put(control, u64::from(thread.loc.0));
        put(control, thread.status as u64);
        put(control, u64::from(thread.atomic_depth));
        visit(Name::Waiting(number), thread.waiting);
        visit(Name::Result(number), thread.result);
        visit(Name::HeapUsed(number), thread.heap_used);
        if thread.status != Status::Running {
            return;
        }
        // Calls that have not returned: recursion is rare, so their frames are taken whole.
        put(control, thread.frames.len() as u64);
        for frame in &thread.frames {
            put(control, u64::from(frame.call.0));
        }
        let base = thread.base;
        let live = &self.live[thread.loc.0 as usize];
        let callers = if thread.frames.is_empty() { 0 } else { base };
        let own = self.thread_locals.iter().filter(|_| callers == 0);
        let fields = own.map(|field| (field.slot, field.sign));
        let fields = fields.chain((0..callers).map(|slot| (slot, 0)));
        let fields = fields.chain(live.iter().map(|field| (base + field.slot, field.sign)));
        for (slot, sign) in fields {
            let value = thread.slots[slot as usize] ^ sign;
            visit(Name::Local(number, slot), value);
        }
    }

    fn instances(&self, state: &State, control: &mut Vec<u8>, visit: &mut impl FnMut(Name, u64)) {
        let memory = &state.memory;
        let mut start = 0;
        for (at, instance) in memory.instances().iter().enumerate() {
            put(control, u64::from(instance.obj.0) + 1);
            put(control, instance.size);
            let at = at as u32;
            visit(Name::Base(at), instance.base);
            let bytes = &memory.bytes()[start..start + instance.footprint()];
            start += instance.footprint();
            let (contents, undefined) = bytes.split_at(instance.size as usize);
            let width = self.widths[instance.obj.0 as usize];
            for (cell, bytes) in contents.chunks(width as usize).enumerate() {
                visit(Name::Bytes(at, cell as u32), number(bytes));
            }
            for (cell, bytes) in undefined.chunks(8).enumerate() {
                visit(Name::Undefined(at, cell as u32), number(bytes));
            }
        }
    }
}

/// Up to eight bytes as a number, in the order of signed ones.
fn number(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let sign = 1 << (8 * bytes.len() - 1);
    u64::from_le_bytes(word) ^ sign
}

/// Seven bits a byte, lowest first.
fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// By object: the width of the smallest access to it.
fn widths(xcfa: &Xcfa) -> Vec<u64> {
    let points_to = PointsTo::of(xcfa);
    let mut widths = vec![8; xcfa.objects.len()];
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        let (addr, bits) = match label {
            Label::Load { var, addr } => (*addr, xcfa[*var].sort.width()),
            Label::Store { addr, value } => (*addr, xcfa.terms.width(*value)),
            Label::Lock { addr, .. } | Label::Unlock { addr, .. } => (*addr, 32),
            _ => continue,
        };
        let bytes = u64::from(bits.div_ceil(8)).min(8);
        for ObjId(object) in points_to.objects(xcfa, addr) {
            let width = &mut widths[object as usize];
            *width = bytes.min(*width);
        }
    }
    widths
}

/// Where the cells of static objects start; the machine keeps these objects one after the other.
fn static_cells(xcfa: &Xcfa, widths: &[u64]) -> Vec<u32> {
    let mut cells = Vec::new();
    let mut end = 0;
    for (object, &width) in xcfa.objects.iter().zip(widths) {
        if let ObjectKind::Static { .. } = object.kind {
            let size = object.size.unwrap_or(0);
            let starts = (end..end + size).step_by(width as usize);
            cells.extend(starts.map(|at| at as u32));
            end += size;
        }
    }
    cells.push(end as u32);
    cells
}
