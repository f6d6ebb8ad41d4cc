//! C types as sorts, shapes and scalar cells.
//!
//! Nothing here touches an automaton; `long double` and `__int128` have no sort and are refused
//! where a program computes with them.

use crate::Unsupported;
use crate::hir::{FloatType, IntKind, Member, Record, Type};
use expr::{FloatKind, Sort};
use xcfa::{DataModel, Shape, Span};

/// What lowering gives: a result, or the place and reason of a refusal.
pub(super) type Lowered<T> = Result<T, Unsupported>;

/// A scalar inside an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// Offset in bytes.
    pub offset: u64,
    /// What it holds.
    pub sort: Sort,
}

impl Cell {
    /// Size in bytes.
    pub fn size(self) -> u64 {
        u64::from(self.sort.width() / 8)
    }
}

/// Answers questions about types of one program.
#[derive(Clone, Copy)]
pub(super) struct Types<'p> {
    /// Sizes of C's types.
    pub model: DataModel,
    /// Structs and unions.
    pub records: &'p [Record],
}

pub(super) fn is_signed(ty: &Type) -> bool {
    matches!(ty.unqualified(), Type::Int(int) if int.signed && int.kind != IntKind::Bool)
}

pub(super) fn is_bool(ty: &Type) -> bool {
    matches!(ty.unqualified(), Type::Int(int) if int.kind == IntKind::Bool)
}

pub(super) fn is_pointer(ty: &Type) -> bool {
    matches!(ty.unqualified(), Type::Pointer(_))
}

/// Is it a struct or union?
pub(super) fn is_record(ty: &Type) -> bool {
    matches!(ty.unqualified(), Type::Record(_))
}

impl<'p> Types<'p> {
    /// The sort of a scalar type; `None` for aggregates and for scalars that we cannot hold.
    pub fn sort_of(self, ty: &Type) -> Option<Sort> {
        match ty.unqualified() {
            Type::Int(int) if int.kind == IntKind::Int128 => None,
            Type::Int(int) => Some(Sort::Bv(int.size(self.model) as u32 * 8)),
            Type::Float(FloatType::Float) => Some(Sort::Float(FloatKind::F32)),
            Type::Float(FloatType::Double) => Some(Sort::Float(FloatKind::F64)),
            Type::Pointer(_) => Some(Sort::Bv(self.model.pointer_bits())),
            _ => None,
        }
    }

    /// The sort of a type that has to be one, or a refusal.
    pub fn sort(self, ty: &Type, span: Span) -> Lowered<Sort> {
        self.sort_of(ty).ok_or_else(|| {
            let what = match ty.unqualified() {
                Type::Float(FloatType::LongDouble) => "arithmetic in `long double`",
                Type::Int(_) => "arithmetic in `__int128`",
                Type::Void => "the value of a `void` expression",
                _ => "an aggregate where a scalar is needed",
            };
            Unsupported::at(span, what)
        })
    }

    /// Size in bytes, or a refusal.
    pub fn size(self, ty: &Type, span: Span) -> Lowered<u64> {
        ty.size(self.model, self.records)
            .ok_or_else(|| Unsupported::at(span, "an object of incomplete type"))
    }

    /// Alignment in bytes.
    pub fn align(self, ty: &Type) -> u64 {
        ty.align(self.model, self.records).max(1)
    }

    /// The members of a record, none while it is incomplete.
    pub fn members(self, ty: &Type) -> &'p [Member] {
        match ty.unqualified() {
            Type::Record(id) => self.records[id.0 as usize]
                .members
                .as_deref()
                .unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The scalars of a type in order of offset, padding left out; `None` if there are more than
    /// `limit` or if one of them has no sort.
    pub fn cells(self, ty: &Type, limit: usize) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        self.add_cells(ty, 0, limit, &mut cells)?;
        Some(cells)
    }

