//! `mazurka watch`: checks again whenever a file of the program is saved.
//!
//! Each check is a child, `mazurka check` with the same arguments, on the same terminal. A change
//! ends it at once. Folders are watched rather than files, because many editors do not write to a
//! file but put another one in its place.

use crate::args::{ProgramArgs, WatchArgs};
use crate::failure::{Exit, Failure};
use crate::output::{FAINT, paint};
use crate::{output, signal};
use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Event, RecursiveMode, Watcher};
use process::{Attached, Ended};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Editors save in several steps: the file is read once nothing has happened for this long.
const QUIET: Duration = Duration::from_millis(150);
/// How often to check whether the check has ended.
const PERIOD: Duration = Duration::from_millis(40);

/// Runs the command until it is interrupted.
pub fn run(args: &WatchArgs) -> Result<Exit, Failure> {
    let check = &args.check;
    let is_stdin = |file: &PathBuf| file == Path::new("-");
    if check.is_of_file() || check.program.files.iter().any(is_stdin) {
        return Err(Failure::usage("name the files that are to be watched"));
    }
    let watched = Watched::of(&check.program)?;
    let (sender, events) = channel();
    let told = move |event| {
        // The receiver is gone only when the command is about to end.
        let _ = sender.send(event);
    };
    let failed = |error| Failure::refused(format!("cannot watch the program: {error}"));
    let mut watcher = notify::recommended_watcher(told).map_err(failed)?;
    for folder in &watched.folders {
        let mode = RecursiveMode::NonRecursive;
        watcher.watch(folder, mode).map_err(failed)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(stop.clone());

    let mut running = Some(start()?);
    let mut changed: Option<Instant> = None;
    while !stop.load(Ordering::Relaxed) {
        if let Some(ended) = running.as_mut().and_then(Attached::ended) {
            running = None;
            output::print(&closing(&args.check.program, ended));
        }
        if let Ok(Ok(event)) = events.recv_timeout(PERIOD)
            && watched.concerns(&event)
        {
            changed = Some(Instant::now());
            // Its verdict would be about an outdated program.
            running = None;
        }
        if changed.is_some_and(|at| at.elapsed() >= QUIET) {
            changed = None;
            clear_screen();
            running = Some(start()?);
        }
    }
    Ok(Exit::Safe)
}

/// `mazurka check` with the arguments that we have been given.
fn start() -> Result<Attached, Failure> {
    let check = || {
        let mut command = std::process::Command::new(std::env::current_exe()?);
        let mut given: Vec<_> = std::env::args_os().skip(1).collect();
        if let Some(at) = given.iter().position(|word| word == "watch") {
            given.remove(at);
        }
        command.arg("check").args(given);
        Attached::start(&mut command)
    };
    check().map_err(|error| Failure::refused(format!("cannot start the check: {error}")))
}

fn clear_screen() {
    if io::stdout().is_terminal() {
        // To the corner, erase the screen, and what was above it.
        output::print("\x1b[H\x1b[2J\x1b[3J");
    }
}

/// What is printed below an answer.
fn closing(program: &ProgramArgs, ended: Ended) -> String {
    let odd = match ended {
        Ended::Signal(signal) => format!("the check was ended by signal {signal}\n"),
        _ => String::new(),
    };
    let files = program.files.iter().map(|file| file.display().to_string());
    let files = files.collect::<Vec<_>>().join(", ");
    let text = format!("{odd}watching {files} (Ctrl-C ends)");
    format!("\n{}\n", paint(FAINT, &text))
}

/// What is examined.
struct Watched {
    folders: BTreeSet<PathBuf>,
    /// The files of the program; of headers any counts, because they are not known before.
    files: BTreeSet<PathBuf>,
}

impl Watched {
    fn of(program: &ProgramArgs) -> Result<Watched, Failure> {
        if program.files.is_empty() {
            return Err(Failure::usage("name the files that are to be watched"));
        }
        let mut watched = Watched {
            folders: BTreeSet::new(),
            files: BTreeSet::new(),
        };
        for file in &program.files {
            watched.add(file)?;
            // Behind a link, both the link and the file can change.
            if let Ok(target) = file.canonicalize() {
                watched.add(&target)?;
            }
        }
        let headers = program.reading.include.iter();
        let headers = headers.filter_map(|folder| folder.canonicalize().ok());
        watched.folders.extend(headers);
        Ok(watched)
    }

    fn add(&mut self, file: &Path) -> Result<(), Failure> {
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize().map_err(|error| {
            Failure::refused(format!("cannot watch {}: {error}", file.display()))
        })?;
        self.files
            .insert(folder.join(file.file_name().unwrap_or_default()));
        self.folders.insert(folder);
        Ok(())
    }

    /// May the program be another one after this?
    fn concerns(&self, event: &Event) -> bool {
        let writes = match event.kind {
            EventKind::Create(_) | EventKind::Remove(_) => true,
            EventKind::Modify(how) => !matches!(how, ModifyKind::Metadata(_)),
            // The preprocessor reads the files, which must not start it again.
            EventKind::Access(how) => how == AccessKind::Close(AccessMode::Write),
            _ => false,
        };
        let is_header = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "h");
        let mut paths = event.paths.iter();
        writes && paths.any(|path| self.files.contains(path) || is_header(path))
    }
}
