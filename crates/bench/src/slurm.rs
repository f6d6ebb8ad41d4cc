//! Runs of a suite on a cluster with Slurm: an array of jobs, each of which leaves its row as a file
//! in a folder that all nodes see. What a lost node has not finished is submitted again.

use crate::judge::not_run;
use crate::{Event, Job, Limits, Record, RecordError, read};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How to use a cluster.
#[derive(Clone, Debug)]
pub struct Slurm {
    /// Where rows and logs go.
    pub folder: PathBuf,
    /// This verifier, as the nodes see it.
    pub program: PathBuf,
    /// What `bench` is called with. The number of a job and the file for its row come before it.
    pub arguments: Vec<OsString>,
    /// What each run may use.
    pub limits: Limits,
    /// How many processors a run gets.
    pub processors: u16,
    /// How many runs at a time; as many as the cluster gives if this is not said.
    pub at_once: Option<usize>,
    /// More words for `sbatch`: a partition, an account.
    pub options: Vec<String>,
}

/// A cluster that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// A program of Slurm cannot be run.
    #[error("cannot run {program}: {error}")]
    Missing {
        /// The program.
        program: &'static str,
        /// The error of the system.
        error: io::Error,
    },
    /// It refuses.
    #[error("{program}: {message}")]
    Refused {
        /// The program.
        program: &'static str,
        /// What it says.
        message: String,
    },
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A row cannot be used.
    #[error(transparent)]
    Row(#[from] RecordError),
}

/// An array has at most this many jobs: the usual limit of a cluster is 1001.
const LARGEST_ARRAY: usize = 1000;
/// Mebibytes for the watcher of a run: the run's own limit must be met before the cluster's.
const HEADROOM: u64 = 100;
/// How often a job is submitted before it counts as lost.
const TRIES: usize = 3;
/// The queue is examined this often.
const PERIOD: Duration = Duration::from_secs(1);
/// A row may be seen a little later than the end of its job.
const LATE: Duration = Duration::from_secs(5);
/// A controller that restarts is waited for.
const PATIENCE: Duration = Duration::from_secs(600);

/// Is anything of a submission still waiting or running?
enum Queue {
    Busy,
    Empty,
    /// The controller does not answer.
    Silent(String),
}

impl Slurm {
    /// Runs the jobs with these numbers, or until `stop` is set. Rows that are in the folder already
    /// are taken as they are.
    pub fn run_all<'a>(
        &self,
        mut jobs: Vec<(usize, Job<'a>)>,
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'a>),
    ) -> Result<(), SlurmError> {
        std::fs::create_dir_all(&self.folder).map_err(|error| self.unusable(error))?;
        for attempt in 1..=TRIES {
            self.collect(&mut jobs, on_event)?;
            if jobs.is_empty() {
                return Ok(());
            }
            let arrays = self.submit(&jobs, attempt)?;
            if !self.wait(&arrays, &mut jobs, stop, on_event)? {
                return Ok(());
            }
        }
        for (_, job) in jobs {
            let why = format!("lost: {TRIES} submissions have left no row");
            on_event(Event::Ended(not_run(&job, why)));
        }
        Ok(())
    }

    fn unusable(&self, error: io::Error) -> SlurmError {
        SlurmError::Folder {
            path: self.folder.clone(),
            error,
        }
    }

    /// Where the row of a job appears, all at once.
    fn row(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{number}.csv"))
    }

