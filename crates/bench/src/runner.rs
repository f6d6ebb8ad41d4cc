//! Runs of a suite, several at a time.

use crate::judge::{judge, not_run};
use crate::peer::Filling;
use crate::record::Key;
use crate::{Config, Peer, Record, Run, Tool};
use process::{self, Cgroups, Ended, Limits};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;
use tempfile::TempDir;
use verdict::Property;
use xcfa::DataModel;

/// One task with one configuration, for the first or another time.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The task and its property.
    pub run: &'a Run,
    /// What it is run with.
    pub config: &'a Config,
    /// Which repetition this is, from 1.
    pub number: u32,
}

impl Job<'_> {
    /// What tells its row from every other.
    pub fn key(&self) -> Key<'_> {
        let run = self.run;
        (
            &run.family,
            &run.task,
            &run.property_name,
            &self.config.name,
            self.number,
        )
    }
}

/// Everything there is to do. Repetitions are far apart, so that a busy minute of the machine
/// does not spoil all of them; configurations of one task follow each other.
pub fn jobs<'a>(runs: &'a [Run], configs: &'a [Config], repeat: u32) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    for number in 1..=repeat {
        for run in runs {
            let job = |config| Job {
                run,
                config,
                number,
            };
            jobs.extend(configs.iter().map(job));
        }
    }
    jobs
}

/// What happens while a suite runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run has begun.
    Started(Job<'a>),
    /// A run has ended.
    Ended(Record),
}

/// How to run a suite.
#[derive(Debug)]
pub struct Runner {
    /// The verifier: a program that knows `check --format json`.
    pub program: PathBuf,
    /// What each run may use.
    pub limits: Limits,
    /// The control groups to run in, if there are any.
    pub cgroups: Option<Cgroups>,
    /// How many runs at a time.
    pub jobs: usize,
    /// How many engines at a time in each of them; the verifier decides if this is not said.
    pub cores: Option<u16>,
    /// Where each run leaves the evidence for its verdict, in a folder of its own.
    pub evidence: Option<PathBuf>,
}

/// The verifier watches its own budget and says so; it is killed only when it does not.
const GRACE: Duration = Duration::from_secs(2);

/// A command, and the folder that it works in if it needs one.
type Ready = (Command, Option<TempDir>);

