//! `pthread_once` with a routine that ends its thread: glibc then lets the next caller begin again.
//! The model in `lib/once.c` would let it wait for ever, so that such programs are refused.

use crate::Unsupported;
use crate::functions::{Cancellation, cancellation};
use crate::hir::{Expr, ExprKind, FuncId, Program};
use crate::lower::reach::{Reach, any_expr_in, peel_casts, reach};
use crate::lower::types::Lowered;
use xcfa::Span;

/// Functions that call their second argument at most once.
pub const ONCE: [&str; 2] = ["pthread_once", "call_once"];
const EXITS: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// Refuses a program in which a thread may end inside such a routine.
pub fn refuse_exits(program: &Program, used: &Reach) -> Lowered<()> {
    let name = |id: FuncId| program.functions[id.0 as usize].name.as_str();
    let cancels = used
        .functions
        .iter()
        .any(|&id| name(id) == "pthread_cancel");
    let is_exit = |id: FuncId| {
        let is_point = || cancellation(name(id)) == Some(Cancellation::Always);
        EXITS.contains(&name(id)) || cancels && is_point()
    };
    if !used.functions.iter().any(|&id| is_exit(id)) {
        return Ok(());
    }
    if let Some(&once) = used
        .address_taken
        .iter()
        .find(|&&id| ONCE.contains(&name(id)))
    {
        let function = &program.functions[once.0 as usize];
        let what = format!(
            "the address of `{}` beside threads that exit",
            function.name
        );
        return Err(Unsupported::at(function.span, what));
    }
    for &id in used
        .functions
        .iter()
        .filter(|&&id| !ONCE.contains(&name(id)))
    {
        let Some(body) = &program.functions[id.0 as usize].body else {
            continue;
        };
        let mut calls: Vec<(Vec<FuncId>, Span)> = Vec::new();
        any_expr_in(body, |expr| {
            if let ExprKind::Call { callee, args } = &expr.kind
                && let ExprKind::FunctionAddr(callee) = callee.kind
                && ONCE.contains(&name(callee))
            {
                let routines = match args.get(1).map(|arg| &peel_casts(arg).kind) {
                    Some(ExprKind::FunctionAddr(routine)) => vec![*routine],
                    _ => used.address_taken.iter().copied().collect(),
                };
                calls.push((routines, expr.span));
            }
            false
        });
        for (mut routines, span) in calls {
            // What a routine calls through a pointer may be set anywhere.
            let inside = reach(program, &routines, false).functions;
            if inside.iter().any(|&id| calls_by_pointer(program, id)) {
                routines.extend(&used.address_taken);
            }
            let inside = reach(program, &routines, false).functions;
            if let Some(&exit) = inside.iter().find(|&&id| is_exit(id)) {
                let what = format!("`{}` inside a routine that runs once", name(exit));
                return Err(Unsupported::at(span, what));
            }
        }
    }
    Ok(())
}

fn calls_by_pointer(program: &Program, id: FuncId) -> bool {
    let is_indirect = |expr: &Expr| match &expr.kind {
        ExprKind::Call { callee, .. } => !matches!(callee.kind, ExprKind::FunctionAddr(_)),
        _ => false,
    };
    let body = &program.functions[id.0 as usize].body;
    body.as_ref()
        .is_some_and(|body| any_expr_in(body, is_indirect))
}
