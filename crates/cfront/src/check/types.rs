//! Types as they are written: specifiers and declarators.

use super::Checker;
use super::attributes::only_about_types;
use super::fault::{Typed, beyond, wrong};
use super::scope::{Entity, Tag};
use crate::ast::{
    Attr, Declarator, DeclaratorItem, Derived, EnumSpec, ExprKind, Param, Params, RecordSpec,
    Specs, TypeName, TypeSpec,
};
use crate::hir::{FuncType, IntKind, IntType, Record, RecordId, Type};
use expr::sign_extend;
use std::sync::Arc;
use xcfa::DataModel;

impl Checker<'_> {
    /// The type that specifiers name.
    pub fn specs_type(&mut self, specs: &Specs) -> Typed<Type> {
        let mut ty = match &specs.ty {
            TypeSpec::Void => Type::Void,
            TypeSpec::Int(int) => Type::Int(*int),
            TypeSpec::Float(float) => Type::Float(*float),
            TypeSpec::Opaque { name, size, align } => {
                let model = usize::from(self.model == DataModel::Lp64);
                self.opaque_record(name, size[model], align[model])
            }
            TypeSpec::Named(symbol) => match self.scope.get(*symbol) {
                Some(Entity::Typedef(ty, ..)) => ty.clone(),
                _ if self.names.name(*symbol) == "bool" => {
                    Type::Int(IntType::new(IntKind::Bool, false))
                }
                _ => {
                    return Err(wrong(
                        specs.span,
                        format!("`{}` is not a type", self.name(*symbol)),
                    ));
                }
            },
            TypeSpec::Record(record) => self.record_type(record)?,
            TypeSpec::Enum(spec) => Type::Int(self.enum_type(spec)?),
            TypeSpec::TypeofExpr(expr) => self.typeof_expr(expr)?,
            TypeSpec::TypeofType(ty) | TypeSpec::AtomicType(ty) => self.type_name(ty)?,
            TypeSpec::Auto => return Err(beyond(specs.span, "`__auto_type` here")),
            TypeSpec::VaList => self.list_type(),
        };
        for attr in &specs.attrs {
            ty = self.apply_type_attr(attr, ty)?;
        }
        if specs.atomic || matches!(specs.ty, TypeSpec::AtomicType(_)) {
            ty = match self.make_flag_atomic(&specs.ty, &ty) {
                true => ty,
                false => atomic(ty, specs.span)?,
            };
        }
        Ok(ty)
    }

    /// `_Atomic struct { T x; }` with one scalar and no tag, which is what `atomic_flag` is: the
    /// struct is atomic if its only member is. No other thread can name it, so the member may be changed.
    fn make_flag_atomic(&mut self, spec: &TypeSpec, ty: &Type) -> bool {
        let (TypeSpec::Record(_), Type::Record(id)) = (spec, ty) else {
            return false;
        };
        let record = &mut self.linked.records[id.0 as usize];
        let untagged = record.tag.is_none();
        match record.members.as_deref_mut() {
            Some([only]) if untagged && only.bits.is_none() && only.ty.is_scalar() => {
                let inner = only.ty.unqualified().clone();
                only.ty = Type::Atomic(Arc::new(inner));
                true
            }
            _ => false,
        }
    }

    fn apply_type_attr(&mut self, attr: &Attr, ty: Type) -> Typed<Type> {
        match (attr, &ty) {
            (Attr::Mode(bytes, _), Type::Int(int)) if int.kind != IntKind::Bool => {
                let kind = match bytes {
                    0 => IntKind::Long,
                    1 => IntKind::Char,
                    2 => IntKind::Short,
                    4 => IntKind::Int,
                    8 => IntKind::LongLong,
                    _ => IntKind::Int128,
                };
                Ok(Type::Int(IntType { kind, ..*int }))
            }
            (Attr::Mode(_, span), _) => Err(beyond(*span, "`mode` of what is no integer")),
            (Attr::VectorSize(bytes), _) => {
                let size = self.count_constant(bytes, "the size")?;
                Ok(self.opaque_record("vector", size, size.max(1)))
            }
            _ => Ok(ty),
        }
    }

    /// `typeof(e)`: not evaluated, and neither arrays nor functions decay.
    fn typeof_expr(&mut self, expr: &crate::ast::Expr) -> Typed<Type> {
        if let ExprKind::Name(symbol) = &expr.kind
            && let Some(Entity::Function(_, ty)) = self.scope.get(*symbol)
        {
            return Ok(Type::Function(Arc::new(ty.clone())));
        }
        Ok(self.expr(expr)?.ty)
    }

    /// A type by itself.
    pub fn type_name(&mut self, name: &TypeName) -> Typed<Type> {
        self.only_type_attributes(&name.specs, &name.declarator)?;
        let base = self.specs_type(&name.specs)?;
        self.declared_type(&name.declarator, base)
    }

    /// The type of what a declarator declares.
    pub fn declared_type(&mut self, declarator: &Declarator, base: Type) -> Typed<Type> {
        let mut ty = self.derived_type(&declarator.derived, base)?;
        for attr in &declarator.attrs {
            ty = self.apply_type_attr(attr, ty)?;
        }
        Ok(ty)
    }

    /// The type that steps of a declarator make of a type.
    pub fn derived_type(&mut self, derived: &[DeclaratorItem], base: Type) -> Typed<Type> {
        let mut ty = base;
        for item in derived.iter().rev() {
            ty = match &item.kind {
                Derived::Pointer { atomic: false, .. } => Type::Pointer(Arc::new(ty)),
                Derived::Pointer { atomic: true, .. } => {
                    Type::Atomic(Arc::new(Type::Pointer(Arc::new(ty))))
                }
                Derived::Array(length) => {
                    let length = match length {
                        Some(length) => Some(self.array_length(length)?),
                        None => None,
                    };
                    Type::Array(Arc::new(ty), length)
                }
                Derived::Function(params) => Type::Function(Arc::new(self.func_type(params, ty)?)),
            };
        }
        Ok(ty)
    }

    fn array_length(&mut self, length: &crate::ast::Expr) -> Typed<u64> {
        let typed = self.rvalue_expr(length)?;
        match (self.fold(&typed), typed.ty.unqualified()) {
            (Some(super::constant::Value::Int(bits)), Type::Int(int)) => {
                if int.signed && sign_extend(bits, self.bits_of(*int)) < 0 {
                    return Err(wrong(length.span, "the length of this array is negative"));
                }
                Ok(bits)
            }
            (None, Type::Int(_)) => Err(beyond(length.span, "array of variable length")),
            _ => Err(wrong(
                length.span,
                "the length of an array must be an integer",
            )),
        }
    }

    fn func_type(&mut self, params: &Params, result: Type) -> Typed<FuncType> {
        let result = Arc::new(result);
        match params {
            // Without a prototype anything may be passed.
            Params::Names(_) => Ok(FuncType::new(result, Vec::new(), true)),
            Params::Typed { list, variadic } => {
                let mut params = Vec::new();
                // Tags declared among the parameters are not seen outside.
                self.tags.open();
                self.scope.open();
                for param in list {
                    params.push(self.param_type(param));
                }
                self.scope.close();
                self.tags.close();
                let params = params.into_iter().collect::<Typed<Vec<_>>>()?;
                Ok(FuncType::new(result, params, *variadic))
            }
        }
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub fn param_type(&mut self, param: &Param) -> Typed<Type> {
        self.only_type_attributes(&param.specs, &param.declarator)?;
        let base = self.specs_type(&param.specs)?;
        // The length of an array parameter means nothing and may depend on other parameters.
        if let Some(first) = param.declarator.derived.first()
            && let Derived::Array(Some(_)) = first.kind
        {
            let ty = self.derived_type(&param.declarator.derived[1..], base)?;
            return Ok(Type::Pointer(Arc::new(ty)));
        }
        Ok(adjust(self.declared_type(&param.declarator, base)?))
    }

    fn record_type(&mut self, spec: &RecordSpec) -> Typed<Type> {
        let known = spec.tag.and_then(|tag| match spec.members {
            // A definition means the tag of this scope; a mention any that is visible.
            Some(_) => self.tags.get_innermost(tag).copied(),
            None => self.tags.get(tag).copied(),
        });
        let id = match known {
            Some(Tag::Record(id)) => id,
            Some(Tag::Enum(_)) => return Err(wrong(spec.span, "this tag names an enumeration")),
            None => {
                let id = RecordId(self.linked.records.len() as u32);
                self.linked.records.push(Record {
                    tag: spec.tag.map(|tag| self.name(tag)),
                    is_union: spec.is_union,
                    members: None,
                    size: 0,
                    align: 1,
                });
                if let Some(tag) = spec.tag {
                    self.tags.declare(tag, Tag::Record(id));
                }
                id
            }
        };
        if spec.members.is_some() {
            if self.linked.records[id.0 as usize].members.is_some() {
                return Err(wrong(spec.span, "this struct or union is defined twice"));
            }
            self.define_record(id, spec)?;
        }
        Ok(Type::Record(id))
    }

    fn enum_type(&mut self, spec: &EnumSpec) -> Typed<IntType> {
        let Some(constants) = &spec.constants else {
            return match spec.tag.and_then(|tag| self.tags.get(tag)) {
                Some(Tag::Enum(int)) => Ok(*int),
                // A forward mention, as GNU C allows.
                _ => Ok(IntType::new(IntKind::Int, false)),
            };
        };
        let mut next: i128 = 0;
        let mut values = Vec::new();
        for constant in constants {
            if let Some(value) = &constant.value {
                let (bits, int) = self.int_constant(value)?;
                next = match int.signed {
                    true => i128::from(sign_extend(bits, self.bits_of(int))),
                    false => i128::from(bits),
                };
            }
            // Constants are `int` while they fit, for those that follow in the same list too.
            let int = fitting(next, next);
            self.scope
                .declare(constant.name, Entity::Constant(self.cut(next, int), int));
            values.push((constant.name, next));
            next += 1;
        }
        let least = values.iter().map(|(_, value)| *value).min().unwrap_or(0);
        let most = values.iter().map(|(_, value)| *value).max().unwrap_or(0);
        let mut int = fitting(least, most);
        if int.kind == IntKind::Int && least >= 0 {
            int.signed = false;
        }
        spec.attrs.iter().try_for_each(only_about_types)?;
        if spec.attrs.iter().any(|attr| matches!(attr, Attr::Packed)) {
            int = self.smallest(least, most);
        }
        if let Some(tag) = spec.tag {
            self.tags.declare(tag, Tag::Enum(int));
        }
        Ok(int)
    }

    /// The smallest integer type that holds a range.
    fn smallest(&self, least: i128, most: i128) -> IntType {
        let signed = least < 0;
        let kinds = [
            IntKind::Char,
            IntKind::Short,
            IntKind::Int,
            IntKind::LongLong,
        ];
        let holds = |kind: &IntKind| {
            let bits = 8 * IntType::new(*kind, signed).size(self.model);
            match signed {
                true => least >= -(1i128 << (bits - 1)) && most < 1i128 << (bits - 1),
                false => most < 1i128 << bits,
            }
        };
        let kind = kinds.into_iter().find(holds).unwrap_or(IntKind::LongLong);
        IntType { kind, signed }
    }

    fn cut(&self, value: i128, int: IntType) -> u64 {
        value as u64 & expr::Sort::Bv(self.bits_of(int)).mask()
    }
}

/// The first of `int`, `unsigned`, `long long`, `unsigned long long` that holds a range.
fn fitting(least: i128, most: i128) -> IntType {
    let holds = |low: i128, high: i128| low <= least && most <= high;
    let (kind, signed) = if holds(i32::MIN.into(), i32::MAX.into()) {
        (IntKind::Int, true)
    } else if holds(0, u32::MAX.into()) {
        (IntKind::Int, false)
    } else if holds(i64::MIN.into(), i64::MAX.into()) {
        (IntKind::LongLong, true)
    } else {
        (IntKind::LongLong, false)
    };
    IntType { kind, signed }
}

fn atomic(ty: Type, span: xcfa::Span) -> Typed<Type> {
    match ty {
        Type::Atomic(_) => Ok(ty),
        _ if ty.is_scalar() || matches!(ty, Type::Record(_)) => Ok(Type::Atomic(Arc::new(ty))),
        _ => Err(beyond(span, "atomic array")),
    }
}

/// Arrays and functions as parameters are pointers.
pub fn adjust(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function(_) => Type::Pointer(Arc::new(ty)),
        other => other,
    }
}
