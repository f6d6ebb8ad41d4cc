//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_LIMIT_MS` how long each check may take.

use bench::Expectations;
use generator::{Profile, Program};
use reduce::{Commutativity, Config, OrderChoice};
use std::time::Duration;
use testkit::{agrees, from_environment, judge_random, preprocess, seeds, task};
use verdict::{Budget, Proof, Property, Task, Verdict};
use xcfa::SourceFile;

/// The verdict; the evidence of a proof must pass its check.
fn by_reduction(task: &Task, config: &Config) -> Verdict {
    let limit = Duration::from_millis(from_environment("MAZURKA_LIMIT_MS", 1500));
    let answer = reduce::check(task, config, &Budget::unlimited().with_timeout(limit));
    if let Verdict::Safe(Proof::ReducedProduct { certificate, .. }) = &answer.verdict {
        let checked = reduce::recheck(task, certificate, &Budget::unlimited());
        assert!(checked.is_ok(), "the evidence is refused: {checked:?}");
    }
    answer.confirm(task).into_verdict()
}

fn configs() -> Vec<Config> {
    let mut configs = vec![Config::default()];
    let orders = [
        OrderChoice::Sequential,
        OrderChoice::Reversed,
        OrderChoice::Lockstep,
        OrderChoice::Outer,
        OrderChoice::Groups,
        OrderChoice::Accesses,
    ];
    let levels = [
        Commutativity::Conditional,
        Commutativity::Semantic,
        Commutativity::Syntactic,
        Commutativity::Off,
    ];
    for (number, order) in orders.into_iter().enumerate() {
        for (other, level) in levels.into_iter().enumerate() {
            configs.push(Config {
                order,
                commutativity: Some(level),
                membranes: (number + other) % 3 != 0,
            });
        }
    }
    configs
}

/// No litmus program gets a wrong verdict, and some get the right one.
#[test]
fn litmus() {
    let folder = testkit::workspace_dir().join("litmus");
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let expectations = Expectations::parse(&text).expect("a valid expect.toml");
    let (mut wrong, mut solved) = (String::new(), 0);
    for program in &expectations.programs {
        let mut verdicts = program.verdicts.iter();
        let reach = Property::Reach.to_string();
        let Some((_, expected)) = verdicts.find(|(of, _)| **of == reach) else {
            continue;
        };
        let path = folder.join(&program.name).with_extension("c");
        let Ok(task) = task(preprocess(&path).expect("readable C"), Property::Reach) else {
            continue;
        };
        match by_reduction(&task, &Config::default()) {
            Verdict::Unknown(reason) if reason.is_fault() => {
                wrong += &format!("{}: {reason}\n", program.name);
            }
            Verdict::Unknown(_) => {}
            verdict if verdict.name() == expected || expected == "unknown" => solved += 1,
            verdict => wrong += &format!("{}: {}\n", program.name, verdict.name()),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    println!("{solved} of {} solved", expectations.programs.len());
    assert!(solved >= 20, "{solved} solved");
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, property: Property, share: u64) {
    let configs = configs();
    let judge = |seed: u64, program: &Program| {
        let text = program.to_string();
        let Ok(task) = task(SourceFile::new("random.i", text.as_str()), property) else {
            return Ok(None);
        };
        let config = &configs[seed as usize % configs.len()];
        let explored = testkit::explored(&task, Duration::from_secs(10));
        let found = by_reduction(&task, config);
        if let Verdict::Unknown(reason) = &found
            && reason.is_fault()
        {
            return Err(format!("{config:?}: {reason}\n{text}"));
        }
        let answer = agrees(&explored.verdict, &found);
        answer
            .map(Some)
            .map_err(|why| format!("{config:?}: {why}\n{text}"))
    };
    let answers = judge_random(seeds(share), profile, judge);
    let tried = answers.iter().flatten().count();
    let solved = answers.iter().flatten().filter(|&&solved| solved).count();
    println!("{solved} of {tried} solved");
    // A comparison with an engine that never answers would be worth nothing.
    assert!(solved * 20 >= tried, "{solved} of {tried} solved");
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), Property::Reach, 10);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), Property::Reach, 5);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), Property::Reach, 5);
}

#[test]
fn of_overflows() {
    compare(&Profile::with_inputs(), Property::Overflow, 3);
}
