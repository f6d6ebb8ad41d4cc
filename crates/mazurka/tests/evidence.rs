//! `check --evidence` and `verify-evidence`.

mod common;

use common::{Folder, LOST_UPDATE};
use serde_json::Value;

const ENGINES: [&str; 3] = ["explore", "bmc", "cegar"];

#[test]
fn evidence_is_confirmed_and_a_changed_program_is_not() {
    let folder = Folder::new();
    folder.write("bad.c", LOST_UPDATE);
    folder.write(
        "good.c",
        &LOST_UPDATE.replace("counter == 2", "counter >= 1"),
    );
    for engine in ENGINES {
        for (file, status, word) in [("bad.c", 1, "unsafe"), ("good.c", 0, "safe")] {
            let args = ["check", "--engine", engine, "--evidence", "out", file];
            folder.mazurka(&args).exits(status);
            let ran = folder.mazurka(&["verify-evidence", "out"]).exits(0);
            ran.prints(&[&format!("CONFIRMED  reach: {word}, as {engine} says")]);
            let other = if file == "bad.c" { "good.c" } else { "bad.c" };
            let ran = folder.mazurka(&["verify-evidence", "out", other]).exits(65);
            ran.complains(&["the program has changed"]);
        }
    }
}

#[test]
fn no_evidence_for_nothing() {
    let folder = Folder::new();
    folder.write("endless.c", common::ENDLESS);
    let args = [
        "check",
        "--timeout",
        "1",
        "--evidence",
        "out",
        "--property",
        "termination",
    ];
    folder
        .mazurka(&[&args[..], &["endless.c"]].concat())
        .exits(2);
    folder.mazurka(&["verify-evidence", "out"]).exits(65);
}

/// The ways to every value of a JSON document.
fn paths(value: &Value, here: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                paths(value, &format!("{here}/{name}"), all);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                paths(value, &format!("{here}/{at}"), all);
            }
        }
        _ => all.push(here.to_owned()),
    }
}

fn flipped(value: &Value) -> Value {
    match value {
        Value::Null => Value::from("something"),
        Value::Bool(value) => Value::from(!value),
        Value::Number(number) => Value::from(number.as_u64().map_or(1, |number| number ^ 1)),
        Value::String(text) => Value::from(format!("{text}x")),
        other => other.clone(),
    }
}

#[test]
fn every_changed_field_is_rejected() {
    let folder = Folder::new();
    folder.write("bad.c", LOST_UPDATE);
    folder.write(
        "good.c",
        &LOST_UPDATE.replace("counter == 2", "counter >= 1"),
    );
    for (engine, file) in [("explore", "bad.c"), ("bmc", "good.c"), ("cegar", "good.c")] {
        let args = ["check", "--engine", engine, "--evidence", "out", file];
        folder.mazurka(&args);
        let text = folder.read("out/evidence.json");
        let document: Value = serde_json::from_str(&text).unwrap();
        let mut all = Vec::new();
        paths(&document, "", &mut all);
        assert!(all.len() > 12, "{all:?}");
        // Starting the program for each of a hundred numbers of a trace would take long.
        let step = (all.len() / 40).max(1);
        for path in all.iter().step_by(step) {
            let mut changed = document.clone();
            let value = changed.pointer_mut(path).unwrap();
            *value = flipped(value);
            folder.write("out/evidence.json", &changed.to_string());
            let ran = folder.mazurka(&["verify-evidence", "out"]);
            assert_ne!(ran.status, Some(0), "{engine} {path}: {ran:#?}");
        }
    }
}

#[test]
fn a_changed_refutation_is_noticed() {
    let folder = Folder::new();
    folder.write(
        "good.c",
        &LOST_UPDATE.replace("counter == 2", "counter >= 1"),
    );
    let args = ["check", "--engine", "bmc", "--evidence", "out", "good.c"];
    folder.mazurka(&args).exits(0);
    let text = folder.read("out/refutation.txt");
    folder.write("out/refutation.txt", &text.replacen("-", "", 1));
    let ran = folder.mazurka(&["verify-evidence", "out"]).exits(65);
    ran.complains(&["refutation.txt has been changed"]);
}
