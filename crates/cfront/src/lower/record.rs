//! Values of struct and union type: always by their address.
//!
//! Copying touches one scalar after the other, as the meaning of programs demands.

use super::function::FunctionLowering;
use super::types::{Cell, Lowered, words};
use crate::Unsupported;
use crate::hir::{Expr, ExprKind, Init, IntKind, IntType, Type};
use expr::{Sort, Term};
use rustc_hash::FxHashMap;
use xcfa::{HavocOrigin, Label, Object, ObjectKind, Span};

/// The most scalars that are copied one by one; larger copies are refused.
pub(super) const MOST_CELLS: usize = 4096;

/// The most scalars that are set to arbitrary values one by one.
pub(super) const MOST_ARBITRARY: usize = 64;

impl FunctionLowering<'_, '_> {
    /// The address of the value of a record expression.
    pub fn record_value(&mut self, expr: &Expr) -> Lowered<Term> {
        match &expr.kind {
            ExprKind::Load(place) if is_atomic(place) => self.atomic_record_value(place),
            ExprKind::Load(place) => self.address(place),
            ExprKind::Assign(place, value) => {
                self.no_effects(expr.span)?;
                let target = self.address(place)?;
                let target = match self.is_volatile(target) {
                    true => self.keep(target, place.span),
                    false => target,
                };
                let source = self.record_value(value)?;
                if is_atomic(place) {
                    self.set_atomic_record(target, source, place)?;
                    return Ok(source);
                }
                self.copy_record(target, source, &expr.ty, expr.span)?;
                Ok(target)
            }
            ExprKind::Call { callee, args } => {
                let address = self.call(callee, args, expr, true)?;
                address.ok_or_else(|| Unsupported::at(expr.span, "a record from a void call"))
            }
            ExprKind::Conditional(c, a, b) => self.conditional(c, a, b, expr),
            ExprKind::Comma(a, b) => {
                self.effects(a)?;
                self.record_value(b)
            }
            ExprKind::StmtExpr(body, Some(value)) => {
                let copy = self.temp_record(&expr.ty, expr.span)?;
                self.in_statement_expr(body, Some(value), |this, value| {
                    let source = this.record_value(value.expect("it was given"))?;
                    this.copy_record(copy, source, &expr.ty, expr.span)
                })?;
                Ok(copy)
            }
            ExprKind::Cast(inner) => self.record_value(inner),
            ExprKind::MemberOfValue(record, field) => {
                let base = self.record_value(record)?;
                Ok(self.offset(base, field.offset))
            }
            _ if is_atomic(expr) => self.atomic_record_value(expr),
            _ if expr.kind.is_lvalue() => self.address(expr),
            _ => Err(Unsupported::at(expr.span, "a record value of this form")),
        }
    }

    /// The scalars through which a value of this type is copied.
    pub fn copy_cells(&self, ty: &Type, span: Span) -> Lowered<Vec<Cell>> {
        if let Some(cells) = self.types().cells(ty, MOST_CELLS) {
            return Ok(cells);
        }
        let size = self.types().size(ty, span)?;
        if size > MOST_CELLS as u64 {
            return Err(Unsupported::at(span, "copying an object this large"));
        }
        Ok(words(size, self.types().align(ty)))
    }

    /// Copies one scalar after the other.
    pub fn copy_record(&mut self, to: Term, from: Term, ty: &Type, span: Span) -> Lowered<()> {
        if to == from {
            return Ok(());
        }
        let cells = self.copy_cells(ty, span)?;
        self.copy_by_cells(to, from, &cells, span);
        Ok(())
    }

    /// Loads and stores each of the cells in turn.
    pub fn copy_by_cells(&mut self, to: Term, from: Term, cells: &[Cell], span: Span) {
        for cell in cells {
            let temp = self.temp(cell.sort);
            let addr = self.offset(from, cell.offset);
            self.emit(Label::Load { var: temp, addr }, span);
            let value = self.read_var(temp);
            let addr = self.offset(to, cell.offset);
            self.emit(Label::Store { addr, value }, span);
        }
    }

    /// Stores zero to each scalar that an initialiser does not set as a whole.
    pub fn zero_rest(&mut self, at: Term, ty: &Type, init: &Init, span: Span) -> Lowered<()> {
        let types = self.types();
        let whole = init.items.iter().filter(|item| item.bits.is_none());
        let set: FxHashMap<u64, Option<Sort>> = whole
            .map(|item| (item.offset, types.sort_of(&item.value.ty)))
            .collect();
        for cell in self.copy_cells(ty, span)? {
            if set.get(&cell.offset) != Some(&Some(cell.sort)) {
                let addr = self.offset(at, cell.offset);
                let value = self.terms().constant(cell.sort, 0);
                self.emit(Label::Store { addr, value }, span);
            }
        }
        Ok(())
    }

