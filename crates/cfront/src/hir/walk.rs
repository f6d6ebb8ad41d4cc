//! Walking the typed tree.
//!
//! Only structure: what a walk is looking for is the visitor's business.

use super::{Expr, ExprKind, Init, Stmt, StmtKind};

/// Sees every expression of a tree before its parts; says whether to go into them.
pub trait Visitor {
    /// Called for each expression. `false` leaves its parts out.
    fn expr(&mut self, expr: &Expr) -> bool;
    /// Called for each statement. `false` leaves its parts out.
    fn stmt(&mut self, _stmt: &Stmt) -> bool {
        true
    }
}

/// Visits an expression and its parts.
pub fn walk_expr(expr: &Expr, visitor: &mut dyn Visitor) {
    if visitor.expr(expr) {
        walk_parts(expr, visitor);
    }
}

/// Visits the parts of an expression, from left to right.
pub fn walk_parts(expr: &Expr, visitor: &mut dyn Visitor) {
    match &expr.kind {
        ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddr(_) => {}
        ExprKind::Deref(inner)
        | ExprKind::Member(inner, _)
        | ExprKind::MemberOfValue(inner, _)
        | ExprKind::Load(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::Decay(inner)
        | ExprKind::Unary(_, inner)
        | ExprKind::Cast(inner)
        | ExprKind::IncDec { place: inner, .. } => walk_expr(inner, visitor),
        ExprKind::Binary(_, a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Elvis(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PointerAdd {
            pointer: a,
            index: b,
            ..
        }
        | ExprKind::PointerDiff {
            left: a, right: b, ..
        }
        | ExprKind::CompoundAssign {
            place: a, value: b, ..
        }
        | ExprKind::PointerAssignAdd {
            place: a, index: b, ..
        } => {
            walk_expr(a, visitor);
            walk_expr(b, visitor);
        }
        ExprKind::Conditional(c, a, b) => {
            for part in [c, a, b] {
                walk_expr(part, visitor);
            }
        }
        ExprKind::CompoundLiteral(_, init) => walk_init(init, visitor),
        ExprKind::Call { callee, args } => {
            walk_expr(callee, visitor);
            for arg in args {
                walk_expr(arg, visitor);
            }
        }
        ExprKind::Builtin(_, args) => {
            for arg in args {
                walk_expr(arg, visitor);
            }
        }
        ExprKind::StmtExpr(body, value) => {
            walk_stmt(body, visitor);
            if let Some(value) = value {
                walk_expr(value, visitor);
            }
        }
    }
}

/// Visits the values of an initialiser.
pub fn walk_init(init: &Init, visitor: &mut dyn Visitor) {
    for item in &init.items {
        walk_expr(&item.value, visitor);
    }
}

/// Visits a statement and everything in it.
pub fn walk_stmt(stmt: &Stmt, visitor: &mut dyn Visitor) {
    if !visitor.stmt(stmt) {
        return;
    }
    match &stmt.kind {
        StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
        StmtKind::Expr(expr) => walk_expr(expr, visitor),
        StmtKind::Return(value) => {
            if let Some(value) = value {
                walk_expr(value, visitor);
            }
        }
        StmtKind::Decl(_, init) => {
            if let Some(init) = init {
                walk_init(init, visitor);
            }
        }
        StmtKind::Block(stmts) => {
            for stmt in stmts {
                walk_stmt(stmt, visitor);
            }
        }
        StmtKind::If(cond, then, otherwise) => {
            walk_expr(cond, visitor);
            walk_stmt(then, visitor);
            if let Some(otherwise) = otherwise {
                walk_stmt(otherwise, visitor);
            }
        }
        StmtKind::While(cond, body) | StmtKind::Switch(cond, body) => {
            walk_expr(cond, visitor);
            walk_stmt(body, visitor);
        }
        StmtKind::DoWhile(body, cond) => {
            walk_stmt(body, visitor);
            walk_expr(cond, visitor);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            if let Some(init) = init {
                walk_stmt(init, visitor);
            }
            for part in [cond, step].into_iter().flatten() {
                walk_expr(part, visitor);
            }
            walk_stmt(body, visitor);
        }
        StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
            walk_stmt(body, visitor);
        }
    }
}
