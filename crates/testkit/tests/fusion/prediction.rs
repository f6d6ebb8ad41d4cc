//! Errors in other orders of an execution's events.

use crate::litmus::litmus_task;
use crate::{explore, task};
use fusion::Dpor;
use verdict::Property;

/// An error that needs another order of the same events is found from the first execution.
#[test]
fn errors_in_other_orders_are_predicted() {
    let task = litmus_task("lost_updates", "3");
    let answer = explore(&task, Dpor::Optimal);
    assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
    assert_eq!(answer.stats.get("executions"), Some(1));
    assert_eq!(answer.stats.get("errors predicted"), Some(1));
    assert_eq!(answer.stats.get("solver calls"), Some(1));
}

/// The example of the paper on symbolic pruning: the trace program of the first execution has no
/// error, whatever the order, and a later one fails.
#[test]
fn different_events_need_another_execution() {
    let task = litmus_task("two_branches", "-");
    let answer = explore(&task, Dpor::Optimal);
    assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
    let executions = answer.stats.get("executions").unwrap_or_default();
    assert!((1..=2).contains(&executions), "{executions} executions");
}

/// A race that the order of two critical sections hides in the first execution, and a deadlock that
/// needs both threads half-way.
#[test]
fn races_and_deadlocks_in_other_orders_are_predicted() {
    let head = "
        typedef unsigned long pthread_t;
        typedef struct { int owner; int kind; } pthread_mutex_t;
        extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        extern int pthread_join(pthread_t, void **);
        extern int pthread_mutex_lock(pthread_mutex_t *);
        extern int pthread_mutex_unlock(pthread_mutex_t *);
        pthread_mutex_t a, b;
        int x;
        void *f(void *), *g(void *);
        int main() {
            pthread_t s, t;
            pthread_create(&s, 0, f, 0);
            pthread_create(&t, 0, g, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            return 0;
        }";
    let race = "
        void *f(void *arg) {
            x = 1;
            pthread_mutex_lock(&a); pthread_mutex_unlock(&a);
            return 0;
        }
        void *g(void *arg) {
            pthread_mutex_lock(&a); pthread_mutex_unlock(&a);
            x = 2;
            return 0;
        }";
    let deadlock = "
        void *f(void *arg) {
            pthread_mutex_lock(&a); pthread_mutex_lock(&b);
            x = 1;
            pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
            return 0;
        }
        void *g(void *arg) {
            pthread_mutex_lock(&b); pthread_mutex_lock(&a);
            x = 2;
            pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
            return 0;
        }";
    for (body, property) in [(race, Property::Race), (deadlock, Property::Deadlock)] {
        let task = task(&format!("{head}{body}"), property);
        let answer = explore(&task, Dpor::Optimal);
        assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
        assert_eq!(answer.stats.get("executions"), Some(1), "{property}");
        assert_eq!(answer.stats.get("errors predicted"), Some(1), "{property}");
    }
}
