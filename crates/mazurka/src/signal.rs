//! Ctrl-C: the first asks for an orderly end, the second ends at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sets `flag` at the first interrupt; the second one ends the process.
///
/// Where no handler can be installed, Ctrl-C does what it always does, so that is no error.
pub fn on_interrupt(flag: Arc<AtomicBool>) {
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The shell's way of saying "ended by SIGINT".
            end_now(130);
        }
    });
}

/// Ends the process, and what it has started, while its other threads are still running: what they use
/// is not taken down.
pub fn end_now(status: i32) -> ! {
    let _ = std::io::stdout().flush();
    process::kill_descendants();
    process::exit_now(status)
}
