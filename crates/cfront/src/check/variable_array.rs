//! Arrays of variable length: their length is computed where they are declared.
//!
//! Only the outermost length may vary, and only that of a local array itself: pointers to such arrays
//! and names for their types are not supported.

use super::Checker;
use super::fault::{Typed, wrong};
use crate::ast::{self, Declarator, Derived, InitDeclarator};
use crate::hir::{BinaryOp, Expr, ExprKind, Init, InitItem, Stmt, StmtKind, Type};
use crate::lex::Symbol;
use std::sync::Arc;
use xcfa::Span;

impl Checker<'_> {
    /// The length of what is declared, if that is an array and its length is not a constant.
    pub fn variable_length(&mut self, declarator: &Declarator) -> Typed<Option<Expr>> {
        let first = declarator.derived.first().map(|item| &item.kind);
        let Some(Derived::Array(Some(length))) = first else {
            return Ok(None);
        };
        let length = self.rvalue_expr(length)?;
        let is_int = matches!(length.ty.unqualified(), Type::Int(_));
        Ok((is_int && self.fold(&length).is_none()).then_some(length))
    }

    /// Declares such an array: first a local that keeps its length, then the array.
    pub fn variable_array(
        &mut self,
        base: Type,
        item: &InitDeclarator,
        name: Symbol,
        length: Expr,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        let span = item.declarator.span;
        if let Some(init) = &item.init {
            let what = "an array of variable length has no initialiser";
            return Err(wrong(init.span(), what));
        }
        let element = self.derived_type(&item.declarator.derived[1..], base)?;
        self.complete_size(&element, span)?;
        let size_type = Type::Int(self.size_type());
        let value = self.convert(length, &size_type);
        let text = format!("{}.length", self.name(name));
        let count = self.unnamed_local(text, size_type, span)?;
        let items = vec![InitItem::new(0, None, value)];
        let zero_rest = false;
        let init = Some(Init { items, zero_rest });
        let array = self.new_local(name, Type::Array(Arc::new(element), None), span)?;
        self.body(span)?.locals[array.0 as usize].length = Some(count);
        for kind in [StmtKind::Decl(count, init), StmtKind::Decl(array, None)] {
            out.push(Stmt { kind, span });
        }
        Ok(())
    }

    /// `sizeof` such an array.
    pub fn variable_size(&mut self, operand: &ast::Expr, span: Span) -> Typed<Option<Expr>> {
        if !matches!(operand.kind, ast::ExprKind::Name(_)) {
            return Ok(None);
        }
        let operand = self.expr(operand)?;
        let (ExprKind::Local(id), Type::Array(element, None)) = (operand.kind, operand.ty) else {
            return Ok(None);
        };
        let Some(count) = self.body(span)?.locals[id.0 as usize].length else {
            return Ok(None);
        };
        let ty = Type::Int(self.size_type());
        let place = Expr::new(ExprKind::Local(count), ty.clone(), span);
        let each = self.complete_size(&element, span)?;
        let each = self.int_expr(each, self.size_type(), span);
        let count = Expr::new(ExprKind::Load(Box::new(place)), ty.clone(), span);
        let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(count), Box::new(each));
        Ok(Some(Expr { kind, ty, span }))
    }
}