    /// Stores an arbitrary value to each scalar in turn.
    pub fn havoc_record(
        &mut self,
        at: Term,
        ty: &Type,
        origin: &HavocOrigin,
        span: Span,
    ) -> Lowered<()> {
        let cells = self.types().cells(ty, MOST_ARBITRARY);
        let cells = cells
            .ok_or_else(|| Unsupported::at(span, "arbitrary contents of an object this large"))?;
        let mut truths = Vec::new();
        self.types().truths(ty, 0, &mut truths);
        for cell in cells {
            if truths.contains(&cell.offset) {
                let truth = Type::Int(IntType::new(IntKind::Bool, false));
                let value = self.havoc(&truth, origin.clone(), span)?;
                let addr = self.offset(at, cell.offset);
                self.emit(Label::Store { addr, value }, span);
                continue;
            }
            let temp = self.temp(cell.sort);
            // What is as wide as a pointer may be one.
            let origin = match cell.sort == self.ctx.word_sort() {
                true => of_pointer(origin.clone()),
                false => origin.clone(),
            };
            self.emit(Label::Havoc { var: temp, origin }, span);
            let value = self.read_var(temp);
            let addr = self.offset(at, cell.offset);
            self.emit(Label::Store { addr, value }, span);
        }
        Ok(())
    }

    /// An unnamed object of this function, there from its start to its end.
    pub fn temp_record(&mut self, ty: &Type, span: Span) -> Lowered<Term> {
        let size = self.types().size(ty, span)?;
        let object = self.new_object("temporary", ty, ObjectKind::Stack, span)?;
        let pointer = self.pointer_var("&temporary");
        let label = self.alloc_label(pointer, object, size, false);
        self.prologue.push((label, span));
        self.epilogue.push(object);
        Ok(self.read_var(pointer))
    }

    /// A copy of a record that later effects do not change.
    pub fn record_copy(&mut self, address: Term, ty: &Type, span: Span) -> Lowered<Term> {
        let copy = self.temp_record(ty, span)?;
        self.copy_record(copy, address, ty, span)?;
        Ok(copy)
    }

    /// A new object of a type.
    pub fn new_object(
        &mut self,
        name: &str,
        ty: &Type,
        kind: ObjectKind,
        span: Span,
    ) -> Lowered<expr::ObjId> {
        let types = self.types();
        let size = Some(types.size(ty, span)?);
        let (align, shape) = (types.align(ty), types.shape(ty));
        let name = name.to_string();
        Ok(self.ctx.xcfa.add_object(Object {
            align,
            shape,
            ..Object::new(name, kind, size, span)
        }))
    }

    /// A temporary that holds an address.
    pub fn pointer_var(&mut self, name: &str) -> expr::VarId {
        let sort = self.ctx.word_sort();
        let var = self.ctx.local_var(self.proc, name, sort, false);
        self.ctx.xcfa[var].temp = true;
        self.ctx.xcfa[var].pointer = true;
        var
    }

    /// The label that makes an instance of an object of known size.
    pub fn alloc_label(
        &mut self,
        var: expr::VarId,
        object: expr::ObjId,
        size: u64,
        zeroed: bool,
    ) -> Label {
        let size = self.ctx.word(size);
        Label::alloc(var, object, size, zeroed)
    }

    /// An arbitrary value of a scalar type.
    pub fn havoc(&mut self, ty: &Type, origin: HavocOrigin, span: Span) -> Lowered<Term> {
        if super::types::is_bool(ty) {
            let temp = self.temp(Sort::Bool);
            self.emit(Label::Havoc { var: temp, origin }, span);
            let truth = self.read_var(temp);
            return Ok(self.terms().bool_to_bv(truth, 8));
        }
        let sort = self.types().sort(ty, span)?;
        let temp = self.typed_temp(sort, ty);
        let origin = match ty {
            Type::Pointer(_) => of_pointer(origin),
            _ => origin,
        };
        self.emit(Label::Havoc { var: temp, origin }, span);
        Ok(self.read_var(temp))
    }
}

/// Why a pointer is arbitrary.
fn of_pointer(origin: HavocOrigin) -> HavocOrigin {
    match origin {
        HavocOrigin::Input(name, _) | HavocOrigin::External(name, _) => HavocOrigin::Pointer(name),
        other => other,
    }
}

fn is_atomic(place: &Expr) -> bool {
    matches!(place.ty, Type::Atomic(_))
}
