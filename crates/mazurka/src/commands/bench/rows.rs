//! The file of rows, and what an earlier run has left in it.

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::output::complain;
use bench::{Config, Job, Record, RecordFile};
use std::collections::HashSet;
use std::path::Path;

/// The jobs that are not done yet, with their numbers among all.
pub fn left<'a>(jobs: Vec<Job<'a>>, old: &[Record]) -> Vec<(usize, Job<'a>)> {
    let done: HashSet<_> = old.iter().map(Record::key).collect();
    let mut jobs: Vec<_> = jobs.into_iter().enumerate().collect();
    jobs.retain(|(_, job)| !done.contains(&job.key()));
    jobs
}

/// The file of records and what it holds of an earlier run.
pub fn open(args: &BenchArgs, configs: &[Config]) -> Result<(RecordFile, Vec<Record>), Failure> {
    let opened = if args.resume {
        // Rows of an earlier version do not say what they were made with.
        let unsaid = configs.first().map_or("", |config| &config.name);
        RecordFile::resume(&args.out, unsaid)
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
