//! `mazurka fuzz`: random programs until somebody is wrong.

use crate::args::FuzzArgs;
use crate::failure::{Exit, Failure};
use crate::output::{BAD, GOOD, paint};
use crate::progress::StatusLine;
use crate::{output, signal};
use fuzz::{Campaign, Finding, Original};
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
    };
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(Arc::clone(&stop));
    let mut line = StatusLine::new();
    let started = std::time::Instant::now();
    let (summary, finding) = campaign.run(&stop, &mut |summary| {
        line.soon(|| {
            let seconds = started.elapsed().as_secs();
            format!(
                "{} programs after {seconds} s, nothing wrong",
                summary.programs
            )
        });
    });
    drop(line);
    output::print(&format!("seeds from {}: {summary}", args.seed));
    let Finding::Trouble {
        seed,
        origin,
        trouble,
        property,
        text,
    } = finding
    else {
        output::print(&format!("\n{}\n", paint(GOOD, "nothing wrong")));
        return Ok(Exit::Safe);
    };
    let file = args.keep.join(format!("fuzz_{seed}.c"));
    let origin = origin.map_or_else(String::new, |path| format!(", from {}", path.display()));
    let note = format!("// {property}: {trouble} (seed {seed}{origin})\n");
    let kept = std::fs::write(&file, note + &text);
    let word = paint(BAD, "WRONG");
    output::print(&format!(
        "\n{word}  seed {seed}, {property}: {trouble}\n\n{text}\n"
    ));
    kept.map_err(|error| Failure::refused(format!("cannot write {}: {error}", file.display())))?;
    output::print(&format!("kept as {}\n", file.display()));
    Ok(Exit::Unsafe)
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
