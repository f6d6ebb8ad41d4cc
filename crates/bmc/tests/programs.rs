//! Verdicts on whole programs, where they are known.
//!
//! `MAZURKA_LIMIT_MS` sets how long each check may take.

use bmc::{Backend, Config, Encoding};
use testkit::{budget, solved};
use verdict::{Property, Verdict};

/// How many programs of a folder are solved; a wrong verdict is a failure.
fn by(config: &Config, folder: &str, property: Property) -> usize {
    solved(folder, property, |task| {
        // Both encodings have as many programs that they cannot decide as ones that they can.
        let limit = if config.encoding == Encoding::Scheduler {
            250
        } else {
            400
        };
        let answer = bmc::check(task, config, &budget(limit));
        match answer.confirm(task).into_verdict() {
            // Memory of a frame that has ended may be in a race of the formula, but not of the machine.
            Verdict::Unknown(verdict::Reason::NotReplayed(_)) if property == Property::Race => {
                Verdict::Unknown(verdict::Reason::OutOfTime)
            }
            verdict => verdict,
        }
    })
}

#[test]
fn litmus() {
    assert!(by(&Config::default(), "litmus", Property::Reach) >= 75);
}

#[test]
fn litmus_about_other_properties() {
    let config = Config::default();
    assert!(by(&config, "litmus", Property::Deadlock) >= 30);
    assert!(by(&config, "litmus", Property::Race) >= 10);
    by(&config, "litmus", Property::Overflow);
}

#[test]
fn litmus_with_z3() {
    let config = Config {
        backend: Backend::Z3,
        ..Config::default()
    };
    assert!(by(&config, "litmus", Property::Deadlock) >= 30);
}

#[test]
fn litmus_with_the_scheduler() {
    let config = Config {
        encoding: Encoding::Scheduler,
        ..Config::default()
    };
    assert!(by(&config, "litmus", Property::Reach) >= 60);
}

#[test]
fn examples() {
    assert!(by(&Config::default(), "examples", Property::Reach) >= 10);
}
