//! Atomic built-ins: one edge each, whatever they read and write.

use super::arith;
use super::function::FunctionLowering;
use super::lvalue::{Home, Lvalue};
use super::reach::peel_casts;
use super::types::{Lowered, Types};
use crate::Unsupported;
use crate::hir::{AtomicOp, Builtin, Expr, ExprKind, Orders, Type};
use expr::{Sort, Term};
use xcfa::{HavocOrigin, Label, MemoryOrder, Span};

/// What a compare-and-swap does.
struct Exchange {
    /// It writes if it finds this.
    old: Term,
    /// What it writes.
    new: Term,
    /// Where it stores what it found, if it fails.
    expected: Option<Lvalue>,
    /// May it fail for no reason?
    weak: bool,
    /// The memory order if it fails.
    failure: Option<MemoryOrder>,
}

impl FunctionLowering<'_, '_> {
    /// An atomic built-in; its value, if it has one.
    pub fn atomic_builtin(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        expr: &Expr,
    ) -> Lowered<Option<Term>> {
        let span = expr.span;
        // Arguments may be atomic operations too: these have orders of their own.
        let orders = self.orders.take().unwrap_or(Orders::SEQ_CST);
        let Some((target, rest)) = args.split_first() else {
            return Err(Unsupported::at(span, "an atomic built-in without a place"));
        };
        let mut place = self.pointed_place(target, rest)?;
        let ty = pointee(target, span)?;
        (place.atomic, place.order) = (true, orders.operation);
        self.scalar_sort(place, span)?;
        match builtin {
            Builtin::AtomicInit => place.atomic = false,
            Builtin::AtomicCompareExchange | Builtin::AtomicWeakCompareExchange => {
                let weak = builtin == Builtin::AtomicWeakCompareExchange;
                let asked = (weak, orders.failure);
                return self
                    .compare_exchange(place, rest, &ty, asked, span)
                    .map(Some);
            }
            _ => {}
        }
        let operands = self.operands(&rest.iter().collect::<Vec<_>>())?;
        let mut values = Vec::new();
        for (value, arg) in operands.into_iter().zip(rest) {
            values.push(self.fit_operand(value, &arg.ty, &ty, span)?);
        }
        let value = |at: usize| -> Lowered<Term> {
            let value = values.get(at).copied();
            value.ok_or_else(|| Unsupported::at(span, "an atomic built-in with too few arguments"))
        };
        match builtin {
            Builtin::AtomicLoad => self.read(place, span).map(Some),
            Builtin::AtomicStore | Builtin::AtomicInit => {
                self.write(place, value(0)?, span).map(|_| None)
            }
            Builtin::AtomicExchange => {
                let new = value(0)?;
                self.read_modify_write(place, span, |_, _| new)
                    .map(|(old, _)| Some(old))
            }
            Builtin::AtomicFetch(op) => {
                let (old, _) = self.fetch(place, op, value(0)?, span)?;
                Ok(Some(old))
            }
            Builtin::AtomicThenFetch(op) => {
                let (_, new) = self.fetch(place, op, value(0)?, span)?;
                Ok(Some(new))
            }
            Builtin::AtomicBoolCas | Builtin::AtomicValCas => {
                let exchange = Exchange {
                    old: value(0)?,
                    new: value(1)?,
                    expected: None,
                    weak: false,
                    failure: orders.failure,
                };
                let (seen, done) = self.compare_and_swap(place, exchange, span)?;
                Ok(Some(match builtin {
                    Builtin::AtomicBoolCas => done,
                    _ => seen,
                }))
            }
            _ => Err(Unsupported::at(span, "an atomic built-in of this kind")),
        }
    }

    /// The place behind a pointer argument; a variable stays one if it is named directly.
    fn pointed_place(&mut self, pointer: &Expr, later: &[Expr]) -> Lowered<Lvalue> {
        let span = pointer.span;
        let ty = pointee(pointer, span)?;
        if let ExprKind::AddrOf(inner) = &peel_casts(pointer).kind {
            let place = self.place(inner)?;
            if let Home::Var(var) = place.home {
                let sort = self.types().sort_of(&ty);
                return match sort == Some(self.ctx.xcfa[var].sort) {
                    true => Ok(place),
                    false => Err(Unsupported::at(span, "an atomic access of another size")),
                };
            }
        }
        let mut address = self.value(pointer)?;
        if later.iter().any(super::pure::changes_locals) && self.is_volatile(address) {
            address = self.keep(address, span);
        }
        Ok(self.typed_place(Home::Memory(address), &ty))
    }

