//! Somebody who wants to know how far the work is.

use std::fmt;
use std::sync::Arc;

/// What to do with words about progress.
#[derive(Clone)]
pub struct Listener(Arc<dyn Fn(&str) + Send + Sync>);

impl Listener {
    /// Calls this with every word.
    pub fn new(hear: impl Fn(&str) + Send + Sync + 'static) -> Listener {
        Listener(Arc::new(hear))
    }

    /// Passes a word on.
    pub fn hear(&self, progress: &str) {
        (self.0)(progress);
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}
