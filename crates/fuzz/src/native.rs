//! The compiler as a judge: a compiled program that fails an assertion is unsafe.
//!
//! One thread runs at a time, and which one is decided at random before accesses to memory: the
//! program is linked with `runtime.c`, which says how. So a compiled execution is one of those that
//! the engines consider. Signed arithmetic wraps, as it does for them, and what is undefined
//! (division by zero, a shift that is too long) ends the run.

use process::{Ended, Limits};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The status of a program that has reached an error.
const REACHED: i32 = 42;

const RUNTIME: &str = include_str!("runtime.c");

/// Calls that the runtime intercepts.
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

    /// Compiles and runs a program this many times; does one of the runs reach an error? Nothing if
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
        cpu: None,
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

#[cfg(test)]
mod tests {
    use super::*;

    const LOST_UPDATE: &str = "
        #include <assert.h>
        #include <pthread.h>
        void __VERIFIER_atomic_begin(void);
        void __VERIFIER_atomic_end(void);
        int x;
        void *f(void *a) { BEGIN x = x + 1; END return a; }
        int main(void) {
            pthread_t t, u;
            pthread_create(&t, 0, f, 0);
            pthread_create(&u, 0, f, 0);
            pthread_join(t, 0);
            pthread_join(u, 0);
            assert(x == 2);
            return 0;
        }";

    fn reaches(begin: &str, end: &str) -> Option<bool> {
        let text = LOST_UPDATE.replace("BEGIN", begin).replace("END", end);
        assert!(Judge::can_judge(&text));
        Judge::new()?.reaches_error(&text, None, 60)
    }

    #[test]
    fn a_lost_update_is_found_and_an_atomic_section_is_whole() {
        assert_eq!(reaches("", ""), Some(true));
        let (begin, end) = ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();");
        assert_eq!(reaches(begin, end), Some(false));
    }

    #[test]
    fn what_is_undefined_ends_a_run() {
        let judge = Judge::new().expect("a C compiler");
        let runs = |body: &str| {
            let text = format!(
                "#include <assert.h>\n#include <pthread.h>\nint z; pthread_t t; \
                 void *f(void *a) {{ return a; }} int main(void) {{ {body} assert(0); }}"
            );
            judge.reaches_error(&text, None, 3)
        };
        assert_eq!(runs(""), Some(true));
        assert_eq!(runs("z = 1 / z;"), Some(false));
        assert_eq!(runs("z = 1 << (z + 40);"), Some(false));
        let twice = "pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_join(t, 0);";
        assert_eq!(runs(twice), Some(false));
    }
}
