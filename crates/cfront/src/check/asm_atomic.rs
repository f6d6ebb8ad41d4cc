//! `asm` with an atomic instruction, as the built-in function that does the same.

use super::Checker;
use super::fault::{Typed, beyond};
use super::instructions::{Action, Atomic, Operand};
use crate::ast::{AsmOperand, AsmStmt};
use crate::hir::{
    AtomicOp, BinaryOp, Builtin, Expr, ExprKind, Init, InitItem, IntType, LocalId, Stmt, StmtKind,
    Type,
};
use xcfa::Span;

impl Checker<'_> {
    /// Is an operand of an `asm` in memory, and nowhere else?
    pub fn is_in_memory(&self, asm: &AsmStmt, name: &str) -> bool {
        self.find_operand(asm, name)
            .is_some_and(|operand| operand.constraint.trim_start_matches(['=', '+', '&']) == "m")
    }

    /// The statements that an atomic instruction stands for.
    pub fn atomic_asm(
        &mut self,
        asm: &AsmStmt,
        atomic: &Atomic,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        let odd = || beyond(span, "an atomic instruction with operands of this form");
        self.refuse_other_outputs(asm, atomic, span)?;
        let place = self.place_of(asm, &atomic.place, span)?;
        let ty = place.ty.unqualified().clone();
        let fits = atomic
            .size
            .is_none_or(|size| self.size_of(&ty) == Some(size));
        if !ty.is_scalar() || matches!(ty, Type::Float(_)) || !fits {
            return Err(odd());
        }
        let expected = match atomic.action {
            Action::CompareExchange => Some(self.accumulator(asm).ok_or_else(odd)?),
            _ => None,
        };
        let value = match &atomic.value {
            None => self.int_expr(1, IntType::INT, span),
            Some(operand) => self.value_of(asm, operand, span)?,
        };
        let value = self.cast(value, &ty, span)?;
        let value = self.keep(value, out, span)?;
        let expected_value = match expected {
            None => None,
            Some(operand) => {
                let given = self.given_value(asm, operand, span)?;
                let given = self.cast(given, &ty, span)?;
                Some(self.keep(given, out, span)?)
            }
        };
        let pointer = self.plain_address_of(place, span)?;
        let (builtin, args) = match (atomic.action, expected_value) {
            (Action::Exchange, _) => (
                Builtin::AtomicExchange,
                vec![pointer, self.kept(value, &ty, span)],
            ),
            (Action::Fetch(op) | Action::Update(op) | Action::Step(op), _) => (
                Builtin::AtomicFetch(op),
                vec![pointer, self.kept(value, &ty, span)],
            ),
            (Action::CompareExchange, Some(expected)) => {
                let args = [expected, value].map(|id| self.kept(id, &ty, span));
                (
                    Builtin::AtomicValCas,
                    [pointer].into_iter().chain(args).collect(),
                )
            }
            (Action::CompareExchange, None) => return Err(odd()),
        };
        let old = Expr::new(ExprKind::Builtin(builtin, args), ty.clone(), span);
        let old = self.keep(old, out, span)?;
        let target = match (&atomic.result, atomic.action) {
            (Some(result), _) => Some(self.set_operand(asm, result).ok_or_else(odd)?),
            (None, Action::CompareExchange) => expected.map(|operand| self.set_by(asm, operand)),
            (None, Action::Exchange | Action::Fetch(_)) => {
                let operand = atomic.value.as_ref();
                Some(
                    operand
                        .and_then(|it| self.set_operand(asm, it))
                        .ok_or_else(odd)?,
                )
            }
            (None, Action::Update(_) | Action::Step(_)) => None,
        };
        if let Some(target) = target {
            let old = self.kept(old, &ty, span);
            self.set(target, old, span, out)?;
        }
        let Some((operand, opposite)) = &atomic.flag else {
            return Ok(());
        };
        let compared = match (atomic.action, expected_value) {
            (_, Some(expected)) => self.kept(expected, &ty, span),
            (Action::Update(op) | Action::Step(op), None) => {
                // The result is zero if the old value is what makes it so.
                let value = self.kept(value, &ty, span);
                match op {
                    AtomicOp::Sub => value,
                    AtomicOp::Add => {
                        let zero = self.int_expr(0, IntType::INT, span);
                        let negative = self.binary(BinaryOp::Sub, zero, value, span)?;
                        self.cast(negative, &ty, span)?
                    }
                    _ => return Err(odd()),
                }
            }
            _ => return Err(odd()),
        };
        let old = self.kept(old, &ty, span);
        let op = if *opposite {
            BinaryOp::Ne
        } else {
            BinaryOp::Eq
        };
        let equal = self.binary(op, old, compared, span)?;
        let target = self.set_operand(asm, operand).ok_or_else(odd)?;
        self.set(target, equal, span, out)
    }

    /// Refuses outputs that the instruction, as it is known, does not set.
    fn refuse_other_outputs(&self, asm: &AsmStmt, atomic: &Atomic, span: Span) -> Typed<()> {
        let named = [
            Some(&atomic.place),
            atomic.value.as_ref(),
            atomic.result.as_ref(),
        ];
        let flag = atomic.flag.as_ref().map(|(operand, _)| operand);
        let mut known: Vec<&AsmOperand> = Vec::new();
        for operand in named.into_iter().flatten().chain(flag) {
            if let Operand::Given(name) | Operand::Pointed(name) = operand {
                known.extend(self.find_operand(asm, name).map(|it| self.set_by(asm, it)));
            }
        }
        if atomic.action == Action::CompareExchange {
            known.extend(self.accumulator(asm).map(|it| self.set_by(asm, it)));
        }
        let is_known = |output: &AsmOperand| known.iter().any(|it| std::ptr::eq(*it, output));
        match asm.outputs.iter().all(is_known) {
            true => Ok(()),
            false => Err(beyond(span, "an atomic instruction with other outputs")),
        }
    }

    /// The operand of a number or a name: outputs come first.
    fn find_operand<'s>(&self, asm: &'s AsmStmt, name: &str) -> Option<&'s AsmOperand> {
        let all = || asm.outputs.iter().chain(&asm.inputs);
        match name.parse::<usize>() {
            Ok(at) => all().nth(at),
            Err(_) => all().find(|it| it.name.is_some_and(|own| self.names.name(own) == name)),
        }
    }

    /// The place that an operand is, or points to.
    fn place_of(&mut self, asm: &AsmStmt, operand: &Operand, span: Span) -> Typed<Expr> {
        let odd = || beyond(span, "an atomic instruction with operands of this form");
        let (Operand::Given(name) | Operand::Pointed(name)) = operand else {
            return Err(odd());
        };
        let given = self.find_operand(asm, name).ok_or_else(odd)?;
        match operand {
            Operand::Pointed(_) => {
                let pointer = self.rvalue_expr(&given.expr)?;
                self.deref(pointer, span)
            }
            _ => self.expr(&given.expr),
        }
    }

    /// The operand that is in the accumulator of x86.
    fn accumulator<'s>(&self, asm: &'s AsmStmt) -> Option<&'s AsmOperand> {
        let mut all = asm.outputs.iter().chain(&asm.inputs);
        all.find(|it| it.constraint.trim_start_matches(['=', '+', '&']) == "a")
    }

    fn value_of(&mut self, asm: &AsmStmt, operand: &Operand, span: Span) -> Typed<Expr> {
        let odd = || beyond(span, "an atomic instruction with operands of this form");
        match operand {
            Operand::Constant(number) => Ok(self.int_expr(*number as u64, IntType::INT, span)),
            Operand::Given(name) => {
                let given = self.find_operand(asm, name).ok_or_else(odd)?;
                self.given_value(asm, given, span)
            }
            Operand::Pointed(_) => Err(odd()),
        }
    }

    /// What an operand is before the instruction: its own value, or that of the input in its place.
    fn given_value(&mut self, asm: &AsmStmt, operand: &AsmOperand, span: Span) -> Typed<Expr> {
        if !operand.constraint.contains('=') {
            return self.rvalue_expr(&operand.expr);
        }
        let at = asm.outputs.iter().position(|it| std::ptr::eq(it, operand));
        let name = operand
            .name
            .map(|name| format!("[{}]", self.names.name(name)));
        let is_tied = |input: &&AsmOperand| {
            input.constraint.parse().ok() == at || Some(&input.constraint) == name.as_ref()
        };
        match asm.inputs.iter().find(is_tied) {
            Some(input) => self.rvalue_expr(&input.expr),
            None => Err(beyond(
                span,
                "an atomic instruction whose operand is not set",
            )),
        }
    }

    /// The output that an operand names; an input is none, unless it is in the place of one.
    fn set_operand<'s>(&self, asm: &'s AsmStmt, operand: &Operand) -> Option<&'s AsmOperand> {
        let Operand::Given(name) = operand else {
            return None;
        };
        let found = self.find_operand(asm, name)?;
        Some(self.set_by(asm, found))
    }

    fn set_by<'s>(&self, asm: &'s AsmStmt, operand: &'s AsmOperand) -> &'s AsmOperand {
        let tied = operand.constraint.parse::<usize>().ok();
        tied.and_then(|at| asm.outputs.get(at)).unwrap_or(operand)
    }

    /// Sets an output; an input keeps its value, whatever its register holds.
    fn set(
        &mut self,
        target: &AsmOperand,
        value: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        if !target.constraint.contains(['=', '+']) {
            return Ok(());
        }
        let place = self.expr(&target.expr)?;
        let value = self.cast(value, &place.ty.clone(), span)?;
        let kind = StmtKind::Expr(self.assign(None, place, value, span)?);
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// Keeps a value in a local of its own.
    fn keep(&mut self, value: Expr, out: &mut Vec<Stmt>, span: Span) -> Typed<LocalId> {
        let id = self.unnamed_local("asm".into(), value.ty.clone(), span)?;
        let items = vec![InitItem::new(0, None, value)];
        let zero_rest = false;
        let kind = StmtKind::Decl(id, Some(Init { items, zero_rest }));
        out.push(Stmt { kind, span });
        Ok(id)
    }

    fn kept(&self, id: LocalId, ty: &Type, span: Span) -> Expr {
        let place = Expr::new(ExprKind::Local(id), ty.clone(), span);
        Expr::new(ExprKind::Load(Box::new(place)), ty.clone(), span)
    }
}
