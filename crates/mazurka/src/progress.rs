//! Progress: one line on standard error, only if that is a terminal. Programs that read it
//! set `MAZURKA_PROGRESS=lines` and get lines of their own.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use verdict::{Budget, Listener};

/// A line that is drawn over itself and disappears when it is dropped.
///
/// It never reaches the right edge of the terminal: the `^C` of an interrupt would go to the next
/// line, and then this one could not be cleared.
pub struct StatusLine {
    shown: Shown,
    started: Instant,
    drawn: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Never,
    OverItself,
    Lines,
}

impl Shown {
    fn wanted() -> Shown {
        if std::env::var_os("MAZURKA_PROGRESS").is_some_and(|how| how == "lines") {
            Shown::Lines
        } else if stderr().is_terminal() {
            Shown::OverItself
        } else {
            Shown::Never
        }
    }
}

/// A faster update is unreadable.
const PERIOD: Duration = Duration::from_millis(100);

impl StatusLine {
    /// Starts the clock; nothing is drawn before the first text.
    pub fn new() -> StatusLine {
        StatusLine {
            shown: Shown::wanted(),
            started: Instant::now(),
            drawn: None,
        }
    }

    /// How long the work has been going on.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Shows a text if the last one has been there for a while, so it may be called often.
    pub fn soon(&mut self, text: impl FnOnce() -> String) {
        if self.shown != Shown::Never && self.drawn.is_none_or(|drawn| drawn.elapsed() >= PERIOD) {
            self.show(&text());
        }
    }

    /// Shows a text now.
    pub fn show(&mut self, text: &str) {
        match self.shown {
            Shown::Never => return,
            Shown::Lines => {
                self.drawn = Some(Instant::now());
                return draw(&format!("progress: {text}\n"));
            }
            Shown::OverItself => self.drawn = Some(Instant::now()),
        }
        let width = terminal_size::terminal_size_of(stderr()).map_or(80, |(w, _)| w.0.into());
        let text: String = text.chars().take(usize::saturating_sub(width, 4)).collect();
        // To the start of the line, erase it, write.
        draw(&format!("\r\x1b[2K{text}"));
    }

    /// Makes room for other output; the next text draws the line again.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() && self.shown == Shown::OverItself {
            draw("\r\x1b[2K");
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The budget of an engine whose progress is shown on a line of its own.
pub fn shown(budget: &Budget) -> Budget {
    let line = Mutex::new(StatusLine::new());
    budget.with_listener(Listener::new(move |text| {
        if let Ok(mut line) = line.lock() {
            line.soon(|| text.to_owned());
        }
    }))
}

/// Makes room for the last words of a work that has no time to clear its own line.
pub fn clear() {
    if Shown::wanted() == Shown::OverItself {
        draw("\r\x1b[2K");
    }
}

/// A terminal that has gone away is no reason to stop working.
fn draw(text: &str) {
    let mut out = stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
