//! Calls.

use super::Checker;
use super::expr::function_addr;
use super::fault::{Typed, beyond, wrong};
use super::scope::Entity;
use crate::ast::{self, ExprKind as Ast};
use crate::hir::{Expr, ExprKind, FuncType, Type};
use crate::lex::Symbol;
use std::sync::Arc;
use xcfa::Span;

impl Checker<'_> {
    /// `callee(args)`.
    pub fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Typed<Expr> {
        let callee = match &callee.kind {
            Ast::Name(symbol) if self.scope.get(*symbol).is_none() => {
                let name = self.name(*symbol);
                if let Some(result) = self.builtin_call(&name, args, span)? {
                    return Ok(result);
                }
                self.undeclared_function(*symbol, &name, callee.span)?
            }
            // Headers declare some built-ins as functions too.
            Ast::Name(symbol) if self.names.name(*symbol).starts_with("__") => {
                let name = self.name(*symbol);
                match self.builtin_call(&name, args, span)? {
                    Some(result) => return Ok(result),
                    None => self.rvalue_expr(callee)?,
                }
            }
            _ => self.rvalue_expr(callee)?,
        };
        let ty = match callee.ty.unqualified() {
            Type::Pointer(pointee) => match &**pointee {
                Type::Function(ty) => ty.clone(),
                _ => return Err(wrong(span, "this is not a function")),
            },
            _ => return Err(wrong(span, "this is not a function")),
        };
        let args = self.arguments(&ty, args, span)?;
        let result = (*ty.result).clone();
        let result = result.unqualified().clone();
        Ok(Expr::new(
            ExprKind::Call {
                callee: Box::new(callee),
                args,
            },
            result,
            span,
        ))
    }

    fn arguments(&mut self, ty: &FuncType, args: &[ast::Expr], span: Span) -> Typed<Vec<Expr>> {
        if args.len() < ty.params.len() || (args.len() > ty.params.len() && !ty.variadic) {
            let what = format!(
                "{} arguments are given, {} wanted",
                args.len(),
                ty.params.len()
            );
            return Err(wrong(span, what));
        }
        let mut values = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let value = self.rvalue_expr(arg)?;
            values.push(match ty.params.get(at) {
                Some(param) => {
                    let first = self.transparent(param, &value);
                    self.assign_convert(value, first.as_ref().unwrap_or(param))?
                }
                None => self.promote_argument(value)?,
            });
        }
        Ok(values)
    }

    /// The type that an argument for a union has which is no union itself: no compiler accepts one unless
    /// the union is transparent, and then it is passed as the first member.
    fn transparent(&self, param: &Type, value: &Expr) -> Option<Type> {
        let Type::Record(id) = param else {
            return None;
        };
        let is_null = || self.fold(value) == Some(super::constant::Value::Int(0));
        if !matches!(value.ty.unqualified(), Type::Pointer(_)) && !is_null() {
            return None;
        }
        let record = &self.linked.records[id.0 as usize];
        let members = record.members.as_ref().filter(|_| record.is_union)?;
        let pointers = members.iter().all(|it| matches!(it.ty, Type::Pointer(_)));
        members.first().filter(|_| pointers).map(|it| it.ty.clone())
    }

    /// A function that is called without a declaration returns `int`; a built-in form of a
    /// library function has the type that C gives that function.
    fn undeclared_function(&mut self, symbol: Symbol, name: &str, span: Span) -> Typed<Expr> {
        if let Some(plain) = name.strip_prefix("__builtin_") {
            if plain.starts_with("va_") {
                return Err(beyond(span, format!("the built-in function `{name}`")));
            }
            let plain_symbol = self.names.intern(plain);
            if let Some(Entity::Function(id, ty)) = self.scope.get(plain_symbol) {
                return Ok(function_addr(*id, &ty.clone(), span));
            }
            let ty = library_type(plain, &Type::Int(self.size_type()));
            let ty = ty.ok_or_else(|| beyond(span, format!("the built-in function `{name}`")))?;
            return Ok(self.implicit(plain_symbol, ty, span));
        }
        let atomic = ["__atomic_", "__sync_", "__c11_atomic_", "__scoped_atomic_"];
        if atomic.iter().any(|family| name.starts_with(family)) {
            return Err(beyond(span, format!("the built-in function `{name}`")));
        }
        let ty = FuncType::new(Arc::new(Type::INT), Vec::new(), true);
        let ty = library_type(name, &Type::Int(self.size_type())).unwrap_or(ty);
        Ok(self.implicit(symbol, ty, span))
    }

    fn implicit(&mut self, symbol: Symbol, ty: FuncType, span: Span) -> Expr {
        let id = self.extern_function(symbol, &ty, span);
        function_addr(id, &ty, span)
    }
}

/// The types of library functions that programs use without declaring them.
fn library_type(name: &str, size: &Type) -> Option<FuncType> {
    let pointer = || Type::Pointer(Arc::new(Type::Void));
    let (result, params) = match name {
        "malloc" | "alloca" => (pointer(), vec![size.clone()]),
        "calloc" => (pointer(), vec![size.clone(), size.clone()]),
        "realloc" => (pointer(), vec![pointer(), size.clone()]),
        "free" => (Type::Void, vec![pointer()]),
        "memcpy" | "memmove" => (pointer(), vec![pointer(), pointer(), size.clone()]),
        "memset" => (pointer(), vec![pointer(), Type::INT, size.clone()]),
        "memcmp" | "strncmp" => (Type::INT, vec![pointer(), pointer(), size.clone()]),
        "strlen" => (size.clone(), vec![pointer()]),
        "strcmp" => (Type::INT, vec![pointer(), pointer()]),
        "strcpy" | "strcat" => (pointer(), vec![pointer(), pointer()]),
        "strchr" => (pointer(), vec![pointer(), Type::INT]),
        "abort" => (Type::Void, Vec::new()),
        "exit" => (Type::Void, vec![Type::INT]),
        "abs" => (Type::INT, vec![Type::INT]),
        "printf" | "puts" | "putchar" => {
            return Some(FuncType::new(Arc::new(Type::INT), Vec::new(), true));
        }
        _ => return None,
    };
    Some(FuncType::new(Arc::new(result), params, false))
}
