//! Expressions.

use super::Checker;
use super::constant::Value;
use super::fault::{Typed, beyond, wrong};
use super::scope::Entity;
use crate::ast::{self, Designator, ExprKind as Ast, StringLit, UnaryOp};
use crate::hir::{
    BinaryOp, Expr, ExprKind, FuncType, GlobalId, Init, InitItem, IntKind, IntType, Local, LocalId,
    Type,
};
use crate::lex::{CharWidth, Symbol};
use std::sync::Arc;
use xcfa::{DataModel, Span};

impl Checker<'_> {
    /// Types an expression; the result may be a place.
    pub fn expr(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        // What an expression amounts to may be a part of it (`&*p` is `p`); its text is all of it.
        let typed = self.meaning(expr)?;
        Ok(Expr {
            span: expr.span,
            ..typed
        })
    }

    fn meaning(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let span = expr.span;
        match &expr.kind {
            Ast::Name(symbol) => self.named(*symbol, span),
            Ast::Int(literal) => {
                let int = literal
                    .ty(self.model)
                    .ok_or_else(|| wrong(span, "no integer type holds this constant"))?;
                Ok(self.int_expr(literal.value, int, span))
            }
            Ast::Char(width, value) => {
                Ok(self.int_expr(*value as u64, char_constant_type(*width, self.model), span))
            }
            Ast::Float(literal) => {
                let ty = Type::Float(literal.ty);
                Ok(Expr::new(ExprKind::Float(literal.value), ty, span))
            }
            Ast::Str(literal) => Ok(self.string(literal, span)),
            Ast::FunctionName => {
                let name = self.body(span)?.name;
                let elements = self.name(name).bytes().map(u32::from).collect();
                let literal = StringLit {
                    width: CharWidth::Plain,
                    elements,
                };
                Ok(self.function_name(literal, span))
            }
            Ast::Unary(op, inner) => self.unary_expr(*op, inner, span),
            Ast::Binary(op, a, b) => {
                let (a, b) = (self.rvalue_expr(a)?, self.rvalue_expr(b)?);
                self.binary(*op, a, b, span)
            }
            Ast::LogicalAnd(a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                let kind = ExprKind::LogicalAnd(Box::new(a), Box::new(b));
                Ok(Expr::new(kind, Type::INT, span))
            }
            Ast::LogicalOr(a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                let kind = ExprKind::LogicalOr(Box::new(a), Box::new(b));
                Ok(Expr::new(kind, Type::INT, span))
            }
            Ast::Assign(op, place, value) => {
                let (place, value) = (self.expr(place)?, self.rvalue_expr(value)?);
                self.assign(*op, place, value, span)
            }
            Ast::Conditional(cond, a, b) => {
                let cond = self.scalar(cond)?;
                let a = match a {
                    Some(a) => Some(self.rvalue_expr(a)?),
                    None => None,
                };
                let b = self.rvalue_expr(b)?;
                self.conditional(cond, a, b, span)
            }
            Ast::Comma(a, b) => {
                let (a, b) = (self.rvalue_expr(a)?, self.rvalue_expr(b)?);
                let ty = b.ty.clone();
                Ok(Expr::new(
                    ExprKind::Comma(Box::new(a), Box::new(b)),
                    ty,
                    span,
                ))
            }
            Ast::Index(a, b) => {
                let (a, b) = (self.rvalue_expr(a)?, self.rvalue_expr(b)?);
                let pointer = self.binary(crate::hir::BinaryOp::Add, a, b, span)?;
                self.deref(pointer, span)
            }
            Ast::Call(callee, args) => self.call(callee, args, span),
            Ast::Member { base, arrow, name } => {
                let base = self.expr(base)?;
                self.member(base, *arrow, *name, span)
            }
            _ => self.rare_expr(expr),
        }
    }

    fn rare_expr(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let span = expr.span;
        match &expr.kind {
            Ast::SizeofExpr(inner) => {
                if let Some(size) = self.variable_size(inner, span)? {
                    return Ok(size);
                }
                let ty = self.unevaluated(inner)?;
                self.size_expr(&ty, span)
            }
            Ast::SizeofType(ty) => {
                let ty = self.type_name(ty)?;
                self.size_expr(&ty, span)
            }
            Ast::AlignofExpr(inner, preferred) => {
                let ty = self.unevaluated(inner)?;
                let asked = self.alignment_of_place(inner)?;
                self.align_expr(&ty, asked, *preferred, span)
            }
            Ast::AlignofType(name, preferred) => {
                let ty = self.type_name(name)?;
                let asked = self.declared_alignment(&name.specs, &name.declarator)?;
                self.align_expr(&ty, asked, *preferred, span)
            }
            Ast::Cast(ty, inner) => {
                let to = self.type_name(ty)?;
                let value = self.rvalue_expr(inner)?;
                self.cast(value, &to, span)
            }
            Ast::CompoundLiteral(ty, entries) => self.compound_literal(ty, entries, span),
            Ast::StmtExpr(block) => self.stmt_expr(block, span),
            Ast::Generic(selector, arms) => self.generic(selector, arms, span),
            Ast::OffsetOf(ty, path) => self.offset_of(ty, path, span),
            Ast::TypesCompatible(a, b) => {
                let is_enum =
                    |name: &ast::TypeName| matches!(name.specs.ty, ast::TypeSpec::Enum(_));
                let written_as_enum = is_enum(a) || is_enum(b);
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let same = same_but_for_lengths(&a, &b);
                if same && (written_as_enum || may_differ(&a)) {
                    let what = "a comparison of types that may differ in what we do not look at";
                    return Err(beyond(span, what));
                }
                Ok(self.int_expr(same as u64, IntType::INT, span))
            }
            Ast::ChooseExpr(parts) => {
                let [cond, a, b] = &**parts;
                let (bits, _) = self.int_constant(cond)?;
                self.expr(if bits != 0 { a } else { b })
            }
            Ast::VaArg(list, ty) => self.next_argument(list, ty, span),
            Ast::LabelAddr(name) => self.label_address(*name, span),
            Ast::ComplexPart(_) => Err(beyond(span, "complex numbers")),
            _ => Err(beyond(span, "this expression")),
        }
    }

    fn named(&mut self, symbol: Symbol, span: Span) -> Typed<Expr> {
        match self.scope.get(symbol).cloned() {
            Some(Entity::Constant(bits, int)) => Ok(self.int_expr(bits, int, span)),
            Some(Entity::Local(id)) => {
                let ty = self.body(span)?.locals[id.0 as usize].ty.clone();
                Ok(Expr::new(ExprKind::Local(id), ty, span))
            }
            Some(Entity::Global(id)) => {
                let ty = self.linked.globals[id.0 as usize].ty.clone();
                Ok(Expr::new(ExprKind::Global(id), ty, span))
            }
            Some(Entity::Function(id, ty)) => Ok(function_addr(id, &ty, span)),
            Some(Entity::Typedef(..)) => Err(wrong(span, "a type is not a value")),
            None => Err(self.undeclared(symbol, span)),
        }
    }

    fn unary_expr(&mut self, op: UnaryOp, inner: &ast::Expr, span: Span) -> Typed<Expr> {
        match op {
            UnaryOp::AddrOf => {
                let place = self.expr(inner)?;
                self.address_of(place, span)
            }
            UnaryOp::Deref => {
                let pointer = self.rvalue_expr(inner)?;
                self.deref(pointer, span)
            }
            UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => {
                let place = self.expr(inner)?;
                self.step(op, place, span)
            }
            _ => {
                let value = self.rvalue_expr(inner)?;
                self.unary(op, value, span)
            }
        }
    }

    /// The type of an operand that is not evaluated: what it declares or marks is undone.
    fn unevaluated(&mut self, expr: &ast::Expr) -> Typed<Type> {
        if let Ast::Name(symbol) = &expr.kind
            && let Some(Entity::Function(_, ty)) = self.scope.get(*symbol)
        {
            return Ok(Type::Function(Arc::new(ty.clone())));
        }
        if let Ast::Str(literal) = &expr.kind {
            return Ok(string_type(literal, self.model));
        }
        Ok(self.expr(expr)?.ty)
    }

    /// The alignment that a variable was declared with.
    fn alignment_of_place(&mut self, expr: &ast::Expr) -> Typed<Option<u64>> {
        let Ast::Name(symbol) = &expr.kind else {
            return match self.expr(expr)?.kind.is_lvalue() {
                true => Err(beyond(expr.span, "the alignment of a part of an object")),
                false => Ok(None),
            };
        };
        match self.scope.get(*symbol) {
            Some(Entity::Local(id)) => {
                let id = id.0 as usize;
                Ok(self.body(expr.span)?.locals[id].align)
            }
            Some(Entity::Global(id)) => Ok(self.linked.globals[id.0 as usize].align),
            _ => Ok(None),
        }
    }

    fn size_expr(&mut self, ty: &Type, span: Span) -> Typed<Expr> {
        let size = self.complete_size(ty, span)?;
        Ok(self.int_expr(size, self.size_type(), span))
    }

    /// `__alignof__` of a scalar is what GCC prefers: 8 bytes for 8-byte scalars on i386 too.
    fn align_expr(
        &mut self,
        ty: &Type,
        asked: Option<u64>,
        preferred: bool,
        span: Span,
    ) -> Typed<Expr> {
        let align = match preferred && ty.is_scalar() {
            _ if asked.is_some() => asked.unwrap_or(1),
            true => self.complete_size(ty, span)?,
            false => self.align_of(ty),
        };
        Ok(self.int_expr(align, self.size_type(), span))
    }

    /// A string literal is a static array. Whether those of one text are one array is open.
    fn string(&mut self, literal: &StringLit, span: Span) -> Expr {
        let ty = string_type(literal, self.model);
        let id = self.new_string(literal, ty.clone(), span);
        Expr::new(ExprKind::Global(id), ty, span)
    }

    /// `__func__` is one array, however often it is used.
    fn function_name(&mut self, literal: StringLit, span: Span) -> Expr {
        let ty = string_type(&literal, self.model);
        let id = match self.linked.function_names.get(&literal) {
            Some(&id) => id,
            None => {
                let id = self.new_string(&literal, ty.clone(), span);
                self.linked.function_names.insert(literal, id);
                id
            }
        };
        Expr::new(ExprKind::Global(id), ty, span)
    }

    fn new_string(&mut self, literal: &StringLit, ty: Type, span: Span) -> GlobalId {
        let init = self.string_init(literal, literal.elements.len() as u64, 0, span);
        let text: String = literal
            .elements
            .iter()
            .take(20)
            .filter_map(|&c| char::from_u32(c))
            .collect();
        let init = Some(Init {
            items: init,
            zero_rest: true,
        });
        let id = self.new_global(format!("{text:?}"), ty, false, init, span);
        let global = &mut self.linked.globals[id.0 as usize];
        global.address_taken = true;
        global.constant = true;
        global.literal = true;
        id
    }

    /// The elements of a string as items, at most `room` of them.
    pub fn string_init(
        &self,
        literal: &StringLit,
        room: u64,
        offset: u64,
        span: Span,
    ) -> Vec<InitItem> {
        let int = element_type(literal.width, self.model);
        let size = int.size(self.model);
        let elements = literal.elements.iter().take(room as usize).enumerate();
        let item = |(at, &element): (usize, &u32)| {
            InitItem::new(
                offset + at as u64 * size,
                None,
                self.int_expr(u64::from(element), int, span),
            )
        };
        elements
            .filter(|(_, element)| **element != 0)
            .map(item)
            .collect()
    }

    fn compound_literal(
        &mut self,
        ty: &ast::TypeName,
        entries: &[ast::InitEntry],
        span: Span,
    ) -> Typed<Expr> {
        let ty = self.type_name(ty)?;
        let (init, ty) = self.init_list_of(entries, ty, span)?;
        if self.body.is_none() {
            let name = "compound literal".to_owned();
            let id = self.new_global(name, ty.clone(), false, Some(init), span);
            self.linked.globals[id.0 as usize].address_taken = true;
            return Ok(Expr::new(ExprKind::Global(id), ty, span));
        }
        let body = self.body(span)?;
        let id = LocalId(body.locals.len() as u32);
        // It is always an object: `&(int){1}` is what it is for.
        body.locals.push(Local {
            name: String::new(),
            ty: ty.clone(),
            length: None,
            align: None,
            address_taken: true,
            constant: false,
            span,
        });
        Ok(Expr::new(ExprKind::CompoundLiteral(id, init), ty, span))
    }

    fn generic(
        &mut self,
        selector: &ast::Expr,
        arms: &[ast::GenericArm],
        span: Span,
    ) -> Typed<Expr> {
        let selector = self.expr(selector)?;
        if selector.is_bit_field() {
            return Err(beyond(span, "`_Generic` by the type of a bit-field"));
        }
        let ty = self.rvalue(selector).ty;
        let mut default = None;
        for arm in arms {
            match &arm.ty {
                None => default = Some(&arm.value),
                Some(name) if *self.type_name(name)?.unqualified() == ty => {
                    if may_differ(&ty) {
                        let what = "`_Generic` by a type that may differ in what we do not look at";
                        return Err(beyond(span, what));
                    }
                    return self.expr(&arm.value);
                }
                Some(_) => {}
            }
        }
        match default {
            Some(value) => self.expr(value),
            None => Err(wrong(span, "no choice of this `_Generic` fits")),
        }
    }

    fn offset_of(&mut self, ty: &ast::TypeName, path: &[Designator], span: Span) -> Typed<Expr> {
        let mut ty = self.type_name(ty)?;
        let mut offset = 0;
        // Indices that are not constant, in bytes.
        let mut variable: Option<Expr> = None;
        for step in path {
            match (step, ty.clone()) {
                (Designator::Member(name, span), Type::Record(id)) => {
                    let text = self.name(*name);
                    let member = self
                        .find_member(id, &text)
                        .ok_or_else(|| wrong(*span, format!("there is no member `{text}`")))?;
                    offset += member.offset;
                    ty = member.ty;
                }
                (Designator::Index(index), Type::Array(element, _)) => {
                    let each = self.complete_size(&element, span)?;
                    let index = self.rvalue_expr(index)?;
                    match self.fold(&index) {
                        Some(Value::Int(index)) => offset += index * each,
                        _ => variable = Some(self.scaled(variable, index, each, span)?),
                    }
                    ty = (*element).clone();
                }
                _ => return Err(wrong(span, "this is no path into that type")),
            }
        }
        let constant = self.int_expr(offset, self.size_type(), span);
        match variable {
            Some(variable) => self.binary(BinaryOp::Add, variable, constant, span),
            None => Ok(constant),
        }
    }

    /// An index in bytes, added to those before it.
    fn scaled(&mut self, before: Option<Expr>, index: Expr, each: u64, span: Span) -> Typed<Expr> {
        let index = self.assign_convert(index, &Type::Int(self.size_type()))?;
        let each = self.int_expr(each, self.size_type(), span);
        let bytes = self.binary(BinaryOp::Mul, index, each, span)?;
        match before {
            Some(before) => self.binary(BinaryOp::Add, before, bytes, span),
            None => Ok(bytes),
        }
    }
}

