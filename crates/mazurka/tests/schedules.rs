//! Schedules in the terminal: what is said of each step, and what is left out.

mod common;

use common::Folder;

/// A program with two threads, and what has to be in its schedule, in this order; what must not be in it.
fn check(property: &str, program: &str, shown: &[&str], hidden: &[&str]) {
    let folder = Folder::new();
    let head =
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n";
    folder.write("a.c", &format!("{head}{program}"));
    let ran = folder
        .mazurka(&["check", "--property", property, "a.c"])
        .exits(1);
    let mut rest = ran.stdout.as_str();
    for what in shown {
        let at = rest.find(what);
        let at = at.unwrap_or_else(|| panic!("no `{what}` in its place:\n{}", ran.stdout));
        rest = &rest[at + what.len()..];
    }
    for what in hidden {
        assert!(!ran.stdout.contains(what), "`{what}`:\n{}", ran.stdout);
    }
}

#[test]
fn semaphores_count() {
    let program = "sem_t slots[2];\nint inside;\n\
         void *f(void *arg) {\n    sem_wait(&slots[1]);\n    inside++;\n    return 0;\n}\n\
         int main(void) {\n    pthread_t a, b;\n    sem_init(&slots[1], 0, 2);\n\
             pthread_create(&a, 0, f, 0);\n    pthread_create(&b, 0, f, 0);\n\
             pthread_join(a, 0);\n    pthread_join(b, 0);\n    assert(inside < 2);\n}\n";
    let shown = ["slots[1]: 0 → 2", "slots[1]: 2 → 1", "slots[1]: 1 → 0"];
    // Declarations and heads of functions tell nothing.
    check("reach", program, &shown, &["pthread_t a", "*f(void", "__"]);
}

#[test]
fn who_waits_for_a_semaphore_or_a_barrier_says_for_which() {
    let program = |globals: &str, wait: &str, init: &str| {
        format!(
            "{globals}\nvoid *f(void *arg) {{\n    {wait};\n    return 0;\n}}\n\
             int main(void) {{\n    pthread_t a;\n    {init};\n    pthread_create(&a, 0, f, 0);\n    \
             pthread_join(a, 0);\n}}\n"
        )
    };
    let semaphore = program("sem_t ready;", "sem_wait(&ready)", "sem_init(&ready, 0, 0)");
    let shown = [
        "thread 1 (f) waits for ready at a.c:7",
        "waits for ready for ever",
    ];
    check("deadlock", &semaphore, &shown, &["__"]);
    let barrier = program(
        "pthread_barrier_t meet;",
        "pthread_barrier_wait(&meet)",
        "pthread_barrier_init(&meet, 0, 2)",
    );
    let shown = [
        "thread 1 (f) waits for meet at a.c:7",
        "waits for meet for ever",
    ];
    // What our model of a barrier remembers is none of the program's.
    check("deadlock", &barrier, &shown, &["__", "arrived", "round"]);
}

#[test]
fn waiting_begins_where_the_mutex_is_unlocked() {
    let program = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint ready;\n\
         void *f(void *arg) {\n    pthread_mutex_lock(&m);\n    pthread_cond_wait(&c, &m);\n    assert(ready);\n\
             pthread_mutex_unlock(&m);\n    return 0;\n}\n\
         int main(void) {\n    pthread_t a;\n    pthread_create(&a, 0, f, 0);\n    pthread_join(a, 0);\n}\n";
    let shown = [
        "holds m",
        "waits on c",
        "holds no lock",
        "wakes up without a signal",
    ];
    check("reach", program, &shown, &[]);
}

#[test]
fn what_is_freed_is_said() {
    let program = "struct task { int n; } *task;\n\
         void *f(void *arg) {\n    free(task);\n    return 0;\n}\n\
         int main(void) {\n    pthread_t a;\n    task = malloc(sizeof *task);\n    task->n = 1;\n\
             pthread_create(&a, 0, f, 0);\n    pthread_join(a, 0);\n    return task->n;\n}\n";
    let shown = [
        "which thread 1 (f) has freed at a.c:7",
        "frees struct task #1",
        "&struct task #1 (freed)",
    ];
    check("memsafety", program, &shown, &[]);
}

#[test]
fn long_statements_go_on_in_the_next_line() {
    let program = "_Atomic int first_of_all_counters, second_of_all_counters;\n\
         void *f(void *arg) {\n    second_of_all_counters = first_of_all_counters + first_of_all_counters;\n    return 0;\n}\n\
         int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, f, 0);\n    pthread_create(&b, 0, f, 0);\n    first_of_all_counters = 1;\n\
             pthread_join(a, 0);\n    pthread_join(b, 0);\n    assert(second_of_all_counters != 1);\n}\n";
    check(
        "reach",
        program,
        &["first_of_all_counters +", "first_of_all_counters;"],
        &["…"],
    );
}
