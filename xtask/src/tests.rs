//! `cargo xtask test`: all tests of the workspace, with one closing line that counts them.

use crate::count::Counts;
use crate::{browser, cargo, root};
use std::env;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::process::{Command, ExitCode, Stdio};

/// Names the folder of public verification tasks, or is `none`.
const CORPUS: &str = "MAZURKA_CORPUS";

/// Runs all tests; nextest is used where it is installed, because it is faster. Without a browser
/// the tests of pages are left out, unless it is required.
pub fn run(args: &[String], needs_browser: bool) -> ExitCode {
    let mut counts = Counts::default();
    let mut success = true;
    let leaves_corpus_out =
        env::var_os(CORPUS).is_none() && !root().join("../shared/corpus").is_dir();
    if has_nextest() {
        let mut command = cargo("nextest");
        // The subcommand proper comes after the options that every cargo command has.
        command
            .args(["run", "--workspace", "--no-fail-fast"])
            .args(args);
        require_browser(&mut command, needs_browser);
        leave_corpus_out(&mut command, leaves_corpus_out);
        success &= watch(&mut command, &mut counts);
        success &= watch(
            cargo("test").args(["--workspace", "--doc", "--quiet"]),
            &mut counts,
        );
    } else {
        let mut command = cargo("test");
        command.args(["--workspace", "--no-fail-fast"]).args(args);
        require_browser(&mut command, needs_browser);
        leave_corpus_out(&mut command, leaves_corpus_out);
        success &= watch(&mut command, &mut counts);
    }
    if leaves_corpus_out {
        println!(
            "left out: tests over public verification tasks, {CORPUS} names no folder of them"
        );
    }
    if !browser::is_there() {
        println!("left out: tests of pages, there is no browser (scripts/install_browser.sh)");
    }
    println!("{counts}");
    if success && counts.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Public verification tasks are not part of the project; a test that needs them fails without this.
fn leave_corpus_out(command: &mut Command, left_out: bool) {
    if left_out {
        command.env(CORPUS, "none");
    }
}

fn require_browser(command: &mut Command, needed: bool) {
    if needed {
        command.env(browser::REQUIRED, "1");
    }
}

fn has_nextest() -> bool {
    let mut command = Command::new("cargo-nextest");
    command
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a command, passes its output on, and counts the tests that it reports.
fn watch(command: &mut Command, counts: &mut Counts) -> bool {
    if io::stderr().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = match command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    {
        Ok(child) => child,
        Err(error) => {
            eprintln!("error: cannot run {:?}: {error}", command.get_program());
            return false;
        }
    };
    // nextest reports on standard error, cargo's own runner on standard output.
    let stderr = child.stderr.take();
    let other = std::thread::spawn(move || {
        let mut counts = Counts::default();
        pass_on(stderr, io::stderr(), &mut counts);
        counts
    });
    pass_on(child.stdout.take(), io::stdout(), counts);
    match other.join() {
        Ok(more) => counts.add(more),
        Err(_) => return false,
    }
    child.wait().is_ok_and(|status| status.success())
}

fn pass_on(from: Option<impl Read>, mut to: impl Write, counts: &mut Counts) {
    let Some(from) = from else { return };
    for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        counts.read(&line);
        // The reader may be gone; the tests have to be run all the same.
        let _ = writeln!(to, "{line}");
    }
}
