//! Declarations at file scope and in blocks.

use super::Checker;
use super::fault::{Typed, wrong};
use super::scope::Entity;
use super::types::adjust;
use crate::ast::{Declaration, InitDeclarator, Specs, Storage, TypeSpec, Unit, UnitItem};
use crate::hir::{
    FuncId, FuncType, Function, Global, GlobalId, Init, Local, LocalId, Stmt, StmtKind, Type,
};
use crate::lex::Symbol;
use xcfa::Span;

impl Checker<'_> {
    /// Everything in a translation unit.
    pub fn unit(&mut self, unit: &Unit) -> Typed<()> {
        for item in &unit.items {
            match item {
                UnitItem::Declaration(declaration) => self.file_declaration(declaration)?,
                UnitItem::Function(definition) => self.function(definition)?,
            }
        }
        Ok(())
    }

    fn file_declaration(&mut self, declaration: &Declaration) -> Typed<()> {
        match declaration {
            Declaration::StaticAssert(cond, span) => self.static_assert(cond, *span),
            Declaration::Asm(_) => Ok(()),
            Declaration::Plain(specs, declarators) => {
                let base = self.specs_type(specs)?;
                for declarator in declarators {
                    self.file_declarator(specs, base.clone(), declarator)?;
                }
                Ok(())
            }
        }
    }

    fn file_declarator(&mut self, specs: &Specs, base: Type, item: &InitDeclarator) -> Typed<()> {
        let span = item.declarator.span;
        let Some(name) = item.declarator.name else {
            return Err(wrong(span, "a name is missing"));
        };
        let ty = self.declared_type(&item.declarator, base)?;
        if specs.storage == Storage::Typedef {
            self.scope.declare(name, Entity::Typedef(ty));
            return Ok(());
        }
        if let Type::Function(ty) = &ty {
            self.declare_function(name, ty, specs.storage == Storage::Static, span);
            return Ok(());
        }
        let id = self.declare_global(name, &ty, specs, span)?;
        match &item.init {
            Some(init) => {
                let (init, ty) = self.initializer(init, ty)?;
                let global = &mut self.linked.globals[id.0 as usize];
                if global.init.is_some() && !global.external {
                    return Err(wrong(span, format!("`{}` is defined twice", global.name)));
                }
                global.init = Some(init);
                global.ty = ty;
                global.external = false;
            }
            None if specs.storage != Storage::Extern => {
                self.linked.globals[id.0 as usize].external = false;
            }
            None => {}
        }
        Ok(())
    }

    /// The function of a name, declared with this type.
    pub fn declare_function(
        &mut self,
        name: Symbol,
        ty: &FuncType,
        is_static: bool,
        span: Span,
    ) -> FuncId {
        let known = match self.scope.get(name) {
            Some(Entity::Function(id, known)) => Some((*id, known.clone())),
            _ => None,
        };
        // A prototype says more than an empty list.
        let better =
            |known: &FuncType| ty.params.is_empty() && ty.variadic && !known.params.is_empty();
        let seen = match &known {
            Some((_, known)) if better(known) => known.clone(),
            _ => ty.clone(),
        };
        let id = match known {
            Some((id, _)) => id,
            None if is_static => self.new_function(name, ty, span),
            None => self.extern_function(name, ty, span),
        };
        self.scope.declare(name, Entity::Function(id, seen));
        id
    }

    /// The function of a name with external linkage.
    pub fn extern_function(&mut self, name: Symbol, ty: &FuncType, span: Span) -> FuncId {
        if let Some(Entity::Function(id, _)) = self.linked.externs.get(&name) {
            return *id;
        }
        let id = self.new_function(name, ty, span);
        self.linked
            .externs
            .insert(name, Entity::Function(id, ty.clone()));
        id
    }

    fn new_function(&mut self, name: Symbol, ty: &FuncType, span: Span) -> FuncId {
        let id = FuncId(self.linked.functions.len() as u32);
        self.linked.functions.push(Function {
            name: self.name(name),
            ty: ty.clone(),
            locals: Vec::new(),
            params: 0,
            labels: Vec::new(),
            body: None,
            error: None,
            span,
        });
        id
    }

    fn declare_global(
        &mut self,
        name: Symbol,
        ty: &Type,
        specs: &Specs,
        span: Span,
    ) -> Typed<GlobalId> {
        let is_static = specs.storage == Storage::Static;
        let known = match self.scope.get_innermost(name) {
            Some(Entity::Global(id)) => Some(*id),
            Some(_) => {
                let what = format!("`{}` is declared as something else", self.name(name));
                return Err(wrong(span, what));
            }
            None => match self.linked.externs.get(&name) {
                Some(Entity::Global(id)) if !is_static => Some(*id),
                _ => None,
            },
        };
        let id = match known {
            Some(id) => {
                let global = &mut self.linked.globals[id.0 as usize];
                // `extern int a[];` learns its length from the definition.
                if matches!(global.ty, Type::Array(_, None)) {
                    global.ty = ty.clone();
                }
                id
            }
            None => {
                let text = self.name(name);
                let id = self.new_global(text, ty.clone(), specs.thread_local, None, span);
                self.linked.globals[id.0 as usize].external = true;
                if !is_static {
                    self.linked.externs.insert(name, Entity::Global(id));
                }
                id
            }
        };
        self.scope.declare(name, Entity::Global(id));
        Ok(id)
    }

    fn new_global(
        &mut self,
        name: String,
        ty: Type,
        thread_local: bool,
        init: Option<Init>,
        span: Span,
    ) -> GlobalId {
        let id = GlobalId(self.linked.globals.len() as u32);
        let (external, address_taken) = (false, false);
        self.linked.globals.push(Global {
            name,
            ty,
            thread_local,
            init,
            external,
            address_taken,
            span,
        });
        id
    }

    /// A declaration in a block.
    pub fn local_declaration(
        &mut self,
        declaration: &Declaration,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        match declaration {
            Declaration::StaticAssert(cond, span) => self.static_assert(cond, *span),
            Declaration::Asm(_) => Ok(()),
            Declaration::Plain(specs, declarators) => {
                if let TypeSpec::Auto = specs.ty {
                    return self.auto_declaration(specs, declarators, out);
                }
                let base = self.specs_type(specs)?;
                for declarator in declarators {
                    self.local_declarator(specs, base.clone(), declarator, out)?;
                }
                Ok(())
            }
        }
    }

    fn local_declarator(
        &mut self,
        specs: &Specs,
        base: Type,
        item: &InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        let span = item.declarator.span;
        let Some(name) = item.declarator.name else {
            return Err(wrong(span, "a name is missing"));
        };
        if specs.storage == Storage::None
            && let Some(length) = self.variable_length(&item.declarator)?
        {
            return self.variable_array(base, item, name, length, out);
        }
        let ty = self.declared_type(&item.declarator, base)?;
        match (specs.storage, &ty) {
            (Storage::Typedef, _) => {
                self.scope.declare(name, Entity::Typedef(ty));
                Ok(())
            }
            (_, Type::Function(ty)) => {
                self.declare_function(name, ty, false, span);
                Ok(())
            }
            (Storage::Extern, _) => self.declare_global(name, &ty, specs, span).map(|_| ()),
            (Storage::Static, _) => self.static_local(name, ty, specs, item, span),
            (Storage::None, _) => self.automatic(name, ty, item, span, out),
        }
    }

    fn static_local(
        &mut self,
        name: Symbol,
        ty: Type,
        specs: &Specs,
        item: &InitDeclarator,
        span: Span,
    ) -> Typed<()> {
        let function = self.body(span)?.name;
        let text = format!("{}::{}", self.name(function), self.name(name));
        // The name is known inside its own initialiser.
        let id = self.new_global(text, ty.clone(), specs.thread_local, None, span);
        self.scope.declare(name, Entity::Global(id));
        if let Some(init) = &item.init {
            let (init, ty) = self.initializer(init, ty)?;
            let global = &mut self.linked.globals[id.0 as usize];
            global.init = Some(init);
            global.ty = ty;
        }
        Ok(())
    }

    fn automatic(
        &mut self,
        name: Symbol,
        ty: Type,
        item: &InitDeclarator,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        let id = self.new_local(name, ty.clone(), span)?;
        let init = match &item.init {
            Some(init) => {
                let (init, ty) = self.initializer(init, ty)?;
                self.body(span)?.locals[id.0 as usize].ty = ty;
                Some(init)
            }
            None => None,
        };
        let ty = self.body(span)?.locals[id.0 as usize].ty.clone();
        self.complete_size(&ty, span)?;
        let span = item.init.as_ref().map_or(span, |init| span.to(init.span()));
        out.push(Stmt {
            kind: StmtKind::Decl(id, init),
            span,
        });
        Ok(())
    }

    /// `__auto_type x = value;`
    fn auto_declaration(
        &mut self,
        specs: &Specs,
        declarators: &[InitDeclarator],
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        for item in declarators {
            let span = item.declarator.span;
            let (Some(name), Some(crate::ast::Initializer::Expr(expr))) =
                (item.declarator.name, &item.init)
            else {
                return Err(wrong(specs.span, "`__auto_type` needs a name and a value"));
            };
            let value = self.rvalue_expr(expr)?;
            let ty = adjust(value.ty.clone());
            let id = self.new_local(name, ty, span)?;
            let items = vec![crate::hir::InitItem {
                offset: 0,
                bits: None,
                value,
            }];
            let init = Some(Init {
                items,
                zero_rest: false,
            });
            out.push(Stmt {
                kind: StmtKind::Decl(id, init),
                span: span.to(expr.span),
            });
        }
        Ok(())
    }

    /// A local of the function at hand.
    pub fn new_local(&mut self, name: Symbol, ty: Type, span: Span) -> Typed<LocalId> {
        let text = self.name(name);
        let id = self.unnamed_local(text, ty, span)?;
        self.scope.declare(name, Entity::Local(id));
        Ok(id)
    }

    /// A local that the program has no name for.
    pub fn unnamed_local(&mut self, name: String, ty: Type, span: Span) -> Typed<LocalId> {
        let body = self.body(span)?;
        let id = LocalId(body.locals.len() as u32);
        body.locals.push(Local {
            name,
            ty,
            length: None,
            address_taken: false,
            span,
        });
        Ok(id)
    }
}
