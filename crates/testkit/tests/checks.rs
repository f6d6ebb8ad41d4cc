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

/// Any number of threads that lock a mutex, and what they do before, behind and after it.
fn crowd(inside: &str, outside: &str, others: &str) -> String {
    format!(
        "#include <assert.h>
        #include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
        static int count;
        static void *worker(void *arg) {{
            pthread_mutex_lock(&lock);
            {inside}
            pthread_mutex_unlock(&lock);
            {outside}
            return arg;
        }}
        static void *stranger(void *arg) {{ {others} return arg; }}
        int main(void) {{
            pthread_t threads[10000];
            for (int i = 0; i < 5000; i++) {{
                pthread_create(&threads[2 * i], 0, worker, 0);
                pthread_create(&threads[2 * i + 1], 0, stranger, 0);
            }}
            return 0;
        }}"
    )
}

const UP_AND_DOWN: &str = "count++; assert(count == 1); count--;";

/// What nobody reads back between: the question that is left has no variables.
const SET_AND_RESET: &str = "count = 1; assert(count == 1); count = 0;";

/// In two steps with a lock of their own.
const IN_STEPS: &str = "pthread_mutex_lock(&other); count++; pthread_mutex_unlock(&other);
    pthread_mutex_lock(&other); count--; pthread_mutex_unlock(&other);";

/// A thread that looks, perhaps.
const PERHAPS: &str = "int looks = arg != 0;
    if (looks) pthread_mutex_lock(&lock);
    if (looks) assert(count == 0);
    if (looks) pthread_mutex_unlock(&lock);";

/// What is proved of programs that cannot be explored.
#[test]
fn proofs() {
    let endless = "for (;;) { int seen = count; count = seen < 2147483647 ? seen + 1 : 0; }";
    let tried = "if (pthread_mutex_trylock(&lock) == 0) pthread_mutex_unlock(&lock);";
    for (text, property) in [
        (crowd(endless, "", ""), Property::Overflow),
        (crowd(UP_AND_DOWN, "", ""), Property::Overflow),
        (crowd(UP_AND_DOWN, "", tried), Property::MEMSAFETY),
        (crowd(UP_AND_DOWN, "", ""), Property::Reach),
        (crowd(SET_AND_RESET, "", ""), Property::Reach),
        (crowd(IN_STEPS, "", PERHAPS), Property::Reach),
    ] {
        if let Err(reason) = facts_about(&text, property) {
            panic!("{property}: {reason}\n{text}");
        }
    }
    let array = testkit::workspace_dir().join("litmus/checks_array_of_input_size.c");
    let file = testkit::preprocess(&array).expect("a program");
    proof(file, Property::MEMSAFETY).expect("a proof");
}

/// What must not be proved: some execution with two or three of these threads fails.
#[test]
fn no_proofs() {
    let late = "pthread_mutex_lock(&lock); count--; pthread_mutex_unlock(&lock);";
    let wrong = "pthread_mutex_lock(&other); count--; count++; pthread_mutex_unlock(&other);";
    let tried = "pthread_mutex_trylock(&lock); count++; pthread_mutex_unlock(&lock);";
    let pause = "count++; pthread_mutex_unlock(&lock); pthread_mutex_lock(&lock);
        assert(count == 1); count--;";
    for text in [
        crowd("count++; assert(count == 1);", late, ""),
        crowd(UP_AND_DOWN, "", wrong),
        crowd(UP_AND_DOWN, "", tried),
        crowd(UP_AND_DOWN, "count = 1;", ""),
        crowd(pause, "", ""),
        crowd(SET_AND_RESET, SET_AND_RESET, ""),
        crowd("count = 1; assert(count == 1);", "count = 0;", ""),
        crowd("", IN_STEPS, PERHAPS),
        crowd(
            IN_STEPS,
            "",
            &PERHAPS.replace("if (looks) assert", "assert"),
        ),
        crowd(UP_AND_DOWN, "", "pthread_mutex_unlock(&lock);"),
    ] {
        assert!(facts_about(&text, Property::Reach).is_err(), "{text}");
    }
}

/// Many threads that add to a counter, which starts with a number.
fn adding(start: &str, body: &str, rounds: &str) -> String {
    format!(
        "#include <pthread.h>
        static int count = {start};
        static void *worker(void *arg) {{ {body} return arg; }}
        int main(void) {{
            pthread_t thread;
            for (int i = 0; {rounds}; i = i < 5000 ? i + 1 : 1)
                pthread_create(&thread, 0, worker, 0);
            return 0;
        }}"
    )
}

/// A counter that each thread adds to once stays small if there are few threads.
#[test]
fn additions() {
    let counted = |start, body, rounds| {
        let text = adding(start, body, rounds).replace("i = i < 5000 ? i + 1 : 1", "i++");
        facts_about(&text, Property::Overflow)
    };
    counted("0", "count++;", "i < 10000").expect("a proof");
    for (start, body, rounds) in [
        ("2147483547", "count++;", "i < 200"),
        ("0", "for (;;) count++;", "i < 200"),
        ("0", "count += 1000000000;", "i < 200"),
        ("0", "count++; count = 2147483647;", "i < 200"),
        ("-2147483548", "count--;", "i < 200"),
    ] {
        assert!(counted(start, body, rounds).is_err(), "{start} {body}");
    }
    let endless = adding("0", "count++;", "1");
    assert!(facts_about(&endless, Property::Overflow).is_err());
}

/// A proof that its checker accepts, or why there is none.
fn facts_about(text: &str, property: Property) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("a file");
    proof(testkit::preprocess(&path).expect("a program"), property)
}

fn proof(file: SourceFile, property: Property) -> Result<(), String> {
    let task = testkit::task(file, property).expect("a task");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    match checks::check(&task, &budget).confirm(&task).into_verdict() {
        Verdict::Safe(proof) => stands(&task, &proof),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn overflow() {
    compare(&Profile::standard(), Property::Overflow);
}
