//! How far an exploration is: one line on standard error, only if that is a terminal.

use crate::output::grouped;
use explore::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// The line; it disappears when it is dropped.
pub struct Line {
    bar: ProgressBar,
    started: Instant,
    drawn: Option<Instant>,
}

const PERIOD: Duration = Duration::from_millis(100);

impl Line {
    /// Starts the clock; nothing is drawn before the first report.
    pub fn new() -> Line {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // Not padded to the width of the terminal: the `^C` of an interrupt would go to the next
        // line, and this one could not be cleared.
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Line {
            bar,
            started: Instant::now(),
            drawn: None,
        }
    }

    /// Takes a report; most are passed over, so it may be called often.
    pub fn report(&mut self, progress: &Progress) {
        let now = Instant::now();
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| now - drawn < PERIOD) {
            return;
        }
        self.drawn = Some(now);
        let seconds = (now - self.started).as_secs_f64().max(1e-3);
        self.bar.set_message(describe(progress, seconds));
        self.bar.tick();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn describe(progress: &Progress, seconds: f64) -> String {
    format!(
        "{} states  {}/s  depth {}  {} MiB  {seconds:.0} s",
        grouped(progress.states),
        grouped((progress.states as f64 / seconds) as u64),
        grouped(progress.depth),
        grouped(progress.bytes >> 20),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_it_all() {
        let progress = Progress {
            states: 12_000,
            transitions: 1,
            depth: 40,
            bytes: 3 << 20,
        };
        let text = describe(&progress, 2.0);
        assert_eq!(text, "12,000 states  6,000/s  depth 40  3 MiB  2 s");
    }
}
