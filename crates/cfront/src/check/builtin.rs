//! Functions that the compiler itself knows.

use super::Checker;
use super::fault::{Typed, beyond, wrong};
use crate::ast::{self, ExprKind as Ast};
use crate::hir::{Builtin, Expr, ExprKind, IntKind, IntType, RealTest, Type};
use xcfa::Span;

pub(super) const BOOL: Type = Type::Int(IntType::new(IntKind::Bool, false));

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
        if let Some((builtin, ty)) = typed_overflow(name) {
            let mut values = Vec::new();
            for at in 0..2 {
                values.push(self.argument(args, at, &ty, span)?);
            }
            let to = Type::Pointer(std::sync::Arc::new(ty));
            values.push(self.argument(args, 2, &to, span)?);
            return Ok(Some(builtin_expr(builtin, values, BOOL, span)));
        }
        if let Some(test) = real_test(name) {
            let mut values = Vec::new();
            let numbers = if test == RealTest::Class { 5 } else { 0 };
            for at in 0..numbers {
                values.push(self.argument(args, at, &Type::INT, span)?);
            }
            values.push(self.rvalue_expr(nth(args, numbers, span)?)?);
            let builtin = Builtin::Real(test);
            return Ok(Some(builtin_expr(builtin, values, Type::INT, span)));
        }
        let result = match name {
            "frame_address" | "return_address" => {
                let ty = Type::Pointer(std::sync::Arc::new(Type::Void));
                builtin_expr(Builtin::Unspecified, Vec::new(), ty, span)
            }
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
                let ty = Type::Pointer(std::sync::Arc::new(Type::Void));
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
                let pointer = Type::Pointer(std::sync::Arc::new(Type::Void));
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

    pub(super) fn argument(
        &mut self,
        args: &[ast::Expr],
        at: usize,
        ty: &Type,
        span: Span,
    ) -> Typed<Expr> {
        let value = self.rvalue_expr(nth(args, at, span)?)?;
        self.assign_convert(value, ty)
    }

    /// Arguments that are evaluated for nothing but their effects; constants have none.
    pub(super) fn effects_of(&mut self, args: &[ast::Expr]) -> Typed<Vec<Expr>> {
        let mut effects = Vec::new();
        for arg in args {
            let value = self.rvalue_expr(arg)?;
            if self.fold(&value).is_none() {
                effects.push(value);
            }
        }
        Ok(effects)
    }
}

/// `__builtin_saddl_overflow` and its like: what they do, and the type of everything that they take.
fn typed_overflow(name: &str) -> Option<(Builtin, Type)> {
    let stem = name.strip_suffix("_overflow")?;
    let (signed, stem) = match stem.split_at_checked(1)? {
        ("s", rest) => (true, rest),
        ("u", rest) => (false, rest),
        _ => return None,
    };
    let (operation, suffix) = stem.split_at_checked(3)?;
    let builtin = match operation {
        "add" => Builtin::AddOverflow,
        "sub" => Builtin::SubOverflow,
        "mul" => Builtin::MulOverflow,
        _ => return None,
    };
    let kind = match suffix {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    Some((builtin, Type::Int(IntType::new(kind, signed))))
}

/// What is asked about a floating value.
fn real_test(name: &str) -> Option<RealTest> {
    Some(match name {
        "isnan" => RealTest::NotANumber,
        "isinf_sign" | "isinf" => RealTest::Infinite,
        "isfinite" | "finite" => RealTest::Finite,
        "isnormal" => RealTest::Normal,
        "signbit" => RealTest::Negative,
        "fpclassify" => RealTest::Class,
        _ => return None,
    })
}

/// Is it the address of an object, or somewhere in one?
fn is_of_object(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::AddrOf(_) | ExprKind::Decay(_) => true,
        ExprKind::Cast(inner) | ExprKind::PointerAdd { pointer: inner, .. } => is_of_object(inner),
        _ => false,
    }
}

pub(super) fn nth(args: &[ast::Expr], at: usize, span: Span) -> Typed<&ast::Expr> {
    args.get(at)
        .ok_or_else(|| wrong(span, "an argument is missing"))
}

pub(super) fn builtin_expr(builtin: Builtin, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    Expr::new(ExprKind::Builtin(builtin, args), ty, span)
}

/// Evaluates `effects`, then `last`, whose value is that of the whole.
pub(super) fn after(effects: Vec<Expr>, last: Expr) -> Expr {
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
