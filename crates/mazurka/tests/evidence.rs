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
            let what = format!("CONFIRMED  reach: {word} of {file}, LP64, as {engine} says");
            ran.prints(&[&what]);
            let other = if file == "bad.c" { "good.c" } else { "bad.c" };
            let ran = folder.mazurka(&["verify-evidence", "out", other]).exits(1);
            ran.prints(&["REJECTED", "the program has changed"]);
        }
    }
}

/// What a verdict depends on is said when it is confirmed, and other expectations are not met.
#[test]
fn evidence_says_what_it_is_about() {
    let folder = Folder::new();
    let text = "#include <assert.h>\n#include \"limit.h\"\nint seen(void);\n\
                int other(void) { return sizeof(long) == LIMIT; }\n\
                int main(void) { assert(seen() && 0); return 0; }\n";
    folder.write("a.c", text);
    folder.write(
        "b.c",
        "#include <assert.h>\nint main(void) { assert(0); return 0; }\n",
    );
    folder.write("inc/limit.h", "#define LIMIT 4\n");
    let args = [
        "check",
        "--evidence",
        "out",
        "--entry",
        "other",
        "-Iinc",
        "-DX=1",
        "a.c",
    ];
    folder.mazurka(&args).exits(0);
    let ran = folder.mazurka(&["verify-evidence", "out"]).exits(0);
    ran.prints(&["CONFIRMED  reach: safe of a.c, entry other, -DX=1, -Iinc, LP64, as "]);
    for (wanted, word) in [
        (vec!["--entry", "main"], "the entry other"),
        (vec!["--data-model", "ilp32"], "the data model lp64"),
        (vec!["--property", "race"], "the property reach"),
        (vec!["-DY"], "the macros X=1"),
    ] {
        let args = [&["verify-evidence", "out"], &wanted[..]].concat();
        folder.mazurka(&args).exits(1).prints(&["REJECTED", word]);
    }
    let same = [
        "verify-evidence",
        "out",
        "--entry",
        "other",
        "-DX=1",
        "--property",
        "reach",
    ];
    folder.mazurka(&same).exits(0);
    let ran = folder
        .mazurka(&["verify-evidence", "--format", "json", "out"])
        .exits(0);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["result"], "accepted", "{object}");
    assert_eq!(object["about"]["entry"], "other", "{object}");
    assert_eq!(object["about"]["define"][0], "X=1", "{object}");
    assert_eq!(
        object["about"]["files"][0]["sha256"],
        witness::sha256(text.as_bytes())
    );
    // A header counts, too.
    folder.write("inc/limit.h", "#define LIMIT 8\n");
    folder.mazurka(&["verify-evidence", "out"]).exits(1);

    folder
        .mazurka(&["check", "--evidence", "out", "-DNDEBUG", "b.c"])
        .exits(0);
    let ran = folder.mazurka(&["verify-evidence", "out"]).exits(0);
    ran.prints(&["safe of b.c, -DNDEBUG, LP64"]);
    folder.write("c.c", "int f(void); int main(void) { f(); return 0; }\n");
    folder
        .mazurka(&["check", "--evidence", "out", "c.c"])
        .exits(0);
    folder
        .mazurka(&["verify-evidence", "out"])
        .exits(0)
        .prints(&["assuming: "]);
}

/// Not to have time is something else than to be wrong.
#[test]
fn rejected_is_not_undecided() {
    let folder = Folder::new();
    folder.write("a.c", &LOST_UPDATE.replace("counter == 2", "counter >= 1"));
    let args = ["check", "--engine", "explore", "--evidence", "out", "a.c"];
    folder.mazurka(&args).exits(0);
    let verify = [
        "verify-evidence",
        "--format",
        "json",
        "--timeout",
        "0.000001",
        "out",
    ];
    let ran = folder.mazurka(&verify).exits(2);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&object["result"], &object["reason"]),
        (&"undecided".into(), &"out of time".into())
    );
}

/// Ranks are checked without the engine, also where states cannot be counted.
#[test]
fn ranks_are_checked() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "extern unsigned __VERIFIER_nondet_uint(void);\nunsigned n;\n\
         int main(void) { n = __VERIFIER_nondet_uint(); while (n > 0) { n--; } return 0; }\n",
    );
    let args = [
        "check",
        "--engine",
        "horn",
        "--property",
        "termination",
        "--evidence",
        "out",
        "a.c",
    ];
    folder.mazurka(&args).exits(0);
    assert!(folder.read("out/evidence.json").contains("\"ranks\""));
    folder.mazurka(&["verify-evidence", "out"]).exits(0);
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

/// Anyone can write a right checksum; what is printed as confirmed has to be so all the same.
#[test]
fn nothing_is_confirmed_in_other_words() {
    let folder = Folder::new();
    folder.write("bad.c", LOST_UPDATE);
    let good = LOST_UPDATE.replace("counter == 2", "counter >= 1");
    folder.write("good.c", &good);
    folder
        .mazurka(&["check", "--evidence", "out", "good.c"])
        .exits(0);
    let text = folder.read("out/evidence.json");
    for (field, said) in [
        ("/texts/0/name", "bad.c"),
        ("/engine", "everyone and bad.c"),
        ("/property", "race"),
    ] {
        let mut changed: Value = serde_json::from_str(&text).unwrap();
        *changed.pointer_mut(field).unwrap() = said.into();
        folder.write("out/evidence.json", &with_checksum(&text, changed));
        let ran = folder.mazurka(&["verify-evidence", "out"]);
        assert_ne!(ran.status, Some(0), "{field}: {ran:#?}");
        assert_ne!(ran.status, Some(65), "{field}: {ran:#?}");
    }
    // A file that was moved is called what it is called now.
    folder.write("out/evidence.json", &text);
    folder.write("moved.c", &good);
    let ran = folder
        .mazurka(&["verify-evidence", "out", "moved.c"])
        .exits(0);
    ran.prints(&["safe of moved.c, LP64"]);
}

/// A changed document with the fields in their old order and a checksum that fits.
fn with_checksum(text: &str, changed: Value) -> String {
    let mut text = text.to_owned();
    let before: Value = serde_json::from_str(&text).unwrap();
    for field in ["/texts/0/name", "/engine", "/property"] {
        let (old, new) = (before.pointer(field), changed.pointer(field));
        let key = field.rsplit('/').next().unwrap();
        let line = |value: Option<&Value>| format!("\"{key}\": {}", value.unwrap());
        text = text.replacen(&line(old), &line(new), 1);
    }
    let old = changed["checksum"].as_str().unwrap();
    let blank = text.replace(old, "");
    let strip = |line: &str| line.trim_start().replacen("\": ", "\":", 1);
    let compact: String = blank.lines().map(strip).collect();
    let sum = compact
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    text.replace(old, &format!("{sum:016x}"))
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
