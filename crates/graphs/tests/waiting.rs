//! A thread waits if it is back where it was and nothing has changed. These only look as if they did.

mod common;

use common::{confirm, run, task};
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
