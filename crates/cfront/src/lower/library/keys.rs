//! Destructors of thread-specific values: their order is open as soon as there are two.
//!
//! The model in `lib/keys.c` runs them in the order of their keys, as glibc does. A program that may
//! have two keys with destructors is checked under that assumption, and its verdict says so.

use super::once::ONCE;
use crate::hir::walk::{Visitor, walk_expr, walk_stmt};
use crate::hir::{Expr, ExprKind, FuncId, Program, Stmt, StmtKind};
use crate::lower::reach::{Reach, is_null, peel_casts};

const CREATE: [&str; 2] = ["pthread_key_create", "tss_create"];

/// May the program have two keys with destructors?
pub fn order_is_open(program: &Program, reach: &Reach) -> bool {
    let mut uses = Uses {
        program,
        inside: FuncId(0),
        repeated: false,
        named: Vec::new(),
        created: Vec::new(),
    };
    for &id in &reach.functions {
        let function = &program.functions[id.0 as usize];
        if let Some(body) = function.body.as_ref().filter(|_| !function.link.library) {
            (uses.inside, uses.repeated) = (id, false);
            walk_stmt(body, &mut uses);
        }
    }
    // Whoever has its address may make any number of keys.
    let makes = |id: &FuncId| CREATE.contains(&program.functions[id.0 as usize].name.as_str());
    if reach.address_taken.iter().any(makes) {
        return true;
    }
    match uses.created[..] {
        [] => false,
        [(by, repeated)] => repeated || uses.may_run_twice(by, reach.functions.len()),
        _ => true,
    }
}

/// Where functions are named, and where keys with destructors are made.
struct Uses<'p> {
    program: &'p Program,
    inside: FuncId,
    /// Is this inside a loop, or behind a label?
    repeated: bool,
    /// Who is named, by whom, and may that happen more than once? `None` is `pthread_once`.
    named: Vec<(FuncId, Option<FuncId>, bool)>,
    /// Who makes a key, and may that happen more than once in one call?
    created: Vec<(FuncId, bool)>,
}

impl Uses<'_> {
    /// A function runs once if it is called at one place, which is reached once.
    fn may_run_twice(&self, function: FuncId, depth: usize) -> bool {
        let mut named = self.named.iter().filter(|(id, ..)| *id == function);
        match (named.next(), named.next()) {
            (None, _) => false,
            (Some(&(_, by, repeated)), None) => {
                let twice = |by| depth == 0 || self.may_run_twice(by, depth - 1);
                repeated || by.is_some_and(twice)
            }
            _ => true,
        }
    }

    fn call(&mut self, callee: FuncId, args: &[Expr]) {
        let name = self.program.functions[callee.0 as usize].name.as_str();
        self.named.push((callee, Some(self.inside), self.repeated));
        if CREATE.contains(&name) && args.get(1).is_some_and(|it| !is_null(it)) {
            self.created.push((self.inside, self.repeated));
        }
        let runs_once = ONCE.contains(&name) && args.first().is_some_and(is_global);
        for arg in args {
            match peel_casts(arg).kind {
                ExprKind::FunctionAddr(id) if runs_once => {
                    self.named.push((id, None, false));
                }
                _ => walk_expr(arg, self),
            }
        }
    }
}

impl Visitor for Uses<'_> {
    fn expr(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                if let ExprKind::FunctionAddr(id) = callee.kind {
                    self.call(id, args);
                    return false;
                }
            }
            // Whoever has its address may call it at any time.
            ExprKind::FunctionAddr(id) => self.named.push((*id, Some(self.inside), true)),
            _ => {}
        }
        true
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        // Once in a loop or behind a label, the rest of the function counts as repeated too.
        use StmtKind::{DoWhile, For, Label, While};
        self.repeated |= matches!(stmt.kind, While(..) | DoWhile(..) | For { .. } | Label(..));
        true
    }
}

/// Is this the address of a global, so that it is the same each time?
fn is_global(address: &Expr) -> bool {
    match &peel_casts(address).kind {
        ExprKind::AddrOf(place) => matches!(place.kind, ExprKind::Global(_)),
        _ => false,
    }
}
