//! What reduction, symmetry and canonical names leave out, counted exactly.

use matching::{Config, Search, Strategy};
use std::time::Duration;
use verdict::{Answer, Budget, Property, Reason, Task, Verdict};
use xcfa::SourceFile;

const PRELUDE: &str = "
typedef unsigned long pthread_t;
typedef struct { unsigned words[10]; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern pthread_t pthread_self(void);
extern void pthread_exit(void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void *malloc(unsigned long);
extern void free(void *);
void reach_error(void);
pthread_t thread;
pthread_mutex_t lock;
";

fn task(text: &str, property: Property) -> Task {
    let file = SourceFile::new("program.i", format!("{PRELUDE}{text}"));
    testkit::task(file, property).expect("supported C")
}

fn check(task: &Task, config: &Config) -> Answer {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    matching::check(task, config, &budget)
        .confirm(task)
        .into_answer()
}

/// The states of a safe program with reduction and symmetry: off and off, on and off, off and on, both
/// on.
fn states(text: &str) -> [u64; 4] {
    let task = task(text, Property::Reach);
    // A program that looks at what C leaves open is searched, but not proved.
    let looks = task.xcfa.unspecified.is_some() || !task.xcfa.ordered.is_empty();
    let expected = if looks { "unknown" } else { "safe" };
    [(false, false), (true, false), (false, true), (true, true)].map(|(por, symmetry)| {
        let config = Config {
            por,
            symmetry,
            ..Config::default()
        };
        let answer = check(&task, &config);
        assert_eq!(answer.verdict.name(), expected, "{config:?}");
        answer.stats.get("abstract states").expect("a number")
    })
}

fn explored(text: &str) -> u64 {
    let task = task(text, Property::Reach);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let answer = explore::check(&task, &explore::Config::default(), &budget)
        .confirm(&task)
        .into_answer();
    answer.stats.get("states").expect("a number")
}

/// The handles are not kept, so that it does not matter which of the three is where.
const TRIPLETS: &str = "
int count;
void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
}
";

#[test]
fn threads_that_run_the_same_code() {
    let [plain, reduced, symmetric, both] = states(TRIPLETS);
    assert_eq!(plain, explored(TRIPLETS));
    assert!(symmetric * 3 < plain, "{symmetric} of {plain}");
    assert!(reduced < plain && both < symmetric.min(reduced), "{both}");
}

/// A thread that looks at its own number cannot stand for another one.
#[test]
fn handles_that_are_looked_at() {
    for broken in [
        "count += (int)pthread_self() & 1;",
        "count = pthread_self() == 3;",
        "if (pthread_self() > 2) count++;",
    ] {
        let text = TRIPLETS.replace("count++;", broken);
        let [plain, _, symmetric, _] = states(&text);
        assert_eq!(plain, symmetric, "{broken}");
    }
}

/// Handles that are only copied and compared with each other change with their threads.
#[test]
fn handles_that_are_compared() {
    let text = TRIPLETS
        .replace("int count;", "int count; pthread_t owner;")
        .replace(
            "count++;",
            "owner = pthread_self(); if (owner == pthread_self()) count++;",
        );
    let [plain, _, symmetric, _] = states(&text);
    assert!(symmetric * 3 < plain, "{symmetric} of {plain}");
}

/// What a thread is given tells it from the others for as long as it may look at it.
#[test]
fn arguments_that_differ() {
    let text = TRIPLETS
        .replace("worker, 0)", "worker, (void *)(long)i)")
        .replace("count++;", "count += (int)(long)arg;");
    let [plain, _, symmetric, _] = states(&text);
    assert!(
        symmetric < plain && 2 * symmetric > plain,
        "{symmetric} of {plain}"
    );
}

/// A list that two threads push to, whose nodes are the same whichever thread made them.
const LIST: &str = "
struct node { int value; struct node *next; };
struct node *top;
void *push(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    pthread_mutex_lock(&lock);
    node->next = top;
    top = node;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, push, 0);
    pthread_create(&thread, 0, push, 0);
    pthread_exit(0);
}
";

#[test]
fn objects_whose_addresses_do_not_matter() {
    let [plain, ..] = states(LIST);
    let all = explored(LIST);
    assert!(plain < all, "{plain} of {all}");
}

/// Ordering addresses, or making numbers of them, looks at more than their identity.
#[test]
fn objects_whose_addresses_are_looked_at() {
    for broken in ["if (node < top)", "if ((long)node & 16)"] {
        let text = LIST.replace("node->next = top;", &format!("{broken} node->next = top;"));
        let [plain, ..] = states(&text);
        assert_eq!(plain, explored(&text), "{broken}");
    }
}

/// An endless loop of allocations has finitely many states if the objects are let go.
#[test]
fn objects_that_are_gone() {
    let text = "
    int main(void) {
        for (;;) {
            int *cell = malloc(sizeof *cell);
            *cell = 1;
            if (*cell != 1)
                reach_error();
            free(cell);
        }
    }";
    let task = task(text, Property::Reach);
    assert_eq!(check(&task, &Config::default()).verdict.name(), "safe");
}

