//! Threads without bound.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start.

use cegar::{Config, Domain};
use generator::{Profile, Program};
use std::time::Duration;
use testkit::{judge_random, seeds};
use verdict::{Budget, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(text: &str) -> Option<Task> {
    testkit::task(SourceFile::new("crowd.i", text), Property::Reach).ok()
}

fn check(text: &str, config: &Config, seconds: u64) -> Verdict {
    let task = task(text).expect("a program that can be translated");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    cegar::check(&task, config, &budget)
        .confirm(&task)
        .into_verdict()
}

/// A program whose workers run `worker`, and any number of them.
fn crowd(globals: &str, worker: &str) -> String {
    format!(
        "typedef unsigned long pthread_t;
         extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
         extern void reach_error(void);
         extern _Bool __VERIFIER_nondet_bool(void);
         extern void __VERIFIER_atomic_begin(void);
         extern void __VERIFIER_atomic_end(void);
         {globals}
         void *work(void *arg) {{ {worker} return 0; }}
         int main(void) {{
           pthread_t t;
           while (1) pthread_create(&t, 0, work, 0);
         }}"
    )
}

const LOCK: &str = "__VERIFIER_atomic_begin(); if (m) { __VERIFIER_atomic_end(); return 0; }
                    m = 1; __VERIFIER_atomic_end();";

#[test]
fn a_lock_keeps_any_number_of_threads_apart() {
    let inside = "inside++; if (inside != 1) reach_error(); inside--; m = 0;";
    let text = crowd("int m; int inside;", &format!("{LOCK} {inside}"));
    let verdict = check(&text, &Config::default(), 20);
    assert_eq!(verdict.name(), "safe");
}

#[test]
fn without_it_they_meet() {
    let inside = "inside++; if (inside == 3) reach_error(); inside--;";
    let text = crowd("int inside;", inside);
    let verdict = check(&text, &Config::default(), 20);
    assert_eq!(verdict.name(), "unsafe");
}

#[test]
fn values_of_their_own_are_kept_apart() {
    let worker = "int mine = 0; mine++; if (mine != 1) reach_error();";
    let verdict = check(&crowd("", worker), &Config::default(), 20);
    assert_eq!(verdict.name(), "safe");
}

/// After the first thread of each kind come `more`.
fn with_more(text: &str, more: &str) -> String {
    let lines = text
        .lines()
        .map(|line| match line.contains("pthread_create(&") {
            true => format!("{line}\n  {more} {line}\n"),
            false => format!("{line}\n"),
        });
    let lines: String = lines.collect();
    format!("extern _Bool __VERIFIER_nondet_bool(void);\n{lines}")
}

/// Is a program safe for any number of threads? Then it must be safe for two of each kind.
fn safe_for_many(seed: u64, program: &Program) -> Result<bool, String> {
    let config = Config {
        domain: [Domain::Product, Domain::Explicit, Domain::Boolean][(seed % 3) as usize],
        ..Config::default()
    };
    let text = program.to_string();
    let many = with_more(&text, "while (__VERIFIER_nondet_bool())");
    let few = with_more(&text, "if (__VERIFIER_nondet_bool())");
    match check(&many, &config, 1) {
        Verdict::Safe(_) => {
            let task = task(&few).expect("a program that can be translated");
            let explored = testkit::explored(&task, Duration::from_secs(5)).verdict;
            match explored.name() {
                "unsafe" => Err(format!("two threads of each kind fail:\n{few}")),
                _ => Ok(true),
            }
        }
        Verdict::Unknown(reason) if reason.is_fault() => Err(format!("{reason}\n{many}")),
        Verdict::Unsafe(_) | Verdict::Unknown(_) => Ok(false),
    }
}

#[test]
fn few_threads_do_no_more_than_many() {
    let profile = Profile {
        max_threads: 2,
        ..Profile::standard()
    };
    let safe = judge_random(seeds(3), &profile, safe_for_many);
    let (count, safe) = (safe.len(), safe.into_iter().filter(|&safe| safe).count());
    println!("{safe} of {count} are safe for any number of threads");
    assert!(safe * 10 >= count, "only {safe} of {count} were proved");
}