    fn add_cells(self, ty: &Type, at: u64, limit: usize, out: &mut Vec<Cell>) -> Option<()> {
        match ty.unqualified() {
            Type::Array(element, length) => {
                let stride = element.size(self.model, self.records)?;
                // A flexible array member adds nothing to its record.
                for index in 0..length.unwrap_or(0) {
                    self.add_cells(element, at + index * stride, limit, out)?;
                }
            }
            Type::Record(id) if self.records[id.0 as usize].is_union => {
                out.extend(
                    self.union_cells(ty, limit)?
                        .into_iter()
                        .map(|cell| shift(cell, at)),
                );
            }
            // Nothing but the size is known of a vector, and of other types with which we do not compute.
            Type::Record(_) if self.members(ty).is_empty() => {
                let size = ty.size(self.model, self.records)?;
                let cells = words(size, self.align(ty)).into_iter();
                out.extend(cells.map(|cell| shift(cell, at)));
            }
            Type::Record(_) => {
                for member in self.members(ty).iter().filter(|member| !is_padding(member)) {
                    match member.bits {
                        None => self.add_cells(&member.ty, at + member.offset, limit, out)?,
                        Some(bits) => {
                            let unit = self.bit_unit(ty, &member.ty, member.offset, bits)?;
                            add_unit(shift(unit.cell, at), out);
                        }
                    }
                }
            }
            _ => out.push(Cell {
                offset: at,
                sort: self.sort_of(ty)?,
            }),
        }
        (out.len() <= limit).then_some(())
    }

    /// Where values are of type `_Bool`, and hold nothing but 0 and 1. What is in a union may be anything.
    pub fn truths(self, ty: &Type, at: u64, out: &mut Vec<u64>) {
        match ty.unqualified() {
            Type::Array(element, length) => {
                let stride = element.size(self.model, self.records).unwrap_or(0);
                if self.has_truth(element) {
                    for index in 0..length.unwrap_or(0) {
                        self.truths(element, at + index * stride, out);
                    }
                }
            }
            Type::Record(id) if !self.records[id.0 as usize].is_union => {
                for member in self.members(ty).iter().filter(|it| it.bits.is_none()) {
                    self.truths(&member.ty, at + member.offset, out);
                }
            }
            ty if is_bool(ty) => out.push(at),
            _ => {}
        }
    }

    /// Is a part of it of type `_Bool`?
    pub fn has_truth(self, ty: &Type) -> bool {
        match ty.unqualified() {
            Type::Array(element, _) => self.has_truth(element),
            Type::Record(id) if !self.records[id.0 as usize].is_union => {
                let mut members = self.members(ty).iter();
                members.any(|it| it.bits.is_none() && self.has_truth(&it.ty))
            }
            ty => is_bool(ty),
        }
    }

    /// Are there bytes that belong to no member?
    pub fn has_padding(self, ty: &Type) -> bool {
        match ty.unqualified() {
            Type::Array(element, _) => self.has_padding(element),
            Type::Record(id) if !self.records[id.0 as usize].is_union => {
                let cells = self.cells(ty, super::record::MOST_CELLS);
                let bytes = |cells: Vec<Cell>| cells.into_iter().map(Cell::size).sum();
                cells.map(bytes) != ty.size(self.model, self.records)
            }
            _ => false,
        }
    }

    /// A union is copied as its largest member if the others agree with that member's cells, and
    /// word by word otherwise.
    fn union_cells(self, ty: &Type, limit: usize) -> Option<Vec<Cell>> {
        let size = ty.size(self.model, self.records)?;
        let members = self.members(ty);
        if members.iter().all(|member| member.bits.is_none()) {
            let lists: Option<Vec<_>> = members
                .iter()
                .map(|member| self.cells(&member.ty, limit))
                .collect();
            let lists = lists.unwrap_or_default();
            let largest = lists.iter().max_by_key(|cells| cells.len());
            if let Some(largest) = largest
                && lists.iter().flatten().all(|cell| largest.contains(cell))
            {
                return Some(largest.clone());
            }
        }
        Some(words(size, self.align(ty)))
    }