/// One thread waits in a loop for ever; what the other one does must not be put off for ever.
#[test]
fn nobody_is_ignored() {
    let text = "
    int flag, other;
    void *spin(void *arg) {
        for (;;)
            other = 1 - other;
        return 0;
    }
    int main(void) {
        pthread_create(&thread, 0, spin, 0);
        flag = 1;
        if (flag)
            reach_error();
        return 0;
    }";
    for strategy in [Strategy::MinOnly, Strategy::RandomDfs, Strategy::Amcs] {
        let config = Config {
            strategy,
            ..Config::default()
        };
        let answer = check(&task(text, Property::Reach), &config);
        assert_eq!(answer.verdict.name(), "unsafe", "{strategy:?}");
    }
}

/// A thread that gets stuck in an atomic section keeps no thread from moving first.
#[test]
fn sections_that_do_not_end() {
    let text = "
    void __VERIFIER_atomic_begin(void);
    void __VERIFIER_atomic_end(void);
    void __VERIFIER_assume(int);
    int never, flag;
    void *stuck(void *arg) {
        __VERIFIER_atomic_begin();
        for (int i = 0; i < 2; i++)
            never = never * 2;
        __VERIFIER_assume(never);
        __VERIFIER_atomic_end();
        return 0;
    }
    int main(void) {
        pthread_create(&thread, 0, stuck, 0);
        flag = 1;
        reach_error();
        return 0;
    }";
    let answer = check(&task(text, Property::Reach), &Config::default());
    assert_eq!(answer.verdict.name(), "unsafe");
}

/// Every order of search comes to the same end.
#[test]
fn orders_of_search() {
    let faulty = TRIPLETS.replace("count++;", "if (count++ == 2) reach_error();");
    for search in [Search::Bfs, Search::Dfs, Search::Error] {
        for strategy in [Strategy::MinOnly, Strategy::MaxOverlap, Strategy::NoProver] {
            let config = Config {
                strategy,
                search,
                ..Config::default()
            };
            let answer = check(&task(&faulty, Property::Reach), &config);
            assert_eq!(answer.verdict.name(), "unsafe", "{config:?}");
        }
    }
}

/// Refinement goes on until the visited set is full, and then there is no answer.
#[test]
fn memory_is_bounded() {
    let text = "
    unsigned char a, b;
    void *count(void *arg) {
        for (;;)
            b++;
        return 0;
    }
    int main(void) {
        pthread_create(&thread, 0, count, 0);
        for (;;)
            a++;
    }";
    let budget = Budget::unlimited()
        .with_timeout(Duration::from_secs(20))
        .with_memory(200_000);
    let answer = matching::check(&task(text, Property::Reach), &Config::default(), &budget);
    assert_eq!(answer.verdict, Verdict::Unknown(Reason::OutOfMemory));
    assert!(answer.stats.get("refinements") > Some(2), "{answer:?}");
    assert!(
        answer.stats.get("abstract states") < Some(2_000),
        "{answer:?}"
    );
}

/// Going through what is between the least and the greatest value of a variable, without storing it.
#[test]
fn frugal_searches_store_less() {
    let text = "
    unsigned char a, b;
    void *count(void *arg) {
        for (;;)
            b = (b + 1) % 100;
        return 0;
    }
    int main(void) {
        pthread_create(&thread, 0, count, 0);
        for (;;) {
            a = (a + 1) % 100;
            if (a == 90)
                reach_error();
        }
    }";
    let task = task(text, Property::Reach);
    for strategy in [Strategy::MinOnly, Strategy::MinSet, Strategy::MaxOverlap] {
        let stored = [false, true].map(|frugal| {
            let config = Config {
                strategy,
                frugal,
                ..Config::default()
            };
            let answer = check(&task, &config);
            assert_eq!(answer.verdict.name(), "unsafe", "{config:?}");
            answer.stats.get("abstract states").expect("a number")
        });
        assert!(10 * stored[1] < stored[0], "{strategy:?}: {stored:?}");
    }
}

/// Threads that write a variable each, and are joined.
fn independent(threads: usize) -> String {
    let mut text = String::new();
    let (mut starts, mut joins) = (String::new(), String::new());
    for n in 0..threads {
        text +=
            &format!("int x{n}; pthread_t t{n}; void *f{n}(void *arg) {{ x{n} = 1; return 0; }}\n");
        starts += &format!("pthread_create(&t{n}, 0, f{n}, 0); ");
        joins += &format!("pthread_join(t{n}, 0); ");
    }
    let checks = (0..threads).map(|n| format!("if (x{n} != 1) reach_error(); "));
    let checks: String = checks.collect();
    format!("{text}int main(void) {{ {starts}{joins}{checks}return 0; }}")
}

#[test]
fn joined_threads_that_share_nothing_cost_no_more_than_one_after_the_other() {
    let with_reduction = |threads| states(&independent(threads))[1];
    let counts = [2, 3, 4].map(with_reduction);
    let steps: Vec<u64> = counts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|&step| step == steps[0]), "{counts:?}");
    let config = Config::default();
    let answer = check(&task(&independent(12), Property::Reach), &config);
    let states = answer.stats.get("abstract states");
    assert_eq!(answer.verdict.name(), "safe");
    assert_eq!(states, Some(counts[0] + 10 * steps[0]), "{counts:?}");
}
