//! A state as its control and the values of its variables.
//!
//! Control is matched exactly: where the threads are, which have ended, which objects are alive. What
//! is left are numbers, one for each variable that means something there: globals, live locals of
//! each thread, cells of memory, addresses of objects. Together they say everything about a state
//! that matters to what can happen next, so two states with the same control and the same values
//! are one.

use crate::predicates::Variable;
use dataflow::Analysed;
use expr::{ObjId, Sort, VarId};
use rustc_hash::FxHashMap;
use semantics::{Machine, State, Status, Thread, Tid};
use xcfa::{Label, ObjectKind, Scope, Xcfa};

/// What a number in a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// A global variable, by slot.
    Global(u32),
    /// Of a thread, by slot.
    Local(u32, u32),
    /// The condition variable that a thread waits on.
    Waiting(u32),
    /// What a thread returned.
    Result(u32),
    /// How much a thread has allocated.
    HeapUsed(u32),
    /// Bytes of static objects from this one on.
    Static(u32),
    /// Of the object that is so many places behind the first one: its address,
    Base(u32),
    /// its cells,
    Bytes(u32, u32),
    /// and which of its bytes are undefined.
    Undefined(u32, u32),
}

/// How a number is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// How many bits it has; a truth value has one.
    pub sort: Sort,
    /// Flipping this bit orders numbers as the type does.
    pub sign: u64,
}

impl Shape {
    /// Of a variable of the program.
    pub fn of(xcfa: &Xcfa, var: VarId) -> Shape {
        let sort = match xcfa[var].sort {
            Sort::Float(_) => Sort::Bv(xcfa[var].sort.width()),
            sort => sort,
        };
        let sign = match xcfa[var].signed {
            true => 1 << (sort.width() - 1),
            false => 0,
        };
        Shape { sort, sign }
    }

    /// Of a number without a sign.
    pub fn word(width: u32) -> Shape {
        let sort = Sort::Bv(width);
        Shape { sort, sign: 0 }
    }

    /// Of a number with a sign.
    pub fn signed(width: u32) -> Shape {
        let sign = 1 << (width - 1);
        let sort = Sort::Bv(width);
        Shape { sort, sign }
    }
}

/// A variable as it is read.
#[derive(Clone, Copy)]
struct Field {
    slot: u32,
    shape: Shape,
}

/// Where a static object is: its address, its size, and the first of its bytes.
#[derive(Clone, Copy)]
struct Range {
    base: u64,
    size: u64,
    at: u64,
}

/// Projects states.
pub struct Viewer {
    globals: Vec<Field>,
    thread_locals: Vec<Field>,
    /// By location: its live locals.
    live: Vec<Box<[Field]>>,
    /// Where cells of static objects start, and where the last one ends.
    cells: Vec<u32>,
    /// By object: how many bytes a cell has.
    widths: Vec<u64>,
    ranges: Vec<Range>,
    /// What is read in different ways are different variables.
    names: FxHashMap<(Name, Shape), Variable>,
    /// By variable: how it is read.
    shapes: Vec<Shape>,
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
    pub fn new(xcfa: &Analysed, machine: &Machine<'_>) -> Viewer {
        let field = |var: VarId| {
            let slot = machine.layout.slot(var);
            let shape = Shape::of(xcfa, var);
            Field { slot, shape }
        };
        let of_scope = |scope| {
            let wanted = xcfa.var_ids().filter(move |&var| xcfa[var].scope == scope);
            wanted.filter(|&var| var != xcfa.self_var)
        };
        let liveness = xcfa.liveness();
        let live_at = |loc| liveness.live(loc).iter().map(|&var| field(var)).collect();
        let widths = widths(xcfa);
        Viewer {
            globals: of_scope(Scope::Global).map(field).collect(),
            thread_locals: of_scope(Scope::ThreadLocal).map(field).collect(),
            live: xcfa.loc_ids().map(live_at).collect(),
            cells: static_cells(xcfa, &widths),
            widths,
            ranges: ranges(machine),
            names: FxHashMap::default(),
            shapes: Vec::new(),
        }
    }

    /// The number of a variable that has been seen in some state.
    pub fn variable(&self, name: Name, shape: Shape) -> Option<Variable> {
        self.names.get(&(name, shape)).copied()
    }

    /// How a variable is read.
    pub fn shape(&self, variable: Variable) -> Shape {
        self.shapes[variable as usize]
    }

    /// The cell of a static object that has exactly these bytes.
    pub fn static_cell(&self, addr: u64, bytes: u64) -> Option<Variable> {
        let inside = |range: &&Range| addr.wrapping_sub(range.base) < range.size;
        let range = self.ranges.iter().find(inside)?;
        let start = u32::try_from(range.at + (addr - range.base)).ok()?;
        let place = self.cells.binary_search(&start).ok()?;
        let end = self.cells.get(place + 1)?;
        let same = u64::from(end - start) == bytes;
        let shape = Shape::signed(8 * (end - start));
        self.variable(Name::Static(start), shape).filter(|_| same)
    }

