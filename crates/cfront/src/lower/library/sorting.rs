//! Sorting: in which order elements are compared is open, and `lib/sorting.c` tries one order.
//!
//! Nobody can tell if the function that compares only computes, comes to an end, and only its values are looked
//! at. Otherwise the verdict names the order: which elements meet shows in what overflows, in what is accessed, and
//! in a loop that does not end for some of them.

use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Builtin, Expr, ExprKind, FuncId, Function, Program, Stmt, StmtKind, Type};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::{Reach, any_expr_in, peel_casts};

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

const SORTS: [&str; 2] = ["qsort", "qsort_r"];

fn order_of(name: &str) -> String {
    format!("`{name}` compares in the order of sorting by insertion")
}

/// The sorting functions of the library that may be called through a pointer, with anything that compares.
pub(in crate::lower) fn orders_by_pointer(program: &Program, reach: &Reach) -> Vec<String> {
    let taken = reach.address_taken.iter();
    let functions = taken.map(|id| &program.functions[id.0 as usize]);
    let sorts = functions.filter(|f| f.link.library && SORTS.contains(&f.name.as_str()));
    sorts.map(|f| order_of(&f.name)).collect()
}

/// Is there a loop, or a way back?
struct Loops(bool);

impl Visitor for Loops {
    fn expr(&mut self, _: &Expr) -> bool {
        true
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        use StmtKind::{DoWhile, For, Label, While};
        self.0 |= matches!(stmt.kind, While(..) | DoWhile(..) | For { .. } | Label(..));
        true
    }
}

impl FunctionLowering<'_, '_> {
    /// Names the order of comparisons if a call of a sorting function may let the program see it.
    pub fn name_order(&mut self, function: &Function, args: &[Expr]) {
        let sorts = SORTS.contains(&function.name.as_str());
        if !sorts || !function.link.library {
            return;
        }
        let compares = args.get(3).map(|compare| &peel_casts(compare).kind);
        let hides = match compares {
            Some(ExprKind::FunctionAddr(id)) => self.computes(*id, DEPTH),
            _ => false,
        };
        if !hides || self.looks_closely() {
            let line = order_of(&function.name);
            self.ctx.assume_about(line);
        }
    }

    /// Does the property look at how values are computed, and not at them alone?
    fn looks_closely(&self) -> bool {
        let options = self.ctx.options;
        options.overflow_checks || options.bounds_checks || options.reads
    }

    /// Does a function only read memory and compute? It may set its own locals.
    fn computes(&self, id: FuncId, depth: usize) -> bool {
        let function = self.ctx.function(id);
        let is_library = function.link.library || function.body.is_none();
        if is_library && COMPUTING.contains(&function.name.as_str()) {
            return true;
        }
        let Some(body) = function.body.as_ref().filter(|_| depth > 0) else {
            return false;
        };
        let mut loops = Loops(false);
        walk_stmt(body, &mut loops);
        !loops.0 && !any_expr_in(body, |expr| !self.is_computing(expr, depth))
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
