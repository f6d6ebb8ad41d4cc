//! Indices that leave their array, where the text names the array.
//!
//! An access is valid for the machine if it stays inside its object. `s.a[2]` with two elements may
//! stay inside `s`, and so may `m[0][3]` inside `m`; both are undefined all the same. So every
//! element of an array that is accessed by an index is checked here, as `-fsanitize=bounds` does.
//! A pointer that was computed before and elsewhere is checked against its object only.
//!
//! An array at the end of a record that is reached through a pointer may have more elements than
//! are declared: programs allocate more room behind such records.

use super::arith;
use super::function::FunctionLowering;
use super::lvalue::Use;
use super::pure::changes_locals;
use super::types::{Lowered, is_signed};
use crate::hir::{Expr, ExprKind, Type};
use expr::{Op, Term};
use xcfa::{ErrorKind, Span};

/// An element of an array that is named by its index.
pub(super) struct Element<'e> {
    array: &'e Expr,
    /// How many elements are declared.
    count: u64,
    index: &'e Expr,
    /// Is the index subtracted?
    negative: bool,
    scale: u64,
}

impl<'e> Element<'e> {
    /// The element that a pointer is the address of, if it is written as `array + index`.
    pub fn of(pointer: &'e Expr) -> Option<Element<'e>> {
        let ExprKind::PointerAdd {
            pointer,
            index,
            negative,
            scale,
        } = &pointer.kind
        else {
            return None;
        };
        let ExprKind::Decay(array) = &pointer.kind else {
            return None;
        };
        let Type::Array(_, Some(count)) = array.ty.unqualified() else {
            return None;
        };
        Some(Element {
            array,
            count: *count,
            index,
            negative: *negative,
            scale: *scale,
        })
    }
}

impl FunctionLowering<'_, '_> {
    /// Is the index of this element to be checked?
    pub fn checks_bounds(&self, element: &Element<'_>) -> bool {
        let span = element.index.span;
        self.ctx.options.bounds_checks
            && !self.ctx.is_library(span)
            && !self.may_be_longer(element.array)
    }

    /// Is this array at the end of a record that may have been allocated with more room?
    fn may_be_longer(&self, array: &Expr) -> bool {
        let ExprKind::Member(record, field) = &array.kind else {
            return false;
        };
        let types = self.types();
        let size = |ty: &Type| ty.size(types.model, types.records);
        let (Some(whole), Some(part)) = (size(&record.ty), size(&array.ty)) else {
            return true;
        };
        let padding = types.align(&record.ty);
        let is_last = field.offset + part + padding > whole;
        is_last && (reached_by_pointer(record) || self.may_be_longer(record))
    }

    /// The address of an element that is accessed; an index outside of the array is an error.
    pub fn element(&mut self, element: &Element<'_>, span: Span) -> Lowered<Term> {
        let mut base = self.address_for(element.array, Use::Access)?;
        if changes_locals(element.index) && self.is_volatile(base) {
            base = self.keep(base, span);
        }
        let index = self.value(element.index)?;
        let signed = is_signed(&element.index.ty);
        let outside = self.leaves(element, index, signed);
        self.fail_if(outside, ErrorKind::InvalidDeref, span)?;
        let (negative, scale) = (element.negative, element.scale);
        let terms = self.terms();
        Ok(arith::pointer_add(
            terms, base, index, signed, negative, scale,
        ))
    }

    /// Does the index lie outside of the array? Read without sign, a negative one is too large.
    fn leaves(&mut self, element: &Element<'_>, index: Term, signed: bool) -> Term {
        let terms = self.terms();
        let wide = terms.resize(index, 64, signed);
        let wide = match element.negative {
            true => terms.unary(Op::Neg, wide),
            false => wide,
        };
        let count = terms.bv(64, element.count);
        let inside = terms.binary(Op::Ult, wide, count);
        terms.not(inside)
    }
}

fn reached_by_pointer(record: &Expr) -> bool {
    match &record.kind {
        ExprKind::Deref(pointer) => Element::of(pointer).is_none(),
        _ => false,
    }
}
