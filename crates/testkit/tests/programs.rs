//! The programs of `examples/` and `litmus/` have the verdicts that the files beside them say.

use bench::Expectation;
use std::fmt::Write;
use std::time::Duration;
use testkit::{check, expectations, preprocess, workspace_dir};
use verdict::{Preparation, Property};
use xcfa::SourceFile;

const TIMEOUT: Duration = Duration::from_secs(60);

/// What has too many states for exploration is not waited for.
const SHORT: Duration = Duration::from_secs(2);

/// Compares one program with what is expected of it; every difference is a line.
fn differences(file: &SourceFile, expected: &Expectation) -> String {
    let mut found = String::new();
    for (property, verdict) in &expected.verdicts {
        let property: Property = property.parse().expect("the short name of a property");
        let limit = if verdict == "unknown" { SHORT } else { TIMEOUT };
        let answer = match check(file.clone(), property, Preparation::Full, limit) {
            Ok(answer) => answer,
            Err(refusal) => {
                let _ = writeln!(found, "{}: refused: {refusal}", expected.name);
                break;
            }
        };
        let name = &expected.name;
        if answer.verdict.name() != verdict {
            let is = &answer.verdict;
            let _ = writeln!(found, "{name}: {property} is not {verdict} but {is:?}");
        }
        let states = answer.stats.get("states");
        if property == Property::Reach && expected.states.is_some() && states != expected.states {
            let wanted = expected.states.unwrap_or_default();
            let _ = writeln!(found, "{name}: {states:?} states, not {wanted}");
        }
    }
    found
}

/// Checks every program of a folder; each has to be listed, and each that is listed has to exist.
fn check_folder(name: &str) {
    let expectations = expectations(name);
    let folder = workspace_dir().join(name);
    let mut listed: Vec<_> = expectations
        .programs
        .iter()
        .map(|known| known.name.clone())
        .collect();
    let mut present: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder of programs")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    listed.sort();
    present.sort();
    assert_eq!(
        listed, present,
        "expect.toml lists other programs than there are"
    );
    let mut found = String::new();
    for expected in &expectations.programs {
        let path = folder.join(&expected.name).with_extension("c");
        match preprocess(&path) {
            Ok(file) => found.push_str(&differences(&file, expected)),
            Err(error) => found.push_str(&error),
        }
    }
    assert!(found.is_empty(), "\n{found}");
}

#[test]
fn examples() {
    check_folder("examples");
}

#[test]
fn litmus() {
    check_folder("litmus");
}
