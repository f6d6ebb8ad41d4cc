//! Runs of a suite, several at a time.

use crate::judge::{judge, not_run};
use crate::{Record, Run};
use process::{self, Ended, Limits};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;
use xcfa::DataModel;

/// What happens while a suite runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run has begun.
    Started(&'a Run),
    /// A run has ended.
    Ended(Record),
}

/// How to run a suite.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The verifier: a program that knows `check --format json`.
    pub program: PathBuf,
    /// Which engine it is to use.
    pub engine: String,
    /// What each run may use.
    pub limits: Limits,
    /// How many runs at a time.
    pub jobs: usize,
    /// How many engines at a time in each of them; the verifier decides if this is not said.
    pub cores: Option<u16>,
    /// Where each run leaves the evidence for its verdict, in a folder of its own.
    pub evidence: Option<PathBuf>,
}

/// The verifier watches its own budget and says so; it is killed only when it does not.
const GRACE: Duration = Duration::from_secs(2);

impl Runner {
    /// Runs everything, or until `stop` is set; a run that was stopped gives no record.
    pub fn run_all(&self, runs: &[Run], stop: &AtomicBool, on_event: &mut dyn FnMut(Event<'_>)) {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, runs.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(runs, next, stop, &sender));
            }
            drop(sender);
            receiver.into_iter().for_each(on_event);
        });
    }

    /// One worker: takes the next run until there is none.
    fn work<'a>(
        &self,
        runs: &'a [Run],
        next: &AtomicUsize,
        stop: &AtomicBool,
        events: &Sender<Event<'a>>,
    ) {
        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop.load(Ordering::Relaxed) || events.send(Event::Started(run)).is_err() {
                return;
            }
            let Some(record) = self.run_one(run, stop) else {
                return;
            };
            if events.send(Event::Ended(record)).is_err() {
                return;
            }
        }
    }

    /// One run; `None` if it was stopped.
    fn run_one(&self, run: &Run, stop: &AtomicBool) -> Option<Record> {
        let mut command = match self.command(run) {
            Ok(command) => command,
            Err(why) => return Some(not_run(run, why)),
        };
        let limits = Limits {
            wall: self.limits.wall + GRACE,
            ..self.limits
        };
        match process::run(&mut command, &limits, stop) {
            Ok(finished) if finished.ended == Ended::Stopped => None,
            Ok(finished) => Some(judge(run, &finished)),
            Err(error) => Some(not_run(run, format!("cannot start the verifier: {error}"))),
        }
    }

    fn command(&self, run: &Run) -> Result<Command, String> {
        let property = run.property.clone()?;
        let mut command = Command::new(&self.program);
        command.args(["check", "--format", "json", "--engine", &self.engine]);
        command.args(["--property", property.name()]);
        command.args([
            "--data-model",
            match run.data_model {
                DataModel::Ilp32 => "ilp32",
                DataModel::Lp64 => "lp64",
            },
        ]);
        command
            .arg("--timeout")
            .arg(self.limits.wall.as_secs_f64().to_string());
        // The engine counts what it stores; what the process needs besides has to fit as well.
        let mib = (self.limits.memory >> 20) * 9 / 10;
        command.arg("--memory").arg(mib.max(1).to_string());
        if let Some(cores) = self.cores {
            command.arg("--cores").arg(cores.to_string());
        }
        if let Some(folder) = &self.evidence {
            let name = format!("{}.{}", run.task, run.property_name);
            command
                .arg("--evidence")
                .arg(folder.join(&run.family).join(name));
        }
        command.arg("--").args(&run.input_files);
        Ok(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use verdict::Property;

    fn run(task: &str) -> Run {
        Run {
            family: "f".into(),
            task: task.into(),
            property_name: "p".into(),
            property: Ok(Property::Reach),
            input_files: vec![task.into()],
            data_model: DataModel::Lp64,
            holds: Some(true),
            subproperty: None,
        }
    }

    /// A stand-in for the verifier that answers by the name of the program.
    fn runner(folder: &std::path::Path) -> Runner {
        let program = folder.join("verifier");
        let script = "#!/bin/sh\nfor last; do :; done\ncase $last in\n\
                      slow) sleep 60;;\n*) echo '{\"verdict\": \"safe\"}';;\nesac\n";
        // Written by another process: a test that forks meanwhile would inherit our open file,
        // and a file that is open for writing cannot be executed.
        let make = "printf '%s' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let made = Command::new("sh")
            .args(["-c", make])
            .arg(&program)
            .arg(script)
            .status();
        assert!(made.is_ok_and(|status| status.success()));
        let limits = Limits {
            wall: Duration::from_secs(30),
            memory: 1 << 30,
        };
        Runner {
            program,
            engine: "auto".into(),
            limits,
            jobs: 2,
            cores: None,
            evidence: None,
        }
    }

    #[test]
    fn every_run_gives_one_record() {
        let folder = tempfile::tempdir().unwrap();
        let mut unsupported = run("c");
        unsupported.property = Err("not supported".into());
        let runs = [run("a"), run("b"), unsupported];
        let mut records = Vec::new();
        let stop = AtomicBool::new(false);
        runner(folder.path()).run_all(&runs, &stop, &mut |event| {
            if let Event::Ended(record) = event {
                records.push((record.task, record.status, record.reason));
            }
        });
        records.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(records[0], ("a".into(), Status::Correct, String::new()));
        assert_eq!(
            records[2],
            ("c".into(), Status::Unknown, "not supported".into())
        );
    }

    #[test]
    fn a_stop_ends_the_children_and_keeps_what_was_done() {
        let folder = tempfile::tempdir().unwrap();
        let runs = [run("a"), run("slow"), run("slow"), run("b")];
        let stop = AtomicBool::new(false);
        let mut ended = Vec::new();
        runner(folder.path()).run_all(&runs, &stop, &mut |event| {
            if let Event::Ended(record) = event {
                ended.push(record.task);
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(ended, ["a"]);
    }
}
