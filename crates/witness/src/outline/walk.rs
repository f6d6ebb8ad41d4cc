//! The walk over the typed tree that fills an outline.

use super::{BranchText, CallText, Outline, StatementText};
use cfront::hir::walk::Visitor;
use cfront::hir::{Expr, ExprKind, Init, Program, Stmt, StmtKind};
use xcfa::Span;

/// A walk over one function.
pub struct Walk<'a> {
    program: &'a Program,
    outline: &'a mut Outline,
}

impl Visitor for Walk<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        self.note(stmt);
        match &stmt.kind {
            StmtKind::If(cond, then, _) => self.branch(stmt, cond, then, false, "if"),
            StmtKind::While(cond, body) => self.branch(stmt, cond, body, true, "while"),
            StmtKind::DoWhile(body, cond) => self.branch(stmt, cond, body, true, "do"),
            StmtKind::For {
                cond, step, body, ..
            } => {
                step.iter().for_each(|step| self.full(step));
                match cond {
                    Some(cond) => self.branch(stmt, cond, body, true, "for"),
                    None => self.outline.endless.push(stmt.span),
                }
            }
            StmtKind::Switch(value, _) => self.full(value),
            _ => {}
        }
        true
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        if let ExprKind::Call { callee, .. } = &expr.kind {
            let name = match &callee.kind {
                ExprKind::FunctionAddr(id) => {
                    Some(self.program.functions[id.0 as usize].name.clone())
                }
                _ => None,
            };
            let span = expr.span;
            self.outline.calls.push(CallText { name, span });
        }
        true
    }
}

impl<'a> Walk<'a> {
    /// A walk that adds to an outline.
    pub fn new(program: &'a Program, outline: &'a mut Outline) -> Walk<'a> {
        Walk { program, outline }
    }

    /// Statements without statements in them, and declarations.
    fn note(&mut self, stmt: &Stmt) {
        let declaration = matches!(stmt.kind, StmtKind::Decl(..));
        let simple = matches!(
            stmt.kind,
            StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::Goto(_)
        );
        if simple || declaration {
            let span = match &stmt.kind {
                StmtKind::Decl(_, Some(init)) => through(stmt.span, init),
                _ => stmt.span,
            };
            self.outline
                .statements
                .push(StatementText { span, declaration });
        }
    }

    fn branch(&mut self, stmt: &Stmt, cond: &Expr, body: &Stmt, repeats: bool, word: &str) {
        self.full(cond);
        let keyword = self.keyword(stmt.span, cond.span, word);
        self.outline.branches.push(BranchText {
            keyword,
            cond: cond.span,
            body: body.span,
            repeats,
            whole: (keyword.lo == stmt.span.lo).then_some(stmt.span),
        });
    }

    /// The keyword of a branching; an `else if` has only the span of what follows.
    fn keyword(&self, stmt: Span, cond: Span, word: &str) -> Span {
        let text = &self.program.sources.file(stmt.file).text;
        let at = |lo: usize| Span::new(stmt.file, lo as u32, (lo + word.len()) as u32);
        if text[stmt.lo as usize..].starts_with(word) {
            return at(stmt.lo as usize);
        }
        let before = &text[..cond.lo as usize];
        before.rfind(word).map_or(stmt, at)
    }

    /// An expression that is evaluated as a whole.
    fn full(&mut self, expr: &Expr) {
        let span = expr.span;
        let declaration = false;
        self.outline
            .statements
            .push(StatementText { span, declaration });
    }
}

/// A declarator and its initialiser.
fn through(declarator: Span, init: &Init) -> Span {
    let spans = init.items.iter().map(|item| item.value.span);
    let here = spans.filter(|span| span.file == declarator.file && span.lo >= declarator.lo);
    here.fold(declarator, Span::to)
}
