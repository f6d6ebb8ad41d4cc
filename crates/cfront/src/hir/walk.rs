//! Walking the typed tree, to read it or to change it.
//!
//! Only structure: what a walk looks for is up to the visitor. Which parts an expression
//! and a statement have is written once, for both kinds of walks.

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

/// Visits a statement and everything in it.
pub fn walk_stmt(stmt: &Stmt, visitor: &mut dyn Visitor) {
    if visitor.stmt(stmt) {
        walk_stmt_parts(stmt, visitor);
    }
}

/// Applies `change` to every expression of a statement, to the parts before the whole.
pub fn change_stmt(stmt: &mut Stmt, change: &mut dyn FnMut(&mut Expr)) {
    change_stmt_parts(stmt, change);
}

fn change_expr(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    change_parts(expr, change);
    change(expr);
}

/// The parts of expressions, initialisers and statements, from left to right: each goes to the
/// function for its kind, together with `$with`.
macro_rules! parts {
    (
        $iter:ident, [$($mutable:tt)?], $with:ty,
        $expr:ident => $of_expr:ident, $init:ident, $stmt:ident => $of_stmt:ident
    ) => {
        /// Goes to the parts of an expression.
        pub fn $of_expr(expr: &$($mutable)? Expr, with: $with) {
            match &$($mutable)? expr.kind {
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
                | ExprKind::IncDec { place: inner, .. } => $expr(inner, with),
                ExprKind::Binary(_, a, b)
                | ExprKind::LogicalAnd(a, b)
                | ExprKind::LogicalOr(a, b)
                | ExprKind::Elvis(a, b)
                | ExprKind::Assign(a, b)
                | ExprKind::Comma(a, b)
                | ExprKind::PointerAdd { pointer: a, index: b, .. }
                | ExprKind::PointerDiff { left: a, right: b, .. }
                | ExprKind::CompoundAssign { place: a, value: b, .. }
                | ExprKind::PointerAssignAdd { place: a, index: b, .. } => {
                    $expr(a, with);
                    $expr(b, with);
                }
                ExprKind::Conditional(c, a, b) => {
                    [c, a, b].into_iter().for_each(|part| $expr(part, with));
                }
                ExprKind::CompoundLiteral(_, init) => $init(init, with),
                ExprKind::Call { callee, args } => {
                    $expr(callee, with);
                    args.$iter().for_each(|arg| $expr(arg, with));
                }
                ExprKind::Builtin(_, args) => args.$iter().for_each(|arg| $expr(arg, with)),
                ExprKind::StmtExpr(body, value) => {
                    $stmt(body, with);
                    value.$iter().for_each(|value| $expr(value, with));
                }
            }
        }

        /// Goes to the values of an initialiser.
        pub fn $init(init: &$($mutable)? Init, with: $with) {
            init.items.$iter().for_each(|item| $expr(&$($mutable)? item.value, with));
        }

        fn $of_stmt(stmt: &$($mutable)? Stmt, with: $with) {
            match &$($mutable)? stmt.kind {
                StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
                StmtKind::Expr(expr)
                | StmtKind::Cleanup(expr)
                | StmtKind::ComputedGoto(expr) => $expr(expr, with),
                StmtKind::Return(value) => value.$iter().for_each(|value| $expr(value, with)),
                StmtKind::Decl(_, init) => init.$iter().for_each(|init| $init(init, with)),
                StmtKind::Block(stmts) => stmts.$iter().for_each(|stmt| $stmt(stmt, with)),
                StmtKind::If(cond, then, otherwise) => {
                    $expr(cond, with);
                    $stmt(then, with);
                    otherwise.$iter().for_each(|stmt| $stmt(stmt, with));
                }
                StmtKind::While(cond, body) | StmtKind::Switch(cond, body) => {
                    $expr(cond, with);
                    $stmt(body, with);
                }
                StmtKind::DoWhile(body, cond) => {
                    $stmt(body, with);
                    $expr(cond, with);
                }
                StmtKind::For { init, cond, step, body } => {
                    init.$iter().for_each(|stmt| $stmt(stmt, with));
                    [cond, step].into_iter().flatten().for_each(|part| $expr(part, with));
                    $stmt(body, with);
                }
                StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                    $stmt(body, with);
                }
            }
        }
    };
}

parts!(iter, [], &mut dyn Visitor, walk_expr => walk_parts, walk_init, walk_stmt => walk_stmt_parts);
parts!(
    iter_mut, [mut], &mut dyn FnMut(&mut Expr),
    change_expr => change_parts, change_init, change_stmt => change_stmt_parts
);
