//! Signals that a thread holds back: `lib/signal_mask.c` does not remember which, so that nothing may ask; one that is
//! sent may be held back or not.
//! And signals with handlers: `lib/handlers.c` runs them in the thread that calls `raise`, and in no other.

use crate::Unsupported;
use crate::hir::{Expr, ExprKind, FuncId, Function, Program};
use crate::lower::program::Lowering;
use crate::lower::reach::{Reach, any_expr_in, peel_casts};
use crate::lower::types::Lowered;

/// Functions that change which signals are held back.
const MASKS: [&str; 2] = ["pthread_sigmask", "sigprocmask"];

/// Functions whose result depends on that.
const LOOK: [&str; 3] = ["pause", "sigpending", "siggetmask"];

/// Functions that send signals: one that is held back stays where it is.
const SEND: [&str; 5] = ["raise", "gsignal", "kill", "killpg", "pthread_kill"];

/// Functions that say what a signal does.
const HANDLERS: [&str; 3] = ["sigaction", "signal", "bsd_signal"];

/// Functions that send a signal to other threads. One to the whole process is assumed to be handled by the thread that
/// sends it, and the verdict says so.
const SEND_TO_OTHERS: [&str; 1] = ["pthread_kill"];

/// Refuses a program that holds signals back and can tell when; or that sends some and handles them, because the handler
/// would run when they are held back no longer.
pub(in crate::lower) fn refuse_masks(program: &Program, reach: &Reach) -> Lowered<()> {
    refuse_both(program, reach, &MASKS, &LOOK)?;
    let mut used = reach.functions.iter();
    let handles = used.any(|id| {
        let function = &program.functions[id.0 as usize];
        HANDLERS.contains(&function.name.as_str()) && function.link.library
    });
    match handles {
        true => refuse_both(program, reach, &MASKS, &SEND),
        false => Ok(()),
    }
}

impl Lowering<'_> {
    /// Does the program hold signals back?
    pub fn holds_signals(&self) -> bool {
        MASKS.iter().any(|name| self.uses(name))
    }
}

/// Refuses a program that handles signals and sends some to other threads.
pub(in crate::lower) fn refuse_sent(program: &Program, reach: &Reach) -> Lowered<()> {
    refuse_both(program, reach, &SEND_TO_OTHERS, &HANDLERS)
}

/// The signal that `abort` sends.
const ABORT: u64 = 6;

/// May the program handle the signal of `abort`? Not if each call that says what a signal does is about another one.
pub(in crate::lower) fn may_handle_abort(program: &Program, reach: &Reach) -> bool {
    let name = |id: &FuncId| program.functions[id.0 as usize].name.as_str();
    let says = |id: &FuncId| HANDLERS.contains(&name(id));
    let own = |id: &&FuncId| !program.functions[id.0 as usize].link.library;
    let bodies = reach.functions.iter().filter(own);
    let mut bodies = bodies.filter_map(|id| program.functions[id.0 as usize].body.as_ref());
    reach.address_taken.iter().any(says)
        || bodies.any(|body| {
            any_expr_in(body, |expr| match &expr.kind {
                ExprKind::Call { callee, args } => {
                    let called = matches!(&callee.kind, ExprKind::FunctionAddr(id) if says(id));
                    called && !args.first().is_some_and(is_other_signal)
                }
                _ => false,
            })
        })
}

fn is_other_signal(number: &Expr) -> bool {
    matches!(peel_casts(number).kind, ExprKind::Int(number) if number != ABORT)
}

/// Refuses a program that calls functions of both lists.
fn refuse_both(program: &Program, reach: &Reach, one: &[&str], other: &[&str]) -> Lowered<()> {
    let function = |id: &FuncId| &program.functions[id.0 as usize];
    let of_library = |f: &Function| f.link.library || f.body.is_none();
    let uses = |names: &[&str]| {
        let mut all = reach.functions.iter().map(function);
        all.find(|f| names.contains(&f.name.as_str()) && of_library(f))
    };
    let (Some(mask), Some(send)) = (uses(one), uses(other)) else {
        return Ok(());
    };
    // The program's own call, if there is one: one function of the model calls the other.
    let mut found = None;
    let own = reach
        .functions
        .iter()
        .map(function)
        .filter(|f| !of_library(f));
    for body in own.filter_map(|f| f.body.as_ref()) {
        any_expr_in(body, |expr| {
            if let ExprKind::FunctionAddr(id) = &expr.kind
                && one.contains(&function(id).name.as_str())
            {
                found = found.or(Some((expr.span, &function(id).name)));
            }
            false
        });
    }
    let (span, name) = found.unwrap_or((mask.span, &mask.name));
    let why = format!("in a program that calls `{}`", send.name);
    Err(Unsupported::call(span, name, &why))
}
