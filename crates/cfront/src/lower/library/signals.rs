//! Signals that a thread holds back: `lib/signal_mask.c` does not remember which, so that nothing may ask.

use crate::Unsupported;
use crate::hir::{FuncId, Program};
use crate::lower::reach::Reach;
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
    let uses = |names: &[&str]| {
        let mut all = reach.functions.iter().map(function);
        all.find(|f| names.contains(&f.name.as_str()) && (f.link.library || f.body.is_none()))
    };
    match (uses(&MASKS), uses(&SEND)) {
        (Some(mask), Some(send)) => {
            let why = format!("in a program that calls `{}`", send.name);
            Err(Unsupported::call(mask.span, &mask.name, &why))
        }
        _ => Ok(()),
    }
}
