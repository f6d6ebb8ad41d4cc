//! Places: what lvalues name, and how they are read and written.

use super::bounds::Element;
use super::function::FunctionLowering;
use super::program::Storage;
use super::types::{BitUnit, Lowered, is_pointer, is_signed};
use crate::Unsupported;
use crate::hir::{Expr, ExprKind, Field, Type};
use expr::{Op, Sort, Term, VarId};
use xcfa::{Label, MemoryOrder, Scope, Span};

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In a variable.
    Var(VarId),
    /// In memory.
    Memory(Term),
    /// In some bits of a scalar at this address.
    Bits(Term, BitUnit),
}

/// A place with what an access needs to know of its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lvalue {
    /// Where.
    pub home: Home,
    /// The sort of its values; `None` for aggregates.
    pub sort: Option<Sort>,
    /// Are its values pointers?
    pub pointer: bool,
    /// Are its values signed? (Bit-fields are extended accordingly.)
    pub signed: bool,
    /// Is each access atomic?
    pub atomic: bool,
    /// The memory order of an atomic access.
    pub order: Option<MemoryOrder>,
}

/// What an lvalue is evaluated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// To read or write it.
    Access,
    /// For its address alone, which may be one past the end of an array.
    Address,
}

impl FunctionLowering<'_, '_> {
    /// The place that an lvalue names, to be read or written; parts with effects are evaluated.
    pub fn place(&mut self, expr: &Expr) -> Lowered<Lvalue> {
        self.place_for(expr, Use::Access)
    }

    fn place_for(&mut self, expr: &Expr, wanted: Use) -> Lowered<Lvalue> {
        let home = match &expr.kind {
            ExprKind::Global(id) => match self.ctx.globals.get(id) {
                Some(&storage) => self.storage_home(storage, expr.span),
                None => return Err(Unsupported::at(expr.span, "a global that is not in use")),
            },
            ExprKind::Local(id) => self.local_home(*id, expr.span)?,
            ExprKind::Deref(pointer) => match (wanted, Element::of(pointer)) {
                (Use::Access, Some(element)) if self.checks_bounds(&element) => {
                    Home::Memory(self.element(&element, expr.span)?)
                }
                _ => Home::Memory(self.value(pointer)?),
            },
            ExprKind::Member(record, field) => {
                let base = self.address_for(record, wanted)?;
                return self.member(base, &record.ty, field, expr);
            }
            ExprKind::CompoundLiteral(id, init) => {
                self.compound_literal(*id, init, expr.span)?;
                self.local_home(*id, expr.span)?
            }
            ExprKind::MemberOfValue(record, field) => {
                let base = self.record_value(record)?;
                return self.member(base, &record.ty, field, expr);
            }
            _ if super::types::is_record(&expr.ty) => Home::Memory(self.record_value(expr)?),
            _ => return Err(Unsupported::at(expr.span, "a place of this form")),
        };
        Ok(self.typed_place(home, &expr.ty))
    }

    /// A place of a type.
    pub fn typed_place(&self, home: Home, ty: &Type) -> Lvalue {
        Lvalue {
            home,
            sort: self.types().sort_of(ty),
            pointer: is_pointer(ty),
            signed: is_signed(ty),
            atomic: matches!(ty, Type::Atomic(_)),
            order: Some(MemoryOrder::SeqCst),
        }
    }

    /// A member of the record at `base`.
    pub fn member(
        &mut self,
        base: Term,
        record: &Type,
        field: &Field,
        expr: &Expr,
    ) -> Lowered<Lvalue> {
        let home = match field.bits {
            None => Home::Memory(self.offset(base, field.offset)),
            Some(bits) => {
                let unit = self.types().bit_unit(record, &expr.ty, field.offset, bits);
                let unit =
                    unit.ok_or_else(|| Unsupported::at(expr.span, "a bit-field this wide"))?;
                Home::Bits(self.offset(base, unit.cell.offset), unit)
            }
        };
        Ok(self.typed_place(home, &expr.ty))
    }

    fn local_home(&mut self, id: crate::hir::LocalId, span: Span) -> Lowered<Home> {
        match self.locals[id.0 as usize] {
            Some(storage) => Ok(self.storage_home(storage, span)),
            None => Err(Unsupported::at(
                span,
                "a local that is used outside its block",
            )),
        }
    }

    fn storage_home(&mut self, storage: Storage, span: Span) -> Home {
        match storage {
            Storage::Var(var) => Home::Var(var),
            Storage::Static(address) => Home::Memory(address),
            Storage::Stack(pointer) => Home::Memory(self.read_var(pointer)),
            Storage::ThreadLocal(pointer) => {
                let address = self.read_var(pointer);
                Home::Memory(self.keep(address, span))
            }
        }
    }

    /// The address of an lvalue that is in memory, to read or write what is there.
    pub fn address(&mut self, expr: &Expr) -> Lowered<Term> {
        self.address_for(expr, Use::Access)
    }

