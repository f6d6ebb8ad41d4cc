//! Compiles files together and runs the program.

use process::{Ended, Finished, Limits};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What every program is linked with.
const TELL: &str = include_str!("tell.c");

/// How long a compiled program may run.
const RUN: Duration = Duration::from_secs(3);

/// Warnings about code that compilers read differently.
const SLOPPY: &[&str] = &[
    "implicit",
    "int-conversion",
    "incompatible-pointer-types",
    "return-type",
    "strict-prototypes",
    "uninitialized",
];

/// Does the compiler accept files, without a word about what is sloppy?
pub fn is_tidy(files: &[String]) -> bool {
    let Ok(folder) = tempfile::tempdir() else {
        return false;
    };
    files.iter().enumerate().all(|(at, text)| {
        let path = folder.path().join(format!("file{at}.c"));
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-O1", "-S", "-o", "/dev/null"]);
        cc.args(SLOPPY.iter().map(|what| format!("-Werror={what}")));
        let accepts = |finished: Finished| finished.ended == Ended::Exit(0);
        std::fs::write(&path, text).is_ok()
            && run(cc.arg(&path), Duration::from_secs(10)).is_some_and(accepts)
    })
}

/// How to build.
pub struct Build<'a> {
    flags: &'a [&'a str],
}

/// What a compiler makes of files.
pub enum Built {
    /// Something that can be run.
    Program(Program),
    /// Nothing, and what it says.
    Refused(String),
}

/// A compiled program in a folder of its own.
pub struct Program {
    folder: tempfile::TempDir,
    binary: PathBuf,
}

/// How a run ended.
pub struct Run {
    /// By a signal other than that of `abort`, or with a report of a sanitizer.
    pub crashed: bool,
    /// What it wrote to standard output.
    pub stdout: String,
}

impl<'a> Build<'a> {
    /// With these flags.
    pub fn new(flags: &'a [&'a str]) -> Build<'a> {
        Build { flags }
    }

    /// Compiles and links files; nothing if that cannot even be tried.
    pub fn of(&self, files: &[String]) -> Option<Built> {
        let folder = tempfile::tempdir().ok()?;
        let binary = folder.path().join("program");
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-w", "-pthread", "-o"]).arg(&binary);
        cc.args(self.flags);
        let tell = [TELL.to_owned()];
        for (at, text) in files.iter().chain(&tell).enumerate() {
            let path = folder.path().join(format!("file{at}.c"));
            std::fs::write(&path, text).ok()?;
            cc.arg(path);
        }
        let finished = run(&mut cc, Duration::from_secs(30))?;
        Some(match finished.ended {
            Ended::Exit(0) => Built::Program(Program { folder, binary }),
            _ => Built::Refused(finished.stderr),
        })
    }
}

impl Program {
    /// Runs it with inputs from a seed; nothing if it does not end by itself in time.
    pub fn run(&self, seed: u32) -> Option<Run> {
        let finished = run(&mut self.command(seed), RUN)?;
        let status = match finished.ended {
            Ended::Exit(status) => status,
            // That is how `abort` ends a program.
            Ended::Signal(6) => 0,
            Ended::Signal(_) => -1,
            _ => return None,
        };
        let reported = ["runtime error:", "AddressSanitizer", "ThreadSanitizer"];
        let reported = reported.iter().any(|sign| finished.stderr.contains(sign));
        Some(Run {
            crashed: status == -1 || reported,
            stdout: finished.stdout,
        })
    }

    /// What it says on standard error with inputs from a seed, whether or not it ends.
    pub fn complaint(&self, seed: u32, time: Duration) -> String {
        run(&mut self.command(seed), time).map_or_else(String::new, |finished| finished.stderr)
    }

    fn command(&self, seed: u32) -> Command {
        let mut command = Command::new(&self.binary);
        command.current_dir(Path::new(self.folder.path()));
        command.env("MAZURKA_SEED", seed.to_string());
        command.env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1",
        );
        // A program with a race need not end.
        command.env("TSAN_OPTIONS", "report_thread_leaks=0:halt_on_error=1");
        command.stdin(std::process::Stdio::null());
        command
    }
}

fn run(command: &mut Command, wall: Duration) -> Option<Finished> {
    let limits = Limits {
        wall,
        cpu: None,
        // Sanitizers reserve far more than they use.
        memory: 2 << 30,
    };
    process::run(command, &limits, &AtomicBool::new(false)).ok()
}
