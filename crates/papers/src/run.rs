//! Runs cells, each in a process of its own, so that one that crashes or runs out of memory harms no other and
//! its processor time can be measured.

use crate::{Cell, Program, Reader, Record, Results, RunResult, Seen};
use process::{Ended, Fork};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use verdict::{Budget, Task};

/// An engine notices the end of its time by itself; it is killed only when it does not.
const GRACE: Duration = Duration::from_secs(2);

/// What the runs may use, and the listener for their progress.
pub struct Runner<'a> {
    /// Reads programs.
    pub read: &'a Reader<'a>,
    /// Memory of one run, in bytes.
    pub memory: u64,
    /// Set to end everything.
    pub stop: &'a AtomicBool,
    /// Receives what comes next: its place among the cells, how many there are, its name.
    pub tell: &'a mut dyn FnMut(usize, usize, &str),
}

impl Runner<'_> {
    /// Runs whatever has no result yet, until all is done or the user stops it.
    pub fn run_all(&mut self, cells: &[Cell], results: &mut Results) -> Result<(), String> {
        let mut last: Option<(&Program, Result<Task, String>)> = None;
        for (at, cell) in cells.iter().enumerate() {
            let unreadable = |error| format!("{}: {error}", cell.program.files[0].display());
            let program = cell.program.fingerprint().map_err(unreadable)?;
            for run in 0..cell.repeat {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                // A cell that ran out of time once is not tried again.
                let hopeless = run > 0 && self.gave_up(cell, results);
                if hopeless || results.has(&cell.id, run, &program) {
                    continue;
                }
                (self.tell)(at, cells.len(), &cell.id.to_string());
                if last.as_ref().is_none_or(|(read, _)| **read != cell.program) {
                    last = Some((&cell.program, (self.read)(&cell.program)));
                }
                let (seen, cpu_s) = match &last {
                    Some((_, Ok(task))) => match self.run(cell, task, run)? {
                        Some(ended) => ended,
                        None => return Ok(()),
                    },
                    Some((_, Err(refused))) => {
                        (Seen::ended(RunResult::NoAnswer(refused.clone())), 0.0)
                    }
                    None => continue,
                };
                let record = Record {
                    id: cell.id.clone(),
                    run,
                    program: program.clone(),
                    cpu_s,
                    seen,
                };
                let added = results.add(record);
                added.map_err(|error| format!("cannot keep a result: {error}"))?;
            }
        }
        Ok(())
    }

    fn gave_up(&self, cell: &Cell, results: &Results) -> bool {
        let runs = results.runs(&cell.id.table, &cell.id.row, &cell.id.column);
        let mut ends = runs.iter().map(|record| &record.seen.outcome);
        ends.any(|end| matches!(end, RunResult::OutOfTime | RunResult::OutOfMemory))
    }

    /// One run with its processor time; nothing if the user stopped it.
    fn run(&self, cell: &Cell, task: &Task, run: u32) -> Result<Option<(Seen, f64)>, String> {
        let started = Instant::now();
        let fork = Fork::start(|pipe| {
            let budget = Budget::unlimited()
                .with_timeout(cell.limit)
                .with_memory(self.memory);
            let seen = (cell.work)(task, &budget, run);
            let Ok(mut line) = serde_json::to_vec(&seen) else {
                return 1;
            };
            line.push(b'\n');
            i32::from(pipe.write_all(&line).is_err())
        });
        let mut fork = fork.map_err(|error| format!("cannot start a process: {error}"))?;
        let mut lines = Vec::new();
        let why = loop {
            // In this order: a child that has ended writes no more.
            let ended = fork.has_ended();
            lines.extend(fork.lines());
            if ended {
                break Ended::Stopped;
            }
            if self.stop.load(Ordering::Relaxed) {
                fork.kill(Ended::Stopped);
                return Ok(None);
            }
            if started.elapsed() > cell.limit + GRACE {
                break Ended::OutOfTime;
            }
            if fork.resident() > self.memory {
                break Ended::OutOfMemory;
            }
            // Short runs end soon; long ones are not disturbed.
            let pause = started.elapsed() / 20;
            std::thread::sleep(pause.clamp(Duration::from_millis(1), Duration::from_millis(25)));
        };
        let (ended, usage) = fork.kill(why);
        let seen = lines
            .first()
            .and_then(|line| serde_json::from_str(line).ok());
        let seen = seen.unwrap_or_else(|| {
            Seen::ended(match ended {
                Ended::OutOfTime => RunResult::OutOfTime,
                Ended::OutOfMemory => RunResult::OutOfMemory,
                other => RunResult::NoAnswer(format!("the process ended: {other:?}")),
            })
        });
        Ok(Some((seen, usage.cpu_s)))
    }
}
