//! Evidence that was changed at random is never accepted for a claim that is false.
//!
//! For each kind of proof there is a safe program and a wrong one that is nearly the same. What an
//! engine writes down about the safe one is changed and held against the wrong one; and what is found
//! in the wrong one is held against the safe one. `MAZURKA_MUTATIONS` says how often.

mod common;

use common::{ask, safe, verify};
use driver::{Claim, Registry};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use testkit::from_environment;
use verdict::{Budget, Check, Proof, Property, Task, Trace, Verdict};
use xcfa::SourceFile;

const HEAD: &str = "
typedef unsigned long pthread_t; typedef int pthread_mutex_t;
extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
pthread_mutex_t m; int x; unsigned n;
";

/// A property, a text, and what makes it wrong: a part and what stands there instead.
const PAIRS: [(Property, &str, (&str, &str)); 9] = [
    (
        Property::Reach,
        "void *t(void *arg) { pthread_mutex_lock(&m); int seen = x; x = seen + 1; pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); t(0);
           pthread_join(a, 0); if (x != 2) reach_error(); return 0; }",
        ("int seen = x;", "pthread_mutex_unlock(&m); int seen = x; pthread_mutex_lock(&m);"),
    ),
    (
        Property::Reach,
        "int main(void) { n = __VERIFIER_nondet_uint(); int y = 0; while (n > 0) { n--; y = 1; } if (y > 1) reach_error(); return 0; }",
        ("y = 1", "y = 2"),
    ),
    (
        Property::Race,
        "void *t(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); t(0); pthread_join(a, 0); return x; }",
        ("pthread_join(a, 0);", ""),
    ),
    (
        Property::Overflow,
        "int main(void) { n = __VERIFIER_nondet_uint(); int y = 2147483646; if (n > 4) y = y + 1; return y; }",
        ("y + 1", "y + 2"),
    ),
    (
        Property::Deadlock,
        "pthread_mutex_t k; void *t(void *arg) { pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(&k); pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0);
           pthread_mutex_lock(&m); pthread_mutex_lock(&k); x = 1; pthread_mutex_unlock(&k); pthread_mutex_unlock(&m); pthread_join(a, 0); return 0; }",
        ("pthread_mutex_lock(&m); pthread_mutex_lock(&k); x", "pthread_mutex_lock(&k); pthread_mutex_lock(&m); x"),
    ),
    (
        Property::MEMSAFETY,
        "int a[4]; int main(void) { for (int i = 0; i < 4; i++) a[i] = i; return a[3]; }",
        ("i < 4", "i < 5"),
    ),
    (
        Property::Termination,
        "int main(void) { n = __VERIFIER_nondet_uint(); while (n > 0) { n = n - 1; } return 0; }",
        ("n - 1", "n - (n > 7)"),
    ),
    (
        Property::Termination,
        "void *t(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); n = __VERIFIER_nondet_uint();
           while (n > 5) { n = n - 3; } pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); pthread_join(a, 0); return 0; }",
        ("n - 3", "n - (n > 7)"),
    ),
    (
        Property::Termination,
        "void *t(void *arg) { while (x == 0) { } return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); n = __VERIFIER_nondet_uint();
           while (n > 5) { n = n - 3; } x = 1; pthread_join(a, 0); return 0; }",
        ("x = 1", "x = 0"),
    ),
];

/// For an engine.
fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(10))
}

/// For a check.
fn short() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(3))
}

fn task(text: &str, property: Property) -> Task {
    let file = SourceFile::new("pair.c", format!("{HEAD}{text}"));
    testkit::task(file, property).expect("it is plain C")
}

/// What the engines say about a task.
fn verdicts(task: &Task, has_inputs: bool, folder: &Path) -> Vec<(&'static str, Verdict)> {
    // Those that run the program do not help where it runs for hours.
    let runs = |name: &str| matches!(name, "fusion" | "matching");
    let names = Registry::standard().names().into_iter();
    let asked = names.filter(|name| !has_inputs || !runs(name));
    asked
        .map(|name| (name, ask(name, task, folder, &budget()).verdict))
        .collect()
}

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// The ways to everything in a document.
fn paths(value: &Value, here: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| paths(value, format!("{here}/{name}"), all)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(at, value)| paths(value, format!("{here}/{at}"), all)),
        _ => {}
    }
    all.push(here);
}

