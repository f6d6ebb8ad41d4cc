//! Random programs that copy numbers and add constants to them, close to the limits of their type: what `checks` proves of
//! them agrees with exploration and passes its checker, and a range that is too small does not.

use generator::Rng;
use serde_json::Value;
use std::fmt::Write;
use std::time::Duration;
use testkit::{agrees, explored, seeds, task};
use verdict::{Budget, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

const HEADER: &str = "\
typedef unsigned long pthread_t; typedef unsigned long size_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void *malloc(size_t); extern void *calloc(size_t, size_t);
extern void *memcpy(void *, const void *, size_t);
extern _Bool __VERIFIER_nondet_bool(void);
";

/// Where numbers are. Of the last ones only a part is a number, or nobody knows which.
const PLACES: [&str; 12] = [
    "a", "b", "arr[0]", "arr[1]", "*p", "q->x", "q->y", "st.y", "k", "arr[m]", "un.i", "own",
];

/// What breaks groups of numbers, or looks as if it did.
const RARE: [&str; 13] = [
    "p = &arr[2];",
    "p = &b;",
    "p = &q->y;",
    "q = malloc(sizeof *q); q->x = 2147483640;",
    "q = calloc(1, sizeof *q);",
    "st.c++;",
    "un.c[1] = 1;",
    "*(char *)p = 3;",
    "{ struct s z = st; st = z; }",
    "memcpy(&arr[1], &arr[0], 4);",
    "sh = a; sh++; a = sh;",
    "a = a + b;",
    "((char *)&a)[3] = 0;",
];

struct Writer {
    rng: Rng,
}

impl Writer {
    fn near_a_limit(&mut self) -> i64 {
        let limit = i64::from(i32::MAX);
        let off = self.rng.below(10) as i64;
        self.rng
            .pick(&[0, 1, limit - off, limit - off, off - limit])
    }

    fn statement(&mut self, depth: usize) -> String {
        let (x, y) = (self.rng.pick(&PLACES), self.rng.pick(&PLACES));
        let by = self.rng.pick(&["1", "1", "2", "3", "(-1)", "(-2)"]);
        if self.rng.chance(12) {
            return self.rng.pick(&RARE).to_owned();
        }
        if depth < 2 && self.rng.chance(15) {
            let (inner, rounds) = (self.statement(depth + 1), self.rng.between(1, 3));
            let i = format!("i{depth}");
            let forms = [
                format!("for (int {i} = 0; {i} < {rounds}; {i}++) {{ {inner} }}"),
                format!("{{ int {i} = 0; do {{ {inner} }} while (++{i} < {rounds}); }}"),
                format!(
                    "for (int {i} = {rounds}; {i}; {i}--) {{ {inner} if ({x} == 0) continue; {inner} }}"
                ),
                format!("while (__VERIFIER_nondet_bool()) {{ {inner} }}"),
            ];
            return forms[self.rng.below(forms.len())].clone();
        }
        let forms = [
            format!("{x}++;"),
            format!("{x}--;"),
            format!("{x} = {x} + {by};"),
            format!("{x} = {y};"),
            format!("{x} = {y} + {by};"),
            format!("{x} = {};", self.near_a_limit()),
            format!("if ({y} > 3) {x} = {y}; else {x} = {x} + {by};"),
            format!("k = {x}; k = k + {by}; {x} = k;"),
            format!("{x} = __VERIFIER_nondet_bool() ? {y} : {y} + {by};"),
        ];
        forms[self.rng.below(forms.len())].clone()
    }

    fn program(&mut self) -> String {
        let mut out = HEADER.to_owned();
        let numbers: Vec<i64> = (0..5).map(|_| self.near_a_limit()).collect();
        let [a, b, c, d, e] = numbers[..] else {
            unreachable!("there are five")
        };
        let _ = writeln!(
            out,
            "int a = {a}, b = {b}, arr[3] = {{{c}, {d}}}, m, *p = &arr[0]; short sh;
            struct s {{ int x; char c; int y; }} st = {{{e}, 1, 0}}, *q = &st;
            union u {{ int i; char c[4]; }} un; static __thread int own;
            static void call(int *w) {{ *w = *w + 1; }}"
        );
        let called = self.rng.pick(&["", "", "call(&a);", "call(&k);"]);
        let (one, two) = (self.statement(0), self.statement(0));
        let _ = writeln!(
            out,
            "void *t(void *arg) {{ int k = 0; {one} {called} {two} return 0; }}"
        );
        let (before, during, after) = (self.statement(0), self.statement(0), self.statement(0));
        let threads = self.rng.between(1, 2);
        let _ = writeln!(
            out,
            "int main(void) {{ int k = 0; pthread_t h[2]; {before}
            for (int j = 0; j < {threads}; j++) pthread_create(&h[j], 0, t, 0);
            {during}
            for (int j = 0; j < {threads}; j++) pthread_join(h[j], 0);
            {after} return 0; }}"
        );
        out
    }
}