    /// Takes the rows that have come.
    fn collect<'a>(
        &self,
        jobs: &mut Vec<(usize, Job<'a>)>,
        on_event: &mut dyn FnMut(Event<'a>),
    ) -> Result<(), SlurmError> {
        let mut left = Vec::new();
        for (number, job) in jobs.drain(..) {
            match row_of(&self.row(number), &job)? {
                Some(record) => on_event(Event::Ended(record)),
                None => left.push((number, job)),
            }
        }
        *jobs = left;
        Ok(())
    }

    /// Waits until all rows are there or the queue is empty; `false` if it was stopped.
    fn wait<'a>(
        &self,
        arrays: &[String],
        jobs: &mut Vec<(usize, Job<'a>)>,
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'a>),
    ) -> Result<bool, SlurmError> {
        let mut heard = Instant::now();
        let mut busy = Instant::now();
        loop {
            self.collect(jobs, on_event)?;
            if jobs.is_empty() {
                return Ok(true);
            }
            if stop.load(Ordering::Relaxed) {
                tool("scancel", &[arrays.join(",")])?;
                return Ok(false);
            }
            match queue(arrays)? {
                Queue::Busy => (heard, busy) = (Instant::now(), Instant::now()),
                Queue::Empty if busy.elapsed() > LATE => return Ok(true),
                Queue::Empty => heard = Instant::now(),
                Queue::Silent(message) if heard.elapsed() > PATIENCE => {
                    let program = "squeue";
                    return Err(SlurmError::Refused { program, message });
                }
                Queue::Silent(_) => busy = Instant::now(),
            }
            std::thread::sleep(PERIOD);
        }
    }

    /// Submits everything, and gives the numbers of the arrays.
    fn submit(&self, jobs: &[(usize, Job<'_>)], attempt: usize) -> Result<Vec<String>, SlurmError> {
        let mut arrays = Vec::new();
        for (part, jobs) in jobs.chunks(LARGEST_ARRAY).enumerate() {
            let script = self.folder.join(format!("array-{attempt}-{part}.sh"));
            let text = self.script(jobs.iter().map(|(number, _)| *number));
            std::fs::write(&script, text).map_err(|error| self.unusable(error))?;
            let mut words = self.sbatch(jobs.len());
            words.push(script.to_string_lossy().into_owned());
            // `ID` or `ID;CLUSTER`.
            let said = tool("sbatch", &words)?;
            let id = said.trim().split(';').next().unwrap_or("");
            arrays.push(id.to_owned());
        }
        Ok(arrays)
    }

    fn sbatch(&self, count: usize) -> Vec<String> {
        let throttle = self
            .at_once
            .map_or(String::new(), |most| format!("%{most}"));
        let minutes = self.limits.wall.as_secs().div_ceil(60) + 2;
        let logs = self.folder.join("log-%A-%a").display().to_string();
        let mut words = vec![
            "--parsable".to_owned(),
            // We resubmit a lost job ourselves, because we know whether its row is there.
            "--no-requeue".to_owned(),
            "--job-name=mazurka".to_owned(),
            format!("--array=0-{}{throttle}", count - 1),
            format!("--time={minutes}"),
            format!("--mem={}M", (self.limits.memory >> 20) + HEADROOM),
            format!("--cpus-per-task={}", self.processors),
            format!("--output={logs}"),
        ];
        words.extend(self.options.iter().cloned());
        words
    }

    /// The script of an array: its n-th job is the n-th number.
    fn script(&self, numbers: impl Iterator<Item = usize>) -> String {
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        let text = |word: &OsString| quoted(&word.to_string_lossy());
        let arguments: Vec<String> = self.arguments.iter().map(text).collect();
        let program = quoted(&self.program.to_string_lossy());
        let row = format!("{}/\"$job\".csv", quoted(&self.folder.to_string_lossy()));
        format!(
            "#!/bin/sh\nset -- {}\nshift \"$SLURM_ARRAY_TASK_ID\"\njob=$1\n\
             exec {program} bench --job \"$job\" --row {row} {}\n",
            numbers.join(" "),
            arguments.join(" ")
        )
    }
}

/// A word that a shell leaves alone.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn row_of(path: &Path, job: &Job<'_>) -> Result<Option<Record>, RecordError> {
    if !path.exists() {
        return Ok(None);
    }
    let rows = read(path)?;
    // A row of something else was left by another suite.
    Ok(rows.into_iter().find(|row| row.key() == job.key()))
}

fn queue(arrays: &[String]) -> Result<Queue, SlurmError> {
    let words = [
        "--noheader".to_owned(),
        format!("--jobs={}", arrays.join(",")),
    ];
    match tool("squeue", &words) {
        Ok(said) if said.trim().is_empty() => Ok(Queue::Empty),
        Ok(_) => Ok(Queue::Busy),
        // A controller forgets jobs some time after their end.
        Err(SlurmError::Refused { message, .. }) if message.contains("Invalid job id") => {
            Ok(Queue::Empty)
        }
        Err(SlurmError::Refused { message, .. }) => Ok(Queue::Silent(message)),
        Err(other) => Err(other),
    }
}

/// What a program of Slurm prints.
fn tool(program: &'static str, words: &[String]) -> Result<String, SlurmError> {
    let output = Command::new(program).args(words).output();
    let output = output.map_err(|error| SlurmError::Missing { program, error })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(SlurmError::Refused { program, message });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slurm(folder: &str) -> Slurm {
        Slurm {
            folder: folder.into(),
            program: "echo".into(),
            arguments: vec!["it's mine".into()],
            limits: Limits {
                wall: Duration::from_secs(61),
                cpu: None,
                memory: 1 << 30,
            },
            processors: 2,
            at_once: Some(4),
            options: vec!["--partition=night".into()],
        }
    }

    #[test]
    fn a_script_finds_its_job() {
        let folder = tempfile::tempdir().unwrap();
        let slurm = slurm(&folder.path().join("a b").to_string_lossy());
        let script = slurm.script([3, 5, 8].into_iter());
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("SLURM_ARRAY_TASK_ID", "1")
            .output()
            .unwrap();
        let row = format!("{}/5.csv", slurm.folder.display());
        let expected = format!("bench --job 5 --row {row} it's mine\n");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }

    #[test]
    fn limits_are_asked_for() {
        let words = slurm("f").sbatch(7);
        for word in [
            "--array=0-6%4",
            "--time=4",
            "--mem=1124M",
            "--cpus-per-task=2",
        ] {
            assert!(words.iter().any(|known| known == word), "{words:?}");
        }
        assert_eq!(words.last().unwrap(), "--partition=night");
    }
}
