//! Programs that start 10,000 threads are answered like those that start two.

use bench::Expectations;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../litmus/thousands");

/// On a machine with nothing else to do, each takes a few seconds.
const TIMEOUT: &str = "120";

fn verdict(program: &Path, property: &str) -> String {
    let output = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .args(["check", "--format", "json", "--timeout", TIMEOUT])
        .args(["--property", property])
        .arg(program)
        .output()
        .expect("mazurka runs");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    answer["verdict"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn all_properties_are_answered() {
    let folder = Path::new(FOLDER);
    let listed = std::fs::read_to_string(folder.join("expect.toml")).expect("a list");
    for program in Expectations::parse(&listed).expect("a valid list").programs {
        let path = folder.join(&program.name).with_extension("c");
        for (property, expected) in &program.verdicts {
            let found = verdict(&path, property);
            assert_eq!(found, *expected, "{}: {property}", program.name);
        }
    }
}
