//! `ARCHITECTURE.md` tells the truth about the crates, and its picture is drawn from it.
//!
//! `UPDATE_EXPECT=1 cargo test -p testkit --test architecture` draws the picture anew.

use expect_test::expect_file;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;
use testkit::workspace_dir;

/// A heading of the code map with the crates below it.
struct Floor {
    name: String,
    crates: Vec<String>,
}

fn floors() -> Vec<Floor> {
    let text = std::fs::read_to_string(workspace_dir().join("ARCHITECTURE.md")).expect("the page");
    let map = text
        .split("\n## ")
        .find(|part| part.starts_with("Code map"));
    let map = map.expect("a part `Code map`");
    let maps = map.split("\nWhere to start").next().unwrap_or_default();
    let floors = maps.split("\n### ").skip(1).map(|part| Floor {
        name: part.lines().next().unwrap_or_default().to_owned(),
        crates: part.lines().filter_map(row).collect(),
    });
    floors.collect()
}

fn row(line: &str) -> Option<String> {
    let name = line.strip_prefix("| `")?.split('`').next()?;
    Some(name.to_owned())
}

/// The crates of the workspace, with those that each of them uses outside of tests.
fn workspace() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(workspace_dir())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let uses = |package: &Value| {
        let all = package["dependencies"].as_array().expect("a list").iter();
        let ours = all.filter(|it| it["kind"].is_null() && it["path"].is_string());
        ours.map(name).collect()
    };
    packages.iter().map(|it| (name(it), uses(it))).collect()
}

#[test]
fn every_crate_has_one_row_and_uses_only_those_above() {
    let workspace = workspace();
    let rows: Vec<String> = floors()
        .into_iter()
        .flat_map(|floor| floor.crates)
        .collect();
    let mut sorted = rows.clone();
    sorted.sort();
    assert_eq!(sorted, workspace.keys().cloned().collect::<Vec<_>>());
    for (at, row) in rows.iter().enumerate() {
        for used in &workspace[row] {
            assert!(
                rows[..at].contains(used),
                "`{row}` uses `{used}`, which is below it"
            );
        }
    }
}

#[test]
fn the_picture_shows_every_crate() {
    expect_file!["../../../docs/pictures/architecture.svg"].assert_eq(&picture(&floors()));
}

/// What a program is on its way, and what brings it there.
const STAGES: [(&str, &str); 7] = [
    ("prog.c", "driver"),
    ("text", "cfront"),
    ("Xcfa", "passes"),
    ("Task", "engine"),
    ("Answer", "verdict"),
    ("Confirmed", "mazurka"),
    ("report", ""),
];

#[test]
fn the_way_of_the_data_goes_through_crates() {
    let workspace = workspace();
    for (_, by) in STAGES.iter().filter(|(_, by)| !by.is_empty()) {
        assert!(workspace.contains_key(*by), "there is no crate `{by}`");
    }
}

const WIDTH: usize = 980;

fn picture(floors: &[Floor]) -> String {
    let mut body = String::new();
    for (at, (stage, by)) in STAGES.iter().enumerate() {
        let x = 10 + at * 138;
        boxed(&mut body, "stage", (x, 20), 92, stage);
        if !by.is_empty() {
            let (from, to, middle) = (x + 92, x + 136, x + 115);
            let _ = writeln!(
                body,
                "<path class=\"arrow\" d=\"M{from} 37H{to}\"/><text class=\"by\" x=\"{middle}\" y=\"14\">{by}</text>"
            );
        }
    }
    let mut y = 80;
    for floor in floors {
        let rows = floor.crates.len().div_ceil(7);
        let height = 16 + rows * 42;
        let (width, text) = (WIDTH - 20, y + height / 2 + 5);
        let _ = writeln!(
            body,
            "<rect class=\"floor\" x=\"10\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\
             <text class=\"name\" x=\"20\" y=\"{text}\">{}</text>",
            floor.name
        );
        for (at, name) in floor.crates.iter().enumerate() {
            let place = (188 + at % 7 * 110, y + 12 + at / 7 * 42);
            boxed(&mut body, "crate", place, 102, name);
        }
        y += height + 8;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" role=\"img\" \
         aria-label=\"From a C file to a report, and the crates by floor\">\n{STYLE}{body}</svg>\n"
    )
}

fn boxed(body: &mut String, class: &str, (x, y): (usize, usize), width: usize, text: &str) {
    let (middle, base) = (x + width / 2, y + 22);
    let _ = writeln!(
        body,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"34\" rx=\"5\"/>\
         <text class=\"in\" x=\"{middle}\" y=\"{base}\">{text}</text>"
    );
}

const STYLE: &str = "<style>\
text{font:14px sans-serif;fill:#222}.in,.by{text-anchor:middle}.by{font-size:12px;fill:#06c}.name{font-weight:bold}\
.floor{fill:#f3f5f8;stroke:#c9d1dc}.crate{fill:#fff;stroke:#8a97a8}.stage{fill:#e8f1ff;stroke:#06c}\
.arrow{stroke:#06c;stroke-width:2;marker-end:url(#tip);fill:none}</style>\n\
<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\">\
<path d=\"M0 0L8 4L0 8z\" fill=\"#06c\"/></marker>\n";
