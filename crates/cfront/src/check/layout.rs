//! Layout of structs and unions, as GCC does it on x86.

use super::Checker;
use super::attributes::only_about_types;
use super::fault::{Typed, beyond, wrong};
use crate::ast::{self, Attr, MemberDecl, RecordSpec};
use crate::hir::{Member, Record, RecordId, Type};
use xcfa::Span;

/// A record being laid out.
struct Layout {
    is_union: bool,
    packed: bool,
    pack: Option<u64>,
    members: Vec<Member>,
    /// First free bit.
    bits: u64,
    /// Bytes of the largest member of a union.
    largest: u64,
    align: u64,
}

impl Checker<'_> {
    /// Lays out the members of a record that is defined here.
    pub fn define_record(&mut self, id: RecordId, spec: &RecordSpec) -> Typed<()> {
        let members = spec.members.as_deref().unwrap_or_default();
        spec.attrs.iter().try_for_each(only_about_types)?;
        let is_packed = |attrs: &[Attr]| attrs.iter().any(|attr| matches!(attr, Attr::Packed));
        let mut layout = Layout {
            is_union: spec.is_union,
            packed: is_packed(&spec.attrs),
            pack: spec.pack,
            members: Vec::new(),
            bits: 0,
            largest: 0,
            align: 1,
        };
        for member in members {
            match member {
                MemberDecl::StaticAssert(cond, span) => self.static_assert(cond, *span)?,
                MemberDecl::Members(specs, declarators) => {
                    let base = self.specs_type(specs)?;
                    specs.attrs.iter().try_for_each(only_about_types)?;
                    let aligned = self.asked_alignment(&specs.attrs)?;
                    if declarators.is_empty() {
                        if let Type::Record(_) = base {
                            let align = self.align_of(&base);
                            self.place(
                                &mut layout,
                                None,
                                base,
                                (align, aligned),
                                None,
                                specs.span,
                            )?;
                        }
                        continue;
                    }
                    for (declarator, width) in declarators {
                        let ty = self.declared_type(declarator, base.clone())?;
                        let name = declarator.name.map(|name| self.name(name));
                        self.only_type_attributes(specs, declarator)?;
                        let own = self.asked_alignment(&declarator.attrs)?;
                        let aligned = aligned.max(own);
                        let named = self.named_alignment(specs, declarator);
                        let natural = named.unwrap_or_else(|| self.align_of(&ty));
                        let width = match width {
                            Some(width) => Some(self.count_constant(width, "the width")?),
                            None => None,
                        };
                        let packed = is_packed(&declarator.attrs) || is_packed(&specs.attrs);
                        let before = layout.packed;
                        layout.packed |= packed;
                        let aligns = (natural, aligned);
                        self.place(&mut layout, name, ty, aligns, width, declarator.span)?;
                        layout.packed = before;
                    }
                }
            }
        }
        let asked = self.asked_alignment(&spec.attrs)?.unwrap_or(1);
        let align = layout.align.max(asked);
        let bytes = if layout.is_union {
            layout.largest
        } else {
            layout.bits.div_ceil(8)
        };
        let record = &mut self.linked.records[id.0 as usize];
        record.size = bytes.next_multiple_of(align);
        record.align = align;
        record.members = Some(layout.members);
        Ok(())
    }

    /// Finds room for a member whose type has one alignment, and which asks for another.
    fn place(
        &self,
        layout: &mut Layout,
        name: Option<String>,
        ty: Type,
        (natural, aligned): (u64, Option<u64>),
        width: Option<u64>,
        span: Span,
    ) -> Typed<()> {
        // A flexible array member takes no room.
        let size = match &ty {
            Type::Array(_, None) => 0,
            other => self.complete_size(other, span)?,
        };
        let mut align = if layout.packed { 1 } else { natural };
        align = align.max(aligned.unwrap_or(1));
        align = align.min(layout.pack.unwrap_or(align));
        let (offset, bits) = match width {
            None => {
                layout.align = layout.align.max(align);
                let offset = if layout.is_union {
                    0
                } else {
                    layout.bits.div_ceil(8).next_multiple_of(align)
                };
                layout.bits = 8 * (offset + size);
                layout.largest = layout.largest.max(size);
                (offset, None)
            }
            Some(width) => match self.place_bits(layout, &name, size, align, width, span)? {
                Some((offset, bits)) => (offset, Some(bits)),
                // It parts the bit-fields on both sides of it.
                None => (layout.bits / 8, Some((0, 0))),
            },
        };
        layout.members.push(Member {
            name,
            ty,
            offset,
            bits,
        });
        Ok(())
    }

    /// Finds room for a bit-field: its storage unit, and its bits in there.
    fn place_bits(
        &self,
        layout: &mut Layout,
        name: &Option<String>,
        size: u64,
        align: u64,
        width: u64,
        span: Span,
    ) -> Typed<Option<(u64, (u32, u32))>> {
        let unit = 8 * size;
        if width > unit {
            return Err(wrong(span, "this bit-field is wider than its type"));
        }
        if layout.is_union {
            layout.bits = 0;
        }
        if width == 0 {
            layout.bits = layout.bits.next_multiple_of(8 * align.max(1));
            return Ok(None);
        }
        // Where storage units may begin: `long long` is 8 bytes long on i386, but begins at any 4.
        let step = match layout.packed {
            true => size,
            false => align.min(size),
        };
        if !layout.packed && layout.bits % (8 * step) + width > unit {
            layout.bits = layout.bits.next_multiple_of(8 * align);
        }
        if name.is_some() {
            layout.align = layout.align.max(align);
        }
        let start = layout.bits;
        let offset = start / (8 * step) * step;
        let first = start - 8 * offset;
        if first + width > unit {
            return Err(beyond(span, "packed bit-field across two storage units"));
        }
        layout.bits += width;
        layout.largest = layout.largest.max(layout.bits.div_ceil(8));
        Ok(Some((offset, (first as u32, width as u32))))
    }

    /// The alignment that attributes ask for.
    pub fn asked_alignment(&mut self, attrs: &[Attr]) -> Typed<Option<u64>> {
        let mut asked = None;
        for attr in attrs {
            let align = match attr {
                Attr::Aligned(None) => 16,
                Attr::Aligned(Some(expr)) => self.count_constant(expr, "the alignment")?,
                Attr::AlignedAs(ty) => {
                    let ty = self.type_name(ty)?;
                    self.align_of(&ty)
                }
                _ => continue,
            };
            asked = asked.max(Some(align.max(1)));
        }
        Ok(asked)
    }

    /// A record of which only the size is known, for types with which nothing is computed.
    pub fn opaque_record(&mut self, name: &str, size: u64, align: u64) -> Type {
        let id = RecordId(self.linked.records.len() as u32);
        self.linked.records.push(Record {
            tag: Some(name.to_owned()),
            is_union: false,
            members: Some(Vec::new()),
            size,
            align,
        });
        Type::Record(id)
    }

    /// Checks `_Static_assert`.
    pub fn static_assert(&mut self, cond: &ast::Expr, span: Span) -> Typed<()> {
        match self.int_constant(cond)? {
            (0, _) => Err(wrong(span, "this static assertion fails")),
            _ => Ok(()),
        }
    }
}
