//! Statements as edges.

use super::function::{FunctionLowering, LoopExit, OpenSwitch};
use super::scope::BlockKey;
use super::types::{Lowered, is_record, is_signed};
use crate::Unsupported;
use crate::hir::{CaseRange, Expr, Function, Stmt, StmtKind};
use expr::{Op, Term};
use xcfa::{Label, LocId, Span};

impl FunctionLowering<'_, '_> {
    /// A statement from the current location on.
    pub fn stmt(&mut self, stmt: &Stmt) -> Lowered<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => self.effects(expr),
            StmtKind::Decl(id, init) => self.declare(*id, init.as_ref(), span),
            StmtKind::Cleanup(call) => {
                let scope = self.scopes.last_mut();
                scope
                    .ok_or_else(|| stray(span, "cleanup"))?
                    .cleanups
                    .push(call.clone());
                Ok(())
            }
            StmtKind::Block(stmts) => self.in_scope(stmt, |this| this.stmts(stmts)),
            StmtKind::If(cond, then, otherwise) => self.if_stmt(cond, then, otherwise.as_deref()),
            StmtKind::While(cond, body) => self.while_loop(cond, body, span),
            StmtKind::DoWhile(body, cond) => self.do_while(body, cond, span),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => self.in_scope(stmt, |this| {
                this.for_loop(init.as_deref(), cond.as_ref(), step.as_ref(), body, span)
            }),
            StmtKind::Switch(value, body) => self.switch(value, body, span),
            StmtKind::Case(range, body) => {
                self.case(*range, span)?;
                self.stmt(body)
            }
            StmtKind::Default(body) => {
                let entry = self.case_entry(span)?;
                let switch = self.switches.last_mut();
                switch.ok_or_else(|| stray(span, "default"))?.default = Some(entry);
                self.stmt(body)
            }
            StmtKind::Label(id, body) => {
                self.no_fusing(span)?;
                let here = self.labels[id.0 as usize];
                self.goto(here, span);
                self.at = here;
                self.stmt(body)
            }
            StmtKind::Goto(id) => {
                self.no_fusing(span)?;
                self.goto_label(*id, span)?;
                self.unreachable();
                Ok(())
            }
            StmtKind::ComputedGoto(address) => self.computed_goto(address, span),
            StmtKind::Break => match self.loops.last().copied() {
                Some(exit) => self.jump(exit.break_to, exit.depth, span),
                None => Err(stray(span, "break")),
            },
            StmtKind::Continue => match self.loops.last().and_then(|exit| exit.continue_to) {
                Some((target, depth)) => self.jump(target, depth, span),
                None => Err(stray(span, "continue")),
            },
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
        }
    }

    /// Statements in a row. What is in the way of one is remembered, and the others follow.
    pub fn stmts(&mut self, stmts: &[Stmt]) -> Lowered<()> {
        for stmt in stmts {
            let open = (self.scopes.len(), self.loops.len(), self.switches.len());
            if let Err(error) = self.stmt(stmt) {
                self.ctx.obstacles.push(error);
                self.fused = None;
                self.scopes.truncate(open.0);
                self.loops.truncate(open.1);
                self.switches.truncate(open.2);
            }
        }
        Ok(())
    }

    fn in_scope(
        &mut self,
        stmt: &Stmt,
        body: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        self.open_scope(Some(BlockKey::of(stmt)), stmt.span)?;
        body(self)?;
        self.close_scope(Span {
            lo: stmt.span.hi.saturating_sub(1),
            ..stmt.span
        })
    }

    /// A jump to whichever label has this address; to anything else, the run ends.
    fn computed_goto(&mut self, address: &Expr, span: Span) -> Lowered<()> {
        let labels = self.function.map_or(&[][..], |f| &f.addressed[..]);
        if self.scopes.iter().any(|scope| !scope.cleanups.is_empty()) {
            let what = "computed goto out of a block with variables that are cleaned up";
            return Err(Unsupported::at(span, what));
        }
        let address = self.value(address)?;
        let address = self.keep(address, span);
        self.no_fusing(span)?;
        let head = self.at;
        for &label in labels {
            let number = self.ctx.word(Function::label_address(label));
            let is_this = self.terms().eq(address, number);
            let way = self.new_loc();
            self.at = head;
            self.goto_if(is_this, way, span);
            self.at = way;
            self.goto_label(label, span)?;
        }
        self.unreachable();
        Ok(())
    }

    /// A location here that others can jump to.
    fn land(&mut self, span: Span) -> Lowered<LocId> {
        self.no_fusing(span)?;
        let here = self.new_loc();
        self.goto(here, span);
        self.at = here;
        Ok(here)
    }

    fn jump(&mut self, target: LocId, depth: usize, span: Span) -> Lowered<()> {
        self.no_fusing(span)?;
        self.leave_scopes(depth, span)?;
        self.goto(target, span);
        self.unreachable();
        Ok(())
    }

    fn if_stmt(&mut self, cond: &Expr, then: &Stmt, otherwise: Option<&Stmt>) -> Lowered<()> {
        let [yes, no, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        self.branch(cond, yes, no)?;
        self.at = yes;
        self.substatement(then)?;
        self.goto(end, then.span);
        self.at = no;
        if let Some(otherwise) = otherwise {
            self.substatement(otherwise)?;
        }
        self.goto(end, cond.span);
        self.at = end;
        Ok(())
    }

    fn loop_body(&mut self, body: &Stmt, break_to: LocId, continue_to: LocId) -> Lowered<()> {
        let depth = self.scopes.len();
        let continue_to = Some((continue_to, depth));
        self.loops.push(LoopExit {
            break_to,
            continue_to,
            depth,
        });
        self.substatement(body)?;
        self.loops.pop();
        Ok(())
    }

    /// A part of another statement is a block of its own.
    fn substatement(&mut self, stmt: &Stmt) -> Lowered<()> {
        self.in_scope(stmt, |this| this.stmt(stmt))
    }

    fn while_loop(&mut self, cond: &Expr, body: &Stmt, span: Span) -> Lowered<()> {
        let head = self.land(span)?;
        let [inside, end] = [self.new_loc(), self.new_loc()];
        self.branch(cond, inside, end)?;
        self.at = inside;
        self.loop_body(body, end, head)?;
        self.goto(head, span);
        self.at = end;
        Ok(())
    }

    fn do_while(&mut self, body: &Stmt, cond: &Expr, span: Span) -> Lowered<()> {
        let head = self.land(span)?;
        let [test, end] = [self.new_loc(), self.new_loc()];
        self.loop_body(body, end, test)?;
        self.goto(test, span);
        self.at = test;
        self.branch(cond, head, end)?;
        self.at = end;
        Ok(())
    }

    fn for_loop(
        &mut self,
        init: Option<&Stmt>,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        span: Span,
    ) -> Lowered<()> {
        match init.map(|init| &init.kind) {
            // The declarations of the first part live as long as the loop.
            Some(StmtKind::Block(stmts)) => self.stmts(stmts)?,
            Some(_) => init.map_or(Ok(()), |init| self.stmt(init))?,
            None => {}
        }
        let head = self.land(span)?;
        let [inside, next, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        match cond {
            Some(cond) => self.branch(cond, inside, end)?,
            None => self.goto(inside, span),
        }
        self.at = inside;
        self.loop_body(body, end, next)?;
        self.goto(next, span);
        self.at = next;
        if let Some(step) = step {
            self.effects(step)?;
        }
        self.goto(head, span);
        self.at = end;
        Ok(())
    }

    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) -> Lowered<()> {
        let signed = is_signed(&value.ty);
        let term = self.value(value)?;
        self.no_fusing(span)?;
        let (head, end) = (self.at, self.new_loc());
        let open = OpenSwitch {
            head,
            depth: self.scopes.len(),
            value: term,
            signed,
            cases: Vec::new(),
            default: None,
        };
        self.switches.push(open);
        let continue_to = self.loops.last().and_then(|exit| exit.continue_to);
        self.loops.push(LoopExit {
            break_to: end,
            continue_to,
            depth: self.scopes.len(),
        });
        // What is before the first case is not reached from the top.
        self.unreachable();
        self.stmt(body)?;
        self.goto(end, span);
        self.loops.pop();
        let open = self.switches.pop().expect("the switch is still open");
        let any = self.terms().or_all(open.cases);
        let none = self.terms().not(any);
        self.at = head;
        self.goto_if(none, open.default.unwrap_or(end), value.span);
        self.at = end;
        Ok(())
    }

    fn case(&mut self, range: CaseRange, span: Span) -> Lowered<()> {
        let entry = self.case_entry(span)?;
        let here = self.at;
        let Some(open) = self.switches.last() else {
            return Err(stray(span, "case"));
        };
        let (head, value, signed) = (open.head, open.value, open.signed);
        let guard = self.in_range(value, range, signed);
        self.at = head;
        self.goto_if(guard, entry, span);
        self.at = here;
        if let Some(open) = self.switches.last_mut() {
            open.cases.push(guard);
        }
        Ok(())
    }

    /// Where the innermost `switch` jumps to for a case that is here: what is alive here, and was
    /// not at the head of the `switch`, comes to life on the way.
    fn case_entry(&mut self, span: Span) -> Lowered<LocId> {
        let here = self.land(span)?;
        let depth = self.switches.last().map(|open| open.depth);
        let begun = self.alive_beyond(depth.ok_or_else(|| stray(span, "case"))?);
        if begun.is_empty() {
            return Ok(here);
        }
        let entry = self.new_loc();
        self.at = entry;
        self.goto_and_begin(here, &begun, span)?;
        self.at = here;
        Ok(entry)
    }

    fn in_range(&mut self, value: Term, range: CaseRange, signed: bool) -> Term {
        let terms = self.terms();
        let sort = terms.sort(value);
        let low = terms.constant(sort, range.low);
        if range.low == range.high {
            return terms.eq(value, low);
        }
        let high = terms.constant(sort, range.high);
        let op = if signed { Op::Sle } else { Op::Ule };
        let above = terms.binary(op, low, value);
        let below = terms.binary(op, value, high);
        terms.and(above, below)
    }

    fn return_stmt(&mut self, value: Option<&Expr>, span: Span) -> Lowered<()> {
        let result = self.ctx.xcfa[self.proc].result;
        match value {
            Some(value) if is_record(&value.ty) => {
                let source = self.record_value(value)?;
                let hidden = self.ctx.xcfa[self.proc].params[0];
                let target = self.read_var(hidden);
                self.copy_record(target, source, &value.ty, span)?;
            }
            Some(value) => match result {
                Some(result) => {
                    let term = self.value(value)?;
                    self.assign(result, term, span);
                }
                None => self.effects(value)?,
            },
            None => {}
        }
        let target = self.return_to;
        self.jump(target, 0, span)
    }

    /// The body of `({ ... })`, with its value evaluated while the block is open.
    pub fn in_statement_expr<'e>(
        &mut self,
        body: &Stmt,
        value: Option<&'e Expr>,
        finish: impl FnOnce(&mut Self, Option<&'e Expr>) -> Lowered<()>,
    ) -> Lowered<()> {
        self.no_effects(body.span)?;
        self.open_scope(Some(BlockKey::of(body)), body.span)?;
        match &body.kind {
            StmtKind::Block(stmts) => self.stmts(stmts)?,
            _ => self.stmt(body)?,
        }
        finish(self, value)?;
        self.close_scope(body.span)
    }

    /// The value of `({ ... })`.
    pub fn statement_expr(
        &mut self,
        body: &Stmt,
        value: Option<&Expr>,
        span: Span,
    ) -> Lowered<Term> {
        let mut result = None;
        self.in_statement_expr(body, value, |this, value| {
            if let Some(value) = value {
                let term = this.value(value)?;
                result = Some(this.keep(term, value.span));
            }
            Ok(())
        })?;
        result
            .ok_or_else(|| Unsupported::at(span, "the value of a statement expression without one"))
    }

    /// Ends the function: what lives until its end dies, and the edge to its exit follows.
    pub fn end_function(&mut self, span: Span, atomic: bool) {
        self.end_jumps(span);
        let epilogue = std::mem::take(&mut self.epilogue);
        for object in epilogue.into_iter().rev() {
            self.emit(Label::Dealloc(object), span);
        }
        if atomic {
            self.emit(Label::AtomicEnd, span);
        }
        let exit = self.ctx.xcfa[self.proc].exit;
        self.goto(exit, span);
    }
}

fn stray(span: Span, word: &str) -> Unsupported {
    Unsupported::at(span, format!("`{word}` outside of what it belongs to"))
}