fn random(seed: u64) -> Task {
    let mut writer = Writer {
        rng: Rng::new(seed),
    };
    let text = writer.program();
    task(SourceFile::new("growth.i", text), Property::Overflow).expect("a program that is followed")
}

fn proof(task: &Task) -> Option<(Verdict, Value)> {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(3));
    let found = checks::check(task, &budget).confirm(task).into_verdict();
    match &found {
        Verdict::Safe(Proof::Invariants { certificate, .. }) => {
            let certificate = certificate.clone();
            Some((found, certificate))
        }
        _ => None,
    }
}

fn recheck(task: &Task, certificate: &Value) -> Result<(), verdict::Objection> {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    evidence::places(task, certificate, &budget)
}

#[test]
fn what_is_proved_agrees_with_exploration() {
    let (mut proofs, mut ranges) = (0, 0);
    for seed in seeds(40) {
        let task = random(seed);
        let Some((found, certificate)) = proof(&task) else {
            continue;
        };
        let reference = explored(&task, Duration::from_secs(5)).verdict;
        let text = &task.xcfa.sources.files()[0].text;
        if let Err(why) = agrees(&reference, &found) {
            panic!("seed {seed}: {why}\n{text}");
        }
        if let Err(verdict::Objection::Wrong(why)) = recheck(&task, &certificate) {
            panic!("seed {seed}: the proof is rejected: {why}\n{text}");
        }
        proofs += 1;
        let groups = certificate["discharged"]["groups"].as_array();
        for at in 0..groups.map_or(0, Vec::len) {
            ranges += 1;
            for (side, by) in [("low", 1), ("high", -1)] {
                let mut smaller = certificate.clone();
                let range = &mut smaller["discharged"]["groups"][at][side];
                *range = (range.as_i64().expect("a number") + by).into();
                assert!(
                    recheck(&task, &smaller).is_err(),
                    "seed {seed}: {side}\n{text}"
                );
            }
        }
    }
    assert!(proofs > 0 && ranges > 0, "nothing is proved by ranges");
}

/// Increments that are lost, behind any pointer, by many threads.
#[test]
fn thousands_of_increments() {
    let program = |start: i64| {
        format!(
            "{HEADER} int a[10] = {{{start}}};
            void *t(void *arg) {{ int i = __VERIFIER_nondet_bool(); a[i]++; a[i + 1]--; return 0; }}
            int main(void) {{ pthread_t h; for (int i = 0; i < 10000; i++) pthread_create(&h, 0, t, 0); return 0; }}"
        )
    };
    let is_proved = |start: i64| {
        let file = SourceFile::new("growth.i", program(start));
        let task = task(file, Property::Overflow).expect("a program that is followed");
        let found = proof(&task);
        if let Some((_, certificate)) = &found {
            assert!(recheck(&task, certificate).is_ok());
        }
        found.is_some()
    };
    let limit = i64::from(i32::MAX);
    assert!(is_proved(0) && is_proved(limit - 100_000));
    assert!(!is_proved(limit - 1));
}
