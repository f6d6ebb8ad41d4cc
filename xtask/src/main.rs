//! Chores of this repository, run as `cargo xtask`. Links nothing but the standard library, so
//! that it builds in a second on a fresh machine.

mod book;
mod browser;
mod count;
mod dist;
mod packages;
mod perf;
mod tests;
mod z3;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask check FILE [ARGS]   build mazurka and check a program with it
cargo xtask test [ARGS]         run all tests; ARGS go to the test runner
cargo xtask setup               fetch the solver's library, once; the other commands do it if needed
cargo xtask book                turn the manual into a book for a browser
cargo xtask fuzz                compare engines on 900 random, hostile and changed programs
cargo xtask dist                pack an archive, a wheel and a Debian package that run where there is no
                                Rust, and try them
cargo xtask perf [--update]     count instructions of a dozen tasks, compare, and run the benches
cargo xtask ci                  everything that must pass: formatting, lints, documentation, tests,
                                the archive, a cluster, fuzz
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let (name, rest) = match args.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("help", &[][..]),
    };
    // Everything that builds the solver's crate needs its library first.
    if matches!(name, "check" | "test" | "fuzz" | "dist" | "perf" | "ci") && !z3::set_up() {
        return ExitCode::FAILURE;
    }
    match name {
        "setup" => exit(z3::report()),
        "check" => check(rest),
        "test" => tests::run(rest, false),
        "book" => exit(book::make()),
        "fuzz" => exit(fuzz()),
        "dist" => exit(dist::run()),
        "perf" => exit(perf::run(rest)),
        "ci" => ci(),
        "help" | "-h" | "--help" => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        other => {
            eprint!("error: no chore is called `{other}`\n\n{HELP}");
            ExitCode::from(64)
        }
    }
}

/// Builds first, with its progress shown, then runs quietly: only the verdict is printed.
fn check(args: &[String]) -> ExitCode {
    let package = ["--release", "--package", "mazurka"];
    if !passes(cargo("build").args(package)) {
        return ExitCode::FAILURE;
    }
    let mut command = cargo("run");
    command
        .arg("--quiet")
        .args(package)
        .args(["--", "check"])
        .args(args);
    exit_code(&mut command)
}

/// The documentation of all crates; a warning, such as a broken link, is an error.
fn documentation() -> Command {
    let mut command = cargo("doc");
    command.args(["--workspace", "--no-deps", "--quiet"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

fn ci() -> ExitCode {
    let lints = ["--workspace", "--all-targets", "--", "-D", "warnings"];
    let ready = passes(cargo("fmt").args(["--all", "--", "--check"]))
        && passes(cargo("clippy").args(lints))
        && passes(&mut documentation())
        && browser::install();
    let tested = ready && tests::run(&[], true) == ExitCode::SUCCESS;
    let packed =
        tested && script("test_benchexec.sh", &target().join("debug/mazurka")) && dist::run();
    // The cluster and the fuzzer test the program that is shipped.
    exit(packed && script("test_slurm.sh", &dist::program()) && hunt(&dist::program()))
}

/// Builds and hunts.
fn fuzz() -> bool {
    let program = target().join("release/mazurka");
    passes(cargo("build").args(["--release", "--package", "mazurka"])) && hunt(&program)
}

/// Random programs, plain ones and some classes of hostile ones, and changed ones: the same every time, so
/// that it does not depend on how fast the machine is. What is found is kept in `litmus/`.
fn hunt(program: &Path) -> bool {
    let folder = |name: &str| root().join(name).display().to_string();
    let (litmus, examples) = (folder("litmus"), folder("examples"));
    let campaign = |words: &[&str]| {
        let mut command = Command::new(program);
        command.args([
            "fuzz",
            "--seed",
            "1",
            "--jobs",
            "2",
            "--minutes",
            "20",
            "--keep",
            &litmus,
        ]);
        passes(command.args(words))
    };
    let classes = "plain=2,unlocks,numbers";
    campaign(&["--programs", "500", "--classes", classes])
        && campaign(&["--programs", "400", "--mutate", &litmus, &examples])
}

/// A test that needs other programs around the one that is tested.
fn script(name: &str, program: &Path) -> bool {
    let mut command = Command::new("bash");
    command.arg(root().join("scripts").join(name));
    passes(command.arg(program))
}

/// A cargo command on this workspace, wherever the user is.
fn cargo(subcommand: &str) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command
        .arg(subcommand)
        .arg("--manifest-path")
        .arg(root().join("Cargo.toml"));
    command
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root().join("target"))
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let own = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let own = own.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    own.parent().map_or_else(|| ".".into(), PathBuf::from)
}

/// Is there a program of this name?
fn on_path(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn exit(success: bool) -> ExitCode {
    match success {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn passes(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("error: cannot run {:?}: {error}", command.get_program());
            false
        }
    }
}

/// The exit code of a command, passed on: a verdict of `mazurka check` must not be lost.
fn exit_code(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(code) => ExitCode::from(code),
            None => ExitCode::FAILURE,
        },
        Err(error) => {
            eprintln!("error: cannot run {:?}: {error}", command.get_program());
            ExitCode::FAILURE
        }
    }
}
