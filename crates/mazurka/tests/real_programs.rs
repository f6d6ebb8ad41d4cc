//! The programs in `examples/real/`: every line of their `expect.toml` is checked from the C files.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// One line: what to check and what must come of it.
#[derive(Debug, Default)]
struct Check {
    dir: String,
    files: Vec<String>,
    define: Vec<String>,
    options: Vec<String>,
    property: String,
    verdict: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/real")
}

/// Reads the little of TOML that the file uses: tables, strings, and lists of strings.
fn checks(text: &str) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line == "[[check]]" {
            checks.push(Check::default());
            continue;
        }
        let (Some(check), Some((key, value))) = (checks.last_mut(), line.split_once(" = ")) else {
            assert!(line.is_empty() || line.starts_with('#'), "{line}");
            continue;
        };
        let strings: Vec<String> = value
            .split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        let single = || strings.first().cloned().unwrap_or_default();
        match key {
            "dir" => check.dir = single(),
            "files" => check.files = strings,
            "define" => check.define = strings,
            "options" => check.options = strings,
            "property" => check.property = single(),
            "verdict" => check.verdict = single(),
            other => panic!("{other} is no key"),
        }
    }
    checks
}

#[test]
fn every_line_holds() {
    let text = std::fs::read_to_string(folder().join("expect.toml")).unwrap();
    let checks = checks(&text);
    assert!(checks.len() >= 12, "{} checks", checks.len());
    for check in checks {
        let mut command = Command::cargo_bin("mazurka").expect("the program under test");
        command.current_dir(folder().join(&check.dir));
        command.args(["check", "--timeout", "120", "--property", &check.property]);
        for define in &check.define {
            command.args(["-D", define]);
        }
        let output = command
            .args(&check.options)
            .args(&check.files)
            .output()
            .unwrap();
        let expected = match check.verdict.as_str() {
            "safe" => 0,
            "unsafe" => 1,
            other => panic!("{other} is no verdict"),
        };
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(expected), "{check:?}\n{text}");
    }
}
