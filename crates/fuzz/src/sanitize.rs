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
        Property::MemSafety => BEYOND_ADDRESSES,
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
    let (flag, sign) = match property {
        Property::Race => ("-fsanitize=thread", "ThreadSanitizer: data race"),
        _ => ("-fsanitize=address", "ERROR: AddressSanitizer: "),
    };
    let flags = ["-O0", "-g1", "-fwrapv", flag];
    let Some(Built::Program(program)) = Build::new(&flags).of(files) else {
        return None;
    };
    Some((0..RUNS).any(|seed| program.complaint(seed, TIME).contains(sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_and_dangling_pointers_are_seen() {
        let race = "#include <pthread.h>\nint x; void *f(void *a) { x = 1; for (;;) ; }\n\
            int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }";
        assert_ne!(violates(&[race.to_owned()], Property::Race), Some(false));
        let freed =
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }";
        assert_ne!(
            violates(&[freed.to_owned()], Property::MemSafety),
            Some(false)
        );
        let fine = "int main(void) { return 0; }";
        assert_ne!(
            violates(&[fine.to_owned()], Property::MemSafety),
            Some(true)
        );
    }
}
