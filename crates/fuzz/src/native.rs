//! The compiler as a judge: a compiled program that fails an assertion is unsafe.
//!
//! One thread runs at a time, and which one is decided at random before accesses to memory: the
//! program is linked with `runtime.c`, which says how. So a compiled execution is one of those that
//! the engines speak about. Signed arithmetic wraps, as it does for them, and what is undefined
//! (division by zero, a shift that is too long) ends the run.

use process::{Ended, Limits};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The status of a program that has reached an error.
const REACHED: i32 = 42;

const RUNTIME: &str = include_str!("runtime.c");

/// Calls that the runtime stands in front of.
const WRAPPED: [&str; 15] = [
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_once",
    "sem_wait",
    "sem_timedwait",
    "usleep",
];

const INSTRUMENT: &[&str] = &[
    "-std=gnu11",
    "-w",
    "-O0",
    "-fwrapv",
    "-fno-builtin",
    "-fsanitize=thread,shift-exponent,integer-divide-by-zero",
    "-fsanitize-undefined-trap-on-error",
    "-pthread",
    "-c",
];

/// What a program may not use: the runtime does not know these, or memory that is freed could be
/// read, of which the machine makes something else than an end of the run.
const BEYOND: &[&str] = &[
    "__VERIFIER_atomic_",
    "thrd_",
    "mtx_",
    "cnd_",
    "call_once",
    "free(",
    "realloc",
    "alloca",
    "pthread_detach",
    "PTHREAD_CREATE_DETACHED",
    " signal(",
];

/// A compiler with the runtime.
#[derive(Debug)]
pub struct Judge {
    folder: tempfile::TempDir,
    runtime: PathBuf,
}

impl Judge {
    /// Compiles the runtime; nothing if there is no compiler that can.
    pub fn new() -> Option<Judge> {
        let folder = tempfile::tempdir().ok()?;
        let (source, runtime) = (
            folder.path().join("runtime.c"),
            folder.path().join("runtime.o"),
        );
        std::fs::write(&source, RUNTIME).ok()?;
        let mut cc = Command::new("cc");
        cc.args(["-w", "-O1", "-pthread", "-c", "-o"]).arg(&runtime);
        (run(cc.arg(&source))? == 0).then_some(Judge { folder, runtime })
    }

    /// Can this program be judged?
    pub fn can_judge(text: &str) -> bool {
        let text = text.replace("__VERIFIER_atomic_begin(", "");
        let text = text.replace("__VERIFIER_atomic_end(", "");
        !BEYOND.iter().any(|part| text.contains(part))
    }

    /// Compiles and runs a program so many times; does one of the runs reach an error? Nothing if
    /// it cannot be compiled or run.
    pub fn reaches_error(&self, text: &str, include: Option<&Path>, runs: u32) -> Option<bool> {
        let own = tempfile::tempdir_in(self.folder.path()).ok()?;
        let file = |name: &str| own.path().join(name);
        let (source, object, binary) = (file("program.c"), file("program.o"), file("program"));
        std::fs::write(&source, text).ok()?;
        let mut cc = Command::new("cc");
        cc.args(INSTRUMENT);
        if let Some(folder) = include {
            cc.arg("-I").arg(folder);
        }
        if run(cc.arg("-o").arg(&object).arg(&source))? != 0 {
            return None;
        }
        let mut link = Command::new("cc");
        link.args([&object, &self.runtime]).arg("-pthread");
        link.args(WRAPPED.iter().map(|name| format!("-Wl,--wrap={name}")));
        if run(link.arg("-o").arg(&binary))? != 0 {
            return None;
        }
        let mut program = Command::new(&binary);
        program.env("MAZURKA_RUNS", runs.to_string());
        Some(run(&mut program)? == REACHED)
    }
}

/// The status of a command that ends by itself in time.
fn run(command: &mut Command) -> Option<i32> {
    let limits = Limits {
        wall: Duration::from_secs(20),
        memory: 2 << 30,
    };
    match process::run(command, &limits, &AtomicBool::new(false))
        .ok()?
        .ended
    {
        Ended::Exit(status) => Some(status),
        _ => None,
    }
}
