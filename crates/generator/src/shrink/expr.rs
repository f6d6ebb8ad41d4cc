//! Smaller places and expressions.

use crate::program::{AtomicForm, Expr, Lvalue};

/// Replacements for a form of an atomic operation.
pub(super) fn smaller_forms(form: &AtomicForm) -> impl Iterator<Item = AtomicForm> {
    let mut found = Vec::new();
    let mut with_two = |a: &Expr, b: &Expr, build: &dyn Fn(Expr, Expr) -> AtomicForm| {
        found.extend(smaller(a).map(|a| build(a, b.clone())));
        found.extend(smaller(b).map(|b| build(a.clone(), b)));
    };
    match form {
        AtomicForm::CompareExchange(weak, a, b) => {
            with_two(a, b, &|a, b| AtomicForm::CompareExchange(*weak, a, b));
        }
        AtomicForm::BoolSwap(a, b) => with_two(a, b, &AtomicForm::BoolSwap),
        AtomicForm::ValSwap(a, b) => with_two(a, b, &AtomicForm::ValSwap),
        AtomicForm::Store(value) => found.extend(smaller(value).map(AtomicForm::Store)),
        AtomicForm::Exchange(value) => found.extend(smaller(value).map(AtomicForm::Exchange)),
        AtomicForm::Load | AtomicForm::Release | AtomicForm::TestAndSet | AtomicForm::Clear => {}
    }
    found.into_iter()
}

/// Replacements for a place.
pub(super) fn smaller_places(place: &Lvalue) -> impl Iterator<Item = Lvalue> {
    let found: Vec<Lvalue> = match place {
        Lvalue::Element(array, index) => smaller(index)
            .map(|index| Lvalue::Element(*array, index.into()))
            .collect(),
        _ => Vec::new(),
    };
    found.into_iter()
}

/// Replacements for an expression.
pub(super) fn smaller(expr: &Expr) -> impl Iterator<Item = Expr> {
    let mut found = Vec::new();
    match expr {
        Expr::Const(0) => {}
        Expr::Const(1) => found.push(Expr::Const(0)),
        _ => found.extend([Expr::Const(0), Expr::Const(1)]),
    }
    match expr {
        Expr::Const(_) => {}
        Expr::Read(place) => found.extend(smaller_places(place).map(Expr::Read)),
        Expr::Unary(op, arg) => {
            found.push((**arg).clone());
            found.extend(smaller(arg).map(|arg| Expr::Unary(*op, arg.into())));
        }
        Expr::Binary(op, left, right) => {
            found.extend([(**left).clone(), (**right).clone()]);
            found.extend(smaller(left).map(|l| Expr::Binary(*op, l.into(), right.clone())));
            found.extend(smaller(right).map(|r| Expr::Binary(*op, left.clone(), r.into())));
        }
        Expr::Cond(cond, yes, no) => {
            found.extend([(**yes).clone(), (**no).clone()]);
            found.extend(smaller(cond).map(|c| Expr::Cond(c.into(), yes.clone(), no.clone())));
        }
        Expr::Partial(op, guarded, left, right) => {
            found.extend([(**left).clone(), (**right).clone()]);
            let with = |l: Box<Expr>, r: Box<Expr>| Expr::Partial(*op, *guarded, l, r);
            found.extend(smaller(left).map(|l| with(l.into(), right.clone())));
            found.extend(smaller(right).map(|r| with(left.clone(), r.into())));
        }
        Expr::Signed(op, left, right) => {
            found.extend([(**left).clone(), (**right).clone()]);
            found.extend(smaller(left).map(|l| Expr::Signed(*op, l.into(), right.clone())));
            found.extend(smaller(right).map(|r| Expr::Signed(*op, left.clone(), r.into())));
        }
    }
    found.into_iter()
}
