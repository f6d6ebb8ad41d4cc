//! The walk over the typed tree that fills an outline.

use super::{BranchText, CallText, Outline, StatementText};
use cfront::hir::{Expr, ExprKind, Init, Program, Stmt, StmtKind};
use xcfa::Span;

/// A walk over one function.
pub struct Walk<'a> {
    program: &'a Program,
    outline: &'a mut Outline,
}

impl<'a> Walk<'a> {
    /// A walk that adds to an outline.
    pub fn new(program: &'a Program, outline: &'a mut Outline) -> Walk<'a> {
        Walk { program, outline }
    }

    /// A statement with all that is in it.
    pub fn stmt(&mut self, stmt: &Stmt) {
        self.note(stmt);
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Decl(_, init) => init.iter().for_each(|init| self.init(init)),
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If(cond, then, rest) => {
                self.branch(stmt, cond, then, false, "if");
                rest.iter().for_each(|rest| self.stmt(rest));
            }
            StmtKind::While(cond, body) => self.branch(stmt, cond, body, true, "while"),
            StmtKind::DoWhile(body, cond) => self.branch(stmt, cond, body, true, "do"),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                init.iter().for_each(|init| self.stmt(init));
                step.iter().for_each(|step| self.full(step));
                match cond {
                    Some(cond) => self.branch(stmt, cond, body, true, "for"),
                    None => self.stmt(body),
                }
            }
            StmtKind::Switch(value, body) => {
                self.full(value);
                self.stmt(body);
            }
            StmtKind::Case(_, stmt) | StmtKind::Default(stmt) | StmtKind::Label(_, stmt) => {
                self.stmt(stmt);
            }
        }
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
        self.stmt(body);
    }

    /// The keyword of a branching; an `else if` has only the span of what follows.
    fn keyword(&self, stmt: Span, cond: Span, word: &str) -> Span {
        let text = &self.program.sources.file(stmt.file).text;
        let at = |lo: usize| Span {
            file: stmt.file,
            lo: lo as u32,
            hi: (lo + word.len()) as u32,
        };
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
        self.expr(expr);
    }

    fn init(&mut self, init: &Init) {
        init.items.iter().for_each(|item| self.expr(&item.value));
    }

    fn expr(&mut self, expr: &Expr) {
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
        self.parts(expr);
    }

    fn parts(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddr(_) => {}
            ExprKind::CompoundLiteral(_, init) => self.init(init),
            ExprKind::Deref(a)
            | ExprKind::Member(a, _)
            | ExprKind::Load(a)
            | ExprKind::AddrOf(a)
            | ExprKind::Decay(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(a)
            | ExprKind::MemberOfValue(a, _)
            | ExprKind::IncDec { place: a, .. } => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Elvis(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::PointerAdd {
                pointer: a,
                index: b,
                ..
            }
            | ExprKind::PointerDiff {
                left: a, right: b, ..
            }
            | ExprKind::CompoundAssign {
                place: a, value: b, ..
            }
            | ExprKind::PointerAssignAdd {
                place: a, index: b, ..
            } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Call { callee, args } => {
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Builtin(_, args) => args.iter().for_each(|arg| self.expr(arg)),
            ExprKind::StmtExpr(stmt, value) => {
                self.stmt(stmt);
                value.iter().for_each(|value| self.expr(value));
            }
        }
    }
}

/// A declarator and its initialiser.
fn through(declarator: Span, init: &Init) -> Span {
    let spans = init.items.iter().map(|item| item.value.span);
    let here = spans.filter(|span| span.file == declarator.file && span.lo >= declarator.lo);
    here.fold(declarator, Span::to)
}
