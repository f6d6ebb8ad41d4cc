//! Operands whose order of evaluation is open and may matter.
//!
//! We evaluate operands and arguments from left to right. Where one of them changes what another
//! one reads or changes, a compiler may do otherwise, and the verdict has to name that choice. So
//! it is with two operands that are both atomic or call the library: other threads may see their order.
//!
//! What an expression touches is over-approximated. Two plain reads of shared variables are not
//! told apart: without races nobody sees their order.

mod effects;

use super::reach::{Reach, peel_casts};
use crate::hir::walk::{Visitor, walk_expr, walk_stmt};
use crate::hir::{Expr, ExprKind, Init, LocalId, Program, Stmt, StmtKind, Type};
use effects::{Collector, Effects, Place, Summaries, Unfinished, root};
use xcfa::Span;

/// The first place in the program where the order of operands is open and may matter.
pub(super) fn open_order(program: &Program, reach: &Reach) -> Option<Span> {
    let mut summaries = Summaries::default();
    let functions = reach.functions.iter();
    let mut spans = functions.filter_map(|&id| {
        let function = &program.functions[id.0 as usize];
        let body = function.body.as_ref().filter(|_| !function.link.library)?;
        let locals = &function.locals;
        let mut search = Search {
            program,
            summaries: &mut summaries,
            is_addressed: &|local| {
                let local = &locals[local.0 as usize];
                is_pointed_to(&local.ty, local.address_taken)
            },
            found: None,
        };
        walk_stmt(body, &mut search);
        search.found
    });
    spans.next()
}

/// Looks for operands that disturb each other.
struct Search<'a, 'p> {
    program: &'p Program,
    summaries: &'a mut Summaries,
    /// May there be pointers to a local?
    is_addressed: &'a dyn Fn(LocalId) -> bool,
    found: Option<Span>,
}

impl Search<'_, '_> {
    fn effects(&mut self, walk: impl FnOnce(&mut Collector)) -> Effects {
        let mut collector = Collector::default();
        walk(&mut collector);
        let mut effects = collector.effects;
        for function in collector.called {
            effects.add(self.summaries.of(self.program, function));
        }
        effects
    }

    fn of_expr(&mut self, expr: &Expr) -> Effects {
        self.effects(|collector| walk_expr(expr, collector))
    }

    /// Operands of which any may be first.
    fn unordered<'e>(&mut self, operands: impl IntoIterator<Item = &'e Expr>, span: Span) {
        let mut before: Vec<Effects> = Vec::new();
        for operand in operands {
            let effects = self.of_expr(operand);
            if effects.reads.is_empty() && effects.writes.is_empty() {
                continue;
            }
            if before.iter().any(|other| self.disturb(other, &effects)) {
                self.found = self.found.or(Some(span));
            }
            before.push(effects);
        }
    }

    fn initialiser(&mut self, init: &Init, span: Span) {
        self.unordered(init.items.iter().map(|item| &item.value), span);
    }

    /// An assignment writes after both sides have their values, but a change within the value may come
    /// later still.
    fn assignment(&mut self, place: &Expr, value: &Expr, span: Span) {
        let mut unfinished = Unfinished::default();
        let mut value_itself = peel_casts(value);
        // Both assignments of `a = b = c` write the same.
        while let ExprKind::Assign(place, inner) = &value_itself.kind {
            walk_expr(place, &mut unfinished);
            value_itself = peel_casts(inner);
        }
        walk_expr(value_itself, &mut unfinished);
        if let Some(target) = root(place) {
            let mut writes = unfinished.writes.iter();
            if writes.any(|&write| self.overlap(write, target)) {
                self.found = self.found.or(Some(span));
            }
        }
        self.unordered([place, value], span);
    }

    fn disturb(&self, a: &Effects, b: &Effects) -> bool {
        let disturbs = |a: &Effects, b: &Effects| {
            let mut writes = a.writes.iter();
            writes.any(|&write| {
                let mut touched = b.reads.iter().chain(&b.writes);
                touched.any(|&place| self.overlap(write, place))
            })
        };
        disturbs(a, b) || disturbs(b, a)
    }

    fn overlap(&self, a: Place, b: Place) -> bool {
        match (a, b) {
            (Place::Memory, Place::Local(id)) | (Place::Local(id), Place::Memory) => {
                (self.is_addressed)(id)
            }
            (Place::Memory, Place::Global(id)) | (Place::Global(id), Place::Memory) => {
                let global = &self.program.globals[id.0 as usize];
                is_pointed_to(&global.ty, global.address_taken)
            }
            _ => a == b,
        }
    }
}

/// May there be pointers into an object of this type? Arrays become pointers wherever they are used.
fn is_pointed_to(ty: &Type, address_taken: bool) -> bool {
    address_taken || !ty.is_scalar()
}

impl Visitor for Search<'_, '_> {
    fn expr(&mut self, expr: &Expr) -> bool {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd {
                pointer: a,
                index: b,
                ..
            }
            | ExprKind::PointerDiff {
                left: a, right: b, ..
            } => self.unordered([&**a, &**b], span),
            ExprKind::Assign(place, value) => self.assignment(place, value, span),
            ExprKind::CompoundAssign { place, value, .. }
            | ExprKind::PointerAssignAdd {
                place,
                index: value,
                ..
            } => {
                let mut read = self.of_expr(place);
                read.reads.extend(root(place));
                let value_effects = self.of_expr(value);
                if self.disturb(&read, &value_effects) {
                    self.found = self.found.or(Some(span));
                }
            }
            ExprKind::Call { callee, args } => {
                self.unordered([&**callee].into_iter().chain(args), span);
            }
            ExprKind::Builtin(_, args) => self.unordered(args, span),
            ExprKind::CompoundLiteral(_, init) => self.initialiser(init, span),
            _ => {}
        }
        self.found.is_none()
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        if let StmtKind::Decl(_, Some(init)) = &stmt.kind {
            self.initialiser(init, stmt.span);
        }
        self.found.is_none()
    }
}
