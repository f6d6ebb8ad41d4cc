//! Locks in one order: exploration finds no deadlock where there is a proof, and the evidence is checked.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start.

use generator::{Profile, Program, crew};
use serde_json::{Value, json};
use std::time::Duration;
use testkit::{agrees, explored, judge_random, listed, seeds};
use verdict::{Budget, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

const BOTH: [Property; 2] = [Property::Deadlock, Property::Termination];

const HEADER: &str = "\
typedef unsigned long pthread_t;
typedef struct { long words[5]; } pthread_mutex_t;
typedef struct { long words[7]; } pthread_rwlock_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m, n, some[2];
pthread_rwlock_t rw;
int x;
";

fn by_order(task: &Task) -> Verdict {
    let answer = lockset::check(task, &Budget::unlimited());
    answer.confirm(task).into_verdict()
}

/// A program in which a loop starts many threads with this body, and `main` then does the rest.
fn task(property: Property, worker: &str, main: &str) -> Task {
    let expand = |text: &str| {
        let text = text.replace("LOCK(", "pthread_mutex_lock(&");
        text.replace("FREE(", "pthread_mutex_unlock(&")
    };
    let (worker, main) = (expand(worker), expand(main));
    let text = format!(
        "{HEADER}void *work(void *arg) {{ {worker} return 0; }}
         int main(void) {{ pthread_t t[10000];
           for (int i = 0; i < 10000; i++) pthread_create(&t[i], 0, work, 0);
           {main} return 0; }}"
    );
    testkit::task(SourceFile::new("order.i", text), property).expect("a program that is accepted")
}

const JOIN_ALL: &str = "for (int i = 0; i < 10000; i++) pthread_join(t[i], 0);";
const IN_ORDER: &str = "LOCK(m); LOCK(n); x++; FREE(n); FREE(m);";

#[test]
fn what_is_in_order_and_what_is_not() {
    let (yes, ends, no) = ([true, true], [true, false], [false, false]);
    let cases: [(&str, &str, [bool; 2]); 16] = [
        (IN_ORDER, JOIN_ALL, yes),
        (IN_ORDER, "", yes),
        ("x++;", JOIN_ALL, yes),
        (
            "LOCK(n); FREE(n); LOCK(m); FREE(m);",
            "LOCK(n); LOCK(m); FREE(m); FREE(n);",
            yes,
        ),
        (
            "if (__VERIFIER_nondet_int()) pthread_exit(0); LOCK(m); FREE(m);",
            JOIN_ALL,
            yes,
        ),
        // Whoever waits here waits while others move.
        (
            "LOCK(m); while (__VERIFIER_nondet_int()) x++; FREE(m);",
            JOIN_ALL,
            ends,
        ),
        ("LOCK(m); while (1) x++;", JOIN_ALL, ends),
        // A circle; a lock that is taken twice; one that nobody unlocks.
        (IN_ORDER, "LOCK(n); LOCK(m); FREE(m); FREE(n);", no),
        ("LOCK(m); LOCK(m); FREE(m); FREE(m);", JOIN_ALL, no),
        ("LOCK(m);", JOIN_ALL, no),
        (
            "LOCK(m); if (__VERIFIER_nondet_int()) pthread_exit(0); FREE(m);",
            JOIN_ALL,
            no,
        ),
        // A join under a lock that the joined thread needs.
        (IN_ORDER, "LOCK(m); pthread_join(t[0], 0); FREE(m);", no),
        // Words that others write, other kinds of locks, locks with no name of their own.
        ("LOCK(m); FREE(m); *(int *)&m = 5;", JOIN_ALL, no),
        (
            "pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw);",
            JOIN_ALL,
            no,
        ),
        (
            "int i = __VERIFIER_nondet_int() != 0; LOCK(some[i]); FREE(some[i]);",
            JOIN_ALL,
            no,
        ),
        ("if (!pthread_mutex_trylock(&m)) FREE(m);", JOIN_ALL, no),
    ];
    for (worker, main, expected) in cases {
        for (property, expected) in BOTH.into_iter().zip(expected) {
            let verdict = by_order(&task(property, worker, main));
            let proved = matches!(verdict, Verdict::Safe(_));
            assert_eq!(proved, expected, "{property}: {worker} {main}: {verdict:?}");
        }
    }
}

#[test]
fn changed_evidence_is_rejected() {
    for property in BOTH {
        let task = task(property, IN_ORDER, JOIN_ALL);
        let Verdict::Safe(Proof::Invariants { certificate, .. }) = by_order(&task) else {
            panic!("it is in order");
        };
        assert_eq!(evidence::order(&task, &certificate), Ok(()));
        let mut changed: Vec<Value> = Vec::new();
        let held = certificate["held"].as_array().expect("places");
        for at in 0..held.len() {
            let mut less = certificate.clone();
            less["held"].as_array_mut().expect("places").remove(at);
            changed.push(less);
        }
        let mut turned = certificate.clone();
        turned["locks"].as_array_mut().expect("locks").reverse();
        changed.push(turned);
        let mut fewer = certificate.clone();
        fewer["locks"].as_array_mut().expect("locks").pop();
        changed.push(fewer);
        changed.push(json!({"locks": [], "held": []}));
        for changed in changed {
            assert!(evidence::order(&task, &changed).is_err(), "{changed}");
        }
    }
}

#[test]
fn litmus() {
    let mut proved = 0;
    for property in BOTH {
        for program in listed("litmus", property) {
            if let Verdict::Safe(_) = by_order(&program.task) {
                assert_ne!(program.expected, "unsafe", "{}", program.name);
                proved += 1;
            }
        }
    }
    assert!(proved >= 10, "only {proved} proved");
}

fn judge(task: &Task) -> Result<bool, String> {
    let verdict = by_order(task);
    let is_safe = matches!(verdict, Verdict::Safe(_));
    if is_safe {
        agrees(&explored(task, Duration::from_secs(2)).verdict, &verdict)?;
    }
    Ok(is_safe)
}

/// Is a program proved? Then exploration finds no deadlock, or no endless execution.
fn is_proved(seed: u64, program: &Program) -> Result<bool, String> {
    let property = BOTH[(seed % 2) as usize];
    let file = SourceFile::new("random.i", program.to_string());
    testkit::task(file, property).map_or(Ok(false), |task| judge(&task))
}

#[test]
fn random_programs() {
    let (mut count, mut proved) = (0, 0);
    for (turn, profile) in (0..).zip([Profile::standard(), Profile::blocking()]) {
        let seeds = seeds(80).filter(|seed| seed / 2 % 2 == turn);
        let judged = judge_random(seeds, &profile, is_proved);
        count += judged.len();
        proved += judged.into_iter().filter(|&proved| proved).count();
    }
    println!("{proved} of {count} proved");
    assert!(proved * 20 >= count, "only {proved} of {count} were proved");
}

#[test]
fn random_crews() {
    for seed in seeds(30) {
        let program = crew(seed);
        let file = SourceFile::new("crew.i", &program);
        let Ok(task) = testkit::task(file, BOTH[(seed % 2) as usize]) else {
            continue;
        };
        let judged = judge(&task);
        assert!(judged.is_ok(), "seed {seed}: {judged:?}\n{program}");
    }
}
