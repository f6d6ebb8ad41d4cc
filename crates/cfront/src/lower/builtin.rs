//! Compiler built-ins that are not atomic operations.

use super::function::FunctionLowering;
use super::types::{Lowered, is_signed};
use crate::Unsupported;
use crate::hir::{Builtin, Expr, ExprKind, IntKind, Note, Orders, Type};
use expr::{Op, Sort, Term};
use xcfa::{HavocOrigin, Label, Leaving, Span};

/// What the verdict says where memory orders matter and the model is sequentially consistent.
pub const WEAK_ORDERS: &str = "memory orders weaker than `seq_cst` are taken as `seq_cst`; --memory-model rc11 takes them as they are";

/// What the verdict says about something that it rests on.
fn assumption(note: Note) -> &'static str {
    match note {
        Note::Assembly => "inline assembly is assumed to change nothing",
        Note::AssemblyOutputs => {
            "inline assembly sets its outputs to arbitrary values and is assumed to change nothing else"
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// A built-in; its value, if it has one.
    pub fn builtin(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        expr: &Expr,
    ) -> Lowered<Option<Term>> {
        let span = expr.span;
        self.no_effects(span)?;
        match builtin {
            Builtin::AtomicLoad
            | Builtin::AtomicStore
            | Builtin::AtomicInit
            | Builtin::AtomicExchange
            | Builtin::AtomicCompareExchange
            | Builtin::AtomicWeakCompareExchange
            | Builtin::AtomicBoolCas
            | Builtin::AtomicValCas
            | Builtin::AtomicFetch(_)
            | Builtin::AtomicThenFetch(_) => self.atomic_builtin(builtin, args, expr),
            Builtin::AtomicRecord(op) => self.atomic_record(op, args, span),
            Builtin::Fence => {
                let orders = self.orders.take().unwrap_or(Orders::SEQ_CST);
                if self.ctx.options.fences {
                    self.emit_ordered(Vec::new(), orders.operation, span);
                }
                Ok(None)
            }
            Builtin::WeakFence if self.ctx.options.fences => Err(Unsupported::at(
                span,
                "a fence that orders some accesses only, under a weak memory model",
            )),
            Builtin::WeakFence => Ok(None),
            Builtin::Nothing => {
                self.orders = None;
                Ok(None)
            }
            Builtin::Ordered(orders) => {
                let [operation] = args else {
                    unreachable!("`check` gives memory orders to one operation");
                };
                let ExprKind::Builtin(builtin, args) = &operation.kind else {
                    unreachable!("`check` gives memory orders to built-ins alone");
                };
                if orders != Orders::SEQ_CST {
                    self.ctx.assume_about(WEAK_ORDERS.into());
                }
                self.orders = Some(orders);
                self.builtin(*builtin, args, operation)
            }
            Builtin::Note(note) => {
                args.iter().try_for_each(|arg| self.effects(arg))?;
                self.ctx.assume_about(assumption(note).into());
                Ok(None)
            }
            Builtin::FirstSlot => self.first_slot(span).map(Some),
            Builtin::Unspecified => {
                let origin = HavocOrigin::External("asm".into(), span);
                self.havoc(&expr.ty, origin, span).map(Some)
            }
            Builtin::Real(test) => self.real_builtin(test, args, span).map(Some),
            Builtin::AddOverflow => self.overflow_builtin(Op::Add, args, span).map(Some),
            Builtin::SubOverflow => self.overflow_builtin(Op::Sub, args, span).map(Some),
            Builtin::MulOverflow => self.overflow_builtin(Op::Mul, args, span).map(Some),
            Builtin::Unreachable => {
                let never = self.terms().bool(false);
                self.assume(never, span);
                Ok(None)
            }
            Builtin::Trap => self.finish(Label::Exit(Leaving::Call), span).map(|()| None),
            Builtin::Alloca => match args {
                [size] => self.alloca(size, span).map(Some),
                _ => Err(Unsupported::at(span, "`alloca` of this form")),
            },
            Builtin::ByteSwap
            | Builtin::CountLeadingZeros
            | Builtin::CountTrailingZeros
            | Builtin::FindFirstSet
            | Builtin::PopCount
            | Builtin::Parity => match args {
                [arg] => self.bits_builtin(builtin, arg, expr).map(Some),
                _ => Err(Unsupported::at(
                    span,
                    "a built-in with other than one argument",
                )),
            },
        }
    }

    /// `__builtin_add_overflow(a, b, p)`: stores the wrapped result, tells whether it wrapped.
    fn overflow_builtin(&mut self, op: Op, args: &[Expr], span: Span) -> Lowered<Term> {
        let [a, b, target] = args else {
            return Err(Unsupported::at(span, "an overflow built-in of this form"));
        };
        let Type::Pointer(result) = target.ty.unqualified() else {
            return Err(Unsupported::at(
                span,
                "an overflow built-in without a place",
            ));
        };
        let mut values = self.operands(&[a, b, target])?;
        let types = self.types();
        // What the type of the result can hold is the same number there.
        let fits = [a, b].map(|operand| self.holds(result, operand));
        let (value, overflows) = match fits {
            [true, true] => {
                let sort = types.sort(result, span)?;
                for (value, operand) in values.iter_mut().zip([a, b]) {
                    let signed = is_signed(&operand.ty);
                    *value = self.terms().resize(*value, sort.width(), signed);
                }
                self.wrapped_same(op, values[0], values[1], is_signed(result))
            }
            _ => {
                let operands = [(values[0], &a.ty), (values[1], &b.ty)];
                self.wrapped_mixed(op, operands, result, span)?
            }
        };
        types.sort(result, span)?;
        self.emit(
            Label::Store {
                addr: values[2],
                value,
            },
            span,
        );
        Ok(self.terms().bool_to_bv(overflows, 8))
    }

    /// Can a type hold every value of an operand?
    fn holds(&self, ty: &Type, operand: &Expr) -> bool {
        let (Type::Int(to), Type::Int(from)) = (ty.unqualified(), operand.ty.unqualified()) else {
            return false;
        };
        let model = self.types().model;
        let (room, size) = (to.size(model), from.size(model));
        let constant = match operand.kind {
            ExprKind::Int(bits) => bits < 1 << 31,
            _ => false,
        };
        match (to.signed, from.signed) {
            _ if to.kind == IntKind::Bool => false,
            _ if constant && room >= 4 => true,
            (true, true) | (false, false) => room >= size,
            (true, false) => room > size,
            (false, true) => false,
        }
    }

    fn wrapped_same(&mut self, op: Op, a: Term, b: Term, signed: bool) -> (Term, Term) {
        let check = match (op, signed) {
            (Op::Add, true) => Op::SaddOverflow,
            (Op::Add, false) => Op::UaddOverflow,
            (Op::Sub, true) => Op::SsubOverflow,
            (Op::Sub, false) => Op::UsubOverflow,
            (_, true) => Op::SmulOverflow,
            (_, false) => Op::UmulOverflow,
        };
        (
            self.terms().binary(op, a, b),
            self.terms().binary(check, a, b),
        )
    }

    /// Operands of other types than the result are computed in 64 bits, where nothing is lost.
    fn wrapped_mixed(
        &mut self,
        op: Op,
        operands: [(Term, &Type); 2],
        result: &Type,
        span: Span,
    ) -> Lowered<(Term, Term)> {
        let sort = self.types().sort(result, span)?;
        let widest = operands
            .iter()
            .map(|(value, _)| self.ctx.xcfa.terms.width(*value))
            .max();
        let room = if op == Op::Mul { 31 } else { 32 };
        let fits = operands.iter().all(|(value, ty)| {
            let width = self.ctx.xcfa.terms.width(*value);
            width <= room || (width <= 32 && is_signed(ty))
        });
        if !fits || widest.is_none_or(|width| width > 32) || sort.width() > 32 {
            return Err(Unsupported::at(
                span,
                "an overflow built-in of mixed wide types",
            ));
        }
        let [(a, a_ty), (b, b_ty)] = operands;
        let terms = self.terms();
        let (a, b) = (
            terms.resize(a, 64, is_signed(a_ty)),
            terms.resize(b, 64, is_signed(b_ty)),
        );
        let exact = terms.binary(op, a, b);
        let value = terms.resize(exact, sort.width(), false);
        let back = terms.resize(value, 64, is_signed(result));
        let overflows = terms.ne(exact, back);
        Ok((value, overflows))
    }

    fn bits_builtin(&mut self, builtin: Builtin, arg: &Expr, expr: &Expr) -> Lowered<Term> {
        let value = self.value(arg)?;
        let sort = self.terms().sort(value);
        let Sort::Bv(width) = sort else {
            return Err(Unsupported::at(
                expr.span,
                "a bit count of a floating value",
            ));
        };
        if let Builtin::CountLeadingZeros | Builtin::CountTrailingZeros = builtin {
            // The result for zero is undefined.
            let nonzero = self.terms().is_nonzero(value);
            self.assume(nonzero, expr.span);
        }
        let target = self.types().sort(&expr.ty, expr.span)?.width();
        let result = match builtin {
            Builtin::ByteSwap => {
                let swapped = self.swap_bytes(value, width.min(target));
                return Ok(self.terms().resize(swapped, target, false));
            }
            Builtin::PopCount => self.count_bits(value, width),
            Builtin::Parity => {
                let count = self.count_bits(value, width);
                let one = self.terms().bv(32, 1);
                self.terms().binary(Op::BitAnd, count, one)
            }
            Builtin::FindFirstSet => self.first_bit(value, 0..width, |bit| bit + 1),
            Builtin::CountTrailingZeros => self.first_bit(value, 0..width, |bit| bit),
            _ => self.first_bit(value, (0..width).rev(), |bit| width - 1 - bit),
        };
        Ok(self.terms().resize(result, target, true))
    }

    fn swap_bytes(&mut self, value: Term, width: u32) -> Term {
        let terms = self.terms();
        let mut swapped = terms.extract(value, 7, 0);
        for byte in 1..width / 8 {
            let next = terms.extract(value, 8 * byte + 7, 8 * byte);
            swapped = terms.binary(Op::Concat, swapped, next);
        }
        swapped
    }

    fn count_bits(&mut self, value: Term, width: u32) -> Term {
        let terms = self.terms();
        let mut count = terms.bv(32, 0);
        for bit in 0..width {
            let one = terms.extract(value, bit, bit);
            let one = terms.resize(one, 32, false);
            count = terms.add(count, one);
        }
        count
    }

    /// A number for the first bit, in the given order, that is set; 0 if none is.
    pub fn first_bit(
        &mut self,
        value: Term,
        bits: impl DoubleEndedIterator<Item = u32>,
        number: impl Fn(u32) -> u32,
    ) -> Term {
        let terms = self.terms();
        let mut result = terms.bv(32, 0);
        for bit in bits.rev() {
            let here = terms.extract(value, bit, bit);
            let is_set = terms.is_nonzero(here);
            let found = terms.bv(32, u64::from(number(bit)));
            result = terms.ite(is_set, found, result);
        }
        result
    }

    /// The expression behind a pointer argument that is surely not null.
    pub fn is_surely_not_null(&self, expr: Option<&Expr>) -> bool {
        let inner = expr.map(|expr| &super::reach::peel_casts(expr).kind);
        matches!(inner, Some(ExprKind::AddrOf(_) | ExprKind::Decay(_)))
    }
}
