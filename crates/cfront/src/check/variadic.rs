//! Variable arguments.
//!
//! A function that takes them gets the address of a block with one slot for each of them, which its caller
//! fills. A slot has room for a number, a floating value and an address: what is asked for by another kind of
//! type than it was passed with is not set. A `va_list` is the address of the next slot; with
//! 64-bit pointers it is an array of one struct, as the ABI has it, so that a function that is passed one
//! moves that of its caller.

use super::Checker;
use super::fault::{Typed, beyond, wrong};
use crate::ast;
use crate::hir::{
    Builtin, Expr, ExprKind, FloatType, IntKind, Member, Record, RecordId, Slot, Type,
};
use std::sync::Arc;
use xcfa::{DataModel, Span};

/// The tag of the struct, which is the compiler's own.
const TAG: &str = "__va_list_tag";

/// The member that is the address of the next slot.
const NEXT: &str = "__next";

impl Checker<'_> {
    /// `__builtin_va_list`.
    pub fn list_type(&mut self) -> Type {
        let address = Type::Pointer(Arc::new(Type::Void));
        if self.model == DataModel::Ilp32 {
            return address;
        }
        let records = &mut self.linked.records;
        let known = |record: &Record| record.tag.as_deref() == Some(TAG);
        let at = records.iter().position(known).unwrap_or_else(|| {
            records.push(Record {
                tag: Some(TAG.to_owned()),
                is_union: false,
                members: Some(vec![Member {
                    name: Some(NEXT.to_owned()),
                    ty: address,
                    offset: 0,
                    bits: None,
                }]),
                size: 24,
                align: 8,
            });
            records.len() - 1
        });
        Type::Array(Arc::new(Type::Record(RecordId(at as u32))), Some(1))
    }

    /// `__builtin_va_start` and so on, if the name is one of these.
    pub fn list_call(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Typed<Option<Expr>> {
        let list = |this: &mut Self, at: usize| match args.get(at) {
            Some(list) => this.next_slot(list, span),
            None => Err(wrong(span, "an argument is missing")),
        };
        let address = Type::Pointer(Arc::new(Type::Void));
        let result = match name {
            "va_start" => {
                if !self.body(span)?.variadic {
                    return Err(wrong(span, "`va_start` in a function without `...`"));
                }
                let place = list(self, 0)?;
                let first = ExprKind::Builtin(Builtin::FirstSlot, Vec::new());
                self.assign(None, place, Expr::new(first, address, span), span)?
            }
            "va_copy" => {
                let (to, from) = (list(self, 0)?, list(self, 1)?);
                let from = self.rvalue(from);
                self.assign(None, to, from, span)?
            }
            "va_end" => {
                let place = list(self, 0)?;
                self.rvalue(place)
            }
            _ => return Ok(None),
        };
        Ok(Some(Expr::new(
            ExprKind::Cast(Box::new(result)),
            Type::Void,
            span,
        )))
    }

    /// `__builtin_va_arg(list, type)`: the value in the next slot, and a step to the one behind it.
    pub fn next_argument(
        &mut self,
        list: &ast::Expr,
        ty: &ast::TypeName,
        span: Span,
    ) -> Typed<Expr> {
        let ty = self.type_name(ty)?.unqualified().clone();
        let offset = match &ty {
            Type::Int(int) if !is_narrow(int.kind) => Slot::NUMBER,
            Type::Pointer(_) => Slot::ADDRESS,
            Type::Float(FloatType::Double) => Slot::FLOATING,
            Type::Record(_) => return Err(beyond(span, "a struct among variable arguments")),
            _ => return Err(beyond(span, "a variable argument of this type")),
        };
        let place = self.next_slot(list, span)?;
        let address = place.ty.clone();
        let step = ExprKind::IncDec {
            place: Box::new(place),
            decrement: false,
            prefix: false,
            scale: Slot::SIZE,
        };
        let slot = ExprKind::PointerAdd {
            pointer: Box::new(Expr::new(step, address.clone(), span)),
            index: Box::new(self.int_expr(offset, self.size_type(), span)),
            negative: false,
            scale: 1,
        };
        let to = Type::Pointer(Arc::new(ty));
        let slot = self.cast(Expr::new(slot, address, span), &to, span)?;
        let place = self.deref(slot, span)?;
        Ok(self.rvalue(place))
    }

    /// The place where a list keeps the address of its next slot.
    fn next_slot(&mut self, list: &ast::Expr, span: Span) -> Typed<Expr> {
        let list = self.expr(list)?;
        let address = |ty: &Type| matches!(ty, Type::Pointer(to) if **to == Type::Void);
        if self.model == DataModel::Ilp32 {
            return match address(list.ty.unqualified()) && list.kind.is_lvalue() {
                true => Ok(list),
                false => Err(wrong(span, "this is no `va_list`")),
            };
        }
        let pointer = self.rvalue(list);
        let record = match pointer.ty.unqualified() {
            Type::Pointer(to) => match **to {
                Type::Record(id) => Some(id),
                _ => None,
            },
            _ => None,
        };
        let tag = record.and_then(|id| self.linked.records[id.0 as usize].tag.as_deref());
        if tag != Some(TAG) {
            return Err(wrong(span, "this is no `va_list`"));
        }
        let place = self.deref(pointer, span)?;
        let next = self.names.intern(NEXT);
        self.member(place, false, next, span)
    }
}

/// Is a value of this type passed as an `int`?
fn is_narrow(kind: IntKind) -> bool {
    matches!(
        kind,
        IntKind::Bool | IntKind::Char | IntKind::Short | IntKind::Int128
    )
}