    /// Where a bit-field is read and written: its storage unit, or a larger scalar if bit-fields
    /// beside it lie outside of that (C11 makes adjacent ones a single memory location), or a smaller one
    /// if a member that is no bit-field lies in there (which is another memory location).
    /// `None` if no scalar holds the field and nothing of such a member.
    pub fn bit_unit(
        self,
        record: &Type,
        declared: &Type,
        offset: u64,
        bits: (u32, u32),
    ) -> Option<BitUnit> {
        let sort = self.sort_of(declared)?;
        let whole = BitUnit {
            cell: Cell { offset, sort },
            first: bits.0,
            width: bits.1,
        };
        let run = self.bit_field_run(record, offset, bits);
        let around = |unit: BitUnit| run.and_then(|run| unit.around(run));
        let own = run.is_none_or(|run| whole.holds(run)).then_some(whole);
        let fits = |unit: &BitUnit| !self.is_crowded(record, unit.cell);
        let choices = [
            own,
            around(whole),
            Some(whole),
            Some(narrow(whole)),
            whole.anywhere(),
        ];
        choices.into_iter().flatten().find(fits)
    }

    /// The first bit of the adjacent bit-fields to which one of a struct belongs, and the bit after the last.
    fn bit_field_run(self, record: &Type, offset: u64, bits: (u32, u32)) -> Option<(u64, u64)> {
        let is_bits = |member: &Member| member.bits.is_some_and(|(_, width)| width > 0);
        let is_own = |member: &Member| (member.offset, member.bits) == (offset, Some(bits));
        let mut runs = self.members(record).split(|member| !is_bits(member));
        let run = runs.find(|run| run.iter().any(is_own))?;
        let range = |member: &Member| {
            let (first, width) = member.bits.unwrap_or_default();
            let start = 8 * member.offset + u64::from(first);
            (start, start + u64::from(width))
        };
        let start = run.iter().map(|member| range(member).0).min()?;
        let end = run.iter().map(|member| range(member).1).max()?;
        Some((start, end))
    }

    /// Does the cell reach into a member of the record that is no bit-field, or beyond its end?
    fn is_crowded(self, record: &Type, cell: Cell) -> bool {
        let end = cell.offset + cell.size();
        if self.size_of_record(record).is_some_and(|size| size < end) {
            return true;
        }
        let is_union = matches!(record.unqualified(), Type::Record(id) if self.records[id.0 as usize].is_union);
        !is_union
            && self.members(record).iter().any(|member| {
                let size = member.ty.size(self.model, self.records).unwrap_or(0);
                member.bits.is_none() && member.offset < end && cell.offset < member.offset + size
            })
    }

    fn size_of_record(self, record: &Type) -> Option<u64> {
        is_record(record)
            .then(|| record.size(self.model, self.records))
            .flatten()
    }

    /// The layout of a type, for cells and printing.
    pub fn shape(self, ty: &Type) -> Shape {
        match ty.unqualified() {
            Type::Array(element, Some(count)) => Shape::Array {
                element: Box::new(self.shape(element)),
                count: *count,
                stride: element.size(self.model, self.records).unwrap_or(1),
            },
            Type::Record(_) if self.members(ty).is_empty() => Shape::Bytes,
            Type::Record(_) => Shape::Record(self.member_shapes(ty)),
            _ => match self.sort_of(ty) {
                Some(sort) => Shape::Scalar {
                    sort,
                    signed: is_signed(ty),
                },
                None => Shape::Bytes,
            },
        }
    }

    fn member_shapes(self, ty: &Type) -> Vec<(String, u64, Shape)> {
        let mut shapes: Vec<(String, u64, Shape)> = Vec::new();
        for member in self.members(ty).iter().filter(|member| !is_padding(member)) {
            let name = member.name.clone().unwrap_or_default();
            let Some(bits) = member.bits else {
                shapes.push((name, member.offset, self.shape(&member.ty)));
                continue;
            };
            let Some(unit) = self.bit_unit(ty, &member.ty, member.offset, bits) else {
                continue;
            };
            let shape = Shape::Scalar {
                sort: unit.cell.sort,
                signed: false,
            };
            let known = shapes
                .iter()
                .any(|(_, at, s)| *at == unit.cell.offset && *s == shape);
            if !known {
                shapes.push((name, unit.cell.offset, shape));
            }
        }
        shapes
    }
}

/// Is it a bit-field without a name, which holds nothing?
fn is_padding(member: &Member) -> bool {
    member
        .bits
        .is_some_and(|(_, width)| width == 0 || member.name.is_none())
}

