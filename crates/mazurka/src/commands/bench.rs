//! `mazurka bench`: a whole suite, one child process at a time for each job.

use crate::args::BenchArgs;
use crate::failure::{Exit, Failure};
use crate::output::complain;
use crate::progress::StatusLine;
use crate::{output, signal};
use bench::{Event, Limits, Record, RecordFile, Run, Runner, Status, Suite, Table};
use clap::ValueEnum;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs the command. The exit status says whether the suite was run to its end, not what the
/// verdicts are: 1 if one of them is wrong, 2 if the user stopped it.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let suite = read_suite(args)?;
    let (mut file, old) = open(args)?;
    let runs = wanted(args, suite, &old);
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(Arc::clone(&stop));
    let runner = runner(args)?;

    let mut table = Table::default();
    old.iter().for_each(|record| table.add(record));
    let mut line = StatusLine::new();
    let mut done = 0;
    let mut failed = None;
    runner.run_all(&runs, &stop, &mut |event| match event {
        Event::Started(run) => {
            let seconds = line.elapsed().as_secs();
            let counts = table.summary();
            let at = format!("{done}/{} after {seconds} s, {counts}", runs.len());
            line.show(&format!("{at}: {}/{}", run.family, run.task));
        }
        Event::Ended(record) => {
            done += 1;
            table.add(&record);
            tell(&mut line, &record);
            if let Err(error) = file.add(&record) {
                // Going on would lose results.
                failed = Some(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    drop(line);
    if let Some(error) = failed {
        return Err(Failure::refused(error.to_string()));
    }
    output::print(&format!("{table}\n{}\n", table.summary()));
    if stop.load(Ordering::Relaxed) {
        complain(&format!(
            "stopped; go on with --resume --out {}\n",
            args.out.display()
        ));
        return Ok(Exit::Unknown);
    }
    Ok(if table.wrong() > 0 {
        Exit::Unsafe
    } else {
        Exit::Safe
    })
}

/// All runs of the suite.
fn read_suite(args: &BenchArgs) -> Result<Suite, Failure> {
    let folder = args.folder.display();
    let suite = Suite::read(&args.folder)
        .map_err(|error| Failure::refused(format!("cannot read {folder}: {error}")))?;
    for error in &suite.refused {
        complain(&format!("warning: {error}\n"));
    }
    if suite.runs.is_empty() {
        let what = format!("no usable task definition (*.yml) below {folder}");
        return Err(Failure::refused(what));
    }
    Ok(suite)
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

/// The runs that were asked for and are not done yet.
fn wanted(args: &BenchArgs, suite: Suite, old: &[Record]) -> Vec<Run> {
    let done: HashSet<_> = old.iter().map(Record::key).collect();
    let named = |run: &Run, name: &String| {
        *name == run.property_name || run.property.as_ref().is_ok_and(|p| p.name() == name)
    };
    let keep = |run: &Run| {
        let text = format!("{}/{}", run.family, run.task);
        args.filter
            .as_ref()
            .is_none_or(|wanted| text.contains(wanted))
            && (args.property.is_empty() || args.property.iter().any(|name| named(run, name)))
            && !done.contains(&(&*run.family, &*run.task, &*run.property_name))
    };
    suite.runs.into_iter().filter(keep).collect()
}

fn runner(args: &BenchArgs) -> Result<Runner, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::refused(format!("cannot find my own program: {error}")))?;
    let engine = args.engine.to_possible_value();
    let engine = engine.map_or("auto".into(), |value| value.get_name().to_owned());
    let limits = Limits {
        wall: args.timeout,
        memory: args.memory << 20,
    };
    Ok(Runner {
        program,
        engine,
        limits,
        jobs: args.jobs,
        cores: args.cores,
        evidence: args.evidence.clone(),
    })
}

/// A wrong verdict is told at once, not at the end of the night.
fn tell(line: &mut StatusLine, record: &Record) {
    if record.status == Status::Wrong {
        let Record {
            family,
            task,
            property,
            expected,
            verdict,
            ..
        } = record;
        let text = format!("wrong: {family}/{task} ({property}): {verdict}, not {expected}");
        line.clear();
        complain(&format!("{text}\n"));
    }
}
