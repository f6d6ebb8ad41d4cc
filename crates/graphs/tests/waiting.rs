//! A thread waits if it is back where it was and nothing has changed. These only look as if they did.

mod common;

use common::{confirm, races, run, task};
use graphs::{explore, reference};
use models::Model;

fn goes_on(text: &str) {
    let task = task(&format!("extern void reach_error(void);\nint x;\n{text}"));
    for model in Model::names() {
        for method in [explore, reference] {
            let found = run(method, &task, model);
            let trace = found.error.expect("the error behind the loop");
            confirm(&task, model, &trace);
        }
    }
}

#[test]
fn what_a_caller_still_has_to_do_is_no_waiting() {
    goes_on(
        "void f(int n) { if (n == 0) { if (x == 7) return; return; } f(n - 1); f(n - 1); }
         int main(void) { f(1); reach_error(); }",
    );
}

#[test]
fn a_counter_of_the_thread_is_no_waiting() {
    goes_on(
        "__thread int i;
         int main(void) { for (i = 0; i < 3; i++) if (x == 7) return 0; reach_error(); }",
    );
}

/// What comes before a barrier is seen behind it, whatever the model.
#[test]
fn a_barrier_orders_what_is_on_its_two_sides() {
    let text = "
        typedef unsigned long pthread_t;
        typedef union { char size[32]; long align; } pthread_barrier_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
        int pthread_barrier_wait(pthread_barrier_t *);
        extern void reach_error(void);
        pthread_barrier_t b;
        int x;
        void *run(void *unused) { WRITE pthread_barrier_wait(&b); return 0; }
        int main(void) {
            pthread_t t;
            pthread_barrier_init(&b, 0, 2);
            pthread_create(&t, 0, run, 0);
            pthread_barrier_wait(&b);
            if (x != 1) reach_error();
        }";
    let ordered = task(&text.replace("WRITE", "x = 1;"));
    let absent = task(&text.replace("WRITE", ""));
    for model in Model::names() {
        for method in [explore, reference] {
            let found = run(method, &ordered, model);
            assert_eq!((found.executions, found.error), (2, None), "{model}");
            assert_eq!(races(method, &ordered, model), None, "{model}");
            let trace = run(method, &absent, model).error.expect("an error");
            confirm(&absent, model, &trace);
        }
    }
}
