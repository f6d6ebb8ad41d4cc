//! Verdicts on whole programs, where they are known.

use bench::Expectations;
use bmc::{Backend, Config, Encoding};
use std::path::Path;
use std::time::Duration;
use testkit::{preprocess, task, workspace_dir};
use verdict::{Answer, Budget, Property, Task, Verdict};

fn by(task: &Task, config: &Config, seconds: u64) -> Answer {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    bmc::check(task, config, &budget)
        .confirm(task)
        .into_answer()
}

/// Compares all programs of a folder with what is expected of them; gives how many were solved.
fn check_folder(folder: &Path, property: Property, config: &Config, seconds: u64) -> usize {
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let expectations = Expectations::parse(&text).expect("a valid expect.toml");
    let mut wrong = String::new();
    let mut solved = 0;
    for program in &expectations.programs {
        let known = program
            .verdicts
            .iter()
            .find(|(known, _)| known == property.name());
        let Some((_, expected)) = known else { continue };
        let path = folder.join(&program.name).with_extension("c");
        let task = match task(preprocess(&path).expect("readable C"), property) {
            Ok(task) => task,
            Err(refusal) => {
                println!("{}: {refusal}", program.name);
                continue;
            }
        };
        let answer = by(&task, config, seconds);
        match &answer.verdict {
            Verdict::Unknown(reason) => println!("{}: {reason}", program.name),
            verdict if verdict.name() == expected => solved += 1,
            // What exploration cannot settle because of inputs, this engine may.
            _ if expected == "unknown" => solved += 1,
            verdict => wrong += &format!("{}: {verdict:?}\n", program.name),
        }
        // Memory of a frame that has ended may be in a race of the formula, but not of the machine.
        if let Verdict::Unknown(verdict::Reason::NotReplayed(what)) = &answer.verdict
            && property != Property::Race
        {
            wrong += &format!("{}: {what}\n", program.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    println!("{solved} of {} solved", expectations.programs.len());
    solved
}

fn scheduler() -> Config {
    Config {
        encoding: Encoding::Scheduler,
        ..Config::default()
    }
}

#[test]
fn litmus() {
    let folder = workspace_dir().join("litmus");
    let config = Config::default();
    assert!(check_folder(&folder, Property::Reach, &config, 3) >= 75);
    assert!(check_folder(&folder, Property::Deadlock, &config, 1) >= 30);
    assert!(check_folder(&folder, Property::Race, &config, 1) >= 10);
    check_folder(&folder, Property::Overflow, &config, 1);
}

#[test]
fn litmus_with_z3() {
    let folder = workspace_dir().join("litmus");
    let config = Config {
        backend: Backend::Z3,
        ..Config::default()
    };
    assert!(check_folder(&folder, Property::Deadlock, &config, 1) >= 30);
}

#[test]
fn litmus_with_the_scheduler() {
    let folder = workspace_dir().join("litmus");
    assert!(check_folder(&folder, Property::Reach, &scheduler(), 1) >= 60);
}

#[test]
fn examples() {
    let folder = workspace_dir().join("examples");
    assert!(check_folder(&folder, Property::Reach, &Config::default(), 3) >= 10);
}
