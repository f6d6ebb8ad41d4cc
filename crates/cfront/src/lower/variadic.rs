//! Calls with variable arguments: the caller keeps them in a block of slots, see `check/variadic.rs`. The
//! block lives as long as the call.

use super::function::FunctionLowering;
use super::reach::{Reach, any_expr_in, is_null, peel_casts};
use super::types::{Lowered, is_bool, is_record};
use crate::Unsupported;
use crate::hir::walk::{Visitor, walk_expr, walk_init, walk_stmt};
use crate::hir::{Builtin, Expr, ExprKind, FuncType, Function, Program, Slot, Type};
use expr::{ObjId, Sort, Term};
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

/// Refuses pointers to functions that become pointers to functions with another way to pass arguments: a call
/// through one is undefined, and compilers differ from our blocks in what it does.
pub(super) fn refuse_casts(program: &Program, reach: &Reach) -> Lowered<()> {
    struct Casts(Option<Span>);
    impl Visitor for Casts {
        fn expr(&mut self, expr: &Expr) -> bool {
            if let ExprKind::Cast(from) = &expr.kind
                && !is_null(from)
                && !matches!(expr.ty, Type::Void)
                && !is_bool(&expr.ty)
                && takes_more_by_pointer(&from.ty) != takes_more_by_pointer(&expr.ty)
            {
                self.0 = self.0.or(Some(expr.span));
            }
            // What is called at once is known, and given what it takes.
            match &expr.kind {
                ExprKind::Call { callee, args } if is_named(callee) => {
                    args.iter().for_each(|arg| walk_expr(arg, self));
                    false
                }
                _ => true,
            }
        }
    }
    let mut casts = Casts(None);
    for id in &reach.functions {
        let function = &program.functions[id.0 as usize];
        if let Some(body) = &function.body {
            walk_stmt(body, &mut casts);
        }
    }
    for id in &reach.globals {
        if let Some(init) = &program.globals[id.0 as usize].init {
            walk_init(init, &mut casts);
        }
    }
    match casts.0 {
        Some(span) => Err(Unsupported::at(
            span,
            "a function with variable arguments as one without, or the other way round",
        )),
        None => Ok(()),
    }
}

fn is_named(callee: &Expr) -> bool {
    matches!(peel_casts(callee).kind, ExprKind::FunctionAddr(_))
}

/// Is it a pointer to functions that take variable arguments?
fn takes_more_by_pointer(ty: &Type) -> bool {
    match ty.unqualified() {
        Type::Pointer(to) => matches!(&**to, Type::Function(ty) if takes_more(ty)),
        _ => false,
    }
}

/// The arguments of a call, as its function takes them.
pub(super) struct Packed {
    /// Their values.
    pub values: Vec<Term>,
    /// The block of the variable ones, which ends with the call.
    pub block: Option<ObjId>,
}

impl FunctionLowering<'_, '_> {
    /// The call has returned, and with it the function that looks at its variable arguments.
    pub(super) fn end_packed(&mut self, block: Option<ObjId>, span: Span) {
        if let Some(block) = block {
            self.emit(Label::Dealloc(block), span);
        }
    }

    /// The arguments as a function with a body takes them: the variable ones become the address of a block.
    pub fn pack_for(
        &mut self,
        function: &Function,
        mut values: Vec<Term>,
        types: &[Type],
        span: Span,
    ) -> Lowered<Packed> {
        let block = None;
        if !takes_more(&function.ty) {
            return Ok(Packed { values, block });
        }
        if !looks_at_more(function) {
            values.truncate(function.ty.params.len());
            values.push(self.ctx.word(0));
            return Ok(Packed { values, block });
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
    ) -> Lowered<Packed> {
        let first = ty.params.len().min(values.len());
        let more = values.split_off(first);
        if more.is_empty() {
            values.push(self.ctx.word(0));
            let block = None;
            return Ok(Packed { values, block });
        }
        let (address, object) = self.block_of(&more, &types[first..], span)?;
        values.push(address);
        let block = Some(object);
        Ok(Packed { values, block })
    }

    fn block_of(&mut self, values: &[Term], types: &[Type], span: Span) -> Lowered<(Term, ObjId)> {
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
        self.emit(label, span);
        let block = self.read_var(pointer);
        for (at, (&value, ty)) in values.iter().zip(types).enumerate() {
            let within = match (self.terms().sort(value), ty.unqualified()) {
                (Sort::Float(_), _) => Slot::FLOATING,
                (_, Type::Pointer(_)) => Slot::ADDRESS,
                _ => Slot::NUMBER,
            };
            let addr = self.offset(block, Slot::SIZE * at as u64 + within);
            self.emit(Label::Store { addr, value }, span);
            // A plain 0 stands for a null pointer as well.
            if within == Slot::NUMBER && self.terms().as_const(value) == Some(0) {
                let addr = self.offset(block, Slot::SIZE * at as u64 + Slot::ADDRESS);
                let value = self.ctx.word(0);
                self.emit(Label::Store { addr, value }, span);
            }
        }
        Ok((block, object))
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
