//! Answers for the tools that people already use: SARIF, JUnit, lines for editors, annotations.

mod common;

use common::{ENDLESS, Folder, LOST_UPDATE};
use serde_json::Value;
use std::process::Command;

fn sarif(folder: &Folder, args: &[&str]) -> Value {
    folder.mazurka(&[&["check", "--sarif", "out.sarif"], args].concat());
    serde_json::from_str(&folder.read("out.sarif")).expect("JSON")
}

/// What every consumer of SARIF relies on.
fn is_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "Mazurka");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        assert!(result["message"]["text"].is_string());
    }
}

#[test]
fn a_race_in_sarif() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let log = sarif(&folder, &["--property", "race", "lost.c"]);
    is_sarif(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["level"], "error");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "lost.c");
    let line = place["region"]["startLine"].as_u64().unwrap();
    assert!((6..=7).contains(&line), "{line}");
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 2);
    // Each thread has its flow, and together the steps have every number once.
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 3, "{flows:#?}");
    let steps = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().unwrap());
    let mut orders: Vec<u64> = steps
        .map(|step| step["executionOrder"].as_u64().unwrap())
        .collect();
    orders.sort_unstable();
    assert!(
        orders.iter().copied().eq(1..=orders.len() as u64),
        "{orders:?}"
    );
}

#[test]
fn safe_and_unknown_in_sarif() {
    let folder = Folder::new();
    folder.write("empty.c", "int main(void) { return 0; }\n");
    folder.write("endless.c", ENDLESS);
    let log = sarif(&folder, &["empty.c"]);
    is_sarif(&log);
    assert_eq!(log["runs"][0]["results"][0]["kind"], "pass");
    let log = sarif(
        &folder,
        &["--engine", "explore", "--timeout", "0.5", "endless.c"],
    );
    is_sarif(&log);
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 0);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let told = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str();
    assert!(told.unwrap().starts_with("unknown: "), "{told:?}");
}

/// Reads XML with another program's parser and prints the counts and the first child's name.
fn junit(folder: &Folder, args: &[&str]) -> String {
    folder.mazurka(&[&["check", "--junit", "out.xml"], args].concat());
    let script = "import xml.etree.ElementTree as t; s = t.parse('out.xml').getroot()[0]; \
                  print(s.get('tests'), s.get('failures'), s.get('errors'), s[0][0].tag)";
    let python = Command::new("python3")
        .current_dir(folder.path())
        .args(["-c", script])
        .output()
        .unwrap();
    assert!(python.status.success(), "{python:?}");
    String::from_utf8_lossy(&python.stdout).trim().to_owned()
}

#[test]
fn verdicts_as_test_results() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder.write("empty.c", "int main(void) { return 0; }\n");
    folder.write("endless.c", ENDLESS);
    assert_eq!(junit(&folder, &["empty.c"]), "1 0 0 system-out");
    assert_eq!(junit(&folder, &["lost.c"]), "1 1 0 failure");
    let endless = ["--engine", "explore", "--timeout", "0.5", "endless.c"];
    assert_eq!(junit(&folder, &endless), "1 0 1 error");
}

#[test]
fn lines_for_editors() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let ran = folder
        .mazurka(&["check", "--format", "gcc", "lost.c"])
        .exits(1);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.starts_with("lost.c:17:"), "{first}");
    assert!(
        first.ends_with(
            ": error: assertion `counter == 2` fails at lost.c:17 (counter = 1) [reach]"
        ),
        "{first}"
    );
    let notes = ran.stdout.lines().skip(1);
    assert!(notes.clone().count() > 5);
    for note in notes {
        assert!(
            note.starts_with("lost.c:") && note.contains(": note: step "),
            "{note}"
        );
    }
    folder.write("empty.c", "int main(void) { return 0; }\n");
    let ran = folder
        .mazurka(&["check", "--format", "gcc", "empty.c"])
        .exits(0);
    assert_eq!(ran.stdout, "");
}

/// One annotation for each verdict, on one line, and none that could be taken for another.
#[test]
fn annotations_of_pull_requests() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder.write("empty.c", "int main(void) { return 0; }\n");
    folder.write("endless.c", ENDLESS);
    let annotation = |args: &[&str], status| {
        let check = [&["check", "--format", "github"], args].concat();
        folder.mazurka(&check).exits(status).stdout
    };
    let found = annotation(&["lost.c"], 1);
    let error = "::error file=lost.c,line=17,title=mazurka%3A reach::";
    assert!(found.starts_with(error), "{found}");
    assert!(
        found.contains("%0Alost.c:") && found.contains("step 1, main"),
        "{found}"
    );
    assert_eq!(found.lines().count(), 1, "{found}");
    let proved = annotation(&["empty.c"], 0);
    assert!(
        proved.starts_with("::notice title=mazurka%3A reach::"),
        "{proved}"
    );
    let open = ["--engine", "explore", "--timeout", "0.5", "endless.c"];
    let open = annotation(&open, 2);
    assert!(
        open.starts_with("::warning title=mazurka%3A reach::unknown: "),
        "{open}"
    );
}
