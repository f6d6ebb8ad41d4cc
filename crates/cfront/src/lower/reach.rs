//! Which functions and globals the program can use.
//!
//! Headers are full of code that is never called; only what the entry function reaches is lowered.
//! Reaching is over-approximated: every call in a reached body counts, executed or not.

use super::{is_fixed, library};
use crate::hir::walk::{Visitor, walk_expr, walk_init, walk_stmt};
use crate::hir::{Expr, ExprKind, FuncId, GlobalId, Program, Stmt};
use std::collections::BTreeSet;
use xcfa::Span;

/// What is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// Functions that are called, started or pointed to.
    pub functions: BTreeSet<FuncId>,
    /// Functions whose address is a value.
    pub address_taken: BTreeSet<FuncId>,
    /// Functions that are named as a thread's start routine.
    pub started: BTreeSet<FuncId>,
    /// Globals, statics and string literals.
    pub globals: BTreeSet<GlobalId>,
    /// Does anyone look at what a thread returned?
    pub joins_results: bool,
    /// Is a thread started through a pointer that is not a constant? Where.
    pub starts_by_pointer: bool,
    /// Where each undefined function is used first.
    pub undefined: Vec<(FuncId, Span)>,
}

/// What the functions in `roots` reach; where calls of errors are asked about, their bodies do not count.
pub(super) fn reach(program: &Program, roots: &[FuncId], error_calls: bool) -> Reach {
    let mut search = Search {
        program,
        error_calls,
        reach: Reach::default(),
        work: Vec::new(),
    };
    for &root in roots {
        search.use_function(root, program.functions[root.0 as usize].span);
    }
    while let Some(item) = search.work.pop() {
        match item {
            Item::Function(id) => {
                let function = &program.functions[id.0 as usize];
                if let Some(body) = function.body.as_ref().or(function.remains.as_ref()) {
                    walk_stmt(body, &mut search);
                }
            }
            Item::Global(id) => {
                if let Some(init) = &program.globals[id.0 as usize].init {
                    walk_init(init, &mut search);
                }
            }
        }
    }
    search.reach
}

enum Item {
    Function(FuncId),
    Global(GlobalId),
}

struct Search<'p> {
    program: &'p Program,
    error_calls: bool,
    reach: Reach,
    work: Vec<Item>,
}

impl Search<'_> {
    fn use_function(&mut self, id: FuncId, span: Span) {
        if !self.reach.functions.insert(id) {
            return;
        }
        let function = &self.program.functions[id.0 as usize];
        if function.remains.is_some() && !is_fixed(&function.name, self.error_calls) {
            self.work.push(Item::Function(id));
        } else if function.body.is_none() {
            self.reach.undefined.push((id, span));
        } else if !is_fixed(&function.name, self.error_calls) {
            self.work.push(Item::Function(id));
        }
    }

    fn take_address(&mut self, id: FuncId, span: Span) {
        self.reach.address_taken.insert(id);
        self.use_function(id, span);
        let function = &self.program.functions[id.0 as usize];
        if function.body.is_none() && library::joins(&function.name).is_some() {
            self.reach.joins_results = true;
        }
        if function.body.is_none() && library::starts(&function.name).is_some() {
            self.reach.starts_by_pointer = true;
        }
    }

    /// A call whose callee is known.
    fn call(&mut self, id: FuncId, args: &[Expr], span: Span) {
        self.use_function(id, span);
        let function = &self.program.functions[id.0 as usize];
        let undefined = function.body.is_none();
        let routine = undefined.then(|| library::starts(&function.name)).flatten();
        if let Some(at) = undefined.then(|| library::joins(&function.name)).flatten()
            && args.get(at).is_some_and(|result| !is_null(result))
        {
            self.reach.joins_results = true;
        }
        for (at, arg) in args.iter().enumerate() {
            match peel_casts(arg).kind {
                ExprKind::FunctionAddr(start) if routine == Some(at) => {
                    self.reach.started.insert(start);
                    self.use_function(start, arg.span);
                }
                _ => {
                    self.reach.starts_by_pointer |= routine == Some(at);
                    walk_expr(arg, self);
                }
            }
        }
    }
}

impl Visitor for Search<'_> {
    fn expr(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                if let ExprKind::FunctionAddr(id) = callee.kind {
                    self.call(id, args, expr.span);
                    return false;
                }
            }
            ExprKind::FunctionAddr(id) => self.take_address(*id, expr.span),
            ExprKind::Global(id) if self.reach.globals.insert(*id) => {
                self.work.push(Item::Global(*id));
                let mut resolvers = self.program.startup.resolvers.iter();
                if let Some((_, resolver)) = resolvers.find(|(pointer, _)| pointer == id) {
                    self.use_function(*resolver, expr.span);
                }
            }
            _ => {}
        }
        true
    }
}

pub(super) fn peel_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => peel_casts(inner),
        _ => expr,
    }
}

pub(super) fn is_null(expr: &Expr) -> bool {
    matches!(peel_casts(expr).kind, ExprKind::Int(0))
}

pub(super) fn any_expr(root: &Expr, test: impl FnMut(&Expr) -> bool) -> bool {
    let mut any = AnyExpr { test, found: false };
    walk_expr(root, &mut any);
    any.found
}

pub(super) fn any_expr_in(body: &Stmt, test: impl FnMut(&Expr) -> bool) -> bool {
    let mut any = AnyExpr { test, found: false };
    walk_stmt(body, &mut any);
    any.found
}

struct AnyExpr<F> {
    test: F,
    found: bool,
}

impl<F: FnMut(&Expr) -> bool> Visitor for AnyExpr<F> {
    fn expr(&mut self, expr: &Expr) -> bool {
        self.found = self.found || (self.test)(expr);
        !self.found
    }
}
