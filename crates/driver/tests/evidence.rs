//! Every definite answer of every engine comes with evidence that stands up, and wrong evidence
//! does not.

mod common;

use common::{ask, safe, verify};
use driver::{Claim, Registry};
use generator::{Profile, Program};
use std::path::Path;
use std::time::Duration;
use testkit::{judge_random, seeds};
use verdict::{Budget, Check, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(text: &str, property: Property) -> Task {
    let file = SourceFile::new("random.c", text.to_owned());
    testkit::task(file, property).expect("generated programs are accepted")
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(5))
}

/// Those that prove something about locations.
const PROVERS: [&str; 6] = ["explore", "bmc", "cegar", "horn", "fusion", "matching"];

fn claim<'a>(verdict: &'a Verdict, folder: &'a Path) -> Option<Claim<'a>> {
    match verdict {
        Verdict::Unsafe(trace) => Some(Claim::Unsafe(trace)),
        Verdict::Safe(proof) => Some(safe(proof, folder)),
        Verdict::Unknown(_) => None,
    }
}

/// Which of the engines have a definite answer about a program; an error if its evidence does not
/// stand up.
fn definite(names: &[&str], property: Property, program: &Program) -> Result<Vec<u64>, String> {
    let folder = tempfile::tempdir().unwrap();
    let task = task(&program.to_string(), property);
    let answer = |name: &&str| {
        let answer = ask(name, &task, folder.path(), &budget());
        let Some(claim) = claim(&answer.verdict, folder.path()) else {
            return Ok(0);
        };
        // To check may take longer than to claim, on a machine that has other work.
        let patient = Budget::unlimited().with_timeout(Duration::from_secs(60));
        match verify(&task, &claim, &patient) {
            Check::Accepted => Ok(1),
            check => Err(format!(
                "{property}, {name}: {check:?}: {:?}",
                answer.verdict
            )),
        }
    };
    names.iter().map(answer).collect()
}

#[test]
fn definite_answers_stand_up() {
    let mut names = Registry::standard().names();
    // These programs are about sequential consistency, and this engine is not.
    names.retain(|&name| name != "graphs");
    let judge = |seed: u64, program: &Program| {
        let asked = Property::all_where(|it| !it.is_about_weak_memory());
        let property = asked[seed as usize % asked.len()];
        definite(&names, property, program)
    };
    let answers = judge_random(seeds(14), &Profile::standard(), judge);
    let count = answers.len() as u64;
    for (at, name) in names.iter().enumerate() {
        let checked: u64 = answers.iter().map(|answers| answers[at]).sum();
        println!("{name}: {checked} of {count} checked");
        // One knows few of the properties, the other finds errors alone.
        let is_enough = match *name {
            "lockset" | "simulate" => checked > 0,
            _ => checked * 10 >= count,
        };
        assert!(is_enough, "{name} had {checked} answers of {count}");
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
    let (good, bad) = (
        task(SAFE, Property::Reach),
        task(&without_lock(), Property::Reach),
    );
    for name in PROVERS {
        let safe = ask(name, &good, folder.path(), &budget()).verdict;
        assert!(matches!(safe, Verdict::Safe(_)), "{name}: {safe:?}");
        let claim = claim(&safe, folder.path()).unwrap();
        assert_eq!(verify(&good, &claim, &budget()), Check::Accepted, "{name}");
        let check = verify(&bad, &claim, &budget());
        assert!(matches!(check, Check::Rejected(_)), "{name}: {check:?}");
    }
    let Verdict::Unsafe(trace) = ask("explore", &bad, folder.path(), &budget()).verdict else {
        panic!("there is a lost update");
    };
    let claim = Claim::Unsafe(&trace);
    assert_eq!(verify(&bad, &claim, &budget()), Check::Accepted);
    assert!(matches!(
        verify(&good, &claim, &budget()),
        Check::Rejected(_)
    ));
}

#[test]
fn wrong_counts_are_rejected() {
    let task = task(SAFE, Property::Reach);
    let Verdict::Safe(Proof::ClosedExploration {
        states,
        transitions,
    }) = ask("explore", &task, Path::new(""), &budget()).verdict
    else {
        panic!("all states are visited");
    };
    let check = |states, transitions| {
        let proof = Proof::ClosedExploration {
            states,
            transitions,
        };
        verify(&task, &safe(&proof, Path::new("")), &budget())
    };
    assert_eq!(check(states, transitions), Check::Accepted);
    let is_rejected = |check| matches!(check, Check::Rejected(_));
    assert!(is_rejected(check(states + 1, transitions)));
    assert!(is_rejected(check(states, transitions - 1)));
}

/// To have no time is not to be wrong.
#[test]
fn without_time_nothing_is_decided() {
    let folder = tempfile::tempdir().unwrap();
    let (good, none) = (task(SAFE, Property::Reach), Duration::ZERO);
    for name in PROVERS {
        let verdict = ask(name, &good, folder.path(), &budget()).verdict;
        let claim = claim(&verdict, folder.path()).unwrap();
        let check = verify(&good, &claim, &Budget::unlimited().with_timeout(none));
        let open = matches!(check, Check::Undecided(verdict::Reason::OutOfTime));
        assert!(open || check == Check::Accepted, "{name}: {check:?}");
    }
}

/// Every line of a refutation is needed for what comes after it, or is checked by itself.
#[test]
fn a_changed_refutation_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let refutation = folder.path().join(bmc::REFUTATION);
    let task = task(SAFE, Property::Reach);
    let verdict = ask("bmc", &task, folder.path(), &budget()).verdict;
    let claim = claim(&verdict, folder.path()).unwrap();
    assert_eq!(verify(&task, &claim, &budget()), Check::Accepted);
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
        let check = verify(&task, &claim, &budget());
        let beginning = &changed[..80.min(changed.len())];
        assert!(
            matches!(check, Check::Rejected(_)),
            "{check:?}: {beginning}"
        );
    }
    let events = |rounds, events| {
        let proof = Proof::CompleteUnrolling { rounds, events };
        verify(&task, &safe(&proof, folder.path()), &budget())
    };
    std::fs::write(&refutation, &text).unwrap();
    let other = events(1, 3);
    assert!(
        matches!(other, Check::Rejected(_)),
        "another number of events"
    );
}
