//! The compiler as a judge: a compiled program that fails an assertion is unsafe.
//!
//! All threads run on one core, where memory is sequentially consistent. Programs with atomic
//! sections are left out: nothing makes them atomic natively.

use std::path::Path;
use std::process::{Command, Stdio};

/// The status of a program that has reached an error.
const REACHED: i32 = 42;

const RUNTIME: &str = r#"
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
void reach_error(void) { _exit(42); }
static unsigned state;
static unsigned next(void) { return state = state * 1664525u + 1013904223u; }
_Bool __VERIFIER_nondet_bool(void) { return next() >> 31; }
int __VERIFIER_nondet_int(void) { return (int)next(); }
void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
__attribute__((constructor)) static void begin(void)
{
    state = (unsigned)getpid() * 2654435761u;
    alarm(2);
}
"#;

/// Can this program be judged?
pub fn can_judge(text: &str) -> bool {
    !text.contains("__VERIFIER_atomic")
}

/// Compiles and runs a program so many times; does one of the runs reach an error? Nothing if it
/// cannot be compiled or run.
pub fn reaches_error(text: &str, runs: u32) -> Option<bool> {
    let folder = tempfile::tempdir().ok()?;
    let (program, binary) = (
        folder.path().join("program.c"),
        folder.path().join("program"),
    );
    let runtime = folder.path().join("runtime.c");
    std::fs::write(&program, text).ok()?;
    std::fs::write(&runtime, RUNTIME).ok()?;
    let mut cc = Command::new("cc");
    cc.args(["-w", "-O0", "-pthread", "-fno-builtin", "-o"]);
    let cc = cc.arg(&binary).args([&program, &runtime]);
    if !cc
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?
        .success()
    {
        return None;
    }
    let mut reached = false;
    for _ in 0..runs {
        reached |= run_on_one_core(&binary)? == Some(REACHED);
    }
    Some(reached)
}

fn run_on_one_core(binary: &Path) -> Option<Option<i32>> {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(binary);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    Some(status.ok()?.code())
}
