//! Random programs in which loops start threads of one kind: proofs by facts agree with exploration,
//! and pass their checker.
//!
//! How many rounds such a loop has is not plain to the analyses, so that `checks` has to answer for any
//! number of threads. Exploration sees all executions with two or three.

use generator::{Rng, crew};
use std::fmt::Write;
use std::time::Duration;
use testkit::{agrees, explored, seeds};
use verdict::{Budget, Proof, Property, Verdict};
use xcfa::SourceFile;

const HEADER: &str = "\
typedef unsigned long pthread_t;
typedef struct { long words[5]; } pthread_mutex_t;
typedef struct { long words[7]; } pthread_rwlock_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t, pthread_t);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void check(int good) { if (!good) reach_error(); }
pthread_mutex_t m0, m1, *behind;
pthread_rwlock_t rw;
int count, flag, arr[4], *box, last = 2147483646;
pthread_t who;
static __thread int own;
";

/// How a block is protected: what comes before it and after it.
const GUARDS: [(&str, &str); 9] = [
    ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);"),
    ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);"),
    ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);"),
    ("pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);"),
    (
        "if (pthread_mutex_trylock(&m0) == 0) {",
        "pthread_mutex_unlock(&m0); }",
    ),
    ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    (
        "pthread_mutex_lock(behind);",
        "pthread_mutex_unlock(behind);",
    ),
    ("", ""),
];

/// What threads do. Some of it only goes well under a lock.
const STATEMENTS: [&str; 22] = [
    "count++;",
    "count--;",
    "count = 0;",
    "count = 1;",
    "count++; check(count == 1); count--;",
    "check(count <= 1);",
    "check(count >= 0);",
    "if (count > 0) count--;",
    "if (count < 3) count++;",
    "{ int seen = count; count = seen + 1; check(count == seen + 1); count = seen; }",
    "who = pthread_self(); check(pthread_equal(who, pthread_self()));",
    "own++; check(own <= 2);",
    "if (count >= 0 && count < 4) arr[count] = 1;",
    "arr[count] = 2;",
    "if (last < 2147483647) last++;",
    "last++; last--;",
    "{ int *p = malloc(4); *p = 1; free(p); }",
    "if (box) *box = 1;",
    "if (box) { free(box); box = 0; }",
    "if (!box) box = malloc(4);",
    "{ int local = 0, *p = &local; *p = count; check(local == count); }",
    "flag = 1;",
];

struct Writer {
    rng: Rng,
    out: String,
}

impl Writer {
    fn block(&mut self) {
        let (before, after) = self.rng.pick(&GUARDS);
        self.out += before;
        for _ in 0..self.rng.between(1, 2) {
            self.out += self.rng.pick(&STATEMENTS);
        }
        // Sometimes a lock is released too early, and taken again.
        if self.rng.chance(8) && !before.contains('{') {
            let _ = write!(self.out, "{after} {before}");
        }
        if !self.rng.chance(4) || before.contains('{') {
            self.out += after;
        }
        self.out.push('\n');
    }

    fn thread(&mut self, name: &str) {
        let _ = writeln!(self.out, "void *{name}(void *arg) {{");
        for _ in 0..self.rng.between(1, 2) {
            self.block();
        }
        self.out += "return arg; }\n";
    }

    fn main(&mut self) {
        self.out += "int main(void) { pthread_t t[4]; pthread_t u; int left = 3;\n";
        self.out += "behind = malloc(sizeof *behind); pthread_mutex_init(behind, 0);\n";
        if self.rng.chance(30) {
            self.out += "box = malloc(4);\n";
        }
        let stranger = self.rng.chance(40);
        if stranger {
            self.out += "pthread_create(&u, 0, stranger, 0);\n";
        }
        self.out += self.rng.pick(&[
            "while (__VERIFIER_nondet_int() && left > 1) { left--;",
            "for (int i = 0; i < 2; i++) {",
            "flag = 2; while (flag > 0) { flag--;",
        ]);
        self.out += " pthread_create(&t[0], 0, worker, 0);";
        if self.rng.chance(20) {
            self.out += " pthread_join(t[0], 0);";
        }
        self.out += " }\n";
        if stranger && self.rng.chance(50) {
            self.out += "pthread_join(u, 0);\n";
        }
        self.block();
        self.out += "return 0; }\n";
    }
}

/// A random program of this kind.
fn crowd(seed: u64) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed),
        out: HEADER.to_owned(),
    };
    writer.thread("worker");
    writer.thread("stranger");
    writer.main();
    writer.out
}

/// What became of some programs.
#[derive(Debug, Default)]
struct Tally {
    proved: u64,
    refused: u64,
}

fn compare(tally: &mut Tally, text: &str, property: Property) {
    let Ok(task) = testkit::task(SourceFile::new("crowd.i", text), property) else {
        tally.refused += 1;
        return;
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(3));
    let found = checks::check(&task, &budget).confirm(&task).into_verdict();
    let Verdict::Safe(proof) = &found else {
        return;
    };
    let reference = explored(&task, Duration::from_secs(5)).verdict;
    if let Err(why) = agrees(&reference, &found) {
        panic!("{property}: {why}\n{text}");
    }
    let Proof::Invariants { certificate, .. } = proof else {
        panic!("another kind of proof");
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    if let Err(verdict::Objection::Wrong(why)) = evidence::places(&task, certificate, &budget) {
        panic!("{property}: the proof is rejected: {why}\n{text}");
    }
    tally.proved += 1;
}

fn all(make: fn(u64) -> String, properties: &[Property]) {
    let mut tally = Tally::default();
    for seed in seeds(8) {
        let text = make(seed);
        for &property in properties {
            compare(&mut tally, &text, property);
        }
    }
    println!("{tally:?}");
    assert!(tally.proved > 0, "nothing is proved");
}

#[test]
fn crowds_agree() {
    let all_three = [Property::Reach, Property::Overflow, Property::MEMSAFETY];
    all(crowd, &all_three);
}

#[test]
fn crews_agree() {
    all(crew, &[Property::Overflow, Property::MEMSAFETY]);
}