/// A bit-field inside the scalar through which it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitUnit {
    /// The scalar.
    pub cell: Cell,
    /// First bit within it.
    pub first: u32,
    /// Number of bits.
    pub width: u32,
}

impl BitUnit {
    /// Does the scalar hold all of these bits?
    fn holds(self, (start, end): (u64, u64)) -> bool {
        let own = 8 * self.cell.offset;
        own <= start && end <= own + 8 * self.cell.size()
    }

    /// The field within the smallest scalar that begins with its first byte. `None` if none holds it.
    fn anywhere(self) -> Option<BitUnit> {
        let skipped = self.first / 8;
        let first = self.first % 8;
        let holds = |bytes: &u32| first + self.width <= 8 * bytes;
        let bytes = [1, 2, 4, 8].into_iter().find(holds)?;
        let cell = Cell {
            offset: self.cell.offset + u64::from(skipped),
            sort: Sort::Bv(8 * bytes),
        };
        Some(BitUnit {
            cell,
            first,
            width: self.width,
        })
    }

    /// The field within the smallest aligned scalar that holds these bits. `None` if none does.
    fn around(self, (start, end): (u64, u64)) -> Option<BitUnit> {
        let own = 8 * self.cell.offset;
        let holds = |bytes: &u64| end <= (start / (8 * bytes) + 1) * 8 * bytes;
        let bytes = [1, 2, 4, 8].into_iter().find(holds)?;
        let offset = start / (8 * bytes) * bytes;
        let cell = Cell {
            offset,
            sort: Sort::Bv(8 * bytes as u32),
        };
        let first = (own + u64::from(self.first) - 8 * offset) as u32;
        Some(BitUnit {
            cell,
            first,
            width: self.width,
        })
    }
}

/// The smallest aligned scalar inside the unit that holds all bits of the field.
pub(super) fn narrow(unit: BitUnit) -> BitUnit {
    let mut bytes = 1;
    while bytes < unit.cell.size() as u32 {
        let start = unit.first / (8 * bytes) * (8 * bytes);
        if unit.first + unit.width <= start + 8 * bytes {
            let cell = Cell {
                offset: unit.cell.offset + u64::from(start / 8),
                sort: Sort::Bv(8 * bytes),
            };
            return BitUnit {
                cell,
                first: unit.first - start,
                width: unit.width,
            };
        }
        bytes *= 2;
    }
    unit
}

/// `size` bytes as words of the alignment, then bytes.
pub(super) fn words(size: u64, align: u64) -> Vec<Cell> {
    let word = align.clamp(1, 8);
    let mut cells = Vec::new();
    let mut offset = 0;
    while offset < size {
        let width = if offset + word <= size { word } else { 1 };
        cells.push(Cell {
            offset,
            sort: Sort::Bv(width as u32 * 8),
        });
        offset += width;
    }
    cells
}

/// Adds the cell of a bit-field. Fields of one unit share its cell; units of different sizes may
/// overlap, and then all of their bytes are there one by one.
fn add_unit(unit: Cell, out: &mut Vec<Cell>) {
    let others: Vec<Cell> = out.iter().copied().filter(|o| overlap(*o, unit)).collect();
    if others.is_empty() {
        out.push(unit);
        return;
    }
    let end = |cell: &Cell| cell.offset + cell.size();
    let within = |o: &Cell| o.offset <= unit.offset && end(&unit) <= end(o);
    if others.iter().any(within) {
        return;
    }
    out.retain(|other| !overlap(*other, unit));
    let all = || others.iter().chain([&unit]);
    let first = all().map(|cell| cell.offset).min().unwrap_or(unit.offset);
    let last = all().map(end).max().unwrap_or(first);
    let covered = |byte: &u64| all().any(|cell| cell.offset <= *byte && *byte < end(cell));
    let bytes = (first..last).filter(covered);
    out.extend(bytes.map(|offset| Cell {
        offset,
        sort: Sort::Bv(8),
    }));
}

fn shift(cell: Cell, by: u64) -> Cell {
    Cell {
        offset: cell.offset + by,
        ..cell
    }
}

/// Do two cells share a byte?
pub(super) fn overlap(a: Cell, b: Cell) -> bool {
    a.offset < b.offset + b.size() && b.offset < a.offset + a.size()
}
