//! What people read about each example that has a bug: the whole text, line by line.
//!
//! The texts in `golden/` were read one by one: somebody who sees only them can say what happens. After a change, read
//! what `UPDATE_EXPECT=1` makes of them.

mod common;

use assert_cmd::Command;
use expect_test::expect_file;

/// The text of an answer, without the time that it took.
fn text(property: &str, name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = Command::cargo_bin("mazurka").expect("the program under test");
    let file = format!("examples/{name}.c");
    let args = [
        "check",
        "--engine",
        "explore",
        "--property",
        property,
        &file,
    ];
    let output = command.current_dir(root).args(args).output();
    let text = String::from_utf8(output.expect("it ran").stdout).expect("text");
    let (first, rest) = text.split_once('\n').expect("a line");
    let first = first.split("  (explore, ").next().unwrap_or(first);
    format!("{first}\n{rest}")
}

fn check(property: &str, name: &str) {
    let text = text(property, name);
    assert!(text.starts_with(&format!("UNSAFE  {property}: ")), "{text}");
    // The line that is to blame is marked, and says why.
    assert!(text.lines().any(|line| line.starts_with("> ")), "{text}");
    assert!(text.contains("^ "), "{text}");
    expect_file![format!("./golden/{name}.{property}.txt")].assert_eq(&text);
}

#[test]
fn assertions() {
    for name in [
        "atomic_counter",
        "double_checked_locking",
        "free_slots",
        "lost_update",
        "peterson_without_turn",
        "phases",
        "producer_consumer",
    ] {
        check("reach", name);
    }
}

#[test]
fn races() {
    for name in [
        "double_checked_locking",
        "harmless_race",
        "lost_update",
        "peterson_without_turn",
        "phases",
    ] {
        check("race", name);
    }
}

#[test]
fn deadlocks() {
    for name in ["dining_philosophers", "two_locks"] {
        check("deadlock", name);
    }
}