/// Are there types that are equal here and differ in C? Qualifiers of what a pointer points to are dropped, and
/// `char` is not told from `signed char`.
fn may_differ(ty: &Type) -> bool {
    match ty {
        Type::Pointer(_) | Type::Function(_) => true,
        Type::Int(int) => int.kind == IntKind::Char && int.signed,
        Type::Array(inner, _) | Type::Atomic(inner) => may_differ(inner),
        Type::Void | Type::Float(_) | Type::Record(_) => false,
    }
}

/// An array whose length is not known is compatible with one of any length.
fn same_but_for_lengths(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(a, n), Type::Array(b, m)) => {
            (n == m || n.is_none() || m.is_none()) && same_but_for_lengths(a, b)
        }
        _ => a == b,
    }
}

/// A function as a value: its address.
pub fn function_addr(id: crate::hir::FuncId, ty: &FuncType, span: Span) -> Expr {
    let ty = Type::Pointer(Arc::new(Type::Function(Arc::new(ty.clone()))));
    Expr::new(ExprKind::FunctionAddr(id), ty, span)
}

fn char_constant_type(width: CharWidth, model: DataModel) -> IntType {
    match width {
        CharWidth::Plain => IntType::INT,
        other => element_type(other, model),
    }
}

/// The type of the elements of a string. `wchar_t` is `long` on i386.
pub fn element_type(width: CharWidth, model: DataModel) -> IntType {
    let (kind, signed) = match width {
        CharWidth::Plain => (IntKind::Char, true),
        CharWidth::Utf16 => (IntKind::Short, false),
        CharWidth::Wide if model == DataModel::Ilp32 => (IntKind::Long, true),
        CharWidth::Wide => (IntKind::Int, true),
        CharWidth::Utf32 => (IntKind::Int, false),
    };
    IntType { kind, signed }
}

fn string_type(literal: &StringLit, model: DataModel) -> Type {
    let element = Type::Int(element_type(literal.width, model));
    Type::Array(Arc::new(element), Some(literal.elements.len() as u64 + 1))
}
