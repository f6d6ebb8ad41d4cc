//! `mazurka check` without a program: all checks of `mazurka.toml`, each in a process of its own.

use crate::args::{CheckArgs, Format};
use crate::failure::{Exit, Failure};
use crate::output::{self, HEADING, paint};
use crate::project::{self, NamedCheck, Project};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the checks one after the other.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let path = match &args.config {
        Some(path) => path.as_path(),
        None => Path::new(project::FILE),
    };
    if args.config.is_none() && !path.exists() {
        let what = "name a C file, or describe your checks in mazurka.toml";
        return Err(Failure::usage(what));
    }
    let project = Project::read(path)?.only(&args.only)?;
    if let (Some(option), true) = (args.only_for_one(), project.checks.len() > 1) {
        let what = format!("{option} is about one check: put it into the check's flags");
        return Err(Failure::usage(what));
    }
    let given = given_options();
    let mut exit = Exit::Safe;
    for check in &project.checks {
        if args.show.format == Format::Text && !args.quiet {
            output::print(&paint(HEADING, &format!("{}:\n", check.name)));
        }
        exit = exit.and(run_one(&project, check, &given)?);
    }
    Ok(exit)
}

fn run_one(project: &Project, check: &NamedCheck, given: &[OsString]) -> Result<Exit, Failure> {
    let failed = |error| Failure::refused(format!("cannot start a check: {error}"));
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.arg("check").args(&check.arguments).args(given);
    let status = command
        .current_dir(&project.folder)
        .stdin(Stdio::null())
        .status()
        .map_err(failed)?;
    Ok(match status.code() {
        Some(0) => Exit::Safe,
        Some(1) => Exit::Unsafe,
        Some(2) => Exit::Unknown,
        Some(64) => Exit::Usage,
        Some(65) => Exit::Refused,
        _ => {
            let what = format!("the check `{}` has no answer: {status}", check.name);
            output::complain(&format!("error: {what}\n"));
            Exit::Unknown
        }
    })
}

/// The options of this command that hold for each check, too.
fn given_options() -> Vec<OsString> {
    let mut words = Vec::new();
    let mut given = std::env::args_os().skip(1);
    let mut is_after_command = false;
    while let Some(word) = given.next() {
        if !is_after_command && word == "check" {
            is_after_command = true;
        } else if word == "--config" || word == "--only" {
            given.next();
        } else {
            let text = word.to_string_lossy();
            if !text.starts_with("--config=") && !text.starts_with("--only=") {
                words.push(word);
            }
        }
    }
    words
}