    /// Writes down what a state looks like.
    pub fn project(&self, state: &State, view: &mut View) {
        let View { control, values } = view;
        values.clear();
        self.walk(state, control, &mut |_, shape, value| {
            values.push(value ^ shape.sign);
        });
    }

    /// The variables whose values [`Viewer::project`] gives for states with the control of this one.
    pub fn variables(&mut self, state: &State) -> Vec<Variable> {
        let mut found = Vec::new();
        self.walk(state, &mut Vec::new(), &mut |name, shape, _| {
            found.push((name, shape))
        });
        let numbers = found.into_iter().map(|(name, shape)| {
            let next = self.names.len() as Variable;
            *self.names.entry((name, shape)).or_insert_with(|| {
                self.shapes.push(shape);
                next
            })
        });
        numbers.collect()
    }

    fn walk(&self, state: &State, control: &mut Vec<u8>, visit: &mut impl FnMut(Name, Shape, u64)) {
        control.clear();
        if state.ended {
            return;
        }
        put(control, state.threads.len() as u64);
        put(control, state.holder.map_or(0, Tid::handle));
        for field in &self.globals {
            let value = state.globals[field.slot as usize];
            visit(Name::Global(field.slot), field.shape, value);
        }
        for (number, thread) in state.threads.iter().enumerate() {
            self.thread(number as u32, thread, control, visit);
        }
        let statics = state.memory.statics();
        for pair in self.cells.windows(2) {
            let (shape, value) = number(&statics[pair[0] as usize..pair[1] as usize]);
            visit(Name::Static(pair[0]), shape, value);
        }
        self.instances(state, control, visit);
    }

    fn thread(
        &self,
        number: u32,
        thread: &Thread,
        control: &mut Vec<u8>,
        visit: &mut impl FnMut(Name, Shape, u64),
    ) {
        put(control, u64::from(thread.loc.0));
        put(control, thread.status as u64);
        put(control, u64::from(thread.atomic_depth));
        let word = Shape::word(64);
        visit(Name::Waiting(number), word, thread.waiting);
        visit(Name::Result(number), word, thread.result);
        visit(Name::HeapUsed(number), word, thread.heap_used);
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
        let fields = own.map(|field| (field.slot, field.shape));
        let fields = fields.chain((0..callers).map(|slot| (slot, word)));
        let fields = fields.chain(live.iter().map(|field| (base + field.slot, field.shape)));
        for (slot, shape) in fields {
            visit(
                Name::Local(number, slot),
                shape,
                thread.slots[slot as usize],
            );
        }
    }

    fn instances(
        &self,
        state: &State,
        control: &mut Vec<u8>,
        visit: &mut impl FnMut(Name, Shape, u64),
    ) {
        let memory = &state.memory;
        let mut start = 0;
        for (at, instance) in memory.instances().iter().enumerate() {
            put(control, u64::from(instance.obj.0) + 1);
            put(control, instance.size);
            let at = at as u32;
            visit(Name::Base(at), Shape::word(64), instance.base);
            let bytes = &memory.bytes()[start..start + instance.footprint()];
            start += instance.footprint();
            let (contents, undefined) = bytes.split_at(instance.size as usize);
            let width = self.widths[instance.obj.0 as usize];
            for (cell, bytes) in contents.chunks(width as usize).enumerate() {
                let (shape, value) = number(bytes);
                visit(Name::Bytes(at, cell as u32), shape, value);
            }
            for (cell, bytes) in undefined.chunks(8).enumerate() {
                let (shape, value) = number(bytes);
                visit(Name::Undefined(at, cell as u32), shape, value);
            }
        }
    }
}

/// Up to eight bytes as a number, which is taken to be signed.
fn number(bytes: &[u8]) -> (Shape, u64) {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let shape = Shape::signed(8 * bytes.len() as u32);
    (shape, u64::from_le_bytes(word))
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
fn widths(xcfa: &Analysed) -> Vec<u64> {
    let mut widths = vec![8; xcfa.objects.len()];
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        let (addr, bits) = match label {
            Label::Load { var, addr } => (*addr, xcfa[*var].sort.width()),
            Label::Store { addr, value } => (*addr, xcfa.terms.width(*value)),
            Label::Lock { addr, .. } | Label::Unlock { addr, .. } => (*addr, 32),
            _ => continue,
        };
        let bytes = u64::from(bits.div_ceil(8)).min(8);
        for ObjId(object) in xcfa.points_to().objects(xcfa, addr) {
            let width = &mut widths[object as usize];
            *width = bytes.min(*width);
        }
    }
    widths
}

/// Where static objects are; the machine keeps them one after the other.
fn ranges(machine: &Machine<'_>) -> Vec<Range> {
    let mut ranges = Vec::new();
    let mut at = 0;
    for object in machine.xcfa.obj_ids() {
        let definition = &machine.xcfa[object];
        if let ObjectKind::Static { .. } = definition.kind {
            let (base, size) = (machine.layout.base(object), definition.size.unwrap_or(0));
            ranges.push(Range { base, size, at });
            at += size;
        }
    }
    ranges
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
