//! Enforces the limits, whatever the work is doing.
//!
//! Engines read their budget and mostly end in time by themselves. A solver cannot be made to do so
//! in the middle of a step, and the code around the engines (the front end, the passes, the check
//! of a proof, a page that is drawn) hardly reads it at all. So a thread of its own watches the
//! limits. If the work goes on for [`GRACE`] after one was met, this thread says the last words,
//! mostly *unknown* with the reason, and ends the process. The kernel ends its children.
//!
//! Law: there is one answer, and no file is left half-written. A thread that writes holds the
//! [`Pen`], and the one that has written the last words never drops it.

use crate::failure::Exit;
use crate::signal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use verdict::{Budget, Reason, resident_bytes};

/// How long the work may take to notice that a limit is exceeded.
const GRACE: Duration = Duration::from_millis(300);
/// How often the limits are checked.
const PERIOD: Duration = Duration::from_millis(10);
/// How often the memory is examined.
const MEMORY_PERIOD: Duration = Duration::from_millis(100);
/// What the program takes before it has stored anything, in bytes.
const OWN_MEMORY: u64 = 256 << 20;

/// What is said when a limit was met; the exit code is that of the process.
type LastWords = Box<dyn FnMut(&Reason) -> Exit + Send>;

/// Ends the process when a limit was met and nothing else does.
pub struct Watchdog {
    last_words: Arc<Mutex<LastWords>>,
}

/// The right to write.
pub struct Pen<'w>(MutexGuard<'w, LastWords>);

impl Watchdog {
    /// Watches a budget and `memory` bytes.
    ///
    /// If no further thread can be started, there is no watchdog, and the limits are kept as well
    /// as the work itself keeps them.
    pub fn watch(
        budget: &Budget,
        memory: u64,
        last_words: impl FnMut(&Reason) -> Exit + Send + 'static,
    ) -> Watchdog {
        let last_words: Arc<Mutex<LastWords>> = Arc::new(Mutex::new(Box::new(last_words)));
        let watch = Watch {
            budget: budget.clone(),
            memory: memory.saturating_add(memory / 8).saturating_add(OWN_MEMORY),
            last_words: last_words.clone(),
        };
        let thread = std::thread::Builder::new().name("watchdog".into());
        let _ = thread.spawn(move || watch.run());
        Watchdog { last_words }
    }

    /// Waits for the right to write; for ever, if the last words have been said.
    pub fn pen(&self) -> Pen<'_> {
        Pen(lock(&self.last_words))
    }

    /// From now on other last words are right.
    pub fn say_instead(&self, last_words: impl FnMut(&Reason) -> Exit + Send + 'static) {
        self.pen().say_instead(last_words);
    }
}

impl Pen<'_> {
    /// From now on other last words are right.
    pub fn say_instead(&mut self, last_words: impl FnMut(&Reason) -> Exit + Send + 'static) {
        *self.0 = Box::new(last_words);
    }

    /// All has been said; what is left is to tidy up.
    pub fn lay_down(mut self, exit: Exit) {
        *self.0 = Box::new(move |_| exit);
    }
}

fn lock(last_words: &Mutex<LastWords>) -> MutexGuard<'_, LastWords> {
    // Words are whole at any time, also after a panic of the thread that held the pen.
    last_words.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread knows.
struct Watch {
    budget: Budget,
    memory: u64,
    last_words: Arc<Mutex<LastWords>>,
}

impl Watch {
    fn run(self) {
        let mut met: Option<Instant> = None;
        let mut memory_due = Instant::now();
        loop {
            std::thread::sleep(PERIOD);
            let now = Instant::now();
            let mut reason = self.budget.exceeded(0);
            let since = *met.get_or_insert(now);
            if reason.is_none() {
                met = None;
            }
            if reason.is_some() && now - since < GRACE {
                continue;
            }
            if reason.is_none() && now >= memory_due {
                memory_due = now + MEMORY_PERIOD;
                let full = resident_bytes() > self.memory;
                reason = full.then_some(Reason::OutOfMemory);
            }
            if let Some(reason) = reason {
                self.end(&reason);
            }
        }
    }

    /// Prints the final answer, unless output is being written, which may be the answer.
    fn end(&self, reason: &Reason) {
        let mut last_words = match self.last_words.try_lock() {
            Ok(last_words) => last_words,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let exit = last_words(reason);
        // The guard is still held: no other thread writes until the process is gone.
        signal::end_now(exit as i32);
    }
}
