//! Random programs: engines that prove `overflow` and `memsafety` by variables and actions agree with
//! exploration, and every proof by facts passes its checker.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use generator::{Profile, Program};
use std::time::Duration;
use testkit::{agrees, explored, judge_random, seeds};
use verdict::{Answer, Budget, Property, Task, Verdict};
use xcfa::SourceFile;

type Check = fn(&Task, &Budget) -> Answer;

const ENGINES: [(&str, Check); 4] = [
    ("checks", checks::check),
    ("cegar", |task, budget| {
        cegar::check(task, &cegar::Config::default(), budget)
    }),
    ("horn", |task, budget| {
        horn::check(task, &horn::Config::default(), budget)
    }),
    ("bmc", |task, budget| {
        let config = bmc::Config {
            encoding: bmc::Encoding::Scheduler,
            ..bmc::Config::default()
        };
        bmc::check(task, &config, budget)
    }),
];

/// How many proofs by facts there are about a program (none or one); an error if something is wrong.
fn judge(program: &Program, property: Property, millis: u64) -> Result<u64, String> {
    let file = SourceFile::new("random.i", program.to_string());
    let task = testkit::task(file, property).expect("random programs are supported");
    let reference = explored(&task, Duration::from_secs(10)).verdict;
    let mut proofs = 0;
    for (name, check) in ENGINES {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(millis));
        let verdict = check(&task, &budget).confirm(&task).into_verdict();
        let definite = agrees(&reference, &verdict).map_err(|why| format!("{name}: {why}"))?;
        if let ("checks", Verdict::Safe(proof)) = (name, &verdict) {
            proofs += u64::from(definite);
            stands(&task, proof)?;
        }
    }
    Ok(proofs)
}

/// Does the checker accept the proof?
fn stands(task: &Task, proof: &verdict::Proof) -> Result<(), String> {
    let verdict::Proof::Invariants { certificate, .. } = proof else {
        return Err("another kind of proof".into());
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    match evidence::places(task, certificate, &budget) {
        Err(verdict::Objection::Wrong(why)) => Err(format!("the proof is rejected: {why}")),
        _ => Ok(()),
    }
}

fn compare(profile: &Profile, property: Property) {
    let judge = |_, program: &Program| judge(program, property, 400);
    let proofs: u64 = judge_random(seeds(30), profile, judge).into_iter().sum();
    assert!(proofs > 0, "no program is proved");
}

#[test]
fn memory_safety() {
    compare(&Profile::standard(), Property::MEMSAFETY);
    compare(&Profile::with_inputs(), Property::MEMSAFETY);
}

/// What is proved of programs that cannot be explored.
#[test]
fn proofs() {
    let counter = "#include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static int count;
        static void *worker(void *arg) {
            for (;;) {
                pthread_mutex_lock(&lock);
                int seen = count;
                count = seen < 2147483647 ? seen + 1 : 0;
                pthread_mutex_unlock(&lock);
            }
            return arg;
        }
        int main(void) {
            pthread_t thread;
            for (;;) pthread_create(&thread, 0, worker, 0);
        }";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("counter.c");
    std::fs::write(&path, counter).expect("a file");
    proves(&path, Property::Overflow);
    let array = testkit::workspace_dir().join("litmus/checks_array_of_input_size.c");
    proves(&array, Property::MEMSAFETY);
}

fn proves(path: &std::path::Path, property: Property) {
    let file = testkit::preprocess(path).expect("a program");
    let task = testkit::task(file, property).expect("a task");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    match checks::check(&task, &budget).confirm(&task).into_verdict() {
        Verdict::Safe(proof) => stands(&task, &proof).expect("a proof that stands"),
        other => panic!("{}: {other:?}", path.display()),
    }
}

#[test]
fn overflow() {
    compare(&Profile::standard(), Property::Overflow);
}
