//! Sorting: in which order elements are compared is open, and `lib/sorting.c` tries one order.
//!
//! Nobody can tell if the function that compares only computes. Otherwise the verdict names the order.

use crate::hir::{Builtin, Expr, ExprKind, FuncId, Function, Type};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::{any_expr_in, peel_casts};

/// Functions of the library that a function that compares may call, which only compute.
const COMPUTING: &[&str] = &[
    "strcmp",
    "strncmp",
    "memcmp",
    "strlen",
    "abs",
    "labs",
    "llabs",
    "strcasecmp",
];

/// How deep calls are followed.
const DEPTH: usize = 8;

impl FunctionLowering<'_, '_> {
    /// Names the order of comparisons if a call of a sorting function may let the program see it.
    pub fn name_order(&mut self, function: &Function, args: &[Expr]) {
        let sorts = matches!(function.name.as_str(), "qsort" | "qsort_r");
        if !sorts || !function.link.library {
            return;
        }
        let compares = args.get(3).map(|compare| &peel_casts(compare).kind);
        let hides = match compares {
            Some(ExprKind::FunctionAddr(id)) => self.computes(*id, DEPTH),
            _ => false,
        };
        if !hides {
            let name = &function.name;
            let line = format!("`{name}` compares in the order of sorting by insertion");
            self.ctx.assume_about(line);
        }
    }

    /// Does a function only read memory and compute? It may set its own locals.
    fn computes(&self, id: FuncId, depth: usize) -> bool {
        let function = self.ctx.function(id);
        let Some(body) = function.body.as_ref().filter(|_| depth > 0) else {
            return COMPUTING.contains(&function.name.as_str());
        };
        !any_expr_in(body, |expr| !self.is_computing(expr, depth))
    }

    fn is_computing(&self, expr: &Expr, depth: usize) -> bool {
        match &expr.kind {
            ExprKind::Call { callee, .. } => match peel_casts(callee).kind {
                ExprKind::FunctionAddr(id) => self.computes(id, depth - 1),
                _ => false,
            },
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::PointerAssignAdd { place, .. }
            | ExprKind::IncDec { place, .. } => is_local(place),
            ExprKind::Builtin(builtin, _) => matches!(
                builtin,
                Builtin::Nothing
                    | Builtin::ByteSwap
                    | Builtin::CountLeadingZeros
                    | Builtin::CountTrailingZeros
                    | Builtin::FindFirstSet
                    | Builtin::PopCount
                    | Builtin::Parity
            ),
            // An atomic place is not there for computing.
            ExprKind::Load(place) => !matches!(place.ty, Type::Atomic(_)),
            _ => true,
        }
    }
}

/// Is it a local, or a part of one?
fn is_local(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Local(_) => true,
        ExprKind::Member(inner, _) => is_local(inner),
        _ => false,
    }
}
