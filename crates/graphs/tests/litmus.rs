//! The classics as programs: how many executions there are, and which models show the weak one.

mod common;

use common::{confirm, program, races, run};
use graphs::{explore, reference};
use models::Model;

/// By model: the number of executions, with `!` if the error is reached.
fn counts(threads: &[&str], error: &str) -> String {
    let threads: Vec<String> = threads.iter().map(|it| it.to_string()).collect();
    let (plain, checked) = (
        program(&threads, ""),
        program(&threads, &format!("if ({error}) reach_error();")),
    );
    let count = |model: &'static str| {
        let all = run(reference, &plain, model);
        let once = run(explore, &plain, model);
        assert_eq!(all.executions, once.executions, "{model}");
        assert!(once.blocked <= all.blocked, "{model}");
        let error = run(explore, &checked, model).error;
        assert_eq!(
            error.is_some(),
            run(reference, &checked, model).error.is_some(),
            "{model}"
        );
        if let Some(trace) = &error {
            confirm(&checked, model, trace);
        }
        format!(
            "{model} {}{}",
            all.executions,
            if error.is_some() { "!" } else { "" }
        )
    };
    Model::names().map(count).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(threads: &[&str], error: &str, expected: &str) {
    assert_eq!(counts(threads, error), expected);
}

#[test]
fn store_buffering() {
    check(
        &[
            "__atomic_store_n(&x, 1, rlx); r0 = __atomic_load_n(&y, rlx);",
            "__atomic_store_n(&y, 1, rlx); r1 = __atomic_load_n(&x, rlx);",
        ],
        "r0 == 0 && r1 == 0",
        "sc 3, tso 4!, pso 4!, ra 4!, rc11 4!",
    );
    check(
        &[
            "__atomic_store_n(&x, 1, rlx); __atomic_thread_fence(sc); r0 = __atomic_load_n(&y, rlx);",
            "__atomic_store_n(&y, 1, rlx); __atomic_thread_fence(sc); r1 = __atomic_load_n(&x, rlx);",
        ],
        "r0 == 0 && r1 == 0",
        "sc 3, tso 3, pso 3, ra 3, rc11 3",
    );
}

#[test]
fn message_passing() {
    check(
        &[
            "__atomic_store_n(&x, 1, rlx); __atomic_store_n(&y, 1, rlx);",
            "r1 = __atomic_load_n(&y, rlx); s1 = __atomic_load_n(&x, rlx);",
        ],
        "r1 == 1 && s1 == 0",
        "sc 3, tso 3, pso 4!, ra 3, rc11 4!",
    );
    check(
        &[
            "__atomic_store_n(&x, 1, rlx); __atomic_store_n(&y, 1, rel);",
            "r1 = __atomic_load_n(&y, acq); s1 = __atomic_load_n(&x, rlx);",
        ],
        "r1 == 1 && s1 == 0",
        "sc 3, tso 3, pso 3, ra 3, rc11 3",
    );
}

#[test]
fn load_buffering() {
    check(
        &[
            "r0 = __atomic_load_n(&x, rlx); __atomic_store_n(&y, 1, rlx);",
            "r1 = __atomic_load_n(&y, rlx); __atomic_store_n(&x, 1, rlx);",
        ],
        "r0 == 1 && r1 == 1",
        "sc 3, tso 3, pso 3, ra 3, rc11 3",
    );
}

#[test]
fn a_lock_of_ones_own() {
    let body = |at: usize, unlock: &str| {
        format!(
            "while (!__sync_bool_compare_and_swap(&z, 0, 1)); r{at} = x; x = r{at} + 1; __atomic_store_n(&z, 0, {unlock});"
        )
    };
    let threads = [body(0, "rel"), body(1, "rel")];
    let task = program(&threads, "if (x != 2) reach_error();");
    let found = run(explore, &task, "rc11");
    assert_eq!((found.executions, found.error), (2, None));
    assert_eq!(races(explore, &task, "rc11"), None);
    let threads = [body(0, "rlx"), body(1, "rlx")];
    assert!(races(explore, &program(&threads, ""), "rc11").is_some());
}

