//! Cells and values as text.

use crate::layout::FIRST_ADDRESS;
use crate::{Cell, HeapNames, Machine, State};
use expr::{FloatKind, ObjId, Sort, VarId, sign_extend};
use xcfa::{ObjectKind, Shape};

/// Signed numbers from here on are rather addresses of stack or heap objects.
const UNLIKELY_NUMBER: u64 = 1 << 40;

/// A scalar at some place: what to call it and how to print its bits.
pub(crate) struct Named {
    pub name: String,
    sort: Sort,
    signed: bool,
    /// Is it the first word of an object of the library that says no more of its parts, as a semaphore does? Its value is what
    /// the semaphore counts.
    pub counts: bool,
}

impl Named {
    /// A variable of the program.
    pub fn var(machine: &Machine<'_>, var: VarId) -> Named {
        let var = &machine.xcfa[var];
        // Whose local it is, the column tells.
        Named {
            name: without_copy(var.shown().unwrap_or(&var.name)),
            sort: var.sort,
            signed: var.signed,
            counts: false,
        }
    }

    /// Whatever is at these bytes.
    pub fn bytes(at: Namer<'_>, start: u64, len: u64) -> Named {
        let sort = Sort::Bv(8 * len.clamp(1, 8) as u32);
        let Some((mut name, shape, offset)) = at.object(start) else {
            return Named {
                name: format!("*{start:#x}"),
                sort,
                signed: true,
                counts: false,
            };
        };
        let scalar = descend(shape, offset, &mut name, Until::Scalar);
        let (sort, signed) = scalar
            .filter(|(known, _)| known.width() == sort.width())
            .unwrap_or((sort, true));
        Named {
            name,
            sort,
            signed,
            counts: counts(shape, offset),
        }
    }

    /// Whatever a cell is.
    pub fn cell(at: Namer<'_>, cell: Cell) -> Named {
        match cell {
            Cell::Var(var) => Named::var(at.machine, var),
            Cell::Bytes { start, len } => Named::bytes(at, start, len),
        }
    }

    /// Its bits as text; an address as the name of what it points to.
    pub fn show(&self, at: Namer<'_>, bits: u64) -> String {
        match self.sort {
            Sort::Bool => (bits != 0).to_string(),
            Sort::Float(FloatKind::F32) => f32::from_bits(bits as u32).to_string(),
            Sort::Float(FloatKind::F64) => f64::from_bits(bits).to_string(),
            Sort::Bv(width) => {
                let address = self.may_point(at.machine, bits).then(|| at.address(bits));
                address
                    .flatten()
                    .unwrap_or_else(|| self.integer(width, bits))
            }
        }
    }

    /// May these bits be an address? A signed number is none, unless it is too large for anything else.
    fn may_point(&self, machine: &Machine<'_>, bits: u64) -> bool {
        let wide = self.sort.width() == machine.xcfa.pointer_bits();
        wide && bits >= FIRST_ADDRESS && (!self.signed || bits >= UNLIKELY_NUMBER)
    }

    fn integer(&self, width: u32, bits: u64) -> String {
        if self.signed {
            sign_extend(bits, width).to_string()
        } else {
            bits.to_string()
        }
    }
}

/// The name of an object without the number of the copy that inlining made: `value` for `value#2`.
pub(crate) fn without_copy(name: &str) -> String {
    let Some((before, after)) = name.split_once('#').filter(|_| !name.starts_with('"')) else {
        return name.to_owned();
    };
    before.to_owned() + after.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// Is this a name of the system's headers, such as a variable inside the macro `atomic_load`, or a word inside a barrier? The
/// program does not show it.
pub(crate) fn is_reserved(name: &str) -> bool {
    name.starts_with("__") || name.contains(".__")
}

/// Where the name of an object of the library ends and that of a part of it begins.
const WORDS_OF_OBJECTS: [&str; 3] = [".__data", ".__size", ".__align"];

/// The object of the library of which this is a word: a lock, a semaphore, a barrier.
pub(crate) fn object_of_word(name: &str) -> Option<&str> {
    let ends = WORDS_OF_OBJECTS.iter().filter_map(|word| name.find(word));
    ends.min().map(|end| &name[..end])
}

/// Where names are looked up: a state, and the heap objects that led to it.
#[derive(Clone, Copy)]
pub(crate) struct Namer<'a> {
    pub machine: &'a Machine<'a>,
    pub state: &'a State,
    pub heap: &'a HeapNames,
}