/// Changes one thing.
fn mutate(value: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    paths(value, String::new(), &mut all);
    let path = &all[random.below(all.len())];
    let other = all[random.below(all.len())].clone();
    let other = value.pointer(&other).cloned().unwrap_or_default();
    let Some(here) = value.pointer_mut(path) else {
        return;
    };
    match here {
        Value::Number(number) => {
            let old = number.as_i64().unwrap_or(0);
            let new = [old + 1, old - 1, 0, old * 2, old ^ 4, i64::from(u32::MAX)];
            *here = Value::from(new[random.below(new.len())].max(0));
        }
        Value::Bool(old) => *here = Value::from(!*old),
        Value::String(old) => {
            let words = [
                "Add", "Sub", "Ult", "Slt", "And", "Or", "Eq", "Not", "explicit",
            ];
            *old = words[random.below(words.len())].to_owned();
        }
        Value::Array(items) if !items.is_empty() => {
            let (at, to) = (random.below(items.len()), random.below(items.len()));
            match random.below(4) {
                0 => drop(items.remove(at)),
                1 => items.swap(at, to),
                2 => items.insert(to, items[at].clone()),
                _ => items.truncate(at),
            }
        }
        _ => *here = other,
    }
}

/// Changes a line of a refutation, and drops, doubles or swaps lines.
fn mutated_lines(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, to) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(4) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, to),
            2 => lines.insert(to, lines[at].clone()),
            _ => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let word = random.below(words.len());
                let changed = format!("{}", 1 + random.below(50));
                words[word] = &changed;
                lines[at] = words.join(" ");
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn no_changed_evidence_is_accepted_for_a_false_claim() {
    let count = from_environment("MAZURKA_MUTATIONS", 12);
    let mut random = Random(from_environment("MAZURKA_RANDOM_SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let (written, changed) = (folder.path().join("written"), folder.path().join("changed"));
    std::fs::create_dir(&written).unwrap();
    std::fs::create_dir(&changed).unwrap();
    let (mut tried, mut kinds) = (0_u64, std::collections::BTreeSet::new());
    for (property, text, (part, instead)) in PAIRS {
        let (good, bad) = (
            task(text, property),
            task(&text.replace(part, instead), property),
        );
        assert!(text.contains(part), "{part}");
        let has_inputs = text.contains("nondet");
        for (name, verdict) in verdicts(&good, has_inputs, &written) {
            let proof = match verdict {
                Verdict::Safe(proof) => proof,
                Verdict::Unsafe(_) => panic!("{name} finds a bug in {text}"),
                Verdict::Unknown(_) => continue,
            };
            let lines = std::fs::read_to_string(written.join(bmc::REFUTATION)).unwrap_or_default();
            let honest = verify(&good, &safe(&proof, &written), &short());
            match honest {
                Check::Accepted => {}
                // A busy machine may not find ranks in time, or look at them.
                Check::Undecided(_) => continue,
                Check::Rejected(why) => panic!("{name}, {property}: {why}: {text}"),
            }
            let value = serde_json::to_value(&proof).unwrap();
            kinds.insert(format!("{property} {}", value["kind"]));
            for turn in 0..count {
                let mut value = value.clone();
                let mut now = lines.clone();
                if turn > 0 {
                    (0..=random.below(3)).for_each(|_| mutate(&mut value, &mut random));
                    now = mutated_lines(&lines, &mut random);
                }
                let Ok(proof) = serde_json::from_value::<Proof>(value.clone()) else {
                    continue;
                };
                std::fs::write(changed.join(bmc::REFUTATION), now).unwrap();
                let check = verify(&bad, &safe(&proof, &changed), &short());
                assert_ne!(check, Check::Accepted, "{name}, {property}: {value}");
                tried += 1;
            }
        }
        let found = verdicts(&bad, has_inputs, &written);
        let is_unsafe = |(_, verdict): &(&str, Verdict)| matches!(verdict, Verdict::Unsafe(_));
        assert!(found.iter().any(is_unsafe), "{property}: {text}");
        for (name, verdict) in found {
            let Verdict::Unsafe(trace) = verdict else {
                assert!(!matches!(verdict, Verdict::Safe(_)), "{name} proves {text}");
                continue;
            };
            let value = serde_json::to_value(&trace).unwrap();
            for turn in 0..count {
                let mut value = value.clone();
                if turn > 0 {
                    mutate(&mut value, &mut random);
                }
                let Ok(trace) = serde_json::from_value::<Trace>(value) else {
                    continue;
                };
                let check = verify(&good, &Claim::Unsafe(&trace), &short());
                assert_ne!(check, Check::Accepted, "{name}, {property}: {trace:?}");
                tried += 1;
            }
        }
    }
    println!("{tried} changes of {kinds:?}");
    assert!(tried > 20 * count, "{tried}");
    assert!(kinds.contains("termination \"invariants\""), "{kinds:?}");
}
