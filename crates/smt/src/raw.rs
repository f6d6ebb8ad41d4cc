//! The few calls into libz3 that its safe bindings lack. The only unsafe code of the crate.
//!
//! Every function here takes objects of the safe bindings, which own references to what they
//! wrap, and hands such objects out again; no raw pointer leaves this module, except inside
//! [`ContextPointer`], which can do nothing but interrupt.
#![allow(
    unsafe_code,
    reason = "the calls below are missing from the safe bindings"
)]

use z3::ast::{Ast, BV, Dynamic, Float, RoundingMode};
use z3::{Context, Sort};
use z3_sys::*;

pub(crate) fn float_from_bits(bits: &BV, sort: &Sort) -> Float {
    let ctx = bits.get_ctx();
    // SAFETY: both arguments are alive, belong to one context, and have one width by the
    // caller's construction; libz3 reports an error by a null, which `expect` catches.
    unsafe {
        let raw = Z3_mk_fpa_to_fp_bv(ctx.get_z3_context(), bits.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(ctx, raw.expect("bits and sort have one width"))
    }
}

pub(crate) fn float_from_int(int: &BV, signed: bool, mode: &RoundingMode, sort: &Sort) -> Float {
    let ctx = int.get_ctx();
    let convert = match signed {
        true => Z3_mk_fpa_to_fp_signed,
        false => Z3_mk_fpa_to_fp_unsigned,
    };
    // SAFETY: all arguments are alive and belong to one context.
    unsafe {
        let raw = convert(
            ctx.get_z3_context(),
            mode.get_z3_ast(),
            int.get_z3_ast(),
            sort.get_z3_sort(),
        );
        Float::wrap(ctx, raw.expect("an integer converts to every float sort"))
    }
}

/// The number of a bound variable, counted from the innermost binder, if `ast` is one.
pub(crate) fn bound_index(ast: &Dynamic) -> Option<usize> {
    if ast.kind() != AstKind::Var {
        return None;
    }
    let ctx = ast.get_ctx().get_z3_context();
    // SAFETY: `ast` is alive and a bound variable.
    Some(unsafe { Z3_get_index_value(ctx, ast.get_z3_ast()) } as usize)
}

/// The `index`-th number inside an operator, such as the bounds of an extraction.
///
/// Law: `app` is an application whose operator has that many numbers.
pub(crate) fn operator_number(app: &Dynamic, index: u32) -> u32 {
    let ctx = app.get_ctx().get_z3_context();
    // SAFETY: `app` is alive and an application; a missing number makes libz3 report an error
    // and return zero.
    unsafe {
        let raw = Z3_to_app(ctx, app.get_z3_ast()).expect("an application");
        let decl = Z3_get_app_decl(ctx, raw).expect("an application has an operator");
        Z3_get_decl_int_parameter(ctx, decl, index) as u32
    }
}

/// A context as seen from other threads: it can be interrupted, and nothing else.
#[derive(Clone, Copy)]
pub(crate) struct ContextPointer(Z3_context);

// SAFETY: `Z3_interrupt` is the one call that libz3 allows from other threads. The owner of the
// pointer makes sure that the context is still alive when it calls `interrupt`.
unsafe impl Send for ContextPointer {}

impl ContextPointer {
    pub(crate) fn of(context: &Context) -> ContextPointer {
        ContextPointer(context.get_z3_context())
    }

    /// Asks the context to stop what it is doing.
    ///
    /// Law: the context is alive.
    pub(crate) fn interrupt(self) {
        // SAFETY: alive by the law of this function, and the call is made for this.
        unsafe { Z3_interrupt(self.0) }
    }
}
