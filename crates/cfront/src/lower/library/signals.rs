//! Signals that a thread holds back: `lib/signal_mask.c` does not remember which, so that nothing may ask.

use crate::Unsupported;
use crate::hir::{ExprKind, FuncId, Function, Program};
use crate::lower::reach::{Reach, any_expr_in};
use crate::lower::types::Lowered;

/// Functions that change which signals are held back.
const MASKS: [&str; 2] = ["pthread_sigmask", "sigprocmask"];

/// Functions whose effect depends on that.
const SEND: [&str; 7] = [
    "raise",
    "gsignal",
    "kill",
    "killpg",
    "pthread_kill",
    "sigpending",
    "siggetmask",
];

/// Refuses a program that holds signals back and sends some.
pub(in crate::lower) fn refuse_masks(program: &Program, reach: &Reach) -> Lowered<()> {
    let function = |id: &FuncId| &program.functions[id.0 as usize];
    let of_library = |f: &Function| f.link.library || f.body.is_none();
    let uses = |names: &[&str]| {
        let mut all = reach.functions.iter().map(function);
        all.find(|f| names.contains(&f.name.as_str()) && of_library(f))
    };
    let (Some(mask), Some(send)) = (uses(&MASKS), uses(&SEND)) else {
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
                && MASKS.contains(&function(id).name.as_str())
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
