//! What attributes say about declarations.
//!
//! The parser keeps the attributes that mean something. Each kind of declaration honours those that it can have
//! and refuses the others, so that none is dropped.

use super::Checker;
use super::fault::{Typed, beyond, wrong};
use super::scope::Entity;
use crate::Unsupported;
use crate::ast::{Attr, Declarator, Derived, Specs, Storage, TypeSpec, Unit, WeakPragma};
use crate::hir::{Expr, ExprKind, FuncId, GlobalId, Indirect, Link, LocalId, Stmt, StmtKind};
use crate::lex::Symbol;
use xcfa::Span;

/// Priorities above this are what a constructor without one has.
const NO_PRIORITY: u64 = 65535;

/// The attributes of one declaration.
pub fn attributes_of<'a>(specs: &'a Specs, declarator: &'a Declarator) -> Vec<&'a Attr> {
    specs.attrs.iter().chain(&declarator.attrs).collect()
}

impl Checker<'_> {
    /// Takes note of a declaration of a function.
    pub fn function_declared(&mut self, id: FuncId, specs: &Specs, at_file_scope: bool) {
        let link = &mut self.linked.functions[id.0 as usize].link;
        if at_file_scope && !link.gnu_inline {
            link.inline_only &= specs.inline && specs.storage == Storage::None;
        }
    }

    /// Honours the attributes of a function. What we do not honour counts only if the function is used.
    pub fn function_attributes(
        &mut self,
        id: FuncId,
        specs: &Specs,
        declarator: &Declarator,
    ) -> Typed<()> {
        let weakref = weakref_target(specs, declarator)?;
        for attr in attributes_of(specs, declarator) {
            match attr {
                Attr::Constructor(priority, _) => {
                    let priority = self.priority(priority.as_deref())?;
                    self.function_link(id).constructor = Some(priority);
                }
                Attr::Destructor(priority, _) => {
                    let priority = self.priority(priority.as_deref())?;
                    self.function_link(id).destructor = Some(priority);
                }
                Attr::NoReturn => self.linked.functions[id.0 as usize].noreturn = true,
                Attr::AsmName(name, span) => self.rename_function(id, name, *span)?,
                Attr::Section(name, span) => {
                    let runs = [".init", ".fini", ".preinit", ".ctors", ".dtors"];
                    if runs.iter().any(|start| name.starts_with(start)) {
                        return Err(beyond(*span, format!("the section `{name}`")));
                    }
                }
                Attr::Ifunc(resolver, span) => {
                    let link = self.function_link(id);
                    link.indirect = Some(Indirect::Ifunc(resolver.clone(), *span));
                    link.defined = true;
                    link.inline_only = false;
                }
                Attr::Refused(what, span) => {
                    let refusal = Unsupported::at(*span, what.clone());
                    self.function_link(id).refused.get_or_insert(refusal);
                }
                Attr::Cleanup(_, span) => return Err(misplaced("cleanup", *span)),
                _ => link_attribute(self.function_link(id), attr, weakref.as_ref())?,
            }
        }
        Ok(())
    }

    fn function_link(&mut self, id: FuncId) -> &mut Link {
        &mut self.linked.functions[id.0 as usize].link
    }

    /// The linker knows a function by another name. The headers of the C library do this too: there
    /// the name in C is the one that the model knows.
    fn rename_function(&mut self, id: FuncId, symbol: &str, span: Span) -> Typed<()> {
        let is_system = self.source.is_system(span.lo);
        let function = &mut self.linked.functions[id.0 as usize];
        let is_libc = is_system || crate::functions::function(&function.name).is_some();
        if function.name == symbol || is_libc && is_libc_variant(&function.name, symbol) {
            return Ok(());
        }
        if function.link.internal {
            return Err(beyond(span, "an `asm` name of a static function"));
        }
        function.name = symbol.to_owned();
        function.link.symbol = symbol.to_owned();
        Ok(())
    }

    fn priority(&mut self, priority: Option<&crate::ast::Expr>) -> Typed<u32> {
        let Some(priority) = priority else {
            return Ok(NO_PRIORITY as u32);
        };
        let value = self.count_constant(priority, "the priority")?;
        match value <= NO_PRIORITY {
            true => Ok(value as u32),
            false => Err(wrong(priority.span, "a priority is at most 65535")),
        }
    }

    /// Honours the attributes of an object with static lifetime.
    pub fn global_attributes(
        &mut self,
        id: GlobalId,
        specs: &Specs,
        declarator: &Declarator,
    ) -> Typed<()> {
        let align = self.declared_alignment(specs, declarator)?;
        let weakref = weakref_target(specs, declarator)?;
        let register = specs.register;
        let global = &mut self.linked.globals[id.0 as usize];
        global.align = global.align.max(align);
        for attr in attributes_of(specs, declarator) {
            match attr {
                Attr::AsmName(_, span) if register => {
                    return Err(beyond(*span, "a variable that is a register"));
                }
                Attr::AsmName(name, span) if global.link.symbol != *name => {
                    if global.link.internal {
                        return Err(beyond(*span, "an `asm` name of a static variable"));
                    }
                    global.link.symbol.clone_from(name);
                }
                Attr::Section(name, span) => global.link.section = Some((name.clone(), *span)),
                Attr::Constructor(_, span) | Attr::Destructor(_, span) => {
                    return Err(misplaced("constructor", *span));
                }
                Attr::Ifunc(_, span) => return Err(misplaced("ifunc", *span)),
                Attr::Cleanup(_, span) => return Err(misplaced("cleanup", *span)),
                Attr::Refused(what, span) => return Err(beyond(*span, what.clone())),
                Attr::NoReturn => {}
                _ => {
                    link_attribute(&mut global.link, attr, weakref.as_ref())?;
                    // Another name of something is not an object that is only declared.
                    global.external &= !global.link.defined;
                }
            }
        }
        Ok(())
    }

    /// Honours the attributes of a local, which has just been declared in `out`.
    pub fn local_attributes(
        &mut self,
        id: LocalId,
        specs: &Specs,
        declarator: &Declarator,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        let span = declarator.span;
        let align = self.declared_alignment(specs, declarator)?;
        self.body(span)?.locals[id.0 as usize].align = align;
        for attr in attributes_of(specs, declarator) {
            match attr {
                Attr::Cleanup(function, at) => {
                    let call = self.cleanup_call(id, *function, *at)?;
                    let kind = StmtKind::Cleanup(call);
                    out.push(Stmt { kind, span });
                }
                // The register of a local matters to `asm` only, whose operands we check ourselves.
                Attr::AsmName(..) | Attr::NoReturn => {}
                _ => only_about_types(attr)?,
            }
        }
        Ok(())
    }

    /// `function(&local)`.
    fn cleanup_call(&mut self, id: LocalId, function: Symbol, span: Span) -> Typed<Expr> {
        let Some(Entity::Function(callee, ty)) = self.scope.get(function).cloned() else {
            let what = format!("`{}` is not a function", self.name(function));
            return Err(wrong(span, what));
        };
        let place = Expr::new(
            ExprKind::Local(id),
            self.body(span)?.locals[id.0 as usize].ty.clone(),
            span,
        );
        let address = self.address_of(place, span)?;
        let arg = match &ty.params[..] {
            [param] => self.assign_convert(address, param)?,
            [] if ty.variadic => address,
            _ => return Err(wrong(span, "a cleanup function takes one pointer")),
        };
        Ok(Expr::new(
            ExprKind::Call {
                callee: Box::new(super::expr::function_addr(callee, &ty, span)),
                args: vec![arg],
            },
            ty.result.unqualified().clone(),
            span,
        ))
    }

    /// Refuses attributes that are about more than a type.
    pub fn only_type_attributes(&self, specs: &Specs, declarator: &Declarator) -> Typed<()> {
        let is_function =
            |item: &crate::ast::DeclaratorItem| matches!(item.kind, Derived::Function(_));
        let of_function = declarator.derived.first().is_some_and(is_function);
        for attr in attributes_of(specs, declarator) {
            match attr {
                // A pointer to such a function promises something; a type of such functions would have to
                // pass it on.
                Attr::NoReturn if !of_function => {}
                Attr::NoReturn => {
                    return Err(beyond(
                        declarator.span,
                        "a type of functions that do not return",
                    ));
                }
                _ => only_about_types(attr)?,
            }
        }
        Ok(())
    }

    /// The alignment that a declaration asks for, by itself or through a name of its type.
    pub fn declared_alignment(
        &mut self,
        specs: &Specs,
        declarator: &Declarator,
    ) -> Typed<Option<u64>> {
        let asked = self.asked_alignment(&specs.attrs)?;
        let own = self.asked_alignment(&declarator.attrs)?;
        let of_type = self.named_alignment(specs, declarator);
        Ok(asked.max(own).or(of_type))
    }

    /// The alignment that the name of a type brings along: to the type itself and to arrays of it.
    pub fn named_alignment(&self, specs: &Specs, declarator: &Declarator) -> Option<u64> {
        let is_array = |item: &crate::ast::DeclaratorItem| matches!(item.kind, Derived::Array(_));
        match &specs.ty {
            TypeSpec::Named(name) if declarator.derived.iter().all(is_array) => {
                match self.scope.get(*name) {
                    Some(Entity::Typedef(_, align, _)) => *align,
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `#pragma weak` and `#pragma redefine_extname`, which hold for the whole file.
    pub fn honour_pragmas(&mut self, unit: &Unit) -> Typed<()> {
        for (old, new) in &unit.renamed {
            let old = self.names.intern(old);
            match self.names_with_linkage.get(&old).cloned() {
                Some(Entity::Function(id, _)) => self.rename_function(id, new, Span::default())?,
                Some(Entity::Global(id)) => {
                    self.linked.globals[id.0 as usize]
                        .link
                        .symbol
                        .clone_from(new);
                }
                _ => {}
            }
        }
        unit.weak
            .iter()
            .try_for_each(|pragma| self.honour_weak(pragma))
    }

    fn honour_weak(&mut self, pragma: &WeakPragma) -> Typed<()> {
        let name = self.names.intern(&pragma.name);
        let known = self.names_with_linkage.get(&name).cloned();
        let entity = match (known, &pragma.target) {
            (Some(entity), _) => entity,
            (None, None) => return Ok(()),
            (None, Some(target)) => self.declare_like(name, target, pragma.span)?,
        };
        let link = match entity {
            Entity::Function(id, _) => self.function_link(id),
            Entity::Global(id) => &mut self.linked.globals[id.0 as usize].link,
            _ => return Ok(()),
        };
        link.weak = true;
        if let Some(target) = &pragma.target {
            link.indirect = Some(Indirect::Alias(target.clone(), pragma.span));
            link.defined = true;
            link.inline_only = false;
        }
        if let Entity::Global(id) = entity {
            let global = &mut self.linked.globals[id.0 as usize];
            global.external &= !global.link.defined;
        }
        Ok(())
    }

    /// A name that only a pragma mentions, with the type of what it stands for.
    fn declare_like(&mut self, name: Symbol, target: &str, span: Span) -> Typed<Entity> {
        let target_name = self.names.intern(target);
        let target = match self.names_with_linkage.get(&target_name).cloned() {
            Some(target) => target,
            None => {
                let what = format!("`{}` is not declared", self.name(target_name));
                return Err(wrong(span, what));
            }
        };
        Ok(match target {
            Entity::Function(_, ty) => Entity::Function(self.extern_function(name, &ty, span), ty),
            Entity::Global(id) => {
                let global = &self.linked.globals[id.0 as usize];
                let (ty, thread_local) = (global.ty.clone(), global.thread_local);
                let text = self.name(name);
                let id = self.new_global(text, ty, thread_local, None, span);
                self.linked.globals[id.0 as usize].link.internal = false;
                Entity::Global(id)
            }
            other => other,
        })
    }
}

/// Honours an attribute that functions and objects share.
fn link_attribute(link: &mut Link, attr: &Attr, weakref: Option<&String>) -> Typed<()> {
    match attr {
        Attr::Weak => link.weak = true,
        Attr::Common => link.common = true,
        Attr::Alias(..) if weakref.is_some() => {}
        Attr::Alias(target, span) => {
            link.indirect = Some(Indirect::Alias(target.clone(), *span));
            link.defined = true;
            link.inline_only = false;
        }
        // A name for a weak use of another symbol.
        Attr::WeakRef(..) => {
            if let Some(target) = weakref {
                link.symbol.clone_from(target);
                link.internal = false;
                link.weak = true;
            }
        }
        _ => {}
    }
    Ok(())
}

/// What `weakref` refers to: its own argument, or that of an `alias` beside it.
fn weakref_target(specs: &Specs, declarator: &Declarator) -> Typed<Option<String>> {
    let attrs = attributes_of(specs, declarator);
    let Some((target, span)) = attrs.iter().find_map(|attr| match attr {
        Attr::WeakRef(target, span) => Some((target, *span)),
        _ => None,
    }) else {
        return Ok(None);
    };
    let beside = attrs.iter().find_map(|attr| match attr {
        Attr::Alias(target, _) => Some(target.clone()),
        _ => None,
    });
    match target.clone().or(beside) {
        Some(target) => Ok(Some(target)),
        None => Err(beyond(span, "`weakref` without the name that it refers to")),
    }
}

/// Refuses an attribute, unless it changes a type only.
pub fn only_about_types(attr: &Attr) -> Typed<()> {
    match attr {
        Attr::Packed
        | Attr::Aligned(_)
        | Attr::AlignedAs(_)
        | Attr::Mode(..)
        | Attr::VectorSize(_) => Ok(()),
        Attr::Refused(what, span) => Err(beyond(*span, what.clone())),
        Attr::Weak | Attr::GnuInline | Attr::Common | Attr::NoReturn => Ok(()),
        Attr::Constructor(_, span) => Err(misplaced("constructor", *span)),
        Attr::Destructor(_, span) => Err(misplaced("destructor", *span)),
        Attr::Cleanup(_, span) => Err(misplaced("cleanup", *span)),
        Attr::Alias(_, span) => Err(misplaced("alias", *span)),
        Attr::Ifunc(_, span) => Err(misplaced("ifunc", *span)),
        Attr::WeakRef(_, span) => Err(misplaced("weakref", *span)),
        Attr::Section(_, span) => Err(misplaced("section", *span)),
        Attr::AsmName(_, span) => Err(misplaced("asm", *span)),
    }
}

fn misplaced(name: &str, span: Span) -> Box<super::fault::Fault> {
    beyond(span, format!("`{name}` here"))
}

/// Is the symbol what the C library calls this function of its headers in some standard?
fn is_libc_variant(name: &str, symbol: &str) -> bool {
    let stems = ["__isoc99_", "__isoc23_", "__xpg_"];
    let stem = stems.iter().find_map(|stem| symbol.strip_prefix(stem));
    let large_file = symbol.strip_suffix("64") == Some(name);
    let other_time = symbol.strip_prefix("__").and_then(|s| s.strip_suffix("64")) == Some(name);
    let jump = symbol == "__sigsetjmp" || symbol == "__longjmp_chk" || symbol == "_longjmp";
    stem == Some(name) || large_file || other_time || jump
}
