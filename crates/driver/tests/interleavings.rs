//! Under a memory model, what is proved about interleavings holds where the theorem of data-race freedom applies.

use driver::{Claim, Plan, Registry, race_freedom_suffices};
use graphs::{Limits, Outcome, explore};
use std::sync::Arc;
use std::time::Duration;
use testkit::{Atomics, Orders, from_environment};
use verdict::{Budget, Check, MemoryModel, Program, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(text: &str, model: &str, property: Property) -> Task {
    let program = Program::new(vec![SourceFile::new("test.c", text)]);
    let model = MemoryModel::shipped(model).expect("a model");
    Task::prepare(&program.with_memory_model(model), property).expect("a program")
}

fn all(task: &Task) -> Outcome {
    let limits = Limits {
        events: 300,
        graphs: u64::MAX,
        waits: true,
        budget: Budget::unlimited(),
    };
    explore(task, &task.memory_model, &limits).expect("an answer")
}

/// The theorem, with the models as they are: all executions are made, of programs with and without races.
#[test]
fn programs_without_races_have_interleavings_only() {
    let programs = from_environment("MAZURKA_GRAPHS_PROGRAMS", 60);
    let (mut apart, mut racing) = (0, 0);
    for seed in 800_000..800_000 + programs {
        let mut random = Atomics::new(seed);
        (random.orders, random.locks, random.plain) = (Orders::Strong, true, true);
        random.main = seed % 4 == 0;
        let text = random.parts().text("");
        let mut inside = task(&text, "rc11", Property::Race);
        inside.memory_model = Arc::new(MemoryModel::sc());
        if all(&inside).flagged.is_some() {
            racing += 1;
            continue;
        }
        apart += 1;
        for model in ["tso", "pso", "rc11"] {
            let robust = task(&text, model, Property::Robust);
            assert!(race_freedom_suffices(&robust), "{model}: {text}");
            assert!(all(&robust).error.is_none(), "{model}: {text}");
            let race = task(&text, model, Property::Race);
            assert!(all(&race).flagged.is_none(), "{model}: {text}");
        }
    }
    assert!(
        apart > 5 && racing > 5,
        "{apart} without races, {racing} with"
    );
}

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef union { int a; long b[5]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
enum { rlx = 0, sc = 5 };
pthread_mutex_t m;
int x, d, r, s;
";

fn program(thread: &str, other: &str, after: &str) -> String {
    format!(
        "{HEAD}void *run(void *p) {{ {thread} return 0; }}\nvoid *walk(void *p) {{ {other} return 0; }}
int main(void) {{ pthread_t a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, walk, 0);
pthread_join(a, 0); pthread_join(b, 0); {after} return 0; }}\n"
    )
}

/// Loops without end, which make graphs of any length.
#[test]
fn endless_threads_with_a_lock_are_proved() {
    let round = "for (;;) { pthread_mutex_lock(&m); d = 1; if (d != 1) reach_error(); d = 0; pthread_mutex_unlock(&m); }";
    for model in ["tso", "pso", "rc11"] {
        for property in [Property::Reach, Property::Race, Property::Robust] {
            let task = task(&program(round, round, ""), model, property);
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
            let plan = Plan::default().with_budget(budget.clone());
            let result = driver::check(&task, &plan).expect("no options");
            let Verdict::Safe(proof) = result.verdict() else {
                panic!("{model}, {property}: {:?}", result.verdict());
            };
            assert!(matches!(proof, Proof::Interleavings { .. }), "{proof:?}");
            let evidence = driver::Evidence {
                proof,
                artifacts: None,
            };
            let registry = Registry::standard();
            let check = registry.verify(&task, &Claim::Safe(evidence), &budget);
            assert!(
                matches!(check, Check::Accepted),
                "{model}, {property}: {check:?}"
            );
        }
    }
}

#[track_caller]
fn refused(thread: &str, other: &str, after: &str, model: &str, is_wrong: bool) {
    let text = program(thread, other, after);
    let task = task(&text, model, Property::Reach);
    assert!(!race_freedom_suffices(&task), "{model}: {text}");
    assert_eq!(all(&task).error.is_some(), is_wrong, "{model}: {text}");
}

/// What is not under the theorem, with executions that no interleaving does.
#[test]
fn other_programs_are_not_taken_for_interleavings() {
    let relaxed = "__atomic_store_n(&x, 1, rlx);";
    let one = "__atomic_store_n(&x, 1, rlx); d = __atomic_load_n(&x, sc);";
    refused(relaxed, one, "", "rc11", false);
    // One who finds a lock taken knows nothing of what its holder did before.
    let holder = "d = 1; pthread_mutex_lock(&m);";
    let looks = "if (pthread_mutex_trylock(&m) && d == 0) reach_error();";
    refused(holder, looks, "", "rc11", true);
    // In the model `ra`, `seq_cst` is no more than release and acquire.
    let one = "__atomic_store_n(&x, 1, sc); r = __atomic_load_n(&d, sc);";
    let other = "__atomic_store_n(&d, 1, sc); s = __atomic_load_n(&x, sc);";
    let both = "if (!r && !s) reach_error();";
    refused(one, other, both, "ra", true);
}
