//! `mazurka bench`: whole suites, one child process at a time for each job.

mod cluster;
mod configs;
mod files;
mod meter;
mod rows;
mod tasks;

use crate::args::{BenchArgs, RunOn};
use crate::failure::{Exit, Failure};
use crate::output::complain;
use crate::{output, signal};
use bench::{
    About, Cgroups, Config, Counts, Event, Job, Limits, Record, RecordFile, Runner, Table,
};
use meter::Meter;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs the command. The exit status says whether the suite was run to its end, not what the
/// verdicts are: 1 if one of them is wrong, 2 if the user stopped it.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    if !args.from.is_empty() {
        let mut records = configs::read_all(&args.from)?;
        records.retain(|record| tasks::chosen(args, &record.family, &record.task));
        return show(args, records, &About::default());
    }
    if args.sbatch.is_some() && args.on != RunOn::Slurm {
        return Err(Failure::usage("--sbatch needs --on slurm"));
    }
    let mut runner = runner(args)?;
    let configs = configs::wanted(args, &runner)?;
    let suite = tasks::read(args)?;
    let all = bench::jobs(&suite.runs, &configs, args.repeat);
    if let (Some(number), Some(row)) = (args.job, &args.row) {
        runner.cgroups = cgroups();
        return cluster::run_job(&runner, &all, number, row);
    }
    let (file, mut records) = rows::open(args, &configs)?;
    let jobs = rows::left(all, &records);
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(Arc::clone(&stop));
    if args.on == RunOn::Here {
        runner.cgroups = cgroups();
    }
    measure(args, &runner, jobs, file, &mut records, &stop)?;
    let exit = show(args, records, &about(args, &runner, &configs))?;
    if stop.load(Ordering::Relaxed) {
        let out = args.out.display();
        complain(&format!("stopped; go on with --resume --out {out}\n"));
        return Ok(Exit::Unknown);
    }
    Ok(exit)
}

/// Runs the jobs and keeps every row.
fn measure(
    args: &BenchArgs,
    runner: &Runner,
    jobs: Vec<(usize, Job<'_>)>,
    mut file: RecordFile,
    records: &mut Vec<Record>,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let mut meter = Meter::new(jobs.len(), counted(records));
    let mut failed = None;
    let mut on_event = |event: Event<'_>| match event {
        Event::Started(job) => meter.started(&job),
        Event::Ended(record) => {
            meter.ended(&record);
            if let Err(error) = file.add(&record) {
                // Going on would lose results.
                failed = Some(error);
                stop.store(true, Ordering::Relaxed);
            }
            records.push(record);
        }
    };
    match args.on {
        RunOn::Here => {
            let jobs: Vec<Job<'_>> = jobs.into_iter().map(|(_, job)| job).collect();
            runner.run_all(&jobs, stop, &mut on_event);
        }
        RunOn::Slurm => cluster::run_all(args, jobs, stop, &mut on_event)?,
    }
    match failed {
        Some(error) => Err(Failure::refused(error.to_string())),
        None => Ok(()),
    }
}

/// The control groups of the kernel, if they may be used; which way it is matters for every figure.
fn cgroups() -> Option<Cgroups> {
    let found = Cgroups::find();
    complain(&match &found {
        Ok(_) => "note: limits and figures are those of control groups (cgroup v2)\n".to_owned(),
        Err(why) => format!("note: limits and figures are those of process groups: {why}\n"),
    });
    found.ok()
}

fn counted(records: &[Record]) -> Counts {
    let mut counts = Counts::default();
    records.iter().for_each(|record| counts.add(record));
    counts
}

/// Everything that is made of the records.
fn show(args: &BenchArgs, records: Vec<Record>, about: &About) -> Result<Exit, Failure> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let about = About {
        version,
        ..about.clone()
    };
    let counts = counted(&records);
    let results = files::write(args, records, &about)?;
    output::print(&format!("{}\n{counts}\n", Table::new(&results)));
    Ok(match results.wrong() {
        0 => Exit::Safe,
        _ => Exit::Unsafe,
    })
}

/// How these results have come about.
fn about(args: &BenchArgs, runner: &Runner, configs: &[Config]) -> About {
    let by = match (args.on, &runner.cgroups) {
        (RunOn::Slurm, _) => "the nodes of a cluster",
        (RunOn::Here, Some(_)) => "control groups (cgroup v2)",
        (RunOn::Here, None) => "process groups",
    };
    About {
        limits: Some(runner.limits),
        measured_by: by.to_owned(),
        configs: configs.to_vec(),
        ..About::default()
    }
}

fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::refused(format!("cannot find my own program: {error}")))
}

fn runner(args: &BenchArgs) -> Result<Runner, Failure> {
    Ok(Runner {
        program: own_program()?,
        limits: Limits {
            wall: args.timeout,
            cpu: args.cpu,
            memory: args.memory,
        },
        cgroups: None,
        jobs: args.jobs.unwrap_or(1),
        cores: args.cores,
        evidence: args.evidence.clone(),
    })
}
