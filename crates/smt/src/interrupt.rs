//! Stopping a solver from another thread.
//!
//! Z3's contexts belong to threads, and a thread has one query at a time; so a handle belongs to a
//! thread, and stops whatever that thread is asking Z3, be it a [`crate::Solver`] or Horn clauses.

use crate::raw::ContextPointer;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use z3::{Context, Params};

/// Parameters for a solver of Z3 that leaves Ctrl-C to the program: by default it takes the signal
/// for the end of the current query, and the program never receives it.
pub(crate) fn deaf_to_signals() -> Params {
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    params
}

/// How long [`Interrupt::interrupt`] waits for Z3 to notice.
const PATIENCE: Duration = Duration::from_secs(2);

/// Stops the queries of one thread; may be sent to any other and outlive its own.
#[derive(Clone)]
pub struct Interrupt {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// What the thread is asking, while it is asking. Locked while Z3 is being interrupted, so
    /// that the context cannot go away meanwhile.
    context: Mutex<Option<ContextPointer>>,
    /// An interrupt is requested, until it is cleared.
    stop: AtomicBool,
    /// The thread is inside Z3, or about to look at `stop` before it goes there.
    busy: AtomicBool,
}

impl Shared {
    fn context(&self) -> MutexGuard<'_, Option<ContextPointer>> {
        // No thread panics while holding the lock, and an `Option` is whole at any time.
        self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    static OWN: Interrupt = Interrupt { shared: Arc::default() };
}

impl Interrupt {
    /// The handle of the calling thread.
    pub fn of_this_thread() -> Interrupt {
        OWN.with(Interrupt::clone)
    }

    /// Stops the running query and refuses later ones, until [`Interrupt::clear`].
    ///
    /// Returns when the query has ended, which takes about a tenth of a second, or after two
    /// seconds if Z3 does not notice.
    pub fn interrupt(&self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        let start = Instant::now();
        // Again and again, because Z3 forgets an interrupt that comes just before a query.
        while self.shared.busy.load(Ordering::SeqCst) && start.elapsed() < PATIENCE {
            if let Some(context) = *self.shared.context() {
                context.interrupt();
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Allows queries again.
    pub fn clear(&self) {
        self.shared.stop.store(false, Ordering::SeqCst);
    }

    /// Has the thread been asked to stop?
    pub fn is_set(&self) -> bool {
        self.shared.stop.load(Ordering::SeqCst)
    }

    /// Runs `query` of this thread, or refuses to if it has been asked to stop.
    ///
    /// Law: the query works in the current context of the thread, and not inside another query.
    pub(crate) fn guard<T>(&self, query: impl FnOnce() -> T) -> Option<T> {
        let context = Context::thread_local();
        self.shared.busy.store(true, Ordering::SeqCst);
        *self.shared.context() = Some(ContextPointer::of(&context));
        // Also after a panic inside the query: others must neither wait for it, nor reach a
        // context that is gone.
        let _idle = Idle(&self.shared);
        (!self.is_set()).then(query)
    }
}

struct Idle<'a>(&'a Shared);

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        *self.0.context() = None;
        self.0.busy.store(false, Ordering::SeqCst);
    }
}
