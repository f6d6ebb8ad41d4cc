//! The few calls into libz3 that its safe bindings lack. The only unsafe code of the project.
//!
//! Every function here takes objects of the safe bindings, which own references to what they
//! wrap, and hands such objects out again; no raw pointer leaves this module, except inside
//! [`ContextPointer`], which can do nothing but interrupt.
#![allow(
    unsafe_code,
    reason = "the calls below are missing from the safe bindings"
)]

use std::ffi::{CStr, CString};
use z3::ast::{Ast, BV, Bool, Dynamic, Float, RoundingMode};
use z3::{Context, Sort};
use z3_sys::*;

/// Reads bits as a float of `sort`.
pub(crate) fn float_from_bits(bits: &BV, sort: &Sort) -> Float {
    let ctx = bits.get_ctx();
    // SAFETY: both arguments are alive, belong to one context, and have one width by the
    // caller's construction; libz3 reports an error by a null, which `expect` catches.
    unsafe {
        let raw = Z3_mk_fpa_to_fp_bv(ctx.get_z3_context(), bits.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(ctx, raw.expect("bits and sort have one width"))
    }
}

/// Rounds an integer to a float of `sort`.
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

/// How many variables a universal quantifier binds, and its body, if `ast` is one.
pub(crate) fn forall_body(ast: &Dynamic) -> Option<(usize, Dynamic)> {
    if ast.kind() != AstKind::Quantifier {
        return None;
    }
    let (ctx, raw) = (ast.get_ctx().get_z3_context(), ast.get_z3_ast());
    // SAFETY: `ast` is alive and a quantifier; its body lives as long, and `wrap` takes a
    // reference of its own.
    unsafe {
        if !Z3_is_quantifier_forall(ctx, raw) {
            return None;
        }
        let body = Z3_get_quantifier_body(ctx, raw)?;
        let bound = Z3_get_quantifier_num_bound(ctx, raw) as usize;
        Some((bound, Dynamic::wrap(ast.get_ctx(), body)))
    }
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

// SAFETY: `Z3_interrupt` is the one call that libz3 allows from other threads. Who keeps the
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

/// Z3's engine for Horn clauses, set to Spacer.
pub(crate) struct Fixedpoint {
    ctx: Context,
    raw: Z3_fixedpoint,
}

impl Drop for Fixedpoint {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that `new` took.
        unsafe { Z3_fixedpoint_dec_ref(self.ctx.get_z3_context(), self.raw) }
    }
}

impl Fixedpoint {
    /// A fresh engine in the context of this thread, with these switches and a time limit.
    pub(crate) fn spacer(switches: &[(&str, bool)], timeout_ms: Option<u32>) -> Fixedpoint {
        let ctx = Context::thread_local();
        let c = ctx.get_z3_context();
        // SAFETY: the parameters and the engine are referenced while they are used; symbols need
        // no references.
        unsafe {
            let raw = Z3_mk_fixedpoint(c).expect("libz3 makes an engine");
            Z3_fixedpoint_inc_ref(c, raw);
            let params = Z3_mk_params(c).expect("libz3 makes parameters");
            Z3_params_inc_ref(c, params);
            Z3_params_set_symbol(c, params, symbol(&ctx, "engine"), symbol(&ctx, "spacer"));
            for &(name, on) in switches {
                Z3_params_set_bool(c, params, symbol(&ctx, name), on);
            }
            if let Some(limit) = timeout_ms {
                Z3_params_set_uint(c, params, symbol(&ctx, "timeout"), limit);
            }
            Z3_fixedpoint_set_params(c, raw, params);
            Z3_params_dec_ref(c, params);
            Fixedpoint { ctx, raw }
        }
    }

    /// Announces the predicate that `application` applies.
    pub(crate) fn register(&self, application: &Dynamic) {
        let c = self.ctx.get_z3_context();
        // SAFETY: the application is alive and keeps its operator alive.
        unsafe {
            let app = Z3_to_app(c, application.get_z3_ast()).expect("an application");
            let decl = Z3_get_app_decl(c, app).expect("an application has an operator");
            Z3_fixedpoint_register_relation(c, self.raw, decl);
        }
    }

    /// Adds a closed rule under a name.
    pub(crate) fn add_rule(&self, rule: &Bool, name: &str) {
        let name = symbol(&self.ctx, name);
        // SAFETY: the rule is alive; the engine takes its own reference.
        unsafe {
            Z3_fixedpoint_add_rule(
                self.ctx.get_z3_context(),
                self.raw,
                rule.get_z3_ast(),
                Some(name),
            )
        }
    }

    /// Can the query be derived? `None` if the engine does not know.
    pub(crate) fn query(&self, query: &Bool) -> Option<bool> {
        // SAFETY: the query is alive.
        let answer =
            unsafe { Z3_fixedpoint_query(self.ctx.get_z3_context(), self.raw, query.get_z3_ast()) };
        match answer {
            Z3_L_TRUE => Some(true),
            Z3_L_FALSE => Some(false),
            _ => None,
        }
    }

    /// Why the engine does not know.
    pub(crate) fn reason(&self) -> String {
        // SAFETY: the text is copied before the next call can change it.
        unsafe {
            let text = Z3_fixedpoint_get_reason_unknown(self.ctx.get_z3_context(), self.raw);
            text_of(text)
        }
    }

    /// The solution, after a query that cannot be derived.
    pub(crate) fn answer(&self) -> Option<Dynamic> {
        // SAFETY: the answer is alive when it is returned, and `wrap` takes a reference.
        unsafe {
            let raw = Z3_fixedpoint_get_answer(self.ctx.get_z3_context(), self.raw)?;
            Some(Dynamic::wrap(&self.ctx, raw))
        }
    }

    /// The names of the rules of a derivation, the query first, after one was found.
    pub(crate) fn rule_names(&self) -> Option<String> {
        let c = self.ctx.get_z3_context();
        // SAFETY: the text is copied before the next call can change it.
        unsafe {
            let name = Z3_fixedpoint_get_rule_names_along_trace(c, self.raw)?;
            Some(text_of(Z3_get_symbol_string(c, name)))
        }
    }
}

fn symbol(ctx: &Context, name: &str) -> Z3_symbol {
    let name = CString::new(name).expect("names hold no zero byte");
    // SAFETY: libz3 copies the name.
    unsafe { Z3_mk_string_symbol(ctx.get_z3_context(), name.as_ptr()) }.expect("a symbol")
}

/// Copies a text of libz3.
///
/// # Safety
/// `text` is null or a C string that is alive.
unsafe fn text_of(text: Z3_string) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by the law of this function.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
