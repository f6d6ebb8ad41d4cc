//! Calls with variable arguments: the caller keeps them in a block of slots, see `check/variadic.rs`.

use super::function::FunctionLowering;
use super::reach::any_expr_in;
use super::types::{Lowered, is_record};
use crate::Unsupported;
use crate::hir::{Builtin, ExprKind, FuncType, Function, Slot, Type};
use expr::{Sort, Term};
use xcfa::{Label, Object, ObjectKind, Span};

/// Does a function of this type take variable arguments? An empty list of parameters says nothing.
pub(super) fn takes_more(ty: &FuncType) -> bool {
    ty.variadic && !ty.params.is_empty()
}

/// Does a function look at its variable arguments?
fn looks_at_more(function: &Function) -> bool {
    let starts = |kind: &ExprKind| matches!(kind, ExprKind::Builtin(Builtin::FirstSlot, _));
    let body = function.body.as_ref();
    body.is_some_and(|body| any_expr_in(body, |expr| starts(&expr.kind)))
}

impl FunctionLowering<'_, '_> {
    /// The arguments as a function with a body takes them: the variable ones become the address of a block.
    pub fn pack_for(
        &mut self,
        function: &Function,
        mut values: Vec<Term>,
        types: &[Type],
        span: Span,
    ) -> Lowered<Vec<Term>> {
        if !takes_more(&function.ty) {
            return Ok(values);
        }
        if !looks_at_more(function) {
            values.truncate(function.ty.params.len());
            values.push(self.ctx.word(0));
            return Ok(values);
        }
        self.pack(&function.ty, values, types, span)
    }

    /// The same for any function of a type.
    pub fn pack(
        &mut self,
        ty: &FuncType,
        mut values: Vec<Term>,
        types: &[Type],
        span: Span,
    ) -> Lowered<Vec<Term>> {
        let first = ty.params.len().min(values.len());
        let more = values.split_off(first);
        let block = match more.is_empty() {
            true => self.ctx.word(0),
            false => self.block_of(&more, &types[first..], span)?,
        };
        values.push(block);
        Ok(values)
    }

    fn block_of(&mut self, values: &[Term], types: &[Type], span: Span) -> Lowered<Term> {
        if types.iter().any(is_record) {
            return Err(Unsupported::at(span, "a struct among variable arguments"));
        }
        let size = Slot::SIZE * values.len() as u64;
        let kind = ObjectKind::Stack;
        let object = Object::new("arguments".into(), kind, Some(size), span);
        let object = self.ctx.xcfa.add_object(Object {
            align: 16,
            ..object
        });
        let pointer = self.pointer_var("&arguments");
        let label = self.alloc_label(pointer, object, size, false);
        self.prologue.push((label, span));
        self.epilogue.push(object);
        let block = self.read_var(pointer);
        for (at, (&value, ty)) in values.iter().zip(types).enumerate() {
            let within = match (self.terms().sort(value), ty.unqualified()) {
                (Sort::Float(_), _) => Slot::FLOATING,
                (_, Type::Pointer(_)) => Slot::ADDRESS,
                _ => Slot::NUMBER,
            };
            let addr = self.offset(block, Slot::SIZE * at as u64 + within);
            self.emit(Label::Store { addr, value }, span);
        }
        Ok(block)
    }

    /// The address of the block that this call was given.
    pub fn first_slot(&mut self, span: Span) -> Lowered<Term> {
        let takes = self
            .function
            .is_some_and(|function| takes_more(&function.ty));
        let last = self.ctx.xcfa[self.proc].params.last().copied();
        match last.filter(|_| takes) {
            Some(block) => Ok(self.read_var(block)),
            None => Err(Unsupported::at(span, "`va_start` here")),
        }
    }
}
