//! Threads without bound.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start.

use cegar::{Config, Domain};
use std::time::Duration;
use testkit::{Profile, from_environment, generate, translate};
use verdict::{Budget, Property, Reason, Task, Verdict};
use xcfa::{ErrorKind, SourceFile};

fn task(text: &str) -> Option<Task> {
    let property = Property::Reach;
    let xcfa = translate(SourceFile::new("crowd.i", text), property).ok()?;
    let options = passes::Options {
        checked: Some(ErrorKind::Reached),
        ..passes::Options::default()
    };
    let xcfa = passes::prepare(xcfa, &options).ok()?;
    Some(Task { xcfa, property })
}

fn check(text: &str, config: &Config, seconds: u64) -> Verdict {
    let task = task(text).expect("a program that can be translated");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    cegar::check(&task, config, &budget).verdict
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

/// What is safe for any number of threads is safe for two of each kind.
#[test]
fn few_threads_do_no_more_than_many() {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) / 30;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let profile = Profile {
        max_threads: 2,
        ..Profile::standard()
    };
    let mut safe = 0;
    for seed in first..first + count {
        let domain = [Domain::Product, Domain::Explicit, Domain::Boolean][(seed % 3) as usize];
        let config = Config {
            domain,
            ..Config::default()
        };
        let text = generate(seed, &profile).to_string();
        let many = with_more(&text, "while (__VERIFIER_nondet_bool())");
        let few = with_more(&text, "if (__VERIFIER_nondet_bool())");
        match check(&many, &config, 1) {
            Verdict::Safe(_) => {
                let task = task(&few).expect("a program that can be translated");
                let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
                let config = explore::Config::default();
                let explored = explore::check(&task, &config, &budget, &mut |_| {}).verdict;
                assert_ne!(explored.name(), "unsafe", "seed {seed}:\n{many}");
                safe += 1;
            }
            Verdict::Unknown(Reason::NotReplayed(what) | Reason::NotProved(what)) => {
                panic!("seed {seed}: {what}\n{many}")
            }
            Verdict::Unsafe(_) | Verdict::Unknown(_) => {}
        }
    }
    println!("{safe} of {count} are safe for any number of threads");
    assert!(safe * 10 >= count, "only {safe} of {count} were proved");
}