    fn fit_operand(&mut self, value: Term, from: &Type, to: &Type, span: Span) -> Lowered<Term> {
        let types: Types = self.types();
        arith::convert(types, self.terms(), value, from, to, span)
    }

    /// One edge that reads the place and writes what `change` makes of it: old and new value.
    fn read_modify_write(
        &mut self,
        place: Lvalue,
        span: Span,
        change: impl FnOnce(&mut Self, Term) -> Term,
    ) -> Lowered<(Term, Term)> {
        let sort = self.scalar_sort(place, span)?;
        let temp = self.temp_for(place, sort);
        let read = self.read_label(place, temp);
        let old = self.read_var(temp);
        let new = change(self, old);
        let write = self.write_label(place, new);
        self.emit_ordered(vec![read, write], place.order, span);
        Ok((old, new))
    }

    fn fetch(
        &mut self,
        place: Lvalue,
        op: AtomicOp,
        value: Term,
        span: Span,
    ) -> Lowered<(Term, Term)> {
        self.read_modify_write(place, span, |this, old| {
            arith::atomic(this.terms(), op, old, value)
        })
    }

    /// Two edges: success writes, failure only reads (and then stores what it saw to `expected`).
    /// Gives the value that was seen and a `_Bool`.
    fn compare_and_swap(
        &mut self,
        place: Lvalue,
        exchange: Exchange,
        span: Span,
    ) -> Lowered<(Term, Term)> {
        self.no_fusing(span)?;
        let sort = self.scalar_sort(place, span)?;
        let (temp, done) = (self.temp_for(place, sort), self.temp(Sort::Bv(8)));
        let read = self.read_label(place, temp);
        let seen = self.read_var(temp);
        let equal = self.terms().eq(seen, exchange.old);
        let succeeds = match exchange.weak {
            true => self.unless_weak_failure(equal, span),
            false => equal,
        };
        let fails = self.terms().not(succeeds);
        let write = self.write_label(place, exchange.new);
        let [no, end] = [self.new_loc(), self.new_loc()];
        let failing = vec![read.clone(), Label::Assume(fails)];
        self.add_ordered_edge_to(no, failing, exchange.failure, span);
        let succeeding = vec![read, Label::Assume(succeeds), write];
        self.emit_ordered(succeeding, place.order, span);
        let one = self.terms().bv(8, 1);
        self.assign(done, one, span);
        self.goto(end, span);
        self.at = no;
        if let Some(expected) = exchange.expected {
            self.write(expected, seen, span)?;
        }
        let zero = self.terms().bv(8, 0);
        self.assign(done, zero, span);
        self.goto(end, span);
        self.at = end;
        Ok((seen, self.read_var(done)))
    }

    /// The condition under which a weak compare-exchange succeeds: the values are equal, and it
    /// does not fail for no reason.
    pub(super) fn unless_weak_failure(&mut self, equal: Term, span: Span) -> Term {
        let var = self.temp(Sort::Bool);
        let origin = HavocOrigin::WeakFailure;
        self.emit(Label::Havoc { var, origin }, span);
        let failure = self.read_var(var);
        let tries = self.terms().not(failure);
        self.terms().and(equal, tries)
    }

    /// `__atomic_compare_exchange_n(p, &expected, desired)`.
    fn compare_exchange(
        &mut self,
        place: Lvalue,
        rest: &[Expr],
        ty: &Type,
        (weak, failure): (bool, Option<MemoryOrder>),
        span: Span,
    ) -> Lowered<Term> {
        let [expected, desired] = rest else {
            return Err(Unsupported::at(span, "a compare-exchange of this form"));
        };
        let expected_place = self.pointed_place(expected, std::slice::from_ref(desired))?;
        let value = self.value(desired)?;
        let value = self.fit_operand(value, &desired.ty, ty, span)?;
        let old = self.read(expected_place, span)?;
        let old = match self.is_volatile(old) {
            true => self.keep(old, span),
            false => old,
        };
        let exchange = Exchange {
            old,
            new: value,
            expected: Some(expected_place),
            weak,
            failure,
        };
        let (_, done) = self.compare_and_swap(place, exchange, span)?;
        Ok(done)
    }
}

fn pointee(pointer: &Expr, span: Span) -> Lowered<Type> {
    match pointer.ty.unqualified() {
        Type::Pointer(inner) => Ok((**inner).clone()),
        _ => Err(Unsupported::at(
            span,
            "an atomic access through what is no pointer",
        )),
    }
}
