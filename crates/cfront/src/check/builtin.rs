//! Functions that the compiler itself knows.

use super::Checker;
use super::constant::Value;
use super::fault::{Typed, beyond, wrong};
use crate::ast::{self, ExprKind as Ast, UnaryOp};
use crate::hir::{AtomicOp, Builtin, Expr, ExprKind, IntKind, IntType, Orders, Type};
use xcfa::{MemoryOrder, Span};

const BOOL: Type = Type::Int(IntType::new(IntKind::Bool, false));

impl Checker<'_> {
    /// A call of a built-in, if the name is one.
    pub fn builtin_call(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Typed<Option<Expr>> {
        if let Some(op) = name.strip_prefix("__atomic_") {
            return self.atomic_call(op, args, span);
        }
        if let Some(op) = name.strip_prefix("__sync_") {
            return self.sync_call(op, args, span);
        }
        let Some(plain) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        self.plain_builtin(plain, args, span)
    }

    fn plain_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Typed<Option<Expr>> {
        let unsigned = |kind| Type::Int(IntType::new(kind, false));
        let widths = [
            ("ll", IntKind::LongLong),
            ("l", IntKind::Long),
            ("", IntKind::Int),
        ];
        for (stem, builtin) in [
            ("clz", Builtin::CountLeadingZeros),
            ("ctz", Builtin::CountTrailingZeros),
            ("ffs", Builtin::FindFirstSet),
            ("popcount", Builtin::PopCount),
            ("parity", Builtin::Parity),
        ] {
            for (suffix, kind) in widths {
                if name.strip_prefix(stem) == Some(suffix) {
                    let value = self.argument(args, 0, &unsigned(kind), span)?;
                    return Ok(Some(builtin_expr(builtin, vec![value], Type::INT, span)));
                }
            }
        }
        let result = match name {
            "expect" | "expect_with_probability" => {
                let value = self.scalar(self::nth(args, 0, span)?)?;
                let long = Type::Int(IntType::new(IntKind::Long, true));
                let value = self.convert(value, &long);
                let hints = self.effects_of(&args[1..])?;
                after(hints, value)
            }
            "constant_p" => {
                let arg = nth(args, 0, span)?;
                let value = self.rvalue_expr(arg)?;
                let known = self.fold(&value).is_some() || matches!(arg.kind, Ast::Str(_));
                self.int_expr(known as u64, IntType::INT, span)
            }
            "unreachable" => builtin_expr(Builtin::Unreachable, Vec::new(), Type::Void, span),
            "ia32_mfence" => builtin_expr(Builtin::Fence, Vec::new(), Type::Void, span),
            "ia32_lfence" | "ia32_sfence" => {
                builtin_expr(Builtin::WeakFence, Vec::new(), Type::Void, span)
            }
            "ia32_pause" | "arm_yield" | "riscv_pause" => {
                builtin_expr(Builtin::Nothing, Vec::new(), Type::Void, span)
            }
            "trap" => builtin_expr(Builtin::Trap, Vec::new(), Type::Void, span),
            "alloca" => {
                let size = self.argument(args, 0, &Type::Int(self.size_type()), span)?;
                let ty = Type::Pointer(std::rc::Rc::new(Type::Void));
                builtin_expr(Builtin::Alloca, vec![size], ty, span)
            }
            "bswap16" | "bswap32" | "bswap64" => {
                let kind = match name {
                    "bswap16" => IntKind::Short,
                    "bswap32" => IntKind::Int,
                    _ => IntKind::LongLong,
                };
                let value = self.argument(args, 0, &unsigned(kind), span)?;
                builtin_expr(Builtin::ByteSwap, vec![value], unsigned(kind), span)
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" => {
                let builtin = match &name[..3] {
                    "add" => Builtin::AddOverflow,
                    "sub" => Builtin::SubOverflow,
                    _ => Builtin::MulOverflow,
                };
                let mut values = Vec::new();
                for at in 0..3 {
                    values.push(self.rvalue_expr(nth(args, at, span)?)?);
                }
                builtin_expr(builtin, values, BOOL, span)
            }
            "prefetch" => {
                nth(args, 0, span)?;
                let effects = self.effects_of(args)?;
                after(effects, void(span))
            }
            "assume_aligned" => {
                let pointer = Type::Pointer(std::rc::Rc::new(Type::Void));
                let value = self.argument(args, 0, &pointer, span)?;
                let effects = self.effects_of(&args[1..])?;
                after(effects, value)
            }
            // Never evaluated; without optimisation nothing is known about objects behind pointers.
            "object_size" => {
                let pointer = self.rvalue_expr(nth(args, 0, span)?)?;
                if is_of_object(&pointer) {
                    return Err(beyond(span, "the size of an object that is named"));
                }
                let kind = self.count_constant(nth(args, 1, span)?, "the kind of size")?;
                let unknown = if kind < 2 { u64::MAX } else { 0 };
                let mask = expr::Sort::Bv(self.bits_of(self.size_type())).mask();
                self.int_expr(unknown & mask, self.size_type(), span)
            }
            "inf" | "inff" | "huge_val" | "nan" | "nanf" | "huge_valf" => {
                let ty = match name.ends_with('f') && name != "inf" {
                    true => crate::hir::FloatType::Float,
                    false => crate::hir::FloatType::Double,
                };
                let value = if name.starts_with("nan") {
                    f64::NAN
                } else {
                    f64::INFINITY
                };
                Expr::new(ExprKind::Float(value), Type::Float(ty), span)
            }
            _ => return self.list_call(name, args, span),
        };
        Ok(Some(result))
    }

    fn argument(&mut self, args: &[ast::Expr], at: usize, ty: &Type, span: Span) -> Typed<Expr> {
        let value = self.rvalue_expr(nth(args, at, span)?)?;
        self.assign_convert(value, ty)
    }

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
            Type::Pointer(_) => Err(beyond(arg.span, "atomic operation on a struct")),
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

    fn atomic_call(&mut self, op: &str, args: &[ast::Expr], span: Span) -> Typed<Option<Expr>> {
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

    /// `__atomic_test_and_set` and `__atomic_clear`: on one byte, whatever the pointer points to.
    fn flag_call(&mut self, op: &str, args: &[ast::Expr], span: Span) -> Typed<Expr> {
        let pointer = self.rvalue_expr(nth(args, 0, span)?)?;
        if !matches!(pointer.ty.unqualified(), Type::Pointer(_)) {
            return Err(wrong(span, "an atomic operation takes a pointer"));
        }
        let byte = Type::Int(IntType::new(IntKind::Char, false));
        let to = Type::Pointer(std::rc::Rc::new(byte.clone()));
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

    /// Arguments that are evaluated for nothing but their effects; constants have none.
    fn effects_of(&mut self, args: &[ast::Expr]) -> Typed<Vec<Expr>> {
        let mut effects = Vec::new();
        for arg in args {
            let value = self.rvalue_expr(arg)?;
            if self.fold(&value).is_none() {
                effects.push(value);
            }
        }
        Ok(effects)
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

    fn sync_call(&mut self, op: &str, args: &[ast::Expr], span: Span) -> Typed<Option<Expr>> {
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

/// Is it the address of an object, or somewhere in one?
fn is_of_object(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::AddrOf(_) | ExprKind::Decay(_) => true,
        ExprKind::Cast(inner) | ExprKind::PointerAdd { pointer: inner, .. } => is_of_object(inner),
        _ => false,
    }
}

fn nth(args: &[ast::Expr], at: usize, span: Span) -> Typed<&ast::Expr> {
    args.get(at)
        .ok_or_else(|| wrong(span, "an argument is missing"))
}

fn builtin_expr(builtin: Builtin, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    Expr::new(ExprKind::Builtin(builtin, args), ty, span)
}

/// Evaluates `effects`, then `last`, whose value is that of the whole.
fn after(effects: Vec<Expr>, last: Expr) -> Expr {
    let join = |last: Expr, effect: Expr| {
        let (ty, span) = (last.ty.clone(), last.span);
        Expr::new(ExprKind::Comma(Box::new(effect), Box::new(last)), ty, span)
    };
    effects.into_iter().rev().fold(last, join)
}

/// Nothing.
fn void(span: Span) -> Expr {
    builtin_expr(Builtin::Nothing, Vec::new(), Type::Void, span)
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
