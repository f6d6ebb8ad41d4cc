//! `mazurka bench --on slurm`: every run is a job of a cluster, which calls this program again with
//! the number of the run.

use crate::args::BenchArgs;
use crate::failure::{Exit, Failure};
use crate::output::complain;
use bench::{Event, Job, Limits, RecordFile, Runner, Slurm};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Submits what is left to do, and hands the rows over as they come.
pub fn run_all<'a>(
    args: &BenchArgs,
    jobs: Vec<(usize, Job<'a>)>,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(Event<'a>),
) -> Result<(), Failure> {
    let folder = folder(args)?;
    if !args.resume && folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| unusable(&folder, &error))?;
    }
    let options = args.sbatch.as_deref().unwrap_or("");
    let slurm = Slurm {
        program: super::own_program()?,
        // After the name of the program and that of the command: this very call.
        arguments: std::env::args_os().skip(2).collect(),
        limits: Limits {
            wall: args.timeout,
            cpu: args.cpu,
            memory: args.memory,
        },
        processors: args.cores.unwrap_or(1),
        at_once: args.jobs.map(|jobs| jobs.max(1)),
        options: bench::words(options).map_err(|why| Failure::usage(format!("--sbatch: {why}")))?,
        folder,
    };
    let shown = slurm.folder.display();
    complain(&format!(
        "note: {} runs go to Slurm; their logs are in {shown}\n",
        jobs.len()
    ));
    let done = slurm.run_all(jobs, stop, on_event);
    done.map_err(|error| Failure::refused(error.to_string()))
}

/// Beside the file of results; all nodes must see it.
fn folder(args: &BenchArgs) -> Result<PathBuf, Failure> {
    let out = std::path::absolute(&args.out).map_err(|error| unusable(&args.out, &error))?;
    let mut name = out.into_os_string();
    name.push(".slurm");
    Ok(name.into())
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::refused(format!("{}: {error}", path.display()))
}

/// Runs one job on a node. Its row appears under its name only when it is whole.
pub fn run_job(
    runner: &Runner,
    all: &[Job<'_>],
    number: usize,
    row: &Path,
) -> Result<Exit, Failure> {
    let Some(job) = all.get(number) else {
        return Err(Failure::refused(format!("there is no job {number}")));
    };
    let part = row.with_extension("part");
    let mut failed = None;
    runner.run_all(&[*job], &AtomicBool::new(false), &mut |event| {
        if let Event::Ended(record) = event {
            let written = RecordFile::create(&part).and_then(|mut file| file.add(&record));
            failed = written.err();
        }
    });
    if let Some(error) = failed {
        return Err(Failure::refused(error.to_string()));
    }
    std::fs::rename(&part, row).map_err(|error| unusable(row, &error))?;
    Ok(Exit::Safe)
}
