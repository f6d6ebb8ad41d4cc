//! Memory models: the same verdicts as making all executions, and counterexamples that the gate accepts.
//!
//! `MAZURKA_GRAPHS_PROGRAMS` sets how many random programs are tried.

use graphs::{Limits, explore};
use semantics::Property;
use testkit::{Atomics, Orders, Parts, from_environment};
use verdict::{Budget, MemoryModel, Program, Task, Verdict};
use xcfa::SourceFile;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../litmus/weak");
const MODELS: [&str; 4] = ["tso", "pso", "ra", "rc11"];

fn task(text: &str, model: &str, property: Property) -> Task {
    let program = Program::new(vec![SourceFile::new("test.c", text)]);
    let model = MemoryModel::shipped(model).expect("a model");
    Task::prepare(&program.with_memory_model(model), property).expect("a program")
}

/// Both verdicts; `true` is unsafe.
fn compare(text: &str, model: &str, property: Property) -> bool {
    let task = task(text, model, property);
    let answer = bmc::check(&task, &bmc::Config::default(), &Budget::unlimited());
    let found = match answer.confirm(&task).into_verdict() {
        Verdict::Safe(_) => false,
        Verdict::Unsafe(_) => true,
        Verdict::Unknown(reason) => panic!("{model}, {property}: {reason}\n{text}"),
    };
    let limits = Limits {
        events: 300,
        graphs: u64::MAX,
        waits: true,
        budget: Budget::unlimited(),
    };
    let all = explore(&task, &task.memory_model, &limits).expect("an answer");
    let expected = match property {
        Property::Race => all.flagged.is_some(),
        _ => all.error.is_some(),
    };
    assert_eq!(found, expected, "{model}, {property}: {text}");
    found
}

#[test]
fn the_classics() {
    let files = std::fs::read_dir(FOLDER).expect("the programs").flatten();
    let mut count = [0, 0];
    for path in files.map(|it| it.path()) {
        if path.extension().is_none_or(|it| it != "c") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a program");
        for model in MODELS {
            count[usize::from(compare(&text, model, Property::Reach))] += 1;
        }
    }
    assert!(count[0] > 20 && count[1] > 20, "{count:?}");
}

/// How many random programs are tried.
fn programs() -> u64 {
    from_environment("MAZURKA_GRAPHS_PROGRAMS", 40)
}

/// Verdicts about random programs: how many are safe, how many are not.
fn compare_random(first: u64, property: Property, draw: impl Fn(u64, &mut Atomics)) -> [u64; 2] {
    let mut count = [0, 0];
    for seed in first..first + programs() {
        let mut random = Atomics::new(seed);
        draw(seed, &mut random);
        let parts = random.parts();
        let after = match property {
            Property::Reach => format!("if ({}) reach_error();", random.condition()),
            _ => String::new(),
        };
        let text = parts.text(&after);
        for model in MODELS {
            count[usize::from(compare(&text, model, property))] += 1;
        }
    }
    println!("{property}: {} safe, {} unsafe", count[0], count[1]);
    count
}

#[test]
fn random_programs() {
    let count = compare_random(700_000, Property::Reach, |_, random| {
        (random.locks, random.loops, random.plain) = (true, true, true);
    });
    assert!(count[0] > 10 && count[1] > 10, "{count:?}");
}

/// Memory on a stack is like a register only as long as no other thread accesses it.
#[test]
fn random_programs_with_shared_stacks() {
    let count = compare_random(710_000, Property::Reach, |_, random| {
        (random.main, random.plain) = (true, true);
    });
    assert!(count[0] > 10 && count[1] > 10, "{count:?}");
}

#[test]
fn random_races() {
    let count = compare_random(720_000, Property::Race, |_, random| {
        (random.locks, random.plain) = (true, true);
    });
    assert!(count[0] > 10 && count[1] > 10, "{count:?}");
}

#[test]
fn random_executions_that_are_no_interleavings() {
    let count = compare_random(730_000, Property::Robust, |seed, random| {
        (random.locks, random.main, random.orders) = (true, seed % 4 == 0, Orders::Weak);
    });
    // Few programs of two threads have such executions.
    assert!(count[0] > 10 && count[1] > 3, "{count:?}");
}

/// Whether others access memory on a stack in one execution says nothing about which other executions are possible; whether
/// they can know its address does.
#[test]
fn stacks_that_others_may_know() {
    for (published, found) in [("&l", false), ("0", true)] {
        let parts = Parts {
            threads: vec![
                "r0 = __atomic_load_n(&x, acq); s0 = __atomic_load_n(&y, sc);".to_owned(),
                "__atomic_store_n(&y, 1, sc); r1 = __atomic_load_n(&x, sc);".to_owned(),
                "int *q = __atomic_load_n(&p, rlx); if (q) __atomic_store_n(q, 7, rlx);".to_owned(),
            ],
            main: format!(
                "__atomic_store_n(&p, {published}, rlx); __atomic_store_n(&x, 1, sc); \
                 __atomic_store_n(&l, 1, rlx); __atomic_store_n(&x, 2, rel);"
            ),
        };
        let text = parts.text("if (r0 == 2 && s0 == 0 && r1 == 0) reach_error();");
        assert_eq!(
            compare(&text, "rc11", Property::Reach),
            found,
            "{published}"
        );
    }
}

/// Very many executions, few of which matter: nothing is enumerated.
#[test]
fn many_executions() {
    let mut text = String::from(
        "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3 };
int x, y, z, d;
",
    );
    for at in 0..8 {
        let (own, other) = (at + 1, if at % 2 == 0 { "y" } else { "z" });
        text += &format!(
            "int r{at};\nvoid *run{at}(void *p) {{ __atomic_store_n(&y, {own}, rlx); r{at} = __atomic_load_n(&{other}, rlx); \
             __atomic_store_n(&z, {own}, rlx); return 0; }}\n"
        );
    }
    text += "void *run8(void *p) { d = 1; __atomic_store_n(&x, 1, rel); return 0; }\n";
    text +=
        "void *run9(void *p) { if (__atomic_load_n(&x, acq) && !d) reach_error(); return 0; }\n";
    text += "int main(void) {\n";
    for at in 0..10 {
        text += &format!("pthread_t t{at}; pthread_create(&t{at}, 0, run{at}, 0);\n");
    }
    text += "return 0; }\n";
    let task = task(&text, "rc11", Property::Reach);
    let answer = bmc::check(&task, &bmc::Config::default(), &Budget::unlimited());
    let verdict = answer.confirm(&task).into_verdict();
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}
