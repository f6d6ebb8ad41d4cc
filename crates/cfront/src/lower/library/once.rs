//! `pthread_once` with a routine that ends its thread: glibc then lets the next caller begin again.
//! The model in `lib/once.c` would let it wait for ever, so that such programs are refused.

use crate::Unsupported;
use crate::hir::{ExprKind, FuncId, Program};
use crate::lower::reach::{Reach, any_expr_in, peel_casts, reach};
use crate::lower::types::Lowered;
use xcfa::Span;

const ONCE: [&str; 2] = ["pthread_once", "call_once"];
const EXITS: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// Refuses a program in which a thread may end inside such a routine.
pub fn refuse_exits(program: &Program, used: &Reach) -> Lowered<()> {
    let name = |id: FuncId| program.functions[id.0 as usize].name.as_str();
    if !used.functions.iter().any(|&id| EXITS.contains(&name(id))) {
        return Ok(());
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
        for (routines, span) in calls {
            let inside = reach(program, &routines).functions;
            if let Some(&exit) = inside.iter().find(|&&id| EXITS.contains(&name(id))) {
                let what = format!("`{}` inside a routine that runs once", name(exit));
                return Err(Unsupported::at(span, what));
            }
        }
    }
    Ok(())
}
