//! `mazurka bench`: whole suites, one child process at a time for each job.

mod cluster;
mod configs;
mod files;
mod meter;

use crate::args::{BenchArgs, Place};
use crate::failure::{Exit, Failure};
use crate::output::complain;
use crate::{output, signal};
use bench::{
    About, Cgroups, Config, Counts, Event, Job, Limits, Record, RecordFile, Run, Runner, Suite,
    Table,
};
use meter::Meter;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs the command. The exit status says whether the suite was run to its end, not what the
/// verdicts are: 1 if one of them is wrong, 2 if the user stopped it.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    if !args.from.is_empty() {
        let mut records = configs::read_all(&args.from)?;
        records.retain(|record| chosen(args, &record.family, &record.task));
        return show(args, records, &About::default());
    }
    if args.sbatch.is_some() && args.on != Place::Slurm {
        return Err(Failure::usage("--sbatch goes with --on slurm"));
    }
    let mut runner = runner(args)?;
    let configs = configs::wanted(args, &runner)?;
    let suite = read_suite(args)?;
    let all = bench::jobs(&suite.runs, &configs, args.repeat);
    if let (Some(number), Some(row)) = (args.job, &args.row) {
        runner.cgroups = cgroups();
        return cluster::run_job(&runner, &all, number, row);
    }
    let (mut file, mut records) = open(args)?;
    let jobs = left(all, &records);
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(Arc::clone(&stop));

    let mut meter = Meter::new(jobs.len(), counted(&records));
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
        Place::Here => {
            runner.cgroups = cgroups();
            let jobs: Vec<Job<'_>> = jobs.into_iter().map(|(_, job)| job).collect();
            runner.run_all(&jobs, &stop, &mut on_event);
        }
        Place::Slurm => cluster::run_all(args, jobs, &stop, &mut on_event)?,
    }
    drop(meter);
    if let Some(error) = failed {
        return Err(Failure::refused(error.to_string()));
    }
    let about = about(&runner, &configs);
    let exit = show(args, records, &about)?;
    if stop.load(Ordering::Relaxed) {
        let out = args.out.display();
        complain(&format!("stopped; go on with --resume --out {out}\n"));
        return Ok(Exit::Unknown);
    }
    Ok(exit)
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
fn about(runner: &Runner, configs: &[Config]) -> About {
    let by = match runner.cgroups {
        Some(_) => "control groups (cgroup v2)",
        None => "process groups",
    };
    About {
        limits: Some(runner.limits),
        measured_by: by.to_owned(),
        configs: configs.to_vec(),
        ..About::default()
    }
}

/// All runs of the suites that were asked for.
fn read_suite(args: &BenchArgs) -> Result<Suite, Failure> {
    let mut suite =
        Suite::read_all(&args.suites).map_err(|error| Failure::refused(error.to_string()))?;
    for error in &suite.refused {
        complain(&format!("warning: {error}\n"));
    }
    if suite.runs.is_empty() {
        let names: Vec<_> = args
            .suites
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let what = format!("no usable task definition (*.yml) in {}", names.join(", "));
        return Err(Failure::refused(what));
    }
    suite.runs.retain(|run| asked_for(args, run));
    Ok(suite)
}

fn asked_for(args: &BenchArgs, run: &Run) -> bool {
    let named = |name: &String| {
        *name == run.property_name || run.property.as_ref().is_ok_and(|p| p.name() == name)
    };
    chosen(args, &run.family, &run.task)
        && (args.property.is_empty() || args.property.iter().any(named))
}

fn chosen(args: &BenchArgs, family: &str, task: &str) -> bool {
    let text = format!("{family}/{task}");
    let filter = args.filter.as_ref();
    filter.is_none_or(|wanted| text.contains(wanted))
}

/// The jobs that are not done yet, with their numbers among all.
fn left<'a>(jobs: Vec<Job<'a>>, old: &[Record]) -> Vec<(usize, Job<'a>)> {
    let done: HashSet<_> = old.iter().map(Record::key).collect();
    let mut jobs: Vec<_> = jobs.into_iter().enumerate().collect();
    jobs.retain(|(_, job)| !done.contains(&job.key()));
    jobs
}

/// The file of records and what it holds of an earlier run.
fn open(args: &BenchArgs) -> Result<(RecordFile, Vec<Record>), Failure> {
    let opened = if args.resume {
        RecordFile::resume(&args.out)
    } else {
        put_aside(&args.out)?;
        RecordFile::create(&args.out).map(|file| (file, Vec::new()))
    };
    opened.map_err(|error| Failure::refused(error.to_string()))
}

/// Renames an earlier file of results: a night of work is not lost for a forgotten `--resume`.
fn put_aside(out: &Path) -> Result<(), Failure> {
    if !out.is_file() {
        return Ok(());
    }
    let mut name = out.as_os_str().to_owned();
    name.push(".old");
    std::fs::rename(out, &name)
        .map_err(|error| Failure::refused(format!("cannot rename {}: {error}", out.display())))?;
    complain(&format!(
        "note: the earlier results are now in {}\n",
        name.display()
    ));
    Ok(())
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
            memory: args.memory << 20,
        },
        cgroups: None,
        jobs: args.jobs.unwrap_or(1),
        cores: args.cores,
        evidence: args.evidence.clone(),
    })
}