    /// The address of an lvalue that is in memory.
    pub fn address_for(&mut self, expr: &Expr, wanted: Use) -> Lowered<Term> {
        match self.place_for(expr, wanted)?.home {
            Home::Memory(address) => Ok(address),
            Home::Bits(..) => Err(Unsupported::at(expr.span, "the address of a bit-field")),
            Home::Var(_) => Err(Unsupported::at(
                expr.span,
                "the address of a variable that is not in memory",
            )),
        }
    }

    /// The value in a scalar place.
    pub fn read(&mut self, place: Lvalue, span: Span) -> Lowered<Term> {
        let sort = self.scalar_sort(place, span)?;
        match place.home {
            Home::Var(var) if self.is_private(var) => Ok(self.read_var(var)),
            // Some compilers compute with all bits of the declared type, gcc only with the field's.
            Home::Bits(_, unit) if unit.width > 32 && unit.width < sort.width() => {
                let what = "the value of a bit-field that is wider than `int`";
                Err(Unsupported::at(span, what))
            }
            Home::Bits(addr, unit) => {
                let temp = self.temp(unit.cell.sort);
                self.emit(Label::Load { var: temp, addr }, span);
                let whole = self.read_var(temp);
                let bits = self
                    .terms()
                    .extract(whole, unit.first + unit.width - 1, unit.first);
                Ok(self.terms().resize(bits, sort.width(), place.signed))
            }
            _ => {
                let temp = self.temp_for(place, sort);
                let label = self.read_label(place, temp);
                self.emit_access(label, place, span);
                Ok(self.read_var(temp))
            }
        }
    }

    /// The access to a place as a step of its own.
    fn emit_access(&mut self, label: Label, place: Lvalue, span: Span) {
        match place.atomic {
            true => self.emit_ordered(vec![label], place.order, span),
            false => self.emit(label, span),
        }
    }

    /// A temporary for the value of a place.
    pub fn temp_for(&mut self, place: Lvalue, sort: Sort) -> VarId {
        let temp = self.temp(sort);
        self.ctx.xcfa[temp].pointer = place.pointer;
        temp
    }

    /// The label that reads a whole scalar into `var`.
    pub fn read_label(&mut self, place: Lvalue, var: VarId) -> Label {
        match place.home {
            Home::Var(source) => Label::Assign {
                var,
                value: self.read_var(source),
            },
            Home::Memory(addr) | Home::Bits(addr, _) => Label::Load { var, addr },
        }
    }

    /// The label that writes a whole scalar.
    pub fn write_label(&mut self, place: Lvalue, value: Term) -> Label {
        match place.home {
            Home::Var(var) => Label::Assign { var, value },
            Home::Memory(addr) | Home::Bits(addr, _) => Label::Store { addr, value },
        }
    }

    /// Writes a scalar place and gives the value that it has then.
    pub fn write(&mut self, place: Lvalue, value: Term, span: Span) -> Lowered<Term> {
        self.scalar_sort(place, span)?;
        if let Home::Bits(addr, unit) = place.home {
            return self.write_bits(addr, unit, value, place.signed, span);
        }
        let label = self.write_label(place, value);
        self.emit_access(label, place, span);
        match place.home {
            // The value may mention the variable's old value, which is gone.
            Home::Var(var) if self.is_private(var) => Ok(self.read_var(var)),
            _ => Ok(value),
        }
    }

    /// Reads the unit of a bit-field, puts the bits in and writes it back.
    pub fn write_bits(
        &mut self,
        addr: Term,
        unit: BitUnit,
        value: Term,
        signed: bool,
        span: Span,
    ) -> Lowered<Term> {
        let temp = self.temp(unit.cell.sort);
        self.emit(Label::Load { var: temp, addr }, span);
        let old = self.read_var(temp);
        let width = self.terms().width(value);
        let bits = self.terms().extract(value, unit.width - 1, 0);
        let whole = self.insert_bits(old, bits, unit);
        self.emit(Label::Store { addr, value: whole }, span);
        Ok(self.terms().resize(bits, width, signed))
    }

    fn insert_bits(&mut self, old: Term, bits: Term, unit: BitUnit) -> Term {
        let width = unit.cell.sort.width();
        let terms = self.terms();
        let mut whole = bits;
        if unit.first > 0 {
            let below = terms.extract(old, unit.first - 1, 0);
            whole = terms.binary(Op::Concat, whole, below);
        }
        if unit.first + unit.width < width {
            let above = terms.extract(old, width - 1, unit.first + unit.width);
            whole = terms.binary(Op::Concat, above, whole);
        }
        whole
    }

    /// Is the variable seen by this frame only?
    pub fn is_private(&self, var: VarId) -> bool {
        matches!(self.ctx.xcfa[var].scope, Scope::Local(_))
    }

    /// The sort of a scalar place, or a refusal.
    pub fn scalar_sort(&self, place: Lvalue, span: Span) -> Lowered<Sort> {
        place.sort.ok_or_else(|| {
            Unsupported::at(
                span,
                "a value of this type (`long double`, `__int128` or aggregate)",
            )
        })
    }
}
