//! `asm` with an atomic instruction, as the built-in function that does the same.

use super::Checker;
use super::asm_operands::flag_output;
use super::fault::{Typed, beyond};
use super::instructions::{Action, Atomic};
use crate::ast::{AsmOperand, AsmStmt};
use crate::hir::{
    AtomicOp, BinaryOp, Builtin, Expr, ExprKind, Init, InitItem, IntKind, IntType, LocalId, Stmt,
    StmtKind, Type,
};
use xcfa::Span;

/// A statement on its way: where it is, the type of the place, and what was made so far.
struct Making<'o> {
    span: Span,
    ty: Type,
    out: &'o mut Vec<Stmt>,
}

impl Checker<'_> {
    /// The statements that an atomic instruction stands for.
    pub fn atomic_asm(
        &mut self,
        asm: &AsmStmt,
        atomic: &Atomic,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Typed<()> {
        self.refuse_odd_operands(asm, atomic, span)?;
        let place = self.place_of(asm, &atomic.place, span)?;
        let ty = place.ty.unqualified().clone();
        self.refuse_odd_place(&ty, atomic, span)?;
        let making = &mut Making { span, ty, out };
        let value = match &atomic.value {
            None => self.int_expr(1, IntType::INT, span),
            Some(operand) => self.value_of(asm, operand, span)?,
        };
        if atomic.size.is_none() && atomic.value.is_some() {
            // The width is that of the register.
            self.refuse_other_size(&value.ty, making)?;
        }
        let value = self.keep_as_place(value, making)?;
        let pointer = self.plain_address_of(place, span)?;
        let mut args = vec![pointer, self.kept(value, making)];
        let (builtin, target, compared) = match atomic.action {
            Action::CompareExchange => {
                let (target, expected) = self.accumulator(asm, span)?;
                let expected = self.keep_as_place(expected, making)?;
                args.insert(1, self.kept(expected, making));
                (Builtin::AtomicValCas, Some(target), Some(expected))
            }
            Action::Exchange => (
                Builtin::AtomicExchange,
                self.result(asm, atomic, span)?,
                None,
            ),
            Action::Fetch(op) => (
                Builtin::AtomicFetch(op),
                self.result(asm, atomic, span)?,
                None,
            ),
            Action::Update(op) | Action::Step(op) => (Builtin::AtomicFetch(op), None, None),
        };
        let old = Expr::new(ExprKind::Builtin(builtin, args), making.ty.clone(), span);
        let old = self.keep(old, making)?;
        if let Some(target) = target {
            let value = self.kept(old, making);
            self.set(target, value, making)?;
        }
        self.set_flags(asm, atomic, [old, compared.unwrap_or(value)], making)
    }

    /// Refuses a place that the built-in functions see in another way than the instruction.
    fn refuse_odd_place(&self, ty: &Type, atomic: &Atomic, span: Span) -> Typed<()> {
        let is_number = matches!(ty, Type::Int(int) if int.kind != IntKind::Bool);
        let moves = matches!(atomic.action, Action::Exchange | Action::CompareExchange);
        let is_pointer = moves && matches!(ty, Type::Pointer(_));
        let size = self.size_of(ty);
        match (is_number || is_pointer) && atomic.size.is_none_or(|wanted| size == Some(wanted)) {
            true => Ok(()),
            false => Err(beyond(
                span,
                "an atomic instruction with a place of this type",
            )),
        }
    }

    /// A register that is wider or narrower than the place would have to be cut or kept in part.
    fn refuse_other_size(&self, ty: &Type, making: &Making) -> Typed<()> {
        let is_number = matches!(ty, Type::Int(int) if int.kind != IntKind::Bool);
        let is_scalar = is_number || matches!(ty, Type::Pointer(_));
        match is_scalar && self.size_of(ty) == self.size_of(&making.ty) {
            true => Ok(()),
            false => Err(beyond(
                making.span,
                "an atomic instruction with operands of different sizes",
            )),
        }
    }

    /// The output for the old value: the one that the instruction names, or that of its value.
    fn result<'s>(
        &self,
        asm: &'s AsmStmt,
        atomic: &Atomic,
        span: Span,
    ) -> Typed<Option<&'s AsmOperand>> {
        match atomic.result.as_ref().or(atomic.value.as_ref()) {
            Some(operand) => self.output_named(asm, operand, span).map(Some),
            None => Ok(None),
        }
    }

    /// Sets an output to the old value.
    fn set(&mut self, target: &AsmOperand, value: Expr, making: &mut Making) -> Typed<()> {
        let place = self.operand(target)?;
        let ty = place.ty.unqualified().clone();
        self.refuse_other_size(&ty, making)?;
        self.set_to(place, value, making)
    }

    fn set_to(&mut self, place: Expr, value: Expr, making: &mut Making) -> Typed<()> {
        let span = making.span;
        let value = self.cast(value, &place.ty.clone(), span)?;
        let kind = StmtKind::Expr(self.assign(None, place, value, span)?);
        making.out.push(Stmt { kind, span });
        Ok(())
    }

    /// Sets outputs that say whether the values were equal, or the result is zero.
    fn set_flags(
        &mut self,
        asm: &AsmStmt,
        atomic: &Atomic,
        [old, value]: [LocalId; 2],
        making: &mut Making,
    ) -> Typed<()> {
        let span = making.span;
        if let Some((operand, opposite)) = &atomic.flag {
            let place = self.output_named(asm, operand, span)?;
            let place = self.operand(place)?;
            // The instruction sets one byte of a register.
            if self.size_of(place.ty.unqualified()) != Some(1) {
                return Err(beyond(span, "`asm` that sets a part of its output"));
            }
            let equal = self.equal(atomic, [old, value], *opposite, making)?;
            self.set_to(place, equal, making)?;
        }
        for output in &asm.outputs {
            if let Some(opposite) = flag_output(output) {
                let place = self.operand(output)?;
                let equal = self.equal(atomic, [old, value], opposite, making)?;
                self.set_to(place, equal, making)?;
            }
        }
        Ok(())
    }

    fn equal(
        &mut self,
        atomic: &Atomic,
        [old, value]: [LocalId; 2],
        opposite: bool,
        making: &Making,
    ) -> Typed<Expr> {
        let span = making.span;
        let value = self.kept(value, making);
        let compared = match atomic.action {
            // The result is zero if the old value is what makes it so.
            Action::CompareExchange
            | Action::Update(AtomicOp::Sub)
            | Action::Step(AtomicOp::Sub) => value,
            Action::Update(AtomicOp::Add)
            | Action::Step(AtomicOp::Add)
            | Action::Fetch(AtomicOp::Add) => {
                let unsigned = Type::Int(IntType::new(IntKind::LongLong, false));
                let value = self.cast(value, &unsigned, span)?;
                let zero = self.int_expr(0, IntType::INT, span);
                let negative = self.binary(BinaryOp::Sub, zero, value, span)?;
                self.cast(negative, &making.ty, span)?
            }
            _ => return Err(beyond(span, "the flags of this instruction")),
        };
        let op = match opposite {
            true => BinaryOp::Ne,
            false => BinaryOp::Eq,
        };
        let old = self.kept(old, making);
        self.binary(op, old, compared, span)
    }

    /// Keeps a value in the type of the place.
    fn keep_as_place(&mut self, value: Expr, making: &mut Making) -> Typed<LocalId> {
        let value = self.cast(value, &making.ty.clone(), making.span)?;
        self.keep(value, making)
    }

    /// Keeps a value in a local of its own.
    fn keep(&mut self, value: Expr, making: &mut Making) -> Typed<LocalId> {
        let span = making.span;
        let id = self.unnamed_local("asm".into(), value.ty.clone(), span)?;
        let items = vec![InitItem::new(0, None, value)];
        let zero_rest = false;
        let kind = StmtKind::Decl(id, Some(Init { items, zero_rest }));
        making.out.push(Stmt { kind, span });
        Ok(id)
    }

    fn kept(&self, id: LocalId, making: &Making) -> Expr {
        let (ty, span) = (making.ty.clone(), making.span);
        let place = Expr::new(ExprKind::Local(id), ty.clone(), span);
        Expr::new(ExprKind::Load(Box::new(place)), ty, span)
    }
}
