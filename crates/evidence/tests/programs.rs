//! Every definite answer of every engine comes with evidence that stands up, and wrong evidence
//! does not.

use evidence::{Claim, verify};
use std::path::Path;
use std::time::Duration;
use testkit::{Profile, from_environment, generate};
use verdict::{Answer, Budget, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

const PROPERTIES: [Property; 6] = [
    Property::Reach,
    Property::Race,
    Property::Deadlock,
    Property::Overflow,
    Property::MemSafety,
    Property::Termination,
];

fn task(text: &str, property: Property) -> Task {
    let file = SourceFile::new("random.c", text.to_owned());
    testkit::task(file, property).expect("generated programs are accepted")
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(5))
}

type Run = fn(&Task, &Path) -> Answer;

/// The engines, each with the file that its refutation goes to.
const ENGINES: [(&str, Run); 7] = [
    ("explore", |task, _| {
        explore::check(task, &explore::Config::default(), &budget(), &mut |_| ())
    }),
    ("bmc", |task, path| {
        let config = bmc::Config {
            refutation: Some(path.to_owned()),
            ..bmc::Config::default()
        };
        bmc::check(task, &config, &budget())
    }),
    ("cegar", |task, _| {
        cegar::check(task, &cegar::Config::default(), &budget())
    }),
    ("horn", |task, _| {
        horn::check(task, &horn::Config::default(), &budget())
    }),
    ("fusion", |task, _| {
        fusion::check(task, &fusion::Config::default(), &budget())
    }),
    ("matching", |task, _| {
        matching::check(task, &matching::Config::default(), &budget())
    }),
    ("lockset", |task, _| lockset::check(task, &budget())),
];

fn claim<'a>(verdict: &'a Verdict, refutation: &'a Path) -> Option<Claim<'a>> {
    match verdict {
        Verdict::Unsafe(trace) => Some(Claim::Unsafe(trace)),
        Verdict::Safe(proof) => Some(Claim::Safe(proof, Some(refutation))),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn definite_answers_stand_up() {
    let count: u64 = from_environment("MAZURKA_RANDOM_PROGRAMS", 40);
    let first: u64 = from_environment("MAZURKA_RANDOM_SEED", 1);
    let folder = tempfile::tempdir().unwrap();
    let refutation = folder.path().join("refutation.txt");
    let mut checked = [0_u64; ENGINES.len()];
    for seed in first..first + count {
        let text = generate(seed, &Profile::standard()).to_string();
        let property = PROPERTIES[seed as usize % PROPERTIES.len()];
        let task = task(&text, property);
        for (at, (name, run)) in ENGINES.iter().enumerate() {
            let answer = run(&task, &refutation);
            let Some(claim) = claim(&answer.verdict, &refutation) else {
                continue;
            };
            if let Err(why) = verify(&task, &claim, &budget()) {
                panic!(
                    "seed {seed}, {property}, {name}: {why}\n{:?}\n{text}",
                    answer.verdict
                );
            }
            checked[at] += 1;
        }
    }
    println!("checked: {checked:?}");
    let names = ENGINES.iter().map(|(name, _)| *name).zip(checked);
    for (name, checked) in names.filter(|(name, _)| *name != "lockset") {
        assert!(
            checked * 10 >= count,
            "{name} had {checked} answers of {count}"
        );
    }
}

/// Two threads, one counter, one lock.
const SAFE: &str = "
typedef unsigned long pthread_t; typedef int pthread_mutex_t;
extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
pthread_mutex_t m; int x;
void *t(void *arg) { pthread_mutex_lock(&m); int seen = x; x = seen + 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_join(a, 0); pthread_join(b, 0); if (x != 2) reach_error(); return 0; }";

/// The same without the lock.
fn without_lock() -> String {
    SAFE.replace("pthread_mutex_lock(&m);", "")
        .replace("pthread_mutex_unlock(&m);", "")
}

/// Evidence about one program says nothing about another, even one that is nearly the same.
#[test]
fn evidence_for_another_program_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let refutation = folder.path().join("refutation.txt");
    let (good, bad) = (
        task(SAFE, Property::Reach),
        task(&without_lock(), Property::Reach),
    );
    for (name, run) in &ENGINES[..6] {
        let safe = run(&good, &refutation).verdict;
        assert!(matches!(safe, Verdict::Safe(_)), "{name}: {safe:?}");
        let claim = claim(&safe, &refutation).unwrap();
        assert_eq!(verify(&good, &claim, &budget()), Ok(()), "{name}");
        assert!(verify(&bad, &claim, &budget()).is_err(), "{name}");
    }
    let Verdict::Unsafe(trace) = ENGINES[0].1(&bad, &refutation).verdict else {
        panic!("there is a lost update");
    };
    assert_eq!(verify(&bad, &Claim::Unsafe(&trace), &budget()), Ok(()));
    assert!(verify(&good, &Claim::Unsafe(&trace), &budget()).is_err());
}

#[test]
fn wrong_counts_are_rejected() {
    let task = task(SAFE, Property::Reach);
    let Verdict::Safe(Proof::ClosedExploration {
        states,
        transitions,
    }) = ENGINES[0].1(&task, Path::new("")).verdict
    else {
        panic!("all states are visited");
    };
    let check = |states, transitions| {
        let proof = Proof::ClosedExploration {
            states,
            transitions,
        };
        verify(&task, &Claim::Safe(&proof, None), &budget())
    };
    assert_eq!(check(states, transitions), Ok(()));
    assert!(check(states + 1, transitions).is_err());
    assert!(check(states, transitions - 1).is_err());
}

/// Every line of a refutation is needed for what comes after it, or is checked by itself.
#[test]
fn a_changed_refutation_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let refutation = folder.path().join("refutation.txt");
    let task = task(SAFE, Property::Reach);
    let verdict = ENGINES[1].1(&task, &refutation).verdict;
    let claim = claim(&verdict, &refutation).unwrap();
    assert_eq!(verify(&task, &claim, &budget()), Ok(()));
    let text = std::fs::read_to_string(&refutation).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let is_kind = |kind: char| move |line: &&&str| line.starts_with(kind);
    // An input that the formula does not have, a lemma that is no circle, a clause from nothing.
    let input = lines.iter().find(is_kind('i')).unwrap();
    let derived = lines.iter().find(is_kind('d')).unwrap();
    let (number, _) = derived[2..].split_once(' ').unwrap();
    let changes = [
        text.replacen(*input, &format!("{input} 12345"), 1),
        format!("t 999999 5\n{text}"),
        text.replacen(*derived, &format!("d {number} 7 0"), 1),
        text.replacen(*derived, &format!("d {number} 0"), 1),
        lines
            .iter()
            .filter(|line| !line.starts_with('c'))
            .map(|line| format!("{line}\n"))
            .collect(),
        "c 1\n".to_owned(),
        String::new(),
        "nonsense\n".to_owned(),
    ];
    for changed in changes {
        std::fs::write(&refutation, &changed).unwrap();
        assert!(
            verify(&task, &claim, &budget()).is_err(),
            "{}",
            &changed[..80.min(changed.len())]
        );
    }
    let events = |rounds, events| {
        let proof = Proof::CompleteUnrolling { rounds, events };
        verify(&task, &Claim::Safe(&proof, Some(&refutation)), &budget())
    };
    std::fs::write(&refutation, &text).unwrap();
    assert!(events(1, 3).is_err(), "another number of events");
}
