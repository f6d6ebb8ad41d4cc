//! Ctrl-C: the first asks for an orderly end, the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sets `flag` at the first interrupt; the second one ends the process.
///
/// Where no handler can be installed, Ctrl-C does what it always does, so that is no error.
pub fn on_interrupt(flag: Arc<AtomicBool>) {
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The shell's way of saying "ended by SIGINT".
            std::process::exit(130);
        }
    });
}
