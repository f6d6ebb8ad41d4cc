//! What a child says on its way to an answer.

use crate::child::{Message, send};
use semantics::Reached;
use std::fs::File;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Writes to the parent how far the work is and what it has executed, not more often than once in a period.
pub struct Teller {
    pipe: File,
    period: Duration,
    reached: Option<Arc<Reached>>,
    told: Mutex<Told>,
}

/// What the parent knows, and what it is to know next.
struct Told {
    at: Option<Instant>,
    /// Not told yet; empty if there is nothing new.
    progress: String,
    reached: Vec<u32>,
}

impl Teller {
    /// The parent knows what had been executed by now.
    pub fn new(pipe: File, period: Duration, reached: Option<Arc<Reached>>) -> Teller {
        let mut known = Vec::new();
        if let Some(reached) = &reached {
            reached.news(&mut known);
        }
        let told = Mutex::new(Told {
            at: None,
            progress: String::new(),
            reached: known,
        });
        Teller {
            pipe,
            period,
            reached,
            told,
        }
    }

    /// Hears how far the work is, and tells it if it is time.
    pub fn hear(&self, progress: &str) {
        let Ok(mut told) = self.told.lock() else {
            return;
        };
        progress.clone_into(&mut told.progress);
        if told.at.is_none_or(|at| at.elapsed() >= self.period) {
            self.write(&mut told);
        }
    }

    /// Tells what has not been told.
    pub fn tell(&self) {
        if let Ok(mut told) = self.told.lock() {
            self.write(&mut told);
        }
    }

    fn write(&self, told: &mut Told) {
        told.at = Some(Instant::now());
        if !told.progress.is_empty() {
            let progress = std::mem::take(&mut told.progress);
            send(&mut &self.pipe, &Message::Progress(progress));
        }
        if let Some(reached) = &self.reached {
            let news = reached.news(&mut told.reached);
            if !news.is_empty() {
                send(&mut &self.pipe, &Message::Reached(news));
            }
        }
    }
}
