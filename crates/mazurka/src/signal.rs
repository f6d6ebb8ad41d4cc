//! Ctrl-C: the first asks for an orderly end, the second ends at once. A request from outside (SIGTERM) is the same.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What comes so soon after the first is the same request: `timeout` and others send a signal to the
/// process and to its group, which is twice.
const SAME: Duration = Duration::from_millis(300);

/// Sets `flag` at the first interrupt; the second one ends the process.
///
/// Where no handler can be installed, Ctrl-C does what it always does, so that is no error.
pub fn on_interrupt(flag: Arc<AtomicBool>) {
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || {
        let at = *first.get_or_insert_with(Instant::now);
        if flag.swap(true, Ordering::Relaxed) && at.elapsed() > SAME {
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
