//! Uses of names: listing them, and redirecting them to definitions.

use super::Objects;
use crate::hir::walk::{Visitor, walk_init, walk_stmt};
use crate::hir::walk::{change_init, change_stmt};
use crate::hir::{Expr, ExprKind, FuncId, GlobalId, Type};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a name leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target<Id> {
    /// The name means this definition.
    Is(Id),
    /// To nothing: the address is null.
    Null,
    /// To what this pointer holds.
    Through(GlobalId),
}

/// What is used anywhere in the program's own text.
#[derive(Default)]
pub(super) struct References {
    pub functions: BTreeSet<FuncId>,
    pub globals: BTreeSet<GlobalId>,
}

impl References {
    /// Everything that bodies and initialisers mention.
    pub fn of(objects: &Objects) -> References {
        let mut references = References::default();
        for function in objects.functions.iter().filter(|f| !f.link.library) {
            if let Some(body) = &function.body {
                walk_stmt(body, &mut references);
            }
        }
        for global in objects.globals.iter().filter(|g| !g.link.library) {
            if let Some(init) = &global.init {
                walk_init(init, &mut references);
            }
        }
        references
    }
}

impl Visitor for References {
    fn expr(&mut self, expr: &Expr) -> bool {
        match expr.kind {
            ExprKind::FunctionAddr(id) => drop(self.functions.insert(id)),
            ExprKind::Global(id) => drop(self.globals.insert(id)),
            _ => {}
        }
        true
    }
}

/// Leads every use to its target.
pub(super) fn redirect(
    objects: &mut Objects,
    functions: &[Target<FuncId>],
    globals: &[Target<GlobalId>],
) {
    let mut change = |expr: &mut Expr| change(expr, functions, globals);
    for function in &mut objects.functions {
        if let Some(body) = &mut function.body {
            change_stmt(body, &mut change);
        }
    }
    for global in &mut objects.globals {
        if let Some(init) = &mut global.init {
            change_init(init, &mut change);
        }
    }
}

fn change(expr: &mut Expr, functions: &[Target<FuncId>], globals: &[Target<GlobalId>]) {
    match &mut expr.kind {
        ExprKind::FunctionAddr(id) => match functions[id.0 as usize] {
            Target::Is(target) => *id = target,
            Target::Null => expr.kind = ExprKind::Int(0),
            Target::Through(pointer) => {
                let place = Expr::new(ExprKind::Global(pointer), expr.ty.clone(), expr.span);
                expr.kind = ExprKind::Load(Box::new(place));
            }
        },
        ExprKind::Global(id) => match globals[id.0 as usize] {
            Target::Is(target) => *id = target,
            Target::Null | Target::Through(_) => {
                let null = Expr::new(
                    ExprKind::Int(0),
                    Type::Pointer(Arc::new(expr.ty.clone())),
                    expr.span,
                );
                expr.kind = ExprKind::Deref(Box::new(null));
            }
        },
        // The address of what is at address null.
        ExprKind::AddrOf(place) | ExprKind::Decay(place) => {
            if let ExprKind::Deref(pointer) = &place.kind
                && let ExprKind::Int(0) = pointer.kind
            {
                expr.kind = ExprKind::Int(0);
            }
        }
        _ => {}
    }
}