#[test]
fn waiting_loops_are_blocked_reads() {
    check(
        &[
            "x = 1; __atomic_store_n(&y, 1, rel);",
            "while (__atomic_load_n(&y, acq) == 0); r1 = x;",
        ],
        "r1 != 1",
        "sc 1, tso 1, pso 1, ra 1, rc11 1",
    );
}

/// C's macros for atomics read into a variable in memory.
#[test]
fn waiting_loops_with_memory_of_their_own() {
    check(
        &[
            "x = 1; __atomic_store_n(&y, 1, rel);",
            "for (;;) { int t; __atomic_load(&y, &t, acq); if (t) break; } r1 = x;",
        ],
        "r1 != 1",
        "sc 1, tso 1, pso 1, ra 1, rc11 1",
    );
}

/// A fence only forbids executions, so that a round of a loop that has one may as well not have been.
#[test]
fn waiting_loops_with_fences() {
    check(
        &[
            "x = 1; __atomic_store_n(&y, 1, rel);",
            "int r; do { r = __atomic_load_n(&y, rlx); __atomic_thread_fence(acq); } while (r == 0); s1 = x;",
        ],
        "s1 != 1",
        "sc 1, tso 1, pso 1, ra 1, rc11 1",
    );
}

/// So may an exchange that leaves what was there.
#[test]
fn waiting_loops_that_write_what_they_have_read() {
    check(
        &[
            "__atomic_store_n(&y, 1, rlx);",
            "while (__atomic_fetch_or(&y, 0, rlx) == 0) {} s1 = 1;",
        ],
        "s1 == 1",
        "sc 1!, tso 1!, pso 1!, ra 1!, rc11 1!",
    );
}

/// Nobody sees anything of a thread that goes on for ever by itself.
#[test]
fn a_loop_without_events_never_ends() {
    let task = program(
        &["x = 1; for (int i = 0; ; i = (i + 1) % 7) {}", "s1 = x;"].map(str::to_owned),
        "",
    );
    for model in Model::names() {
        let found = run(explore, &task, model);
        assert_eq!((found.executions, found.blocked), (0, 2), "{model}");
    }
}

/// A loop that counts in memory of its own comes to its end.
#[test]
fn loops_that_count_do_not_wait() {
    let body = "int n = 0; int *p = &n; while (*p < 2) { if (__atomic_load_n(&y, rlx)) r0 = 1; *p = *p + 1; } s0 = 1;";
    check(&[body], "s0 == 1", "sc 1!, tso 1!, pso 1!, ra 1!, rc11 1!");
    let outer = "int n = 0; int *p = &n; for (;;) { int t; __atomic_load(&y, &t, rlx); *p = *p + 1; if (*p == 3) break; } s0 = 1;";
    check(&[outer], "s0 == 1", "sc 1!, tso 1!, pso 1!, ra 1!, rc11 1!");
}

#[test]
fn compare_exchange_has_two_orders() {
    // A failure that is relaxed does not acquire.
    let cas = |failure: &str| {
        format!(
            "int e = 0; if (!__atomic_compare_exchange_n(&y, &e, 2, 0, acq, {failure})) s1 = __atomic_load_n(&x, rlx) + 1;"
        )
    };
    let writer = "__atomic_store_n(&x, 1, rlx); __atomic_store_n(&y, 1, rel);";
    check(
        &[writer, &cas("acq")],
        "s1 == 1",
        "sc 2, tso 2, pso 2, ra 2, rc11 2",
    );
    check(
        &[writer, &cas("rlx")],
        "s1 == 1",
        "sc 2, tso 2, pso 2, ra 2, rc11 3!",
    );
}
