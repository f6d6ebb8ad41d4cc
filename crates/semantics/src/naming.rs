//! Cells and values as text.

use crate::{Cell, Machine, State};
use expr::{FloatKind, ObjId, Sort, VarId, sign_extend};
use xcfa::Shape;

/// A scalar at some place: what to call it and how to print its bits.
pub(crate) struct Named {
    pub name: String,
    sort: Sort,
    signed: bool,
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
        }
    }

    /// Whatever is at these bytes.
    pub fn bytes(machine: &Machine<'_>, state: &State, start: u64, len: u64) -> Named {
        let sort = Sort::Bv(8 * len.clamp(1, 8) as u32);
        let Some((obj, base)) = object_at(machine, state, start) else {
            return Named {
                name: format!("*{start:#x}"),
                sort,
                signed: true,
            };
        };
        let object = &machine.xcfa[obj];
        let mut name = without_copy(&object.name);
        let scalar = descend(&object.shape, start - base, &mut name);
        let (sort, signed) = scalar
            .filter(|(known, _)| known.width() == sort.width())
            .unwrap_or((sort, true));
        Named { name, sort, signed }
    }

    /// Whatever a cell is.
    pub fn cell(machine: &Machine<'_>, state: &State, cell: Cell) -> Named {
        match cell {
            Cell::Var(var) => Named::var(machine, var),
            Cell::Bytes { start, len } => Named::bytes(machine, state, start, len),
        }
    }

    /// Its bits as text; an address as the name of what it points to.
    pub fn show(&self, machine: &Machine<'_>, state: &State, bits: u64) -> String {
        match self.sort {
            Sort::Bool => (bits != 0).to_string(),
            Sort::Float(FloatKind::F32) => f32::from_bits(bits as u32).to_string(),
            Sort::Float(FloatKind::F64) => f64::from_bits(bits).to_string(),
            Sort::Bv(width) if width == machine.xcfa.pointer_bits() && bits >= 0x1000 => {
                match object_at(machine, state, bits) {
                    Some((obj, base)) => address_name(machine, obj, bits - base),
                    None => self.integer(width, bits),
                }
            }
            Sort::Bv(width) => self.integer(width, bits),
        }
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

/// Is this a name of the system's headers, such as a variable inside the macro `atomic_load`? The program
/// does not show it.
pub(crate) fn is_reserved(name: &str) -> bool {
    name.starts_with("__")
}

fn address_name(machine: &Machine<'_>, obj: ObjId, offset: u64) -> String {
    let mut name = format!("&{}", without_copy(&machine.xcfa[obj].name));
    if offset != 0 {
        descend(&machine.xcfa[obj].shape, offset, &mut name);
    }
    name
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

/// Appends the path to the scalar at `offset`: `.next`, `[3]`, or `+8` if the shape is unknown.
fn descend(shape: &Shape, offset: u64, name: &mut String) -> Option<(Sort, bool)> {
    match shape {
        Shape::Scalar { sort, signed } if offset == 0 => Some((*sort, *signed)),
        Shape::Array {
            element,
            stride,
            count,
        } if *stride > 0 && offset / stride < *count => {
            name.push_str(&format!("[{}]", offset / stride));
            descend(element, offset % stride, name)
        }
        Shape::Record(members) => {
            let inside = members.iter().rev().find(|(_, start, _)| *start <= offset);
            let (member, start, shape) = inside?;
            if !member.is_empty() {
                name.push_str(&format!(".{member}"));
            }
            descend(shape, offset - start, name)
        }
        _ => {
            if offset != 0 {
                name.push_str(&format!("+{offset}"));
            }
            None
        }
    }
}
