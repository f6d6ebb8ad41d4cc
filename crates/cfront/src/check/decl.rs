//! Declarations at file scope and in blocks.

use super::Checker;
use super::fault::{Typed, wrong};
use super::scope::Entity;
use super::types::adjust;
use crate::ast::{
    Declaration, Declarator, Derived, ExprKind, InitDeclarator, Specs, Storage, TypeSpec, Unit,
    UnitItem,
};
use crate::hir::{
    FuncId, FuncType, Function, Global, GlobalId, Init, Link, Local, LocalId, Stmt, StmtKind, Type,
};
use crate::lex::Symbol;
use xcfa::Span;

impl Checker<'_> {
    /// Everything in a translation unit.
    pub fn unit(&mut self, unit: &Unit) {
        for item in &unit.items {
            let typed = match item {
                UnitItem::Declaration(declaration) => {
                    self.declaring(declaration, |this| this.file_declaration(declaration))
                }
                UnitItem::Function(definition) => self.function(definition),
            };
            if let Err(fault) = typed {
                self.tell(*fault);
                // Too much follows from a type that is wrong.
                if defines_type(item) {
                    return;
                }
            }
        }
        if let Err(fault) = self.honour_pragmas(unit) {
            self.tell(*fault);
        }
    }

    fn file_declaration(&mut self, declaration: &Declaration) -> Typed<()> {
        match declaration {
            Declaration::StaticAssert(cond, span) => self.static_assert(cond, *span),
            Declaration::Asm(asm, span) => self.file_asm(asm, *span),
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
            return self.declare_typedef(specs, &item.declarator, name, ty);
        }
        if let Type::Function(ty) = &ty {
            let id = self.declare_function(name, ty, specs.storage == Storage::Static, span);
            self.function_declared(id, specs, true);
            return self.function_attributes(id, specs, &item.declarator);
        }
        let id = self.declare_global(name, &ty, specs, span)?;
        self.global_attributes(id, specs, &item.declarator)?;
        let constant = self.is_constant(specs, &item.declarator);
        self.linked.globals[id.0 as usize].constant |= constant;
        match &item.init {
            Some(init) => {
                let (init, ty) = self.initializer(init, ty)?;
                let global = &mut self.linked.globals[id.0 as usize];
                if global.init.is_some() && !global.external {
                    return Err(wrong(span, format!("`{}` is defined twice", global.name)));
                }
                global.init = Some(init);
                global.ty = ty;
                self.defines_global(id, span);
            }
            None if specs.storage != Storage::Extern => self.defines_global(id, span),
            None => {}
        }
        Ok(())
    }

    /// The object is defined here, unless it is another name of something.
    fn defines_global(&mut self, id: GlobalId, span: Span) {
        let global = &mut self.linked.globals[id.0 as usize];
        global.external = false;
        global.link.defined = true;
        global.span = span;
    }

    /// A new name of a type.
    fn declare_typedef(
        &mut self,
        specs: &Specs,
        declarator: &Declarator,
        name: Symbol,
        ty: Type,
    ) -> Typed<()> {
        self.only_type_attributes(specs, declarator)?;
        let align = self.declared_alignment(specs, declarator)?;
        let constant = self.is_constant(specs, declarator);
        let entity = Entity::Typedef(ty, align, constant);
        self.scope.declare(name, entity);
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
            _ => match self.names_with_linkage.get(&name) {
                Some(Entity::Function(id, known)) => Some((*id, known.clone())),
                _ => None,
            },
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
            None => self.new_function(name, ty, is_static, span),
        };
        self.linked.functions[id.0 as usize].system |= self.source.is_system(span.lo);
        let entity = Entity::Function(id, seen);
        self.names_with_linkage.insert(name, entity.clone());
        self.scope.declare(name, entity);
        id
    }

    /// The function of a name that is used without a declaration.
    pub fn extern_function(&mut self, name: Symbol, ty: &FuncType, span: Span) -> FuncId {
        if let Some(Entity::Function(id, _)) = self.names_with_linkage.get(&name) {
            return *id;
        }
        let id = self.new_function(name, ty, false, span);
        self.names_with_linkage
            .insert(name, Entity::Function(id, ty.clone()));
        id
    }

    fn new_function(&mut self, name: Symbol, ty: &FuncType, internal: bool, span: Span) -> FuncId {
        let id = FuncId(self.linked.functions.len() as u32);
        let name = self.name(name);
        self.linked.functions.push(Function {
            name: name.clone(),
            ty: ty.clone(),
            locals: Vec::new(),
            params: 0,
            labels: Vec::new(),
            addressed: Vec::new(),
            body: None,
            errors: Vec::new(),
            remains: None,
            noreturn: false,
            link: Link {
                symbol: name,
                internal,
                library: self.is_library,
                inline_only: true,
                ..Link::default()
            },
            replaced: false,
            system: false,
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
            None => match self.names_with_linkage.get(&name) {
                Some(Entity::Global(id)) => Some(*id),
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
                if global.thread_local != specs.thread_local {
                    let what = format!("`{}` is thread-local in one declaration only", global.name);
                    return Err(wrong(span, what));
                }
                id
            }
            None => {
                let text = self.name(name);
                let id = self.new_global(text, ty.clone(), specs.thread_local, None, span);
                let global = &mut self.linked.globals[id.0 as usize];
                global.external = true;
                global.link.internal = is_static;
                global.link.defined = false;
                self.names_with_linkage.insert(name, Entity::Global(id));
                id
            }
        };
        self.scope.declare(name, Entity::Global(id));
        Ok(id)
    }

    /// An object that only this file knows, unless another declaration says otherwise.
    pub fn new_global(
        &mut self,
        name: String,
        ty: Type,
        thread_local: bool,
        init: Option<Init>,
        span: Span,
    ) -> GlobalId {
        let id = GlobalId(self.linked.globals.len() as u32);
        self.linked.globals.push(Global {
            link: Link {
                symbol: name.clone(),
                internal: true,
                defined: true,
                library: self.is_library,
                ..Link::default()
            },
            name,
            ty,
            thread_local,
            init,
            external: false,
            constant: false,
            literal: false,
            address_taken: false,
            align: None,
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
        self.declaring(declaration, |this| this.local_names(declaration, out))
    }

    fn local_names(&mut self, declaration: &Declaration, out: &mut Vec<Stmt>) -> Typed<()> {
        match declaration {
            Declaration::StaticAssert(cond, span) => self.static_assert(cond, *span),
            Declaration::Asm(_, span) => Err(wrong(*span, "`asm` of a file inside a function")),
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
            self.only_type_attributes(specs, &item.declarator)?;
            return self.variable_array(base, item, name, length, out);
        }
        let ty = self.declared_type(&item.declarator, base)?;
        match (specs.storage, &ty) {
            (Storage::Typedef, _) => self.declare_typedef(specs, &item.declarator, name, ty),
            (_, Type::Function(ty)) => {
                let id = self.declare_function(name, ty, false, span);
                self.function_declared(id, specs, false);
                self.function_attributes(id, specs, &item.declarator)
            }
            (Storage::Extern, _) => {
                let id = self.declare_global(name, &ty, specs, span)?;
                self.global_attributes(id, specs, &item.declarator)
            }
            (Storage::Static, _) => self.static_local(name, ty, specs, item, span),
            (Storage::None, _) => {
                let id = self.automatic(name, ty, item, span, out)?;
                let constant = self.is_constant(specs, &item.declarator);
                self.body(span)?.locals[id.0 as usize].constant = constant;
                self.local_attributes(id, specs, &item.declarator, out)
            }
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
        self.global_attributes(id, specs, &item.declarator)?;
        let constant = self.is_constant(specs, &item.declarator);
        self.linked.globals[id.0 as usize].constant = constant;
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
    ) -> Typed<LocalId> {
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
        out.push(Stmt::new(StmtKind::Decl(id, init), span));
        Ok(id)
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
            out.push(Stmt::new(StmtKind::Decl(id, init), span.to(expr.span)));
            self.local_attributes(id, specs, &item.declarator, out)?;
        }
        Ok(())
    }

    /// A local of the current function.
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
            align: None,
            address_taken: false,
            constant: false,
            span,
        });
        Ok(id)
    }

    /// Is what is declared constant itself, and not only what it points to?
    fn is_constant(&self, specs: &Specs, declarator: &Declarator) -> bool {
        let mut steps = declarator.derived.iter().map(|step| &step.kind);
        match steps.find(|step| !matches!(step, Derived::Array(_))) {
            Some(Derived::Pointer { constant, .. }) => *constant,
            Some(_) => false,
            None => specs.constant || self.is_constant_type(&specs.ty),
        }
    }

    fn is_constant_type(&self, ty: &TypeSpec) -> bool {
        match ty {
            TypeSpec::Named(name) => {
                matches!(self.scope.get(*name), Some(Entity::Typedef(_, _, true)))
            }
            TypeSpec::TypeofType(name) | TypeSpec::AtomicType(name) => {
                self.is_constant(&name.specs, &name.declarator)
            }
            TypeSpec::TypeofExpr(expr) => self.is_constant_place(expr),
            _ => false,
        }
    }

    /// Is an object constant, or a part of one that is? What pointers point to is not known here.
    fn is_constant_place(&self, place: &crate::ast::Expr) -> bool {
        match &place.kind {
            ExprKind::Name(name) => match self.scope.get(*name) {
                Some(Entity::Global(id)) => self.linked.globals[id.0 as usize].constant,
                Some(Entity::Local(id)) => {
                    let local = self.body.as_ref().map(|body| &body.locals[id.0 as usize]);
                    local.is_some_and(|local| local.constant)
                }
                _ => false,
            },
            ExprKind::Member {
                base, arrow: false, ..
            } => self.is_constant_place(base),
            _ => false,
        }
    }
}

/// Is it there for a type: a definition of a name of one, or of nothing else?
fn defines_type(item: &UnitItem) -> bool {
    match item {
        UnitItem::Declaration(Declaration::Plain(specs, declarators)) => {
            declarators.is_empty() || specs.storage == Storage::Typedef
        }
        _ => false,
    }
}