impl<'a> Namer<'a> {
    /// The object at an address: its name, its shape, and where in it the address is.
    fn object(self, addr: u64) -> Option<(String, &'a Shape, u64)> {
        let made = self.heap.find(addr);
        let (obj, base) = match object_at(self.machine, self.state, addr) {
            Some(alive) => alive,
            None => made.map(|made| (made.obj, made.base))?,
        };
        let object = &self.machine.xcfa[obj];
        let name = match (&object.kind, made) {
            (ObjectKind::Heap, Some(made)) if made.base == base => made.name.clone(),
            (ObjectKind::Stack, _) => without_function(&without_copy(&object.name)),
            _ => without_copy(&object.name),
        };
        Some((name, &object.shape, addr - base))
    }

    /// An address by name: `&pool.queue`, `worker`, `&struct task #2 (freed)`.
    pub fn address(self, addr: u64) -> Option<String> {
        if let Some(function) = self.function(addr) {
            return Some(function);
        }
        let (name, shape, offset) = self.object(addr)?;
        let mut name = format!("&{name}");
        descend(shape, offset, &mut name, Until::Start);
        let is_alive = object_at(self.machine, self.state, addr).is_some();
        if !is_alive {
            name += " (freed)";
        }
        Some(name)
    }

    fn function(self, addr: u64) -> Option<String> {
        let xcfa = &self.machine.xcfa;
        let mut objects = xcfa.obj_ids();
        let obj = objects.find(|&obj| {
            matches!(xcfa[obj].kind, ObjectKind::Function(_))
                && self.machine.layout.base(obj) == addr
        })?;
        Some(without_copy(&xcfa[obj].name))
    }
}

/// The name of a local without the function that it is in: whose it is, the column tells.
fn without_function(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

fn object_at(machine: &Machine<'_>, state: &State, addr: u64) -> Option<(ObjId, u64)> {
    let statics = &machine.layout.statics;
    let after = statics.partition_point(|range| range.base <= addr);
    if let Some(range) = after.checked_sub(1).map(|at| &statics[at])
        && addr - range.base < range.size.max(1)
    {
        return Some((range.obj, range.base));
    }
    state
        .memory
        .instance_at(addr)
        .map(|instance| (instance.obj, instance.base))
}

/// How far to go into an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// To the scalar at the place.
    Scalar,
    /// To the largest part that starts there.
    Start,
}

/// Is this the first word of a union of bytes and a number, as the library declares a semaphore?
fn counts(shape: &Shape, offset: u64) -> bool {
    match shape {
        Shape::Array {
            element, stride, ..
        } if *stride > 0 => counts(element, offset % stride),
        Shape::Record(members) => {
            let plain = |name: &str| matches!(name, "__size" | "__align");
            if !members.is_empty() && members.iter().all(|(name, ..)| plain(name)) {
                return offset == 0;
            }
            let inside = members.iter().rev().find(|(_, start, _)| *start <= offset);
            inside.is_some_and(|(_, start, shape)| counts(shape, offset - start))
        }
        _ => false,
    }
}

/// Appends the path to what is at `offset`: `.next`, `[3]`, or `+8` if the shape is unknown.
fn descend(shape: &Shape, offset: u64, name: &mut String, until: Until) -> Option<(Sort, bool)> {
    match shape {
        Shape::Scalar { sort, signed } if offset == 0 => Some((*sort, *signed)),
        _ if offset == 0 && until == Until::Start => None,
        Shape::Array {
            element,
            stride,
            count,
        } if *stride > 0 && offset / stride < *count => {
            name.push_str(&format!("[{}]", offset / stride));
            descend(element, offset % stride, name, until)
        }
        Shape::Record(members) => {
            let inside = members.iter().rev().find(|(_, start, _)| *start <= offset);
            let (member, start, shape) = inside?;
            if !member.is_empty() {
                name.push_str(&format!(".{member}"));
            }
            descend(shape, offset - start, name, until)
        }
        _ => {
            if offset != 0 {
                name.push_str(&format!("+{offset}"));
            }
            None
        }
    }
}
