//! Verdicts on whole programs, where they are known.

use bmc::{Config, Encoding};
use std::path::Path;
use std::time::Duration;
use testkit::{Expectations, preprocess, translate, workspace_dir};
use verdict::{Answer, Budget, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(file: SourceFile) -> Result<Task, String> {
    let property = Property::Reach;
    let xcfa = translate(file, property)?;
    let xcfa = passes::prepare(xcfa, &passes::Options::default()).map_err(|error| error.what)?;
    Ok(Task { xcfa, property })
}

fn by(task: &Task, config: &Config, seconds: u64) -> Answer {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    bmc::check(task, config, &budget)
}

/// Compares all programs of a folder with what is expected of them; gives how many were solved.
fn check_folder(folder: &Path, config: &Config, seconds: u64) -> usize {
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let expectations = Expectations::parse(&text).expect("a valid expect.toml");
    let mut wrong = String::new();
    let mut solved = 0;
    for program in &expectations.programs {
        let known = program
            .verdicts
            .iter()
            .find(|(property, _)| property == "reach");
        let Some((_, expected)) = known else { continue };
        let path = folder.join(&program.name).with_extension("c");
        let task = match task(preprocess(&path).expect("readable C")) {
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
        if let Verdict::Unknown(verdict::Reason::NotReplayed(what)) = &answer.verdict {
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
    assert!(check_folder(&folder, &Config::default(), 3) >= 75);
}

#[test]
fn litmus_with_the_scheduler() {
    assert!(check_folder(&workspace_dir().join("litmus"), &scheduler(), 1) >= 60);
}

#[test]
fn examples() {
    let folder = workspace_dir().join("examples");
    assert!(check_folder(&folder, &Config::default(), 3) >= 10);
}
