//! What keeps accesses apart is checked by other code than that which found it, as far as the page says.

mod common;

use common::{safe, verify};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use verdict::{Budget, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

const HEAD: &str = "
typedef unsigned long pthread_t; typedef struct { int words[10]; } pthread_mutex_t;
typedef struct { long words[7]; } pthread_rwlock_t;
extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *); extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
pthread_mutex_t m; pthread_rwlock_t r; int x;
";

/// A program in which two threads run the body.
fn task(body: &str, rest_of_main: &str) -> Task {
    let text = format!(
        "{HEAD} void *t(void *arg) {{ {body} return 0; }}
         int main(void) {{ pthread_t a, b; x = 0; pthread_create(&a, 0, t, 0);
           pthread_create(&b, 0, t, 0); {rest_of_main} return 0; }}"
    );
    let file = SourceFile::new("apart.c", text);
    testkit::task(file, Property::Race).expect("a program that is accepted")
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(20))
}

fn proof(task: &Task) -> (u64, Value) {
    match lockset::check(task, &budget()).verdict {
        Verdict::Safe(Proof::KeptApart { pairs, certificate }) => (pairs, certificate),
        other => panic!("{other:?}"),
    }
}

fn is_accepted(task: &Task, pairs: u64, certificate: &Value) -> bool {
    let proof = Proof::KeptApart {
        pairs,
        certificate: certificate.clone(),
    };
    verify(task, &safe(&proof, Path::new("")), &budget()) == verdict::Check::Accepted
}

const UNDER_LOCK: &str = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
const FOR_WRITING: &str = "pthread_rwlock_rdlock(&r); int y = x; pthread_rwlock_unlock(&r);
    pthread_rwlock_wrlock(&r); x = y; pthread_rwlock_unlock(&r);";
const TRIED: &str = "if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); }";
const JOINS: &str = "pthread_join(a, 0); pthread_join(b, 0); x = 5;";

#[test]
fn locks_are_checked_here_and_the_rest_by_its_maker() {
    for (body, rest, by_maker) in [
        (UNDER_LOCK, "", false),
        (FOR_WRITING, "", false),
        (UNDER_LOCK, JOINS, true),
        (TRIED, "", true),
    ] {
        let task = task(body, rest);
        let (pairs, certificate) = proof(&task);
        let again = evidence::apart(&task, pairs, &certificate);
        assert_eq!(again.map(|it| it > 0), Ok(by_maker), "{body} {rest}");
        assert!(is_accepted(&task, pairs, &certificate), "{body} {rest}");
    }
}

#[test]
fn changed_reasons_are_rejected() {
    for rest in ["", JOINS] {
        let task = task(UNDER_LOCK, rest);
        let (pairs, certificate) = proof(&task);
        let groups = certificate.as_object().expect("reasons");
        for (reason, edges) in groups {
            let mut changed = certificate.clone();
            changed[format!("{reason}1")] = changed[reason].take();
            changed.as_object_mut().expect("reasons").remove(reason);
            assert!(!is_accepted(&task, pairs, &changed), "{changed}");
            for at in 0..edges.as_array().expect("pairs").len() {
                let mut changed = certificate.clone();
                let edge = changed[reason][at].as_u64().expect("an edge");
                changed[reason][at] = json!(edge + 1);
                assert!(!is_accepted(&task, pairs, &changed), "{changed}");
            }
        }
        assert!(!is_accepted(&task, pairs + 1, &certificate));
        assert!(!is_accepted(&task, 0, &json!({})));
        assert!(!is_accepted(&task, pairs, &Value::Null));
    }
}

/// The same pairs and the same lock, but a thread that does not hold it unlocks it.
#[test]
fn a_lock_that_others_unlock_is_no_reason() {
    let (pairs, certificate) = proof(&task(UNDER_LOCK, ""));
    for (body, rest) in [
        (UNDER_LOCK, "pthread_mutex_unlock(&m);"),
        (UNDER_LOCK, "*(int *)&m = 0;"),
        (
            "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
            "",
        ),
        ("x++;", ""),
    ] {
        let task = task(body, rest);
        assert!(!is_accepted(&task, pairs, &certificate), "{body} {rest}");
    }
}

#[test]
fn an_order_of_locks_is_checked_by_the_evidence_crate() {
    for property in [Property::Deadlock, Property::Termination] {
        let text = format!(
            "{HEAD} void *t(void *arg) {{ {UNDER_LOCK} return 0; }}
             int main(void) {{ pthread_t a; pthread_create(&a, 0, t, 0); {UNDER_LOCK} return 0; }}"
        );
        let file = SourceFile::new("order.c", text);
        let task = testkit::task(file, property).expect("a program that is accepted");
        let Verdict::Safe(proof) = lockset::check(&task, &budget()).verdict else {
            panic!("there is one lock only");
        };
        let accepted = verify(&task, &safe(&proof, Path::new("")), &budget());
        assert_eq!(accepted, verdict::Check::Accepted, "{property}");
    }
}
