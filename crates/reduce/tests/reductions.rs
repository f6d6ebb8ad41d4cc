//! A reduction loses nothing: for every order and every kind of commutativity the reduced product has the
//! same final states as the product of all interleavings, and an error if and only if that has one.
//!
//! Programs without inputs are run on the product with concrete values. Membranes are left out where
//! final states are compared: they keep errors only.

use generator::{Profile, Program as Random};
use reduce::{Commutativity, OrderChoice, explore_product};
use testkit::{judge_random, seeds, task};
use verdict::{Property, Task};
use xcfa::SourceFile;

const ORDERS: [OrderChoice; 6] = [
    OrderChoice::Sequential,
    OrderChoice::Reversed,
    OrderChoice::Lockstep,
    OrderChoice::Outer,
    OrderChoice::Groups,
    OrderChoice::Pipes,
];

const LEVELS: [Commutativity; 3] = [
    Commutativity::Syntactic,
    Commutativity::Semantic,
    Commutativity::Conditional,
];

/// Compares all reductions of a program with its full product; how many were compared.
fn compare(task: &Task) -> Result<usize, String> {
    let explored = |order, level, membranes, split| {
        explore_product(task, order, level, membranes, split, 4000)
    };
    let Some(full) = explored(OrderChoice::Sequential, Commutativity::Off, false, false) else {
        return Ok(0);
    };
    let mut compared = 0;
    for (number, order) in ORDERS.into_iter().enumerate() {
        for (other, level) in LEVELS.into_iter().enumerate() {
            for membranes in [false, true] {
                let split = (number + other) % 2 == 0;
                let Some(reduced) = explored(order, level, membranes, split) else {
                    continue;
                };
                compared += 1;
                let how = format!("{order:?}, {level:?}, membranes {membranes}, split {split}");
                if reduced.error != full.error {
                    return Err(format!("{how}: an error is {}", reduced.error));
                }
                if !membranes && !full.error && reduced.finals != full.finals {
                    return Err(format!("{how}: other final states"));
                }
            }
        }
    }
    Ok(compared)
}

fn check(text: &str) {
    let task = task(SourceFile::new("small.i", text), Property::Reach).expect("a small program");
    let compared = compare(&task).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert!(compared >= 20, "{compared} reductions were compared");
}

const HEAD: &str = "
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
extern void abort(void);
int x, y, z;
";

const MAIN: &str = "
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (x == 77) reach_error();
    return 0;
}";

#[test]
fn of_sums() {
    check(&format!(
        "{HEAD}
void *one(void *p) {{ for (int i = 0; i < 2; i++) {{ __VERIFIER_atomic_begin(); x += 1; __VERIFIER_atomic_end(); }} return 0; }}
void *two(void *p) {{ for (int i = 0; i < 2; i++) {{ __VERIFIER_atomic_begin(); x += 3; __VERIFIER_atomic_end(); }} return 0; }}
{MAIN}"
    ));
}

#[test]
fn of_races() {
    check(&format!(
        "{HEAD}
void *one(void *p) {{ x = y + 1; z = x; return 0; }}
void *two(void *p) {{ y = x + 1; x = z + y; return 0; }}
{MAIN}"
    ));
}

#[test]
fn of_waiting() {
    check(&format!(
        "{HEAD}
void *one(void *p) {{ x = 1; y = 1; x = 2; return 0; }}
void *two(void *p) {{ if (!(y == 1)) abort(); z = x; x = 5; return 0; }}
{MAIN}"
    ));
}

#[test]
fn of_errors() {
    let task = |text: &str| task(SourceFile::new("small.i", text), Property::Reach).expect("C");
    let text = format!(
        "{HEAD}
void *one(void *p) {{ x = 70; y = 1; return 0; }}
void *two(void *p) {{ if (y == 1) x = x + 7; return 0; }}
{MAIN}"
    );
    let compared = compare(&task(&text)).expect("the same errors");
    assert!(compared >= 20);
}

#[test]
fn of_random_programs() {
    let profiles = [(Profile::standard(), 4), (Profile::blocking(), 2)];
    let mut compared = 0;
    for (profile, share) in profiles {
        let judge = |_, program: &Random| {
            let text = program.to_string();
            match task(SourceFile::new("random.i", text.as_str()), Property::Reach) {
                Ok(task) => compare(&task).map_err(|why| format!("{why}\n{text}")),
                Err(_) => Ok(0),
            }
        };
        compared += judge_random(seeds(share), &profile, judge)
            .into_iter()
            .sum::<usize>();
    }
    println!("{compared} reductions compared");
    assert!(compared > 100);
}
