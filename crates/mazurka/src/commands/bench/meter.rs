//! How far a suite is: a bar with the time that is left on a terminal, a line for each run
//! elsewhere.

use crate::output::complain;
use crate::progress::StatusLine;
use bench::{Counts, Job, Record, Status};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// Shows what happens.
pub struct Meter {
    line: StatusLine,
    lines: bool,
    counts: Counts,
    done: usize,
    all: usize,
}

const WIDTH: usize = 20;

impl Meter {
    /// For this many runs, after those that are counted already.
    pub fn new(all: usize, counts: Counts) -> Meter {
        Meter {
            line: StatusLine::new(),
            lines: !stderr().is_terminal(),
            counts,
            done: 0,
            all,
        }
    }

    /// A run has begun.
    pub fn started(&mut self, job: &Job<'_>) {
        let run = job.run;
        self.draw(&format!("{}/{} {}", run.family, run.task, job.config.name));
    }

    fn draw(&mut self, name: &str) {
        let passed = self.line.elapsed();
        let left = match left(passed, self.done, self.all) {
            Some(left) => format!("{} left", clock(left)),
            None => clock(passed),
        };
        let at = format!("{} {}/{}", bar(self.done, self.all), self.done, self.all);
        let counts = self.counts;
        self.line.show(&format!("{at}, {left}, {counts}: {name}"));
    }

    /// A run has ended. A wrong verdict is reported at once, not at the end of the night.
    pub fn ended(&mut self, record: &Record) {
        self.done += 1;
        self.counts.add(record);
        let (family, task, property) = record.about();
        let name = format!("{family}/{task} ({property})");
        let (verdict, config) = (&record.verdict, &record.config);
        if record.status == Status::Wrong {
            self.line.clear();
            let expected = &record.expected;
            complain(&format!(
                "wrong: {name}, {config}: {verdict}, not {expected}\n"
            ));
        }
        if self.lines {
            let at = format!("{}/{}", self.done, self.all);
            let (seconds, status) = (record.wall_s, record.status.name());
            complain(&format!(
                "{at} {name}, {config}: {verdict}, {status}, {seconds:.2} s\n"
            ));
        }
        // A cluster does not report when a run begins.
        self.draw(&name);
    }
}

/// What is left if the rest takes as long, run by run, as what is done.
fn left(passed: Duration, done: usize, all: usize) -> Option<Duration> {
    let each = passed.checked_div(u32::try_from(done).ok()?)?;
    Some(each * u32::try_from(all - done).ok()?)
}

fn bar(done: usize, all: usize) -> String {
    let full = WIDTH * done / all.max(1);
    format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH - full))
}

/// `40 s`, `3 min 20 s`, `2 h 5 min`.
fn clock(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_what_is_done() {
        let passed = Duration::from_secs(30);
        assert_eq!(left(passed, 3, 9), Some(Duration::from_secs(60)));
        assert_eq!(left(passed, 0, 9), None);
        assert_eq!(left(passed, 9, 9), Some(Duration::ZERO));
    }

    #[test]
    fn bars_and_clocks() {
        assert_eq!(bar(1, 4), "[#####---------------]");
        assert_eq!(bar(0, 0), format!("[{}]", "-".repeat(WIDTH)));
        let clocks = [59, 61, 3660].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(clocks, ["59 s", "1 min 1 s", "1 h 1 min"]);
    }
}
