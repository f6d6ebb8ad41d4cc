//! A thread for an engine that asks solvers: with room for deep terms, and stopped in the middle of
//! a question when the engine's time is over.

use crate::Interrupt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Enough for terms that are as deep as programs are long; only what is used is taken.
const STACK: usize = 1 << 30;

/// How often it is asked whether the time is over.
const PERIOD: Duration = Duration::from_millis(20);

/// What `work` returns; nothing if it panics, or if there can be no thread.
///
/// As soon as `over` says so, the running query and all later ones end as unknown. The work must
/// find out for itself that it should end, and treats what it asked as unanswered until then.
pub fn on_worker<T: Send>(over: impl Fn() -> bool, work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let (hand_over, handles) = channel();
        let builder = thread::Builder::new().stack_size(STACK);
        let worker = builder.spawn_scoped(scope, move || {
            // The sender lives as long as the work: the receiver notices its end at once.
            let alive = hand_over;
            // Sending fails only if the other side has panicked, which ends everything anyway.
            let _ = alive.send(Interrupt::of_this_thread());
            let result = work();
            drop(alive);
            result
        });
        let worker = worker.ok()?;
        if let Ok(interrupt) = handles.recv() {
            while let Err(RecvTimeoutError::Timeout) = handles.recv_timeout(PERIOD) {
                if over() {
                    interrupt.interrupt();
                }
            }
        }
        worker.join().ok()
    })
}
