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
    if let (Some(option), true) = (args.only_for_one_program(), project.checks.len() > 1) {
        let what = format!("{option} is about one check: put it into the check's flags");
        return Err(Failure::usage(what));
    }
    let given = given_options();
    let mut exit = Exit::Safe;
    for (at, check) in project.checks.iter().enumerate() {
        if args.show.format == Format::Text && !args.quiet {
            output::print(&paint(HEADING, &format!("{}:\n", check.name)));
        }
        exit = exit.and(run_one(&project, check, &given, at > 0)?);
    }
    Ok(exit)
}

fn run_one(
    project: &Project,
    check: &NamedCheck,
    given: &[OsString],
    append: bool,
) -> Result<Exit, Failure> {
    let failed = |error| Failure::refused(format!("cannot start a check: {error}"));
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.arg("check").args(append.then_some("--append"));
    command.args(&check.arguments).args(given);
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

/// Options whose files are where this command is run, not where the file of checks is.
const FILES: [&str; 5] = ["--sarif", "--junit", "--coverage", "--cache", "--baseline"];

/// `--sarif=FILE` with the whole path of the file.
fn with_absolute_path(word: &str) -> Option<String> {
    let (name, path) = word.split_once('=')?;
    let path = absolute(std::ffi::OsStr::new(path));
    FILES
        .contains(&name)
        .then(|| format!("{name}={}", path.to_string_lossy()))
}

fn absolute(path: &std::ffi::OsStr) -> OsString {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), Into::into)
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
            let is_file = FILES.iter().any(|name| text == *name);
            if text.starts_with("--config=") || text.starts_with("--only=") {
                continue;
            }
            words.push(with_absolute_path(&text).map_or(word.clone(), OsString::from));
            if is_file {
                words.extend(given.next().map(|path| absolute(&path)));
            }
        }
    }
    words
}