impl Runner {
    /// Runs everything, or until `stop` is set; a run that was stopped gives no record.
    pub fn run_all<'a>(
        &self,
        jobs: &[Job<'a>],
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'a>),
    ) {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, jobs.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(jobs, next, stop, &sender));
            }
            drop(sender);
            receiver.into_iter().for_each(on_event);
        });
    }

    /// One worker: takes the next run until there is none.
    fn work<'a>(
        &self,
        jobs: &[Job<'a>],
        next: &AtomicUsize,
        stop: &AtomicBool,
        events: &Sender<Event<'a>>,
    ) {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop.load(Ordering::Relaxed) || events.send(Event::Started(*job)).is_err() {
                return;
            }
            let Some(record) = self.run_one(job, stop) else {
                return;
            };
            if events.send(Event::Ended(record)).is_err() {
                return;
            }
        }
    }

    /// One run; `None` if it was stopped.
    fn run_one(&self, job: &Job<'_>, stop: &AtomicBool) -> Option<Record> {
        let (ready, grace) = match &job.config.tool {
            Tool::Own(options) => (self.own(job, options), GRACE),
            Tool::Peer(peer) => (self.peer(job.run, peer), Duration::ZERO),
        };
        let (mut command, _folder) = match ready {
            Ok(ready) => ready,
            Err(why) => return Some(not_run(job, why)),
        };
        let limits = Limits {
            wall: self.limits.wall + grace,
            ..self.limits
        };
        let cannot = |error| Some(not_run(job, format!("cannot start the verifier: {error}")));
        let cgroup = self.cgroups.as_ref();
        let cgroup = match cgroup.map(|all| all.group(limits.memory)).transpose() {
            Ok(cgroup) => cgroup,
            Err(error) => return cannot(error),
        };
        match process::run_in(&mut command, &limits, stop, cgroup.as_ref()) {
            Ok(finished) if finished.ended == Ended::Stopped => None,
            Ok(finished) => Some(judge(job, &finished)),
            Err(error) => cannot(error),
        }
    }

    fn own(&self, job: &Job<'_>, options: &[String]) -> Result<Ready, String> {
        let mut command = Command::new(&self.program);
        command.args(self.words(job.run, job.run.property.clone()?, options));
        Ok((command, None))
    }

    /// What this verifier would be called with for a task that does not exist: whether that is a
    /// proper command line can be found out before anything runs.
    pub fn sample(&self, options: &[String]) -> Vec<OsString> {
        let run = Run {
            family: String::new(),
            task: String::new(),
            property_name: String::new(),
            property_file: PathBuf::new(),
            property: Ok(Property::Reach),
            input_files: vec!["a.c".into()],
            data_model: DataModel::Lp64,
            holds: None,
            subproperty: None,
        };
        self.words(&run, Property::Reach, options)
    }

    fn words(&self, run: &Run, property: Property, options: &[String]) -> Vec<OsString> {
        let model = match run.data_model {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        };
        let seconds = self.limits.wall.as_secs_f64().to_string();
        // The engine counts what it stores; what the process needs besides has to fit as well.
        let mib = ((self.limits.memory >> 20) * 9 / 10).max(1).to_string();
        let mut words: Vec<OsString> = vec!["check".into(), "--format".into(), "json".into()];
        words.extend(options.iter().map(OsString::from));
        let decided = [
            ["--property", property.name()],
            ["--data-model", model],
            ["--timeout", &seconds],
            ["--memory", &mib],
        ];
        words.extend(decided.as_flattened().iter().map(OsString::from));
        if let Some(cores) = self.cores {
            words.extend(["--cores".into(), cores.to_string().into()]);
        }
        if let Some(folder) = &self.evidence {
            let name = format!("{}.{}", run.task, run.property_name);
            let folder = folder.join(&run.family).join(name);
            words.extend(["--evidence".into(), folder.into()]);
        }
        // What follows `--` are the arguments of the program; a file must not look like an option.
        let plain = |path: &PathBuf| match path.is_absolute() {
            true => path.clone(),
            false => Path::new(".").join(path),
        };
        words.extend(run.input_files.iter().map(|path| plain(path).into()));
        words
    }

    /// Another tool works in a folder of its own: many leave files where they are.
    fn peer(&self, run: &Run, peer: &Peer) -> Result<Ready, String> {
        let property = run.property.clone()?;
        let whole = |path: &PathBuf| {
            let whole = path.canonicalize();
            let whole = whole.map_err(|error| format!("cannot read {}: {error}", path.display()));
            whole.map(|path| path.to_string_lossy().into_owned())
        };
        let filling = Filling {
            property: property.name(),
            property_file: whole(&run.property_file)?,
            files: run
                .input_files
                .iter()
                .map(whole)
                .collect::<Result<_, _>>()?,
            bits: match run.data_model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            seconds: self.limits.wall.as_secs_f64().ceil() as u64,
            mib: self.limits.memory >> 20,
        };
        let words = peer.words(&filling);
        let words = words.ok_or_else(|| format!("{} does not check {property}", peer.name))?;
        let folder = TempDir::with_prefix("mazurka-peer-")
            .map_err(|error| format!("cannot make a folder for {}: {error}", peer.name))?;
        let mut command = Command::new(peer.find()?);
        command.args(&words[1..]).current_dir(folder.path());
        Ok((command, Some(folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Peers, Status};
    use std::path::Path;

    fn run(task: &str) -> Run {
        Run {
            family: "f".into(),
            task: task.into(),
            property_name: "p".into(),
            property_file: "p.prp".into(),
            property: Ok(Property::Reach),
            input_files: vec![task.into()],
            data_model: DataModel::Lp64,
            holds: Some(true),
            subproperty: None,
        }
    }

    /// Written by another process: a test that forks meanwhile would inherit our open file, and a
    /// file that is open for writing cannot be executed.
    fn script(path: &Path, text: &str) {
        let make = "printf '#!/bin/sh\n%s' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let made = Command::new("sh")
            .args(["-c", make])
            .arg(path)
            .arg(text)
            .status();
        assert!(made.is_ok_and(|status| status.success()));
    }

    /// A stand-in for the verifier that answers by the name of the program.
    fn runner(folder: &Path) -> Runner {
        let program = folder.join("verifier");
        let text = "for last; do :; done\ncase $last in\n\
                    *slow) sleep 60;;\n*) echo '{\"verdict\": \"safe\"}';;\nesac\n";
        script(&program, text);
        Runner {
            program,
            limits: Limits {
                wall: Duration::from_secs(30),
                cpu: None,
                memory: 1 << 30,
            },
            cgroups: None,
            jobs: 2,
            cores: None,
            evidence: None,
        }
    }

    fn records(runner: &Runner, runs: &[Run], configs: &[Config], repeat: u32) -> Vec<Record> {
        let mut records = Vec::new();
        let stop = AtomicBool::new(false);
        runner.run_all(&jobs(runs, configs, repeat), &stop, &mut |event| {
            if let Event::Ended(record) = event {
                records.push(record);
            }
        });
        records.sort_by(|a, b| a.key().cmp(&b.key()));
        records
    }

    #[test]
    fn every_run_gives_one_record() {
        let folder = tempfile::tempdir().unwrap();
        let mut unsupported = run("c");
        unsupported.property = Err("not supported".into());
        let runs = [run("a"), run("b"), unsupported];
        let configs = [Config::own("x", &[]), Config::own("y", &[])];
        let records = records(&runner(folder.path()), &runs, &configs, 2);
        let keys: Vec<_> = records.iter().map(|record| record.key()).collect();
        assert_eq!(keys.len(), 12);
        assert_eq!(keys[0], ("f", "a", "p", "x", 1));
        assert_eq!(keys[11], ("f", "c", "p", "y", 2));
        assert_eq!(records[0].status, Status::Correct);
        assert_eq!(records[11].reason, "not supported");
    }

    #[test]
    fn a_stop_ends_the_children_and_keeps_what_was_done() {
        let folder = tempfile::tempdir().unwrap();
        let runs = [run("a"), run("slow"), run("slow"), run("b")];
        let configs = [Config::own("auto", &[])];
        let stop = AtomicBool::new(false);
        let mut ended = Vec::new();
        runner(folder.path()).run_all(&jobs(&runs, &configs, 1), &stop, &mut |event| {
            if let Event::Ended(record) = event {
                ended.push(record.task);
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(ended, ["a"]);
    }

    #[test]
    fn other_tools_run_in_folders_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("fake");
        let text = "touch left-behind\nfor last; do :; done\ngrep -q bug $last && echo BAD\n";
        script(&program, text);
        let table = format!(
            "[fake]\ncommand = [\"{}\", \"{{options}}\", \"{{files}}\"]\noptions = {{ reach = [] }}\n\
             answers = [{{ line = \"BAD\", means = \"false\" }}]\n",
            program.display()
        );
        let mut peers = Peers::built_in();
        peers.add(&table).unwrap();
        let configs = [Config {
            name: "fake".into(),
            tool: Tool::Peer(peers.get("fake").unwrap()),
        }];
        let mut task = run("a");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        task.property_file = file("p.prp", "");
        task.input_files = vec![file("a.c", "a bug")];
        let mut other = task.clone();
        other.property = Ok(Property::Race);
        other.task = "b".into();
        let records = records(&runner(folder.path()), &[task, other], &configs, 1);
        assert_eq!(records[0].status, Status::Wrong);
        assert_eq!(records[1].reason, "fake does not check race");
        assert!(!Path::new("left-behind").exists());
    }
}
