//! Verdicts on whole programs, where they are known.

use matching::{Config, Strategy, Targets, hunt};
use std::time::Duration;
use testkit::{solved, task};
use verdict::{Answer, Budget, Property, Reason, Task, Verdict};
use xcfa::SourceFile;

const SPLITTING: [Strategy; 3] = [Strategy::MinOnly, Strategy::MinSet, Strategy::MaxOverlap];

fn by(task: &Task, strategy: Strategy, millis: u64) -> Answer {
    let budget = Budget::unlimited().with_timeout(Duration::from_millis(millis));
    let config = Config {
        strategy,
        ..Config::default()
    };
    matching::check(task, &config, &budget)
        .confirm(task)
        .into_answer()
}

fn litmus(property: Property, strategy: Strategy) -> usize {
    solved("litmus", property, |task| by(task, strategy, 300).verdict)
}

#[test]
fn litmus_programs() {
    assert!(litmus(Property::Reach, Strategy::MinOnly) >= 60);
    assert!(litmus(Property::Deadlock, Strategy::MinOnly) >= 30);
    assert!(litmus(Property::Race, Strategy::MinOnly) >= 10);
    assert!(litmus(Property::Reach, Strategy::NoProver) >= 20);
}

/// Figure 2.1: `x` stays 0, so `y` does, and the loop has one round that repeats.
const FIGURE_2_1: &str = "
void reach_error(void);
int x, y;
int main(void) {
    x = 0;
    y = 0;
    while (y >= 0)
        y = x + y;
    reach_error();
    return 0;
}
";

fn figure_2_1() -> Task {
    let file = SourceFile::new("figure.i", FIGURE_2_1);
    task(file, Property::Reach).expect("supported C")
}

/// Each round adds `a * x + y >= 0` for a larger `a`, and none of them helps.
#[test]
fn amcs_does_not_converge_on_figure_2_1() {
    let answer = by(&figure_2_1(), Strategy::Amcs, 500);
    assert_eq!(answer.verdict, Verdict::Unknown(Reason::OutOfTime));
    assert!(
        answer.stats.get("refinements") > Some(3),
        "{:?}",
        answer.stats
    );
}

#[test]
fn splitting_terminates_on_figure_2_1() {
    let task = figure_2_1();
    for strategy in SPLITTING {
        let answer = by(&task, strategy, 2000);
        assert_eq!(answer.verdict.name(), "safe", "{strategy:?}");
    }
}

/// Two threads that count.
const COUNTERS: &str = "
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
unsigned char a, b;
pthread_t thread;
void *count(void *arg) {
    for (;;)
        b = (b + 1) % 6;
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, count, 0);
    for (;;)
        a = (a + 1) % 5;
    return 0;
}
";

/// Whatever is drawn is found, with no more states than there are.
#[test]
fn drawn_states_are_found() {
    let file = SourceFile::new("counters.i", COUNTERS);
    let task = task(file, Property::Reach).expect("supported C");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
    let targets = Targets::draw(&task, 10, 3, 1000, &budget).expect("a small program");
    for strategy in SPLITTING.into_iter().chain([Strategy::RandomDfs]) {
        let config = Config {
            strategy,
            por: false,
            symmetry: false,
            ..Config::default()
        };
        let hits = hunt(&task, &config, &targets, &budget);
        assert_eq!(hits.iter().flatten().count(), 10, "{strategy:?}");
        for hit in hits.into_iter().flatten() {
            assert!(
                hit.states <= targets.states as u64 && hit.depth > 0,
                "{hit:?}"
            );
        }
    }
    let too_many = Targets::draw(&task, 10, 3, 5, &budget);
    assert!(too_many.is_err(), "there are more than five states");
}

/// A search with weakest preconditions goes on until it tells the drawn states from all others.
#[test]
fn drawn_states_are_the_property_of_weakest_preconditions() {
    let file = SourceFile::new("counters.i", COUNTERS);
    let task = task(file, Property::Reach).expect("supported C");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let targets = Targets::draw(&task, 4, 3, 1000, &budget).expect("a small program");
    for (strategy, threshold) in [
        (Strategy::Amcs, 1),
        (Strategy::NoProver, 1),
        (Strategy::AddAll, 1),
        (Strategy::AddAll, 2),
    ] {
        let config = Config {
            strategy,
            threshold,
            por: false,
            symmetry: false,
            ..Config::default()
        };
        let hits = hunt(&task, &config, &targets, &budget);
        assert_eq!(hits.iter().flatten().count(), 4, "{strategy:?} {threshold}");
    }
}
