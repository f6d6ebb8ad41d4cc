//! The models of the C library agree with the library.
//!
//! `MAZURKA_CONFORMANCE_CALLS` sets how often each call is tried with other arguments, and
//! `MAZURKA_CONFORMANCE_SEED` the seed.

use cfront::functions::{HEADERS, Meaning, Status};
use conformance::library::{Declared, Reached, Reason, calls, disagreements, exempt, run};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use testkit::from_environment;

#[test]
fn models_do_what_the_library_does() {
    let calls = calls();
    let times = from_environment("MAZURKA_CONFORMANCE_CALLS", 3) as usize;
    let seed = from_environment("MAZURKA_CONFORMANCE_SEED", 1);
    let cases = run(&calls, times, seed).expect("calls that compile and run");
    let failures = disagreements(&calls, &cases).into_iter();
    let failures = failures.map(|(call, differs)| {
        let program = differs.program.split("reach_error(void);").nth(1);
        let (names, program) = (call.names, program.unwrap_or_default());
        let (expected, said) = (differs.expected, differs.said);
        format!("{names:?}: {expected} expected, but {said}:{program}")
    });
    let failures: Vec<String> = failures.collect();
    let count: usize = cases.iter().map(Vec::len).sum();
    println!("{count} calls of {} kinds", calls.len());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_modelled_function_is_called_or_says_why_not() {
    let calls = calls();
    let called: BTreeSet<&str> = calls
        .iter()
        .flat_map(|call| call.names.split_ascii_whitespace())
        .collect();
    let exempt: BTreeMap<&str, Reason> = exempt().into_iter().collect();
    let rows = HEADERS.iter().flat_map(|header| header.functions());
    let rows: BTreeMap<&str, Meaning> = rows.map(|row| (row.name, row.meaning)).collect();
    for (name, meaning) in &rows {
        // What is filled with any value has nothing that could differ.
        let fills = matches!(meaning, Meaning::Outside(..) | Meaning::Arbitrary(_));
        let is_known = called.contains(name) || exempt.contains_key(name) || fills;
        let is_modelled = meaning.status() == Status::Modelled;
        assert!(!is_modelled || is_known, "nobody tries `{name}`");
    }
    for name in called.iter().chain(exempt.keys()) {
        assert!(rows.contains_key(name), "there is no row for `{name}`");
    }
    let both: Vec<_> = called
        .iter()
        .filter(|name| exempt.contains_key(*name))
        .collect();
    assert!(both.is_empty(), "called and exempt: {both:?}");
}

#[test]
fn programs_that_stand_for_calls_are_there() {
    let litmus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus");
    for (name, reason) in exempt() {
        if let Reason::Litmus(program) = reason {
            let file = litmus.join(program).with_extension("c");
            assert!(
                file.exists(),
                "`{name}` is said to be in {}",
                file.display()
            );
        }
    }
}

/// Functions that do not come back when they are given zeros, memory that is not allocated, or a list of arguments
/// without its end.
const ENDS_OR_WAITS: &[&str] = &[
    "sigwait",
    "sigwaitinfo",
    "__sched_cpufree",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__pthread_unwind_next",
    "_Exit",
    "_exit",
    "abort",
    "call_once",
    "closedir",
    "cnd_wait",
    "div",
    "err",
    "errx",
    "execl",
    "execlp",
    "exit",
    "free",
    "freeaddrinfo",
    "imaxdiv",
    "ldiv",
    "lldiv",
    "pthread_barrier_wait",
    "pthread_cond_wait",
    "pthread_create",
    "pthread_exit",
    "pthread_join",
    "pthread_once",
    "quick_exit",
    "realloc",
    "reallocarray",
    "longjmp",
    "_longjmp",
    "pause",
    "sem_wait",
    "siglongjmp",
    "sigsuspend",
    "thrd_create",
    "thrd_exit",
    "thrd_join",
];

#[test]
fn what_comes_behind_a_call_is_reached() {
    let declared = Declared::here().expect("headers that are C");
    let rows = HEADERS.iter().flat_map(|header| header.functions());
    let known = |name: &str| !ENDS_OR_WAITS.contains(&name) && declared.knows(name);
    let (mut groups, mut harmless) = (Vec::new(), Vec::new());
    for row in rows.filter(|row| known(row.name)) {
        match row.meaning.status() {
            Status::Modelled => groups.push(vec![row.name]),
            // These leave nothing behind, so many of them are called one after the other.
            Status::Harmless => harmless.push(row.name),
            Status::Refused => {}
        }
    }
    let count = groups.len() + harmless.len();
    assert!(count > 500, "{count} functions only");
    groups.extend(harmless.chunks(8).map(<[&str]>::to_vec));
    let (mut failures, mut refused) = (Vec::new(), 0);
    while let Some(group) = groups.pop() {
        match declared.reaches(&group) {
            Ok(Reached::Yes) => {}
            Ok(Reached::Refused) if group.len() == 1 => refused += 1,
            Err(said) if group.len() == 1 => failures.push(format!("{group:?}: {said}")),
            _ => groups.extend(group.into_iter().map(|name| vec![name])),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(refused < 40, "{refused} of {count} calls are refused");
}
