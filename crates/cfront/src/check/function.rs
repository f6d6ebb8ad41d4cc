//! Function definitions.

use super::attributes::attributes_of;
use super::fault::{Typed, wrong};
use super::types::adjust;
use super::{Body, Checker};
use crate::ast::{Attr, Declaration, Derived, FuncDef, Params, Storage};
use crate::hir::{FuncId, FuncType, Stmt, Type};
use crate::lex::Symbol;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use xcfa::Span;

struct Param {
    name: Option<Symbol>,
    ty: Type,
    span: Span,
}

impl Checker<'_> {
    /// A function with its body. An unsupported construct in it is only remembered.
    pub fn function(&mut self, definition: &FuncDef) -> Typed<()> {
        let span = definition.declarator.span;
        let Some(name) = definition.declarator.name else {
            return Err(wrong(span, "a name is missing"));
        };
        let (ty, params) = self.signature(definition)?;
        let is_static = definition.specs.storage == Storage::Static;
        let id = self.declare_function(name, &ty, is_static, span);
        self.function_declared(id, &definition.specs, true);
        self.function_attributes(id, &definition.specs, &definition.declarator)?;
        if self.is_inline_form(id, definition) {
            return Ok(());
        }
        self.define_function(id, definition)?;
        self.linked.functions[id.0 as usize].ty = ty.clone();
        let body = Body {
            name,
            result: (*ty.result).clone(),
            variadic: ty.variadic && !ty.params.is_empty(),
            locals: Vec::new(),
            labels: Vec::new(),
            addressed: Vec::new(),
            label_ids: FxHashMap::default(),
            switches: Vec::new(),
            errors: Vec::new(),
        };
        self.body = Some(body);
        let params_count = params.len();
        let told = self.wrong.len();
        let mut typed = self.in_block(|this| this.definition_body(params, definition));
        if self.source.is_system(span.lo) {
            typed = self.excuse_header(told, typed);
        }
        let body = self.body.take();
        let function = &mut self.linked.functions[id.0 as usize];
        function.span = span;
        let Some(body) = body else { return Ok(()) };
        function.errors = body.errors;
        match typed {
            Ok(stmt) if function.errors.is_empty() => {
                function.locals = body.locals;
                function.labels = body.labels;
                function.addressed = body.addressed;
                function.params = params_count;
                function.body = Some(stmt);
            }
            Err(fault) if fault.wrong && function.errors.is_empty() => return Err(fault),
            Err(fault) if !fault.wrong => function.errors.push(fault.error),
            // What is wrong may follow from what was left out.
            rest => function.remains = rest.ok(),
        }
        Ok(())
    }

    /// The system's headers are right: what looks wrong in their functions, such as arithmetic with vectors, is
    /// something that we do not support.
    fn excuse_header<T>(&mut self, told: usize, typed: Typed<T>) -> Typed<T> {
        let told = self.wrong.split_off(told);
        if let Some(body) = &mut self.body {
            body.errors.extend(told);
        }
        typed.map_err(|mut fault| {
            fault.wrong = false;
            fault
        })
    }

    /// Headers have inline forms of functions for speed; the model is of the function itself.
    fn is_inline_form(&self, id: FuncId, definition: &FuncDef) -> bool {
        let function = &self.linked.functions[id.0 as usize];
        let is_system = self.source.is_system(definition.declarator.span.lo);
        is_system && definition.specs.inline && crate::functions::function(&function.name).is_some()
    }

    /// A function is defined once, but a definition may follow an old GNU `extern inline` one.
    fn define_function(&mut self, id: FuncId, definition: &FuncDef) -> Typed<()> {
        let is_extern = definition.specs.storage == Storage::Extern;
        let attrs = attributes_of(&definition.specs, &definition.declarator);
        let gnu =
            definition.specs.inline && attrs.into_iter().any(|a| matches!(a, Attr::GnuInline));
        let function = &mut self.linked.functions[id.0 as usize];
        if function.link.defined && !function.link.gnu_inline {
            let what = format!("`{}` is defined twice", function.name);
            return Err(wrong(definition.declarator.span, what));
        }
        function.link.defined = true;
        function.link.gnu_inline = gnu && is_extern;
        function.body = None;
        function.remains = None;
        function.errors = Vec::new();
        Ok(())
    }

    fn definition_body(&mut self, params: Vec<Param>, definition: &FuncDef) -> Typed<Stmt> {
        for param in params {
            let span = param.span;
            self.complete_size(&param.ty, span)?;
            match param.name {
                Some(name) => {
                    self.new_local(name, param.ty, span)?;
                }
                None => {
                    self.unnamed_local(String::new(), param.ty, span)?;
                }
            }
        }
        let stmt = self.block(&definition.body)?;
        let body = self.body(definition.body.span)?;
        let missing = body.label_ids.iter().find(|(_, (_, _, defined))| !defined);
        match missing {
            Some((&name, &(_, span, _))) => Err(wrong(
                span,
                format!("there is no label `{}`", self.name(name)),
            )),
            None => Ok(stmt),
        }
    }

    fn signature(&mut self, definition: &FuncDef) -> Typed<(FuncType, Vec<Param>)> {
        let span = definition.declarator.span;
        let base = self.specs_type(&definition.specs)?;
        let ty = match self.declared_type(&definition.declarator, base)? {
            Type::Function(ty) => (*ty).clone(),
            _ => return Err(wrong(span, "only a function can have a body")),
        };
        let first = definition.declarator.derived.first().map(|item| &item.kind);
        match first {
            Some(Derived::Function(Params::Typed { list, .. })) => {
                let params = list.iter().zip(&ty.params).map(|(param, ty)| Param {
                    name: param.declarator.name,
                    ty: ty.clone(),
                    span: param.declarator.span,
                });
                let params = params.collect();
                Ok((ty, params))
            }
            Some(Derived::Function(Params::Names(names))) => {
                let types = self.old_style_types(&definition.old_style)?;
                let param = |&(name, span): &(Symbol, Span)| Param {
                    name: Some(name),
                    ty: types.get(&name).cloned().unwrap_or(Type::INT),
                    span,
                };
                let params: Vec<Param> = names.iter().map(param).collect();
                let list = params.iter().map(|param| param.ty.clone()).collect();
                let variadic = params.is_empty();
                let ty = FuncType::new(Arc::clone(&ty.result), list, variadic);
                Ok((ty, params))
            }
            _ => Err(wrong(
                span,
                "a function that is defined needs its parameters written out",
            )),
        }
    }

    fn old_style_types(&mut self, list: &[Declaration]) -> Typed<FxHashMap<Symbol, Type>> {
        let mut types = FxHashMap::default();
        for declaration in list {
            let Declaration::Plain(specs, declarators) = declaration else {
                continue;
            };
            let base = self.specs_type(specs)?;
            for item in declarators {
                self.only_type_attributes(specs, &item.declarator)?;
                let ty = adjust(self.declared_type(&item.declarator, base.clone())?);
                if let Some(name) = item.declarator.name {
                    types.insert(name, ty);
                }
            }
        }
        Ok(types)
    }
}
