//! `asm`: what it sets is arbitrary, and what it may do besides is refused or named.
//!
//! A template without instructions is a barrier for the compiler: operands keep their values. Some
//! instructions are known (`instructions.rs`): they change nothing that a program sees under sequential
//! consistency, or are atomic operations. Of all others we know what they say themselves: which values
//! they set. Those become arbitrary, and the verdict names the assumption that nothing else changes; where
//! that cannot be assumed (memory changes, addresses are given), the program is refused.

use super::Checker;
use super::fault::{Typed, beyond};
use super::instructions::{Known, Order, known};
use crate::ast::{AsmOperand, AsmStmt};
use crate::hir::{Builtin, Expr, ExprKind, Note, Stmt, StmtKind, Type};
use xcfa::Span;

/// Directives of the assembler that change nothing.
const QUIET_DIRECTIVES: &[&str] = &[".symver", ".ident"];

impl Checker<'_> {
    /// `asm` outside of functions may define anything.
    pub fn file_asm(&self, asm: &AsmStmt, span: Span) -> Typed<()> {
        let mut lines = asm.template.split(['\n', ';']).map(str::trim);
        let quiet = |line: &str| {
            line.is_empty() || QUIET_DIRECTIVES.iter().any(|start| line.starts_with(start))
        };
        match lines.all(quiet) {
            true => Ok(()),
            false => Err(beyond(span, "`asm` outside of functions")),
        }
    }

    /// An `asm` statement as what it does to the program's values.
    pub fn asm(&mut self, asm: &AsmStmt, span: Span, out: &mut Vec<Stmt>) -> Typed<()> {
        if asm.jumps {
            return Err(beyond(span, "`asm goto`"));
        }
        let template = asm.template.trim();
        let empty = template.is_empty();
        let known = known(template, &|name| self.is_in_memory(asm, name));
        let order = match known {
            Some(Known::Atomic(atomic)) => return self.atomic_asm(asm, &atomic, span, out),
            Some(Known::Quiet(order)) => Some(order),
            None => None,
        };
        let quiet = order.is_some();
        if !quiet && asm.changes_memory {
            return Err(beyond(span, "`asm` that changes memory"));
        }
        // What is given is read before anything is set.
        let mut copied = None;
        for (at, input) in asm.inputs.iter().enumerate() {
            let value = self.rvalue_expr(&input.expr)?;
            if !quiet {
                self.refuse_addresses(input, &value)?;
            }
            if empty && self.is_tied(input, asm) {
                if asm.outputs.len() > 1 || at + 1 < asm.inputs.len() {
                    return Err(beyond(span, "`asm` that copies among several operands"));
                }
                copied = Some(value);
                continue;
            }
            let (kind, span) = (StmtKind::Expr(value), input.expr.span);
            out.push(Stmt { kind, span });
        }
        for output in &asm.outputs {
            let kind = self.output(output, copied.take(), quiet)?;
            out.push(Stmt { kind, span });
        }
        let fence = match order {
            Some(Order::All) => Some(Builtin::Fence),
            Some(Order::Some) => Some(Builtin::WeakFence),
            Some(Order::None) | None => None,
        };
        if let Some(fence) = fence {
            let kind = ExprKind::Builtin(fence, Vec::new());
            let ty = Type::Void;
            let kind = StmtKind::Expr(Expr { kind, ty, span });
            out.push(Stmt { kind, span });
        }
        if !quiet {
            let note = match asm.outputs.is_empty() {
                true => Note::Assembly,
                false => Note::AssemblyOutputs,
            };
            let kind = ExprKind::Builtin(Builtin::Note(note), Vec::new());
            let ty = Type::Void;
            let kind = StmtKind::Expr(Expr { kind, ty, span });
            out.push(Stmt { kind, span });
        }
        Ok(())
    }

    /// Is an input given in the place of an output?
    fn is_tied(&self, input: &AsmOperand, asm: &AsmStmt) -> bool {
        let named = |output: &AsmOperand| {
            let name = output.name.map(|name| self.names.name(name));
            name.is_some_and(|name| input.constraint == format!("[{name}]"))
        };
        input.constraint.parse::<usize>().is_ok() || asm.outputs.iter().any(named)
    }

    /// What becomes of an output: where nothing is changed it keeps its value or is a copy of an input.
    fn output(
        &mut self,
        output: &AsmOperand,
        copied: Option<Expr>,
        quiet: bool,
    ) -> Typed<StmtKind> {
        let span = output.expr.span;
        if !quiet && output.constraint.contains(['m', 'o', 'V', 'X', 'g']) {
            return Err(beyond(span, "`asm` that sets memory"));
        }
        let place = self.operand(output)?;
        let ty = place.ty.unqualified().clone();
        if quiet && output.constraint.contains('+') {
            return Ok(StmtKind::Expr(self.rvalue(place)));
        }
        let value = match (copied, &ty) {
            (Some(value), _) => value,
            (None, Type::Int(_) | Type::Float(_)) => Expr::new(
                ExprKind::Builtin(Builtin::Unspecified, Vec::new()),
                ty,
                span,
            ),
            _ => return Err(beyond(span, "`asm` that sets a pointer or a struct")),
        };
        Ok(StmtKind::Expr(self.assign(None, place, value, span)?))
    }

    /// Instructions that know an address may read and write there.
    fn refuse_addresses(&self, input: &AsmOperand, value: &Expr) -> Typed<()> {
        match value.ty.unqualified() {
            Type::Int(_) | Type::Float(_) => Ok(()),
            _ => Err(beyond(input.expr.span, "`asm` that is given an address")),
        }
    }
}
