//! Compiled runs under the sanitizers: what ThreadSanitizer calls a race is one, and what
//! AddressSanitizer reports is no valid access.

use crate::compile::{Build, Built};
use std::time::Duration;
use verdict::Property;

/// How often a program is run, with other inputs each time.
const RUNS: u32 = 3;

/// How long a run may take.
const TIME: Duration = Duration::from_secs(3);

/// What ThreadSanitizer does not know, or takes for something else than the machine does: memory
/// orders, fences, atomic sections, threads and locks of C11.
const BEYOND_THREADS: &[&str] = &[
    "relaxed",
    "RELAXED",
    "acquire",
    "ACQUIRE",
    "release",
    "RELEASE",
    "consume",
    "CONSUME",
    "acq_rel",
    "ACQ_REL",
    "fence",
    "__sync_synchronize",
    "__VERIFIER_atomic_",
    "thrd_",
    "mtx_",
    "cnd_",
    "call_once",
    "__sync_lock_",
];

/// What AddressSanitizer cannot follow.
const BEYOND_ADDRESSES: &[&str] = &["__VERIFIER_atomic_"];

/// Can a sanitizer say something about this property of the program?
pub fn can_judge(files: &[String], property: Property) -> bool {
    let beyond = match property {
        Property::Race => BEYOND_THREADS,
        Property::MemSafety(_) => BEYOND_ADDRESSES,
        _ => return false,
    };
    let body = |text: &String| {
        let lines = text.lines().filter(|line| !line.starts_with("extern"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut texts = files.iter().map(body);
    !texts.any(|text| beyond.iter().any(|part| text.contains(part)))
}

/// Does a run violate the property? Nothing if it cannot be built.
pub fn violates(files: &[String], property: Property) -> Option<bool> {
    // Undefined shifts and divisions end a run, as they do for the machine: what comes behind them is no race.
    let flag = match property {
        Property::Race => "-fsanitize=thread,shift,integer-divide-by-zero",
        _ => "-fsanitize=address",
    };
    let stop = "-fno-sanitize-recover=all";
    let flags = ["-O0", "-g1", "-fwrapv", flag, stop];
    let Some(Built::Program(program)) = Build::new(&flags).of(files) else {
        return None;
    };
    let exchanges = files.iter().any(|text| text.contains("_compare_"));
    let is_violation = |complaint: &str| match property {
        Property::Race => shows_race(complaint, exchanges),
        _ => shows_invalid_access(complaint),
    };
    Some((0..RUNS).any(|seed| is_violation(&program.complaint(seed, TIME))))
}

/// Does AddressSanitizer report an invalid access? A division by zero is none.
fn shows_invalid_access(complaint: &str) -> bool {
    let mut reports = complaint.split("ERROR: AddressSanitizer: ").skip(1);
    reports.any(|report| !report.starts_with("FPE "))
}

/// Does ThreadSanitizer report a data race?
///
/// It takes every compare-exchange for a write, also one that fails and only reads. So an atomic
/// write against a plain read proves nothing in a program that has a compare-exchange.
fn shows_race(complaint: &str, exchanges: bool) -> bool {
    let mut reports = complaint
        .split("WARNING: ThreadSanitizer: data race")
        .skip(1);
    reports.any(|report| {
        let is_access = |line: &&str| line.contains(" of size ") && line.contains(" at 0x");
        let accesses: Vec<String> = report
            .lines()
            .filter(is_access)
            .take(2)
            .map(str::to_lowercase)
            .collect();
        let is_atomic = |line: &String| line.contains("atomic write");
        let is_read = |line: &String| line.contains("read of size") && !line.contains("atomic");
        !(exchanges && accesses.iter().any(is_atomic) && accesses.iter().any(is_read))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_division_by_zero_is_no_invalid_access() {
        assert!(!shows_invalid_access(
            "==1==ERROR: AddressSanitizer: FPE on unknown address 0x5 (pc 0x5)"
        ));
        assert!(shows_invalid_access(
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x5"
        ));
    }

    #[test]
    fn a_compare_exchange_that_fails_writes_nothing() {
        let with = |first: &str, second: &str| {
            format!(
                "WARNING: ThreadSanitizer: data race (pid=1)\n  {first} of size 2 at 0x5 by thread T2:\n    \
                 #0 f2 a.c:12\n\n  Previous {second} of size 2 at 0x5 by thread T1:\n    #0 f0 a.c:8\n\
                 \nSUMMARY: ThreadSanitizer: data race a.c:12 in f2\n"
            )
        };
        let exchange = with("Read", "atomic write");
        assert!(!shows_race(&exchange, true));
        assert!(!shows_race(&with("Atomic write", "read"), true));
        assert!(shows_race(&exchange, false));
        assert!(shows_race(&with("Write", "atomic write"), true));
        assert!(shows_race(&with("Write", "read"), true));
        assert!(shows_race(
            &(exchange + &with("Atomic read", "write")),
            true
        ));
        assert!(!shows_race("", true));
    }

    #[test]
    fn races_and_dangling_pointers_are_seen() {
        let race = "#include <pthread.h>\nint x; void *f(void *a) { x = 1; for (;;) ; }\n\
            int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }";
        assert_ne!(violates(&[race.to_owned()], Property::Race), Some(false));
        let behind = "#include <pthread.h>\nint x; void *f(void *a) { int n = 65535; x = 1 >> n; return 0; }\n\
            int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }";
        assert_ne!(violates(&[behind.to_owned()], Property::Race), Some(true));
        let freed =
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }";
        assert_ne!(
            violates(&[freed.to_owned()], Property::MEMSAFETY),
            Some(false)
        );
        let fine = "int main(void) { return 0; }";
        assert_ne!(
            violates(&[fine.to_owned()], Property::MEMSAFETY),
            Some(true)
        );
    }
}
