//! The classics as files: by model, how many executions there are, and whether the weak one is among them.
//!
//! `litmus/weak/counts.txt` says what is right: `!` marks models that show the outcome that the program asks for. Set
//! `UPDATE_EXPECT=1` to write it anew, and look at what changes.

mod common;

use common::{confirm, run, task};
use graphs::{explore, reference};
use models::Model;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../litmus/weak");

/// What both methods say about a program under a model.
fn count(text: &str, model: &str) -> String {
    let plain = task(&text.replace("reach_error();\n    return", ";\n    return"));
    let (all, once) = (run(reference, &plain, model), run(explore, &plain, model));
    assert_eq!(once.executions, all.executions);
    assert!(once.blocked <= all.blocked);
    let checked = task(text);
    let (all_error, error) = (
        run(reference, &checked, model),
        run(explore, &checked, model),
    );
    assert_eq!(error.error.is_some(), all_error.error.is_some());
    if let Some(trace) = &error.error {
        confirm(&checked, model, trace);
    }
    let mark = if error.error.is_some() { "!" } else { "" };
    format!("{model} {}{mark}", once.executions)
}

#[test]
fn every_model_has_its_executions() {
    let files = std::fs::read_dir(FOLDER).expect("the programs").flatten();
    let mut files: Vec<_> = files.map(|it| it.path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "c"));
    files.sort();
    assert!(files.len() > 20);
    let mut found = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a program");
        let counts: Vec<String> = Model::names().map(|model| count(&text, model)).collect();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        found += &format!("{name:<20} {}\n", counts.join(", "));
    }
    let expected = Path::new(FOLDER).join("counts.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected, &found).expect("a file that can be written");
    }
    let known = std::fs::read_to_string(&expected).unwrap_or_default();
    assert_eq!(found, known);
}
