//! Statements.

use super::Checker;
use super::fault::{Typed, wrong};
use crate::ast::{self, ForInit, StmtKind as Ast};
use crate::hir::{CaseRange, Expr, ExprKind, Function, LabelId, Stmt, StmtKind, Type};
use crate::lex::Symbol;
use xcfa::Span;

impl Checker<'_> {
    /// A block with its own scope.
    pub fn block(&mut self, block: &ast::Block) -> Typed<Stmt> {
        let stmts =
            self.with_local_labels(block, |this| this.in_block(|this| this.stmts(&block.stmts)))?;
        Ok(Stmt::new(StmtKind::Block(stmts), block.span))
    }

    /// Labels that `__label__` declares belong to their block: others of their name wait outside.
    fn with_local_labels<T>(
        &mut self,
        block: &ast::Block,
        inside: impl FnOnce(&mut Self) -> Typed<T>,
    ) -> Typed<T> {
        let mut hidden = Vec::new();
        for &name in &block.labels {
            let label_ids = &mut self.body(block.span)?.label_ids;
            hidden.push((name, label_ids.remove(&name)));
        }
        let result = inside(self)?;
        for (name, before) in hidden {
            let label_ids = &mut self.body(block.span)?.label_ids;
            if let Some((_, span, false)) = label_ids.remove(&name) {
                let what = format!("there is no label `{}`", self.name(name));
                return Err(wrong(span, what));
            }
            if let Some(before) = before {
                label_ids.insert(name, before);
            }
        }
        Ok(result)
    }

    fn stmts(&mut self, list: &[ast::Stmt]) -> Typed<Vec<Stmt>> {
        let mut stmts = Vec::new();
        for stmt in list {
            self.tolerate(stmt.span, |this| this.stmt_into(stmt, &mut stmts))?;
        }
        Ok(stmts)
    }

    /// Leaves out a statement that is not supported, or wrong, and remembers why, so that everything that is in the
    /// way of a program can be told at once. What is wrong after that may follow from it.
    fn tolerate(&mut self, span: Span, typed: impl FnOnce(&mut Self) -> Typed<()>) -> Typed<()> {
        let open = self.body(span)?.switches.len();
        let Err(fault) = typed(self) else {
            return Ok(());
        };
        let body = self.body(span)?;
        body.switches.truncate(open);
        if !fault.wrong && !body.errors.contains(&fault.error) {
            body.errors.push(fault.error);
        } else if fault.wrong && body.errors.is_empty() {
            self.tell(*fault);
        }
        Ok(())
    }

    fn one_stmt(&mut self, stmt: &ast::Stmt) -> Typed<Stmt> {
        let stmts = self.in_block(|this| this.stmts(std::slice::from_ref(stmt)))?;
        match <[Stmt; 1]>::try_from(stmts) {
            Ok([only]) if !matches!(only.kind, StmtKind::Decl(..)) => Ok(only),
            Ok([only]) => Ok(Stmt::new(StmtKind::Block(vec![only]), stmt.span)),
            Err(stmts) => Ok(Stmt::new(StmtKind::Block(stmts), stmt.span)),
        }
    }

    fn stmt_into(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Typed<()> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            Ast::Empty => StmtKind::Empty,
            Ast::Expr(expr) => {
                let value = self.rvalue_expr(expr)?;
                StmtKind::Expr(value)
            }
            Ast::Declaration(declaration) => return self.local_declaration(declaration, out),
            Ast::Block(block) => self.block(block)?.kind,
            Ast::If(chain, otherwise) => self.if_chain(chain, otherwise.as_deref())?,
            Ast::While(cond, body) => {
                let cond = self.scalar(cond)?;
                StmtKind::While(cond, Box::new(self.one_stmt(body)?))
            }
            Ast::DoWhile(body, cond) => {
                let body = self.one_stmt(body)?;
                StmtKind::DoWhile(Box::new(body), self.scalar(cond)?)
            }
            Ast::For {
                init,
                cond,
                step,
                body,
            } => self.in_block(|this| this.for_loop(init.as_ref(), cond, step, body))?,
            Ast::Switch(value, body) => {
                let value = self.rvalue_expr(value)?;
                let value = self.promote(value)?;
                let Type::Int(int) = value.ty else {
                    return Err(wrong(span, "`switch` takes an integer"));
                };
                self.body(span)?.switches.push(int);
                let body = self.one_stmt(body)?;
                self.body(span)?.switches.pop();
                StmtKind::Switch(value, Box::new(body))
            }
            Ast::Case(low, high) => {
                let range = self.case_range(low, high.as_ref(), span)?;
                StmtKind::Case(range, Box::new(Stmt::new(StmtKind::Empty, span)))
            }
            Ast::Default => {
                if self.body(span)?.switches.is_empty() {
                    return Err(wrong(span, "`default` without a `switch`"));
                }
                StmtKind::Default(Box::new(Stmt::new(StmtKind::Empty, span)))
            }
            Ast::Label(name) => {
                let id = self.label(*name, span, true)?;
                StmtKind::Label(id, Box::new(Stmt::new(StmtKind::Empty, span)))
            }
            Ast::Goto(name) => StmtKind::Goto(self.label(*name, span, false)?),
            Ast::ComputedGoto(address) => {
                let pointer = Type::Pointer(std::sync::Arc::new(Type::Void));
                let address = self.rvalue_expr(address)?;
                StmtKind::ComputedGoto(self.assign_convert(address, &pointer)?)
            }
            Ast::Break => StmtKind::Break,
            Ast::Continue => StmtKind::Continue,
            Ast::Return(value) => StmtKind::Return(self.returned(value.as_ref(), span)?),
            Ast::Asm(asm) => return self.asm(asm, span, out),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    fn if_chain(
        &mut self,
        chain: &[(ast::Expr, ast::Stmt)],
        otherwise: Option<&ast::Stmt>,
    ) -> Typed<StmtKind> {
        let mut parts = Vec::new();
        for (cond, then) in chain {
            parts.push((self.scalar(cond)?, self.one_stmt(then)?));
        }
        let mut rest = match otherwise {
            Some(stmt) => Some(Box::new(self.one_stmt(stmt)?)),
            None => None,
        };
        while let Some((cond, then)) = parts.pop() {
            let span = then.span;
            let kind = StmtKind::If(cond, Box::new(then), rest.take());
            if parts.is_empty() {
                return Ok(kind);
            }
            rest = Some(Box::new(Stmt { kind, span }));
        }
        Ok(StmtKind::Empty)
    }

    fn for_loop(
        &mut self,
        init: Option<&ForInit>,
        cond: &Option<ast::Expr>,
        step: &Option<ast::Expr>,
        body: &ast::Stmt,
    ) -> Typed<StmtKind> {
        let init = match init {
            None => None,
            Some(ForInit::Expr(expr)) => {
                let value = self.rvalue_expr(expr)?;
                Some(Box::new(Stmt::new(StmtKind::Expr(value), expr.span)))
            }
            Some(ForInit::Declaration(declaration)) => {
                let mut stmts = Vec::new();
                self.local_declaration(declaration, &mut stmts)?;
                let span = stmts.first().map_or(body.span, |stmt| stmt.span);
                Some(Box::new(Stmt::new(StmtKind::Block(stmts), span)))
            }
        };
        let cond = match cond {
            Some(cond) => Some(self.scalar(cond)?),
            None => None,
        };
        let step = match step {
            Some(step) => Some(self.rvalue_expr(step)?),
            None => None,
        };
        let body = Box::new(self.one_stmt(body)?);
        Ok(StmtKind::For {
            init,
            cond,
            step,
            body,
        })
    }

    fn case_range(
        &mut self,
        low: &ast::Expr,
        high: Option<&ast::Expr>,
        span: Span,
    ) -> Typed<CaseRange> {
        let Some(&int) = self.body(span)?.switches.last() else {
            return Err(wrong(span, "`case` without a `switch`"));
        };
        let mut bound = |expr: &ast::Expr| -> Typed<u64> {
            let (bits, from) = self.int_constant(expr)?;
            let value = self.int_expr(bits, from, expr.span);
            match self.convert(value, &Type::Int(int)).kind {
                ExprKind::Int(bits) => Ok(bits),
                _ => Err(wrong(expr.span, "this must be an integer constant")),
            }
        };
        let low = bound(low)?;
        let high = match high {
            Some(high) => bound(high)?,
            None => low,
        };
        Ok(CaseRange { low, high })
    }

    /// The label of a name; `defines` at the place that it labels.
    fn label(&mut self, name: Symbol, span: Span, defines: bool) -> Typed<LabelId> {
        let text = self.name(name);
        let body = self.body(span)?;
        let next = LabelId(body.labels.len() as u32);
        let entry = body.label_ids.entry(name).or_insert((next, span, false));
        if defines && std::mem::replace(&mut entry.2, true) {
            return Err(wrong(span, format!("the label `{text}` is there twice")));
        }
        let id = entry.0;
        if id == next {
            body.labels.push(text);
        }
        Ok(id)
    }

    /// `&&label`: a number that stands for the label.
    pub fn label_address(&mut self, name: Symbol, span: Span) -> Typed<Expr> {
        let id = self.label(name, span, false)?;
        let addressed = &mut self.body(span)?.addressed;
        if !addressed.contains(&id) {
            addressed.push(id);
        }
        let number = self.int_expr(Function::label_address(id), self.size_type(), span);
        let pointer = Type::Pointer(std::sync::Arc::new(Type::Void));
        self.cast(number, &pointer, span)
    }

    fn returned(&mut self, value: Option<&ast::Expr>, span: Span) -> Typed<Option<Expr>> {
        let result = self.body(span)?.result.clone();
        let Some(value) = value else { return Ok(None) };
        let typed = self.rvalue_expr(value)?;
        if result == Type::Void {
            // `return f();` from a `void` function, which GNU C allows.
            return Ok(Some(typed));
        }
        self.assign_convert(typed, &result).map(Some)
    }

    /// Statements, and the value of the last one if it is an expression.
    fn stmts_and_value(&mut self, list: &[ast::Stmt]) -> Typed<(Vec<Stmt>, Option<Box<Expr>>)> {
        let Some((last, before)) = list.split_last() else {
            return Ok((Vec::new(), None));
        };
        let mut stmts = self.stmts(before)?;
        if let Ast::Expr(expr) = &last.kind {
            return Ok((stmts, Some(Box::new(self.rvalue_expr(expr)?))));
        }
        self.stmt_into(last, &mut stmts)?;
        Ok((stmts, None))
    }

    /// `({ ... })`: its value is that of the last statement.
    pub fn stmt_expr(&mut self, block: &ast::Block, span: Span) -> Typed<Expr> {
        self.body(span)?;
        let (stmts, value) = self.with_local_labels(block, |this| {
            this.in_block(|this| this.stmts_and_value(&block.stmts))
        })?;
        let ty = value.as_ref().map_or(Type::Void, |value| value.ty.clone());
        let block = Stmt::new(StmtKind::Block(stmts), span);
        Ok(Expr::new(
            ExprKind::StmtExpr(Box::new(block), value),
            ty,
            span,
        ))
    }
}
