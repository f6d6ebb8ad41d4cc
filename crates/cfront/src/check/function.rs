//! Function definitions.

use super::fault::{Typed, wrong};
use super::types::adjust;
use super::{Body, Checker};
use crate::ast::{Declaration, Derived, FuncDef, Params, Storage};
use crate::hir::{FuncId, FuncType, Stmt, Type};
use crate::lex::Symbol;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use xcfa::Span;

/// A parameter of a definition.
struct Param {
    name: Option<Symbol>,
    ty: Type,
    span: Span,
}

impl Checker<'_> {
    /// A function with its body. What is merely beyond us in there is only remembered.
    pub fn function(&mut self, definition: &FuncDef) -> Typed<()> {
        let span = definition.declarator.span;
        let Some(name) = definition.declarator.name else {
            return Err(wrong(span, "a name is missing"));
        };
        let (ty, params) = self.signature(definition)?;
        let is_static = definition.specs.storage == Storage::Static;
        let id = self.declare_function(name, &ty, is_static, span);
        if !self.takes_definition(id, name, definition) {
            return Ok(());
        }
        self.linked.functions[id.0 as usize].ty = ty.clone();
        let body = Body {
            name,
            result: (*ty.result).clone(),
            locals: Vec::new(),
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
            switches: Vec::new(),
        };
        self.body = Some(body);
        let params_count = params.len();
        let typed = self.in_block(|this| this.definition_body(params, definition));
        let body = self.body.take();
        let function = &mut self.linked.functions[id.0 as usize];
        function.span = span;
        match (typed, body) {
            (Ok(stmt), Some(body)) => {
                function.locals = body.locals;
                function.labels = body.labels;
                function.params = params_count;
                function.body = Some(stmt);
                function.error = None;
                Ok(())
            }
            (Err(fault), _) if !fault.wrong => {
                function.error = Some(fault.error);
                Ok(())
            }
            (Err(fault), _) => Err(fault),
            (Ok(_), None) => Ok(()),
        }
    }

    /// Is this definition the one to keep? A user's goes before the library's; of several
    /// `inline` ones the first is as good as any.
    fn takes_definition(&mut self, id: FuncId, name: Symbol, definition: &FuncDef) -> bool {
        let function = &self.linked.functions[id.0 as usize];
        let replaceable = self.is_library
            || (definition.specs.inline && definition.specs.storage != Storage::Static);
        let known = function.body.is_some() || function.error.is_some();
        let takes = match known {
            false => true,
            true if replaceable => false,
            true => self.linked.replaceable.contains_key(&name),
        };
        if takes {
            match replaceable {
                true => self.linked.replaceable.insert(name, ()),
                false => self.linked.replaceable.remove(&name),
            };
        }
        takes
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
                let ty = FuncType {
                    result: Rc::clone(&ty.result),
                    params: list,
                    variadic,
                };
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
                let ty = adjust(self.declared_type(&item.declarator, base.clone())?);
                if let Some(name) = item.declarator.name {
                    types.insert(name, ty);
                }
            }
        }
        Ok(types)
    }
}
