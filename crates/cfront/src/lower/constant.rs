//! Constant expressions of static initialisers, as terms over constants and addresses.

use super::arith;
use super::program::{Lowering, Storage};
use super::types::{Lowered, is_signed};
use crate::Unsupported;
use crate::hir::{Expr, ExprKind, Type};
use expr::{Op, Sort, Term};

impl Lowering<'_> {
    /// The value of a constant expression.
    pub fn constant(&mut self, expr: &Expr) -> Lowered<Term> {
        let span = expr.span;
        let types = self.types();
        match &expr.kind {
            ExprKind::Int(bits) => {
                let sort = types.sort(&expr.ty, span)?;
                Ok(self.xcfa.terms.constant(sort, *bits))
            }
            ExprKind::Float(value) => match types.sort(&expr.ty, span)? {
                Sort::Float(kind) => Ok(self.xcfa.terms.float(kind, *value)),
                _ => Err(Unsupported::at(span, "a floating constant of another type")),
            },
            ExprKind::FunctionAddr(id) => self.function_address(*id, span),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.constant_address(place),
            ExprKind::Cast(inner) if matches!(expr.ty, Type::Void) => self.constant(inner),
            ExprKind::Cast(inner) => {
                let value = self.constant(inner)?;
                let terms = &mut self.xcfa.terms;
                arith::convert(types, terms, value, &inner.ty, &expr.ty, span)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.constant(inner)?;
                Ok(arith::unary(&mut self.xcfa.terms, *op, value))
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.constant(a)?, self.constant(b)?);
                arith::binary(&mut self.xcfa.terms, *op, x, y, &a.ty, span)
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                negative,
                scale,
            } => {
                let (base, step) = (self.constant(pointer)?, self.constant(index)?);
                let signed = is_signed(&index.ty);
                let terms = &mut self.xcfa.terms;
                Ok(arith::pointer_add(
                    terms, base, step, signed, *negative, *scale,
                ))
            }
            ExprKind::PointerDiff {
                left,
                right,
                scale: 1,
            } => {
                let (x, y) = (self.constant(left)?, self.constant(right)?);
                let difference = self.xcfa.terms.binary(Op::Sub, x, y);
                let sort = types.sort(&expr.ty, span)?;
                Ok(self.xcfa.terms.resize(difference, sort.width(), true))
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.constant(c)?;
                let truth = self.xcfa.terms.is_nonzero(c);
                match self.xcfa.terms.as_const(truth) {
                    Some(0) => self.constant(b),
                    Some(_) => self.constant(a),
                    None => Err(not_constant(expr)),
                }
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                let (x, y) = (self.constant(a)?, self.constant(b)?);
                let terms = &mut self.xcfa.terms;
                let (x, y) = (terms.is_nonzero(x), terms.is_nonzero(y));
                let both = matches!(expr.kind, ExprKind::LogicalAnd(..));
                let truth = if both {
                    terms.and(x, y)
                } else {
                    terms.or(x, y)
                };
                Ok(terms.bool_to_bv(truth, 32))
            }
            // A constant of the program that was initialised as one.
            ExprKind::Load(place) => match &place.kind {
                ExprKind::Global(id) => self.constant_global(*id, expr),
                _ => Err(not_constant(expr)),
            },
            _ => Err(not_constant(expr)),
        }
    }

    fn constant_global(&mut self, id: crate::hir::GlobalId, expr: &Expr) -> Lowered<Term> {
        let global = &self.program.globals[id.0 as usize];
        match &global.init {
            // What is initialised by itself is no constant.
            Some(_) if self.evaluated.contains(&id) => Err(not_constant(expr)),
            Some(init) if init.items.len() == 1 && expr.ty.is_scalar() => {
                self.evaluated.push(id);
                let value = self.constant(&init.items[0].value);
                self.evaluated.pop();
                value
            }
            _ => Err(not_constant(expr)),
        }
    }

    fn constant_address(&mut self, place: &Expr) -> Lowered<Term> {
        match &place.kind {
            ExprKind::Global(id) => match self.globals.get(id) {
                Some(Storage::Static(address)) => Ok(*address),
                _ => Err(not_constant(place)),
            },
            ExprKind::Deref(pointer) => self.constant(pointer),
            ExprKind::Member(record, field) => {
                let base = self.constant_address(record)?;
                let offset = self.word(field.offset);
                Ok(self.xcfa.terms.add(base, offset))
            }
            _ => Err(not_constant(place)),
        }
    }
}

fn not_constant(expr: &Expr) -> Unsupported {
    Unsupported::at(
        expr.span,
        "an initialiser of static storage that is not a constant",
    )
}
