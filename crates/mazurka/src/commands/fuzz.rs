//! `mazurka fuzz`: random programs until an engine is wrong.

use crate::args::FuzzArgs;
use crate::failure::{Exit, Failure};
use crate::output::{BAD, GOOD, paint};
use crate::progress::StatusLine;
use crate::{output, signal};
use fuzz::{Campaign, Finding, Original};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Runs the command. The exit status is 1 if something is wrong.
pub fn run(args: &FuzzArgs) -> Result<Exit, Failure> {
    let time = Duration::try_from_secs_f64(args.minutes * 60.0);
    let time = time.map_err(|error| Failure::usage(format!("--minutes: {error}")))?;
    let originals = originals(args)?;
    let campaign = Campaign {
        seed: args.seed,
        programs: args.programs,
        time: Some(time),
        limit: args.limit,
        jobs: args.jobs,
        command: std::env::current_exe().ok(),
        originals,
        mix: args.classes.clone(),
        findings: args.findings,
    };
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(Arc::clone(&stop));
    let mut line = StatusLine::new();
    let started = std::time::Instant::now();
    let mut found = Vec::new();
    let summary = campaign.run(
        &stop,
        &mut |summary| {
            line.soon(|| {
                let (seconds, programs) = (started.elapsed().as_secs(), summary.programs);
                match summary.findings {
                    0 => format!("{programs} programs after {seconds} s, nothing wrong"),
                    wrong => format!("{programs} programs after {seconds} s, {wrong} WRONG"),
                }
            });
        },
        &mut |finding| found.push(keep(&args.keep, finding)),
    );
    drop(line);
    output::print(&format!("seeds from {}: {summary}", args.seed));
    if found.is_empty() {
        output::print(&format!("\n{}\n", paint(GOOD, "nothing wrong")));
        return Ok(Exit::Safe);
    }
    for finding in found {
        output::print(&finding?);
    }
    Ok(Exit::Unsafe)
}

/// Writes the files of a finding, at once: a campaign may be long. Gives what is to be printed.
fn keep(folder: &Path, finding: Finding) -> Result<String, Failure> {
    let Finding {
        seed,
        origin,
        class,
        trouble,
        property,
        files,
    } = finding;
    let origin = origin.map_or_else(String::new, |path| format!(", from {}", path.display()));
    let class = class.map_or_else(String::new, |class| format!(", {class}"));
    let note = format!("// {property}: {trouble} (seed {seed}{class}{origin})\n");
    let mut said = format!(
        "\n{}  seed {seed}{class}, {property}: {trouble}\n",
        paint(BAD, "WRONG")
    );
    for (at, text) in files.iter().enumerate() {
        let name = match at {
            0 => format!("fuzz_{seed}.c"),
            _ => format!("fuzz_{seed}_{at}.c"),
        };
        let file = folder.join(name);
        let kept = std::fs::write(&file, note.clone() + text);
        kept.map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", file.display()))
        })?;
        said += &format!("\n{text}\nkept as {}\n", file.display());
    }
    Ok(said)
}

/// The programs that are to be changed, if any.
fn originals(args: &FuzzArgs) -> Result<Vec<Original>, Failure> {
    let found = fuzz::originals(&args.mutate);
    let found = found.map_err(|error| Failure::refused(format!("--mutate: {error}")))?;
    if found.is_empty() && !args.mutate.is_empty() {
        return Err(Failure::refused("--mutate: there is no C program"));
    }
    Ok(found)
}
