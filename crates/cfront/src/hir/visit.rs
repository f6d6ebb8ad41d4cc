//! Walks over expressions and statements.

use super::{Expr, ExprKind, Init, Stmt, StmtKind};

/// Calls `f` on the direct parts of an expression; those of a statement expression are the
/// outermost expressions in it.
pub(crate) fn for_each_child(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    use ExprKind::*;
    match &mut expr.kind {
        Global(_) | Local(_) | Int(_) | Float(_) | FunctionAddr(_) => {}
        CompoundLiteral(_, init) => for_each_init(init, f),
        Deref(a)
        | Member(a, _)
        | Load(a)
        | AddrOf(a)
        | Decay(a)
        | Unary(_, a)
        | Cast(a)
        | MemberOfValue(a, _)
        | IncDec { place: a, .. } => f(a),
        Binary(_, a, b)
        | LogicalAnd(a, b)
        | LogicalOr(a, b)
        | Elvis(a, b)
        | Assign(a, b)
        | Comma(a, b)
        | PointerAdd {
            pointer: a,
            index: b,
            ..
        }
        | PointerDiff {
            left: a, right: b, ..
        }
        | CompoundAssign {
            place: a, value: b, ..
        }
        | PointerAssignAdd {
            place: a, index: b, ..
        } => {
            f(a);
            f(b);
        }
        Conditional(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        Call { callee, args } => {
            f(callee);
            args.iter_mut().for_each(f);
        }
        Builtin(_, args) => args.iter_mut().for_each(f),
        StmtExpr(stmt, value) => {
            for_each_expr(stmt, f);
            if let Some(value) = value {
                f(value);
            }
        }
    }
}

fn for_each_init(init: &mut Init, f: &mut dyn FnMut(&mut Expr)) {
    for item in &mut init.items {
        f(&mut item.value);
    }
}

/// Calls `f` on the outermost expressions of a statement.
pub(crate) fn for_each_expr(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Expr)) {
    use StmtKind::*;
    match &mut stmt.kind {
        Empty | Goto(_) | Break | Continue | Return(None) | Decl(_, None) => {}
        Expr(expr) | Return(Some(expr)) => f(expr),
        Decl(_, Some(init)) => for_each_init(init, f),
        Block(stmts) => {
            for stmt in stmts {
                for_each_expr(stmt, f);
            }
        }
        If(cond, then, other) => {
            f(cond);
            for_each_expr(then, f);
            if let Some(other) = other {
                for_each_expr(other, f);
            }
        }
        While(cond, body) | Switch(cond, body) => {
            f(cond);
            for_each_expr(body, f);
        }
        DoWhile(body, cond) => {
            for_each_expr(body, f);
            f(cond);
        }
        For {
            init,
            cond,
            step,
            body,
        } => {
            if let Some(init) = init {
                for_each_expr(init, f);
            }
            for part in [cond, step].into_iter().flatten() {
                f(part);
            }
            for_each_expr(body, f);
        }
        Case(_, stmt) | Default(stmt) | Label(_, stmt) => for_each_expr(stmt, f),
    }
}
