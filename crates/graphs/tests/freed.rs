//! Races with the end of an object: to free it is to write all of its bytes.

mod common;

use common::{races, run, task};
use graphs::{Assumed, explore, reference};
use models::Model;
use semantics::Property;

const HEAD: &str = "
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void free(void *);
enum { rlx = 0, acq = 2, rel = 3, sc = 5 };
struct node { int value; struct node *next; } *shared;
int done;
";

/// The models in which two threads race; by both methods, and the gate accepts it.
fn racing_in(one: &str, two: &str, last: &str) -> String {
    let text = format!(
        "{HEAD}
        void *first(void *unused) {{ {one} return 0; }}
        void *second(void *unused) {{ {two} return 0; }}
        int main(void) {{
            pthread_t a, b;
            pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
            pthread_join(a, 0); pthread_join(b, 0);
            {last}
            return 0;
        }}"
    );
    let task = task(&text);
    let is_racing = |model: &&str| {
        let found = [explore, reference].map(|method| races(method, &task, model).is_some());
        assert_eq!(found[0], found[1], "{model}");
        let mut racing = task.clone();
        racing.property = Property::Race;
        let assumed = run(explore, &racing, model).assumed;
        assert!(assumed.is_empty(), "{model}: {assumed:?}");
        found[0]
    };
    let models: Vec<&str> = Model::names().filter(is_racing).collect();
    models.join(" ")
}

/// A node that the first thread makes and the second one uses.
const MAKE: &str = "struct node *it = malloc(sizeof *it); it->value = 7; it->next = 0;
    __atomic_store_n(&shared, it, rel);";
const USE: &str = "struct node *it = __atomic_load_n(&shared, acq); if (it) { it->value++;";

#[test]
fn what_is_freed_after_the_join_does_not_race() {
    let last = "free(shared);";
    assert_eq!(racing_in(MAKE, &format!("{USE} }}"), last), "");
}

#[test]
fn what_is_freed_while_it_is_used_races() {
    let make = format!("{MAKE} free(it);");
    assert_eq!(
        racing_in(&make, &format!("{USE} }}"), ""),
        "sc tso pso ra rc11"
    );
}

/// What is freed twice is no race that a location would show; then nothing is proved.
#[test]
fn what_is_freed_twice_is_not_proved() {
    let text = format!(
        "{HEAD}
        void *run(void *it) {{ free(it); return 0; }}
        int main(void) {{
            pthread_t a, b;
            void *it = malloc(8);
            pthread_create(&a, 0, run, it); pthread_create(&b, 0, run, it);
            return 0;
        }}"
    );
    let mut task = task(&text);
    task.property = Property::Race;
    for method in [explore, reference] {
        let found = run(method, &task, "rc11");
        assert!(found.flagged.is_none() && found.assumed.contains(&Assumed::Freed));
    }
}

/// The user says that it has finished: with the order that says so, or not.
#[test]
fn what_is_freed_once_it_is_done_with() {
    let wait = |order: &str| {
        format!("{MAKE} while (__atomic_load_n(&done, {order}) == 0) {{}} free(it); int after = 1;")
    };
    let tell = |order: &str| format!("{USE} __atomic_store_n(&done, 1, {order}); }}");
    assert_eq!(racing_in(&wait("acq"), &tell("rel"), ""), "");
    assert_eq!(racing_in(&wait("acq"), &tell("rlx"), ""), "rc11");
    assert_eq!(racing_in(&wait("rlx"), &tell("rel"), ""), "rc11");
}
