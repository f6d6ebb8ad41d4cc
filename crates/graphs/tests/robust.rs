//! Robustness: which programs have executions that no interleaving is, in which model.

mod common;

use common::{confirm, run, task_for};
use graphs::{explore, reference};
use models::Model;
use semantics::Property;
use std::path::Path;
use verdict::Task;

/// The models in which a program has only executions that are sequentially consistent. By brute force and by the
/// search; the gate accepts what is found.
fn robust_in(task: &Task) -> String {
    let is_robust = |model: &&str| {
        let (all, once) = (run(reference, task, model), run(explore, task, model));
        assert_eq!(once.error.is_some(), all.error.is_some(), "{model}");
        for trace in [&once.error, &all.error].into_iter().flatten() {
            confirm(task, model, trace);
        }
        once.error.is_none()
    };
    let models: Vec<&str> = Model::names().filter(is_robust).collect();
    models.join(" ")
}

#[track_caller]
fn check(name: &str, expected: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus/weak");
    let text = std::fs::read_to_string(folder.join(name)).expect("a file");
    let task = task_for(&text, Property::Robust);
    assert_eq!(robust_in(&task), expected, "{name}");
}

#[test]
fn the_classics() {
    check("sb.c", "sc");
    check("sb_one_fence.c", "sc");
    check("sb_fences.c", "sc tso pso ra rc11");
    check("sb_sc.c", "sc tso pso rc11");
    check("mp.c", "sc tso ra");
    check("mp_rel_acq.c", "sc tso pso ra rc11");
    check("lb.c", "sc tso pso ra rc11");
    check("iriw_acq.c", "sc tso pso");
    check("iriw_sc.c", "sc tso pso rc11");
}

const HEAD: &str = "
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3, ar = 4, sc = 5 };
int x, y;
";

fn two_threads(one: &str, two: &str) -> Task {
    let text = format!(
        "{HEAD} pthread_mutex_t m;
        void *first(void *unused) {{ {one} return 0; }}
        void *second(void *unused) {{ {two} return 0; }}
        int main(void) {{
            pthread_t a, b;
            pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
            pthread_join(a, 0); pthread_join(b, 0);
            return 0;
        }}"
    );
    task_for(&text, Property::Robust)
}

/// A lock that another thread has is no event: there is nothing that an interleaving could not do.
#[test]
fn waiting_for_a_lock_is_no_event() {
    let body = |own: &str, other: &str| {
        format!(
            "pthread_mutex_lock(&m); {own} = 1; int it = {other}; (void)it; pthread_mutex_unlock(&m);"
        )
    };
    let task = two_threads(&body("x", "y"), &body("y", "x"));
    assert_eq!(robust_in(&task), "sc tso pso ra rc11");
}

/// A read whose value nobody uses is part of an execution all the same.
#[test]
fn reads_of_no_use_count() {
    let body = |own: &str, other: &str| {
        format!("__atomic_store_n(&{own}, 1, rlx); (void)__atomic_load_n(&{other}, rlx);")
    };
    let task = two_threads(&body("x", "y"), &body("y", "x"));
    assert_eq!(robust_in(&task), "sc");
}

/// Exchanges are atomic in every model, but order other accesses only as their order says.
#[test]
fn exchanges() {
    let body = |own: &str, other: &str, order: &str| {
        format!(
            "__atomic_exchange_n(&{own}, 1, {order}); (void)__atomic_load_n(&{other}, {order});"
        )
    };
    let of = |order: &str| robust_in(&two_threads(&body("x", "y", order), &body("y", "x", order)));
    assert_eq!(of("rlx"), "sc tso pso");
    assert_eq!(of("sc"), "sc tso pso rc11");
}

/// What happens after an assertion has failed in another thread counts, too.
#[test]
fn errors_end_their_own_thread_only() {
    let task = two_threads(
        "__atomic_store_n(&x, 1, rlx); if (__atomic_load_n(&y, rlx) == 0) reach_error();",
        "__atomic_store_n(&y, 1, rlx); (void)__atomic_load_n(&x, rlx);",
    );
    assert_eq!(robust_in(&task), "sc");
}

/// A thread that waits for ever has read what it has read.
#[test]
fn waiting_loops() {
    let task = two_threads(
        "__atomic_store_n(&x, 1, rlx); while (__atomic_load_n(&y, rlx) == 0) {}",
        "__atomic_store_n(&y, 1, rlx); while (__atomic_load_n(&x, rlx) == 0) {}",
    );
    assert_eq!(robust_in(&task), "sc");
    let task = two_threads(
        "x = 1; __atomic_store_n(&y, 1, rel);",
        "while (__atomic_load_n(&y, acq) == 0) {} (void)x;",
    );
    assert_eq!(robust_in(&task), "sc tso pso ra rc11");
}
