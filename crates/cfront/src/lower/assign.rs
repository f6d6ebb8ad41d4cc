//! Assignments of scalars in all their forms.
//!
//! A compound assignment evaluates its right side, then reads the place, then writes it: three
//! steps unless the place is `_Atomic`, where reading and writing are one.

use super::arith;
use super::function::FunctionLowering;
use super::lvalue::{Home, Lvalue};
use super::pure::changes_locals;
use super::types::{Lowered, is_signed};
use crate::hir::{BinaryOp, Expr, ExprKind, IntType, Type};
use expr::{Sort, Term};
use xcfa::{ErrorKind, Label, Span};

/// What an assignment makes of the old value.
enum Change<'e> {
    /// Arithmetic in a type.
    Arithmetic {
        op: BinaryOp,
        value: Term,
        compute: &'e Type,
    },
    /// A step of a pointer.
    Pointer {
        index: Term,
        signed: bool,
        negative: bool,
        scale: u64,
    },
}

impl FunctionLowering<'_, '_> {
    /// Any assignment to a scalar. The value is computed only if it is `wanted`.
    pub fn assignment(&mut self, expr: &Expr, wanted: bool) -> Lowered<Term> {
        let span = expr.span;
        self.no_effects(span)?;
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                let place = self.stable_place(place, value)?;
                let value = self.value(value)?;
                self.write(place, value, span)
            }
            ExprKind::CompoundAssign {
                op,
                place,
                value,
                compute,
            } => {
                let target = self.stable_place(place, value)?;
                let value = self.value(value)?;
                let change = Change::Arithmetic {
                    op: *op,
                    value,
                    compute,
                };
                self.change(target, &place.ty, change, true, wanted, span)
            }
            ExprKind::PointerAssignAdd {
                place,
                index,
                negative,
                scale,
            } => {
                let target = self.stable_place(place, index)?;
                let step = self.value(index)?;
                let signed = is_signed(&index.ty);
                let change = Change::Pointer {
                    index: step,
                    signed,
                    negative: *negative,
                    scale: *scale,
                };
                self.change(target, &place.ty, change, true, wanted, span)
            }
            ExprKind::IncDec {
                place,
                decrement,
                prefix,
                scale,
            } => {
                let target = self.place(place)?;
                let promoted = promoted(&place.ty);
                let change = self.step(&place.ty, &promoted, *decrement, *scale, span)?;
                self.change(target, &place.ty, change, *prefix, wanted, span)
            }
            _ => unreachable!("only assignments are assigned"),
        }
    }

    /// The place of an assignment, in a form that evaluating `value` does not change.
    pub fn stable_place(&mut self, place: &Expr, value: &Expr) -> Lowered<Lvalue> {
        let span = place.span;
        let mut place = self.place(place)?;
        if let Home::Memory(address) | Home::Bits(address, _) = place.home
            && changes_locals(value)
            && self.is_volatile(address)
        {
            let address = self.keep(address, span);
            place.home = match place.home {
                Home::Bits(_, unit) => Home::Bits(address, unit),
                _ => Home::Memory(address),
            };
        }
        Ok(place)
    }

    /// `++` and `--` as a change by one.
    fn step<'e>(
        &mut self,
        ty: &Type,
        promoted: &'e Type,
        decrement: bool,
        scale: u64,
        span: Span,
    ) -> Lowered<Change<'e>> {
        if let Type::Pointer(_) = ty.unqualified() {
            let index = self.ctx.word(1);
            return Ok(Change::Pointer {
                index,
                signed: false,
                negative: decrement,
                scale,
            });
        }
        let value = match self.types().sort(promoted, span)? {
            Sort::Float(kind) => self.terms().float(kind, 1.0),
            sort => self.terms().constant(sort, 1),
        };
        let op = if decrement {
            BinaryOp::Sub
        } else {
            BinaryOp::Add
        };
        Ok(Change::Arithmetic {
            op,
            value,
            compute: promoted,
        })
    }

    /// Reads, changes and writes a place; gives the value after it, or before.
    fn change(
        &mut self,
        place: Lvalue,
        ty: &Type,
        change: Change,
        after: bool,
        wanted: bool,
        span: Span,
    ) -> Lowered<Term> {
        if place.atomic {
            return self.change_atomically(place, ty, change, after, span);
        }
        let mut old = self.read(place, span)?;
        if wanted && !after && self.is_volatile(old) {
            old = self.keep(old, span);
        }
        if let Change::Arithmetic { op, value, compute } = &change {
            let types = self.types();
            let left = arith::convert(types, self.terms(), old, ty, compute, span)?;
            self.check_binary(*op, left, *value, compute, span)?;
        }
        let new = self.changed(old, ty, &change, span)?;
        let written = self.write(place, new, span)?;
        Ok(if after { written } else { old })
    }

    /// The same as one atomic step.
    fn change_atomically(
        &mut self,
        place: Lvalue,
        ty: &Type,
        change: Change,
        after: bool,
        span: Span,
    ) -> Lowered<Term> {
        let sort = self.scalar_sort(place, span)?;
        let temp = self.temp_for(place, sort);
        let read = self.read_label(place, temp);
        let old = self.read_var(temp);
        if let Change::Arithmetic { op, value, compute } = &change {
            let types = self.types();
            let left = arith::convert(types, self.terms(), old, ty, compute, span)?;
            // Division and shifts by what is undefined end the run; the left side matters only
            // for overflow, which is a second edge to the error.
            if let BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr = op {
                let sort = self.types().sort(compute, span)?;
                let zero = self.terms().constant(sort, 0);
                let unchecked = match op {
                    BinaryOp::Shl => BinaryOp::Shr,
                    other => *other,
                };
                self.check_binary(unchecked, zero, *value, compute, span)?;
            }
            let reported = self.binary_overflow(*op, left, *value, compute, span);
            let traps = self.quotient_overflow(*op, left, *value, compute);
            if let Some(overflows) = reported.or(traps)
                && self.terms().as_const(overflows) != Some(0)
            {
                self.no_fusing(span)?;
                if reported.is_some() {
                    let error = self.error_loc(ErrorKind::Overflow);
                    let labels = vec![read.clone(), Label::Assume(overflows)];
                    self.add_edge_to(error, labels, true, span);
                }
                let fine = self.terms().not(overflows);
                let new = self.changed(old, ty, &change, span)?;
                let write = self.write_label(place, new);
                self.emit_atomic(vec![read, Label::Assume(fine), write], span);
                return Ok(if after { new } else { old });
            }
        }
        let new = self.changed(old, ty, &change, span)?;
        let write = self.write_label(place, new);
        self.emit_atomic(vec![read, write], span);
        Ok(if after { new } else { old })
    }

    fn changed(&mut self, old: Term, ty: &Type, change: &Change, span: Span) -> Lowered<Term> {
        let types = self.types();
        match change {
            Change::Arithmetic { op, value, compute } => {
                let left = arith::convert(types, self.terms(), old, ty, compute, span)?;
                let result = arith::binary(self.terms(), *op, left, *value, compute, span)?;
                arith::convert(types, self.terms(), result, compute, ty, span)
            }
            Change::Pointer {
                index,
                signed,
                negative,
                scale,
            } => Ok(arith::pointer_add(
                self.terms(),
                old,
                *index,
                *signed,
                *negative,
                *scale,
            )),
        }
    }
}

/// The type in which `++` computes.
fn promoted(ty: &Type) -> Type {
    match ty.unqualified() {
        Type::Int(int) if int.kind < crate::hir::IntKind::Int => Type::Int(IntType::INT),
        other => other.clone(),
    }
}
