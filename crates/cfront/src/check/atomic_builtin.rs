//! Atomic operations that the compiler itself knows: `__atomic_*` and `__sync_*`.

use super::Checker;
use super::builtin::{BOOL, after, builtin_expr, nth};
use super::constant::Value;
use super::fault::{Typed, beyond, wrong};
use crate::ast::{self, ExprKind as Ast, UnaryOp};
use crate::hir::{AtomicOp, Builtin, Expr, IntKind, IntType, Orders, RecordOp, Type};
use xcfa::{MemoryOrder, Span};

impl Checker<'_> {
    /// The pointer of an atomic operation; `&x` does not make `x` an object here.
    fn atomic_pointer(&mut self, args: &[ast::Expr], at: usize, span: Span) -> Typed<(Expr, Type)> {
        let arg = nth(args, at, span)?;
        let pointer = match &arg.kind {
            Ast::Unary(UnaryOp::AddrOf, inner) => {
                let place = self.expr(inner)?;
                self.plain_address_of(place, arg.span)?
            }
            _ => self.rvalue_expr(arg)?,
        };
        match pointer.ty.unqualified() {
            Type::Pointer(pointee) if pointee.is_scalar() => {
                let value = pointee.unqualified().clone();
                Ok((pointer, value))
            }
            Type::Pointer(to) if matches!(to.unqualified(), Type::Record(_)) => {
                let value = to.unqualified().clone();
                Ok((self.rvalue_expr(arg)?, value))
            }
            Type::Pointer(_) => Err(beyond(arg.span, "atomic operation on this type")),
            _ => Err(wrong(arg.span, "an atomic operation takes a pointer")),
        }
    }

    /// An integer or pointer as the right side of an atomic operation: pointers move by bytes.
    fn atomic_value(
        &mut self,
        args: &[ast::Expr],
        at: usize,
        ty: &Type,
        span: Span,
    ) -> Typed<Expr> {
        self.argument(args, at, ty, span)
    }

    pub(super) fn atomic_call(
        &mut self,
        op: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Typed<Option<Expr>> {
        if matches!(op, "thread_fence" | "signal_fence") {
            let builtin = match op {
                "thread_fence" => Builtin::Fence,
                _ => Builtin::Nothing,
            };
            let orders = self.orders(args, 0, span)?;
            let fence = ordered(orders, builtin, Vec::new(), Type::Void, span);
            return self.after_arguments(&args[0..], fence).map(Some);
        }
        if matches!(op, "is_lock_free" | "always_lock_free") {
            return self.lock_free(op, args, span).map(Some);
        }
        if matches!(op, "test_and_set" | "clear") {
            return self.flag_call(op, args, span).map(Some);
        }
        let known = ["load", "store", "exchange", "compare_exchange"];
        let stem = op.strip_suffix("_n").unwrap_or(op);
        if !known.contains(&stem) && fetch_operation(op).is_none() {
            return Ok(None);
        }
        let (pointer, ty) = self.atomic_pointer(args, 0, span)?;
        if !ty.is_scalar() {
            return self.record_call(op, pointer, args, span).map(Some);
        }
        if let Some((builtin, _)) = fetch_operation(op) {
            let value = self.atomic_value(args, 1, &ty, span)?;
            let orders = self.orders(args, 2, span)?;
            let fetch = ordered(orders, builtin, vec![pointer, value], ty, span);
            return self.after_arguments(&args[2..], fetch).map(Some);
        }
        let by_value = op.ends_with("_n");
        let first_order = match stem {
            "load" | "exchange" if !by_value => args.len().saturating_sub(1),
            "load" => 1,
            "compare_exchange" => 3,
            _ => 2,
        };
        // Whether a compare-exchange is weak is said before its orders.
        let orders = self.orders(
            args,
            first_order + usize::from(stem == "compare_exchange"),
            span,
        )?;
        let result = match stem {
            "load" if by_value => ordered(orders, Builtin::AtomicLoad, vec![pointer], ty, span),
            "load" => {
                let load = ordered(orders, Builtin::AtomicLoad, vec![pointer], ty, span);
                let place = self.pointed(args, 1, span)?;
                self.assign(None, place, load, span)?
            }
            "store" => {
                let value = self.value_or_pointed(by_value, args, 1, &ty, span)?;
                let builtin = match self.is_atomic_init(args) {
                    true => Builtin::AtomicInit,
                    false => Builtin::AtomicStore,
                };
                ordered(orders, builtin, vec![pointer, value], Type::Void, span)
            }
            "exchange" => {
                let value = self.value_or_pointed(by_value, args, 1, &ty, span)?;
                let list = vec![pointer, value];
                let old = ordered(orders, Builtin::AtomicExchange, list, ty, span);
                match by_value {
                    true => old,
                    false => {
                        let place = self.pointed(args, 2, span)?;
                        self.assign(None, place, old, span)?
                    }
                }
            }
            _ => {
                let expected = self.rvalue_expr(nth(args, 1, span)?)?;
                let desired = self.value_or_pointed(by_value, args, 2, &ty, span)?;
                let list = vec![pointer, expected, desired];
                let builtin = match self.is_surely_strong(args)? {
                    true => Builtin::AtomicCompareExchange,
                    false => Builtin::AtomicWeakCompareExchange,
                };
                ordered(orders, builtin, list, BOOL, span)
            }
        };
        self.after_arguments(&args[first_order..], result).map(Some)
    }

    /// `__atomic_load` and its like for a struct or union, which take the addresses of values.
    fn record_call(
        &mut self,
        op: &str,
        pointer: Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Typed<Expr> {
        let (record_op, others, first_order) = match op {
            "load" => (RecordOp::Load, 1, 2),
            "store" if self.is_atomic_init(args) => (RecordOp::Init, 1, 2),
            "store" => (RecordOp::Store, 1, 2),
            "exchange" => (RecordOp::Exchange, 2, 3),
            "compare_exchange" => {
                let record_op = match self.is_surely_strong(args)? {
                    true => RecordOp::CompareExchange,
                    false => RecordOp::WeakCompareExchange,
                };
                (record_op, 2, 4)
            }
            _ => {
                return Err(wrong(
                    span,
                    "this atomic operation takes a number or a pointer",
                ));
            }
        };
        let ty = match op {
            "compare_exchange" => BOOL,
            _ => Type::Void,
        };
        let same = |to: &Expr| match (to.ty.unqualified(), pointer.ty.unqualified()) {
            (Type::Pointer(a), Type::Pointer(b)) => a.unqualified() == b.unqualified(),
            _ => false,
        };
        let mut list = Vec::new();
        for at in 1..=others {
            let other = self.rvalue_expr(nth(args, at, span)?)?;
            if !same(&other) {
                return Err(wrong(
                    other.span,
                    "a pointer to the same struct belongs here",
                ));
            }
            list.push(other);
        }
        list.insert(0, pointer);
        let orders = self.orders(args, first_order, span)?;
        let operation = ordered(orders, Builtin::AtomicRecord(record_op), list, ty, span);
        self.after_arguments(&args[first_order..], operation)
    }

    /// `__atomic_test_and_set` and `__atomic_clear`: on one byte, whatever the pointer points to.
    fn flag_call(&mut self, op: &str, args: &[ast::Expr], span: Span) -> Typed<Expr> {
        let pointer = self.rvalue_expr(nth(args, 0, span)?)?;
        if !matches!(pointer.ty.unqualified(), Type::Pointer(_)) {
            return Err(wrong(span, "an atomic operation takes a pointer"));
        }
        let byte = Type::Int(IntType::new(IntKind::Char, false));
        let to = Type::Pointer(std::sync::Arc::new(byte.clone()));
        let pointer = self.cast(pointer, &to, span)?;
        let is_set = op == "test_and_set";
        let orders = self.orders(args, 1, span)?;
        let value = self.int_expr(u64::from(is_set), IntType::INT, span);
        let list = vec![pointer, self.convert(value, &byte)];
        let result = match is_set {
            true => {
                let old = ordered(orders, Builtin::AtomicExchange, list, byte, span);
                self.convert(old, &BOOL)
            }
            false => ordered(orders, Builtin::AtomicStore, list, Type::Void, span),
        };
        self.after_arguments(&args[1..], result)
    }

    /// Are atomic operations on objects of this size free of locks? Beyond a word that depends on the
    /// machine, of which only what holds for every one can be said.
    fn lock_free(&mut self, op: &str, args: &[ast::Expr], span: Span) -> Typed<Expr> {
        let size = self.rvalue_expr(nth(args, 0, span)?)?;
        let free = match self.fold(&size) {
            Some(Value::Int(1 | 2 | 4 | 8)) => 1,
            Some(Value::Int(_)) if op == "always_lock_free" => 0,
            _ => return Err(beyond(span, format!("`__atomic_{op}` of this size"))),
        };
        let effects = self.effects_of(&args[1..])?;
        let free = self.int_expr(free, IntType::new(IntKind::Bool, false), span);
        Ok(after(effects, free))
    }

    /// The memory orders from the argument `first` on.
    fn orders(&mut self, args: &[ast::Expr], first: usize, span: Span) -> Typed<Orders> {
        let operation = self.order(nth(args, first, span)?)?;
        let failure = match args.get(first + 1) {
            Some(order) => self.order(order)?,
            None => operation,
        };
        Ok(Orders { operation, failure })
    }

    /// A memory order, if it is constant; flags of the compiler above it do not count.
    fn order(&mut self, arg: &ast::Expr) -> Typed<Option<MemoryOrder>> {
        let value = self.rvalue_expr(arg)?;
        Ok(match self.fold(&value) {
            Some(Value::Int(bits)) => MemoryOrder::from_number(bits & 0xffff),
            _ => None,
        })
    }

    /// An operation after the effects of arguments whose values it does not need.
    fn after_arguments(&mut self, args: &[ast::Expr], operation: Expr) -> Typed<Expr> {
        let effects = self.effects_of(args)?;
        Ok(after(effects, operation))
    }

    /// Is this store what `<stdatomic.h>` makes of `atomic_init`?
    ///
    /// There it is a store with the order `(0)`. An order that the program names is in a place
    /// of the text that is its own: the preprocessor puts line markers round it.
    fn is_atomic_init(&self, args: &[ast::Expr]) -> bool {
        let [place, value, order] = args else {
            return false;
        };
        let names = |expr: &ast::Expr, name: &str| match &expr.kind {
            Ast::Name(symbol) => &*self.name(*symbol) == name,
            _ => false,
        };
        let is_value = match &value.kind {
            Ast::Unary(UnaryOp::AddrOf, inner) => names(inner, "__atomic_store_tmp"),
            _ => false,
        };
        let is_plain = matches!(&order.kind, Ast::Int(order) if order.value == 0);
        let adjoins = order.span.hi.saturating_sub(value.span.hi) <= ", (0)".len() as u32;
        names(place, "__atomic_store_ptr") && is_value && is_plain && adjoins
    }

    /// Is the argument of a compare-exchange that asks for the weak form the constant 0?
    fn is_surely_strong(&mut self, args: &[ast::Expr]) -> Typed<bool> {
        let Some(weak) = args.get(3) else {
            return Ok(true);
        };
        let weak = self.rvalue_expr(weak)?;
        Ok(self.fold_truth(&weak) == Some(false))
    }

    /// The place that a pointer argument points to.
    fn pointed(&mut self, args: &[ast::Expr], at: usize, span: Span) -> Typed<Expr> {
        let pointer = self.rvalue_expr(nth(args, at, span)?)?;
        self.deref(pointer, span)
    }

    fn value_or_pointed(
        &mut self,
        by_value: bool,
        args: &[ast::Expr],
        at: usize,
        ty: &Type,
        span: Span,
    ) -> Typed<Expr> {
        if by_value {
            return self.atomic_value(args, at, ty, span);
        }
        let place = self.pointed(args, at, span)?;
        let value = self.rvalue(place);
        self.assign_convert(value, ty)
    }

    pub(super) fn sync_call(
        &mut self,
        op: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Typed<Option<Expr>> {
        if op == "synchronize" {
            return Ok(Some(builtin_expr(
                Builtin::Fence,
                Vec::new(),
                Type::Void,
                span,
            )));
        }
        // `fetch_and_add` and `add_and_fetch` are the old names of `fetch_add` and `add_fetch`.
        let modern = op.replace("_and_", "_");
        let is_cas = matches!(op, "bool_compare_and_swap" | "val_compare_and_swap");
        let is_lock = matches!(op, "lock_test_and_set" | "lock_release");
        if !is_cas && !is_lock && fetch_operation(&modern).is_none() {
            return Ok(None);
        }
        let (pointer, ty) = self.atomic_pointer(args, 0, span)?;
        if !ty.is_scalar() {
            return Err(wrong(
                span,
                "this atomic operation takes a number or a pointer",
            ));
        }
        let result = match op {
            // Of these one releases and the other acquires, and no more.
            "lock_release" => {
                let zero = self.convert(self.int_expr(0, IntType::INT, span), &ty);
                let list = vec![pointer, zero];
                let orders = Orders::same(Some(MemoryOrder::Release));
                ordered(orders, Builtin::AtomicStore, list, Type::Void, span)
            }
            "lock_test_and_set" => {
                let value = self.atomic_value(args, 1, &ty, span)?;
                let list = vec![pointer, value];
                let orders = Orders::same(Some(MemoryOrder::Acquire));
                ordered(orders, Builtin::AtomicExchange, list, ty, span)
            }
            _ if is_cas => {
                let old = self.atomic_value(args, 1, &ty, span)?;
                let new = self.atomic_value(args, 2, &ty, span)?;
                let list = vec![pointer, old, new];
                match op {
                    "bool_compare_and_swap" => {
                        builtin_expr(Builtin::AtomicBoolCas, list, BOOL, span)
                    }
                    _ => builtin_expr(Builtin::AtomicValCas, list, ty, span),
                }
            }
            _ => {
                let Some((builtin, _)) = fetch_operation(&modern) else {
                    return Ok(None);
                };
                let value = self.atomic_value(args, 1, &ty, span)?;
                builtin_expr(builtin, vec![pointer, value], ty, span)
            }
        };
        Ok(Some(result))
    }
}

/// A built-in with memory orders.
fn ordered(orders: Orders, builtin: Builtin, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    let operation = builtin_expr(builtin, args, ty.clone(), span);
    builtin_expr(Builtin::Ordered(orders), vec![operation], ty, span)
}

/// `fetch_add` gives the old value, `add_fetch` the new one.
fn fetch_operation(name: &str) -> Option<(Builtin, AtomicOp)> {
    let of = |text: &str| {
        Some(match text {
            "add" => AtomicOp::Add,
            "sub" => AtomicOp::Sub,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "nand" => AtomicOp::Nand,
            _ => return None,
        })
    };
    if let Some(op) = name.strip_prefix("fetch_").and_then(of) {
        return Some((Builtin::AtomicFetch(op), op));
    }
    let op = name.strip_suffix("_fetch").and_then(of)?;
    Some((Builtin::AtomicThenFetch(op), op))
}
