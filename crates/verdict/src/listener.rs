//! A listener that receives progress.

use std::fmt;
use std::sync::Arc;

/// Receives messages about progress.
#[derive(Clone)]
pub struct Listener(Arc<dyn Fn(&str) + Send + Sync>);

impl Listener {
    /// Calls this with every message.
    pub fn new(hear: impl Fn(&str) + Send + Sync + 'static) -> Listener {
        Listener(Arc::new(hear))
    }

    /// Passes a message on.
    pub fn hear(&self, progress: &str) {
        (self.0)(progress);
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}
