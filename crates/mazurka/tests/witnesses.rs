//! `check --witness` and `validate`: our own witnesses, changed ones, and some as other tools write them.

mod common;

use common::Folder;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The three witnesses of a violation.
const KINDS: [(&str, Option<&str>); 3] = [
    ("w.graphml", None),
    ("w20.yml", Some("2.0")),
    ("w22.yml", Some("2.2")),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Checks a program and writes its witnesses into a folder.
fn check(folder: &Folder, program: &str, property: &str, code: i32) {
    let mut words = vec!["check", "--property", property, "--timeout", "20"];
    for (file, version) in KINDS {
        words.extend(["--witness", file]);
        words.extend(version.into_iter().flat_map(|v| ["--witness-format", v]));
    }
    words.push(program);
    folder.mazurka(&words).exits(code);
}

/// What `validate` says about a witness.
fn validate(folder: &Folder, witness: &str, program: &str) -> Value {
    let words = [
        "validate",
        "--format",
        "json",
        "--timeout",
        "20",
        "--witness",
        witness,
        program,
    ];
    let ran = folder.mazurka(&words);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:#?}"))
}

/// The programs of a folder that violate a property, by its `expect.toml`.
fn unsafe_programs(folder: &str) -> Vec<(String, String)> {
    let folder = root().join(folder);
    let text = std::fs::read_to_string(folder.join("expect.toml")).unwrap();
    let mut name = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(section) = line.strip_prefix('[') {
            name = section.trim_end_matches(']').to_owned();
        }
        if let Some(property) = line.strip_suffix(" = \"unsafe\"") {
            let path = folder.join(format!("{name}.c")).display().to_string();
            found.push((path, property.to_owned()));
        }
    }
    found
}

/// Every witness of these programs is well-formed, and leads back to the violation.
fn round_trip(programs: &[(String, String)]) {
    let folder = Folder::new();
    for (program, property) in programs {
        check(&folder, program, property, 1);
        for (file, _) in KINDS {
            let answer = validate(&folder, file, program);
            let lint = answer["lint"].as_array().map(Vec::len);
            assert_eq!(lint, Some(0), "{program} {property} {file}: {answer}");
            assert_eq!(
                answer["result"], "confirmed",
                "{program} {property} {file}: {answer}"
            );
            assert_eq!(answer["verdict"], "unsafe", "{program} {property} {file}");
        }
    }
}

#[test]
fn examples() {
    let mut programs = unsafe_programs("examples");
    // An endless execution has no end that a sequence of waypoints could lead to.
    programs.retain(|(_, property)| property != "termination");
    assert!(programs.len() >= 10, "{programs:?}");
    round_trip(&programs);
}

#[test]
fn litmus() {
    let mut programs = unsafe_programs("litmus");
    let wanted = [
        "create_in_loop",
        "input_int",
        "input_bool_wrong",
        "lock_circle",
        "message_passing_plain",
        "out_of_bounds",
        "overflow_add",
        "race_bytes",
        "race_different_locks",
        "signal_lost",
        "store_buffering_both",
        "struct_tearing",
        "double_free",
        "atomic_section",
        "self_deadlock",
    ];
    programs.retain(|(path, property)| {
        let known = wanted
            .iter()
            .any(|name| path.ends_with(&format!("/{name}.c")));
        known && property != "termination"
    });
    assert!(programs.len() >= 8, "{programs:?}");
    round_trip(&programs);
}

/// Only the input 7 after the other thread's write leads to the error.
const PICKY: &str = r#"typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x = 0, y = 0;
void *writer(void *arg) {
    y = 1;
    x = __VERIFIER_nondet_int();
    return (void *)0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, (void *)0, writer, (void *)0);
    int seen = x;
    if (seen == 7 && y == 1) {
        reach_error();
    }
    pthread_join(t, (void *)0);
    return 0;
}
"#;

#[test]
fn changed_witnesses_are_not_confirmed() {
    let folder = Folder::new();
    folder.write("picky.i", PICKY);
    check(&folder, "picky.i", "reach", 1);
    let changes = [
        ("w.graphml", "\\result == 7", "\\result == 8"),
        ("w20.yml", "\\result == 7", "\\result == 8"),
        ("w22.yml", "\\result == 7", "\\result == 8"),
        ("w20.yml", "line: 17", "line: 19"),
        ("w22.yml", "line: 17", "line: 3"),
        ("w22.yml", "thread_id: 1", "thread_id: 0"),
        (
            "w.graphml",
            "<data key=\"threadId\">1</data>",
            "<data key=\"threadId\">0</data>",
        ),
        (
            "w.graphml",
            "<data key=\"startline\">17</data>",
            "<data key=\"startline\">18</data>",
        ),
    ];
    for (file, from, to) in changes {
        let text = folder.read(file);
        assert!(text.contains(from), "{file} has no {from}:\n{text}");
        folder.write("changed", &text.replace(from, to));
        let answer = validate(&folder, "changed", "picky.i");
        assert_ne!(
            answer["result"], "confirmed",
            "{file}: {from} -> {to}: {answer}"
        );
    }
    // About another program, another property, another data model.
    folder.write("other.i", &PICKY.replace("y == 1", "y == 0"));
    let answer = validate(&folder, "w22.yml", "other.i");
    assert_eq!(answer["result"], "rejected", "{answer}");
    let words = [
        "validate",
        "--witness",
        "w22.yml",
        "--property",
        "race",
        "picky.i",
    ];
    folder
        .mazurka(&words)
        .exits(2)
        .prints(&["REJECTED", "another property"]);
    let words = [
        "validate",
        "--witness",
        "w22.yml",
        "--data-model",
        "ilp32",
        "picky.i",
    ];
    folder
        .mazurka(&words)
        .exits(2)
        .prints(&["REJECTED", "another data model"]);
}

#[test]
fn what_is_no_witness_is_refused() {
    let folder = Folder::new();
    folder.write("picky.i", PICKY);
    check(&folder, "picky.i", "reach", 1);
    let text = folder.read("w.graphml");
    folder.write("half.graphml", &text[..text.len() / 2]);
    folder.write("empty.yml", "");
    folder.write("list.yml", "- 1\n");
    for file in ["half.graphml", "empty.yml", "list.yml"] {
        folder
            .mazurka(&["validate", "--witness", file, "picky.i"])
            .exits(65);
        folder
            .mazurka(&["validate", "--lint-only", "--witness", file])
            .exits(65);
    }
    folder
        .mazurka(&["validate", "--lint-only", "--witness", "w20.yml", "picky.i"])
        .exits(0);
    folder
        .mazurka(&["check", "--witness", "w.txt", "picky.i"])
        .exits(64);
}

/// The beginning of an entry about a program.
fn entry(kind: &str, version: &str, specification: &str, name: &str, text: &str) -> String {
    let hash = witness::sha256(text.as_bytes());
    format!(
        r#"- entry_type: {kind}
  metadata:
    format_version: "{version}"
    uuid: "c2d3e4f5-a6b7-4890-bcde-f01234567890"
    creation_time: "2026-06-12T12:00:00Z"
    producer: {{name: "another tool", version: "3.1"}}
    task:
      input_files: ["somewhere/{name}"]
      input_file_hashes: {{"somewhere/{name}": "{hash}"}}
      specification: "{specification}"
      data_model: LP64
      language: C
"#
    )
}

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
const RACE: &str = "CHECK( init(main()), LTL(G ! data-race) )";

/// A waypoint on one line.
fn waypoint(kind: &str, thread: u32, constraint: &str, line: u32, column: u32) -> String {
    let location = format!("{{file_name: \"somewhere/p.i\", line: {line}, column: {column}}}");
    let constraint = match constraint {
        "" => String::new(),
        value => format!("constraint: {{{value}}}, "),
    };
    format!(
        "    - waypoint: {{type: {kind}, action: follow, thread_id: {thread}, {constraint}location: {location}}}\n"
    )
}

fn judged(text: &str, program: &str) -> Value {
    let folder = Folder::new();
    folder.write("p.i", program);
    folder.write("w", text);
    validate(&folder, "w", "p.i")
}

#[test]
fn waypoints_as_other_tools_write_them() {
    let value = |text: &str| format!("format: c_expression, value: \"{text}\"");
    let sequence = |number: u32| {
        let mut text = entry("violation_sequence", "2.2", REACH, "p.i", PICKY) + "  content:\n";
        // The parenthesis behind the name of the function, as some tools have it.
        let steps = [
            waypoint("function_enter", 0, "", 14, 19),
            waypoint(
                "assumption",
                1,
                &value(&format!("x == {number} && y == 1")),
                10,
                5,
            ),
            waypoint("branching", 0, "value: \"true\"", 16, 5),
            waypoint("target", 0, "", 17, 9),
        ];
        for step in steps {
            text += &format!("  - segment:\n{step}");
        }
        text
    };
    let answer = judged(&sequence(7), PICKY);
    assert_eq!(answer["result"], "confirmed", "{answer}");
    let answer = judged(&sequence(6), PICKY);
    assert_ne!(answer["result"], "confirmed", "{answer}");
    // Both accesses of a race are targets of one segment.
    let pair = |first: u32, second: u32| {
        let text = entry("violation_sequence", "2.2", RACE, "p.i", PICKY) + "  content:\n";
        let [a, b] = [
            waypoint("target", 1, "", first, 5),
            waypoint("target", 0, "", second, 5),
        ];
        format!("{text}  - segment:\n{a}{b}")
    };
    let answer = judged(&pair(9, 15), PICKY);
    assert_eq!(answer["result"], "confirmed", "{answer}");
    let answer = judged(&pair(8, 15), PICKY);
    assert_ne!(answer["result"], "confirmed", "{answer}");
}

#[test]
fn an_automaton_as_other_tools_write_it() {
    let graph = |value: u32, order: [&str; 2]| {
        let hash = witness::sha256(PICKY.as_bytes());
        let thread = |name: &str, more: &str| format!("<data key=\"threadId\">{name}</data>{more}");
        let line = |line: u32| format!("<data key=\"startline\">{line}</data>");
        let edges = [
            thread(
                "T_0",
                "<data key=\"createThread\">T_0</data><data key=\"enterFunction\">main</data>",
            ),
            thread("T_0", &line(6)),
            thread(
                "T_0",
                &format!("{}<data key=\"createThread\">T_1</data>", line(14)),
            ),
            thread(
                "T_1",
                &format!("{}<data key=\"enterFunction\">writer</data>", line(8)),
            ),
            thread(
                order[0],
                &format!("{}<data key=\"assumption\">x == {value};</data>", line(9)),
            ),
            thread(order[1], &line(15)),
            thread(
                "T_0",
                &format!("{}<data key=\"control\">condition-true</data>", line(16)),
            ),
            thread(
                "T_0",
                &format!("{}<data key=\"enterFunction\">reach_error</data>", line(17)),
            ),
        ];
        let nodes: String = (0..=edges.len())
            .map(|at| {
                let data = match at {
                    0 => "<data key=\"entry\">true</data>",
                    at if at == edges.len() => "<data key=\"violation\">true</data>",
                    _ => "",
                };
                format!("<node id=\"A{at}\">{data}</node>\n")
            })
            .collect();
        let edges: String = edges
            .iter()
            .enumerate()
            .map(|(at, data)| {
                format!(
                    "<edge source=\"A{at}\" target=\"A{}\">{data}</edge>\n",
                    at + 1
                )
            })
            .collect();
        format!(
            "<?xml version=\"1.0\"?>\n<graphml><graph edgedefault=\"directed\">\
             <data key=\"witness-type\">violation_witness</data>\
             <data key=\"specification\">{REACH}</data><data key=\"producer\">another tool</data>\
             <data key=\"programhash\">{hash}</data><data key=\"architecture\">64bit</data>\n\
             {nodes}{edges}</graph></graphml>\n"
        )
    };
    let answer = judged(&graph(7, ["T_1", "T_0"]), PICKY);
    assert_eq!(answer["result"], "confirmed", "{answer}");
    // It works, but its form leaves something to be desired.
    assert_ne!(answer["lint"].as_array().map(Vec::len), Some(0), "{answer}");
    let answer = judged(&graph(5, ["T_1", "T_0"]), PICKY);
    assert_ne!(answer["result"], "confirmed", "{answer}");
    let answer = judged(&graph(7, ["T_0", "T_1"]), PICKY);
    assert_ne!(answer["result"], "confirmed", "{answer}");
}

/// A counter under a lock, and a loop that waits for it.
const COUNTED: &str = r#"#include <assert.h>
#include <pthread.h>
int count, done;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    while (done < 3) {
        done++;
    }
    pthread_join(a, 0);
    assert(count == 2 && done == 3);
    return 0;
}
"#;

#[test]
fn proofs_have_witnesses_too() {
    let folder = Folder::new();
    folder.write("counted.c", COUNTED);
    let words = [
        "check",
        "--witness",
        "c.graphml",
        "--witness",
        "c20.yml",
        "--witness",
        "c21.yml",
    ];
    let formats = [
        "--witness-format",
        "2.0",
        "--witness-format",
        "2.1",
        "counted.c",
    ];
    folder.mazurka(&[&words[..], &formats].concat()).exits(0);
    for file in ["c.graphml", "c20.yml", "c21.yml"] {
        let answer = validate(&folder, file, "counted.c");
        assert_eq!(answer["result"], "confirmed", "{file}: {answer}");
        assert_eq!(answer["verdict"], "safe", "{file}: {answer}");
        assert_eq!(
            answer["lint"].as_array().map(Vec::len),
            Some(0),
            "{file}: {answer}"
        );
    }
    let plain = folder.read("c20.yml");
    assert!(plain.contains("0 <= done && done <= 3"), "{plain}");
    let ghosts = folder.read("c21.yml");
    assert!(ghosts.contains("lock_locked == 1"), "{ghosts}");
    // An invariant that does not always hold is found out.
    folder.write("c20.yml", &plain.replace("done <= 3", "done <= 2"));
    let answer = validate(&folder, "c20.yml", "counted.c");
    assert_eq!(answer["result"], "rejected", "{answer}");
    folder.write(
        "c21.yml",
        &ghosts.replace("lock_locked == 1", "lock_locked == 0"),
    );
    let answer = validate(&folder, "c21.yml", "counted.c");
    assert_eq!(answer["result"], "rejected", "{answer}");
}

#[test]
fn a_witness_of_correctness_for_a_wrong_program() {
    let text = entry("invariant_set", "2.0", REACH, "p.i", PICKY) + "  content: []\n";
    let answer = judged(&text, PICKY);
    assert_eq!(answer["result"], "rejected", "{answer}");
}

/// A loop, and things to speak about at its head.
const LOOP: &str = "extern void reach_error(void);
int x; int zero; int a[4]; int *p; unsigned u;
int f(void) { x = 100; return 1; }
int main(void)
{
    int i = 0;
    while (i < 3) {
        i++;
        x = i;
    }
    if (x == 4) reach_error();
    return 0;
}
";

/// A witness for [`LOOP`] or a program like it with one invariant at the loop.
fn invariant(program: &str, value: &str) -> Value {
    let text = entry("invariant_set", "2.0", REACH, "p.i", program);
    let location = "{file_name: \"somewhere/p.i\", line: 7, column: 5, function: main}";
    let value = serde_json::to_string(value).unwrap();
    let text = format!(
        "{text}  content:\n  - invariant: {{type: loop_invariant, location: {location}, \
         format: c_expression, value: {value}}}\n"
    );
    judged(&text, program)
}

#[test]
fn an_invariant_has_a_value_and_no_effects() {
    for good in [
        "1",
        "0 <= x && x <= 3",
        "x * 2 <= 6 && -x <= 0",
        "zero == 0 || 1 / zero == 1",
        "a[i & 3] == 0",
        "u - 1 > u",
    ] {
        let answer = invariant(LOOP, good);
        assert_eq!(answer["result"], "confirmed", "{good}: {answer}");
    }
    for bad in [
        "1/0",
        "1 / zero || 1",
        "1 % zero == 0 || 1",
        "(1 << 32) || 1",
        "(1 << (zero - 1)) || 1",
        "(1 >> (x + 40)) || 1",
        "x + 2147483647 > 0 || 1",
        "-(-2147483647 - 1 + zero) || 1",
        "(-2147483647 - 1 + zero) / -1 || 1",
        "zero == 1 || 1 / zero == 1 || 1",
        "(zero ? 1 : 1 / zero) || 1",
        "*p || 1",
        "p[3] || 1",
        "a[i + 7] == 0 || 1",
        "f()",
        "f ()",
        "(f)()",
        "(*f)() || 1",
        "x = 1",
        "(x = 1)",
        "x++ || 1",
        "(i = 3) == 3",
        "__builtin_unreachable() , 1",
        "nowhere == 1",
        "({ x = 1; 1; })",
        "1 //",
        "1 /*",
        "1) || (1",
    ] {
        let answer = invariant(LOOP, bad);
        assert_ne!(answer["result"], "confirmed", "{bad}: {answer}");
    }
}

/// Checks stay checks whatever the program calls its variables, and no check changes the program.
#[test]
fn a_false_invariant_is_not_confirmed() {
    let body = |declaration: &str| {
        format!(
            "int b = 0; int zero; int x; unsigned u; int a[4]; static void nop(void) {{}}\n\
             void f(void) {{\n  b = b + 0;\n}}\nint main(void) {{\n  int i = 0; {declaration}\n\
             \x20   while (i < 3) i++;\n  f();\n  return 0;\n}}\n"
        )
    };
    for declaration in [
        "void (*__VERIFIER_error)(void) = nop;",
        "void (*__VERIFIER_atomic_begin)(void) = nop;",
        "void (*__mazurka_fail)(void) = nop;",
        "enum { __VERIFIER_error };",
    ] {
        let answer = invariant(&body(declaration), "i == 77");
        assert_ne!(answer["result"], "confirmed", "{declaration}: {answer}");
    }
    assert_eq!(invariant(&body(""), "i <= 3")["result"], "confirmed");

    // An invariant of no content at a declarator must not cut the declaration into two.
    let text = |declaration: &str| {
        format!(
            "int b = 0;\nvoid f(void) {{\n  b = b + 0;\n}}\nint main(void) {{\n{declaration}\n\
             \x20 f();\n  return b - b;\n}}\n"
        )
    };
    for declaration in [
        "  int a = 1,\n      b = 2;",
        "  int a = 1, // ;\n      b = 2;",
        "  int a = 1, /* { */\n      b = 2;",
        "  struct s { int m; }\n      *b = 0;",
        "  int\n      b = 2;",
    ] {
        let program = text(declaration);
        let set = entry("invariant_set", "2.0", REACH, "p.i", &program);
        let item = |line: u32, value: &str| {
            format!(
                "  - invariant: {{type: location_invariant, location: {{file_name: \"p.i\", \
                 line: {line}, function: main}}, format: c_expression, value: \"{value}\"}}\n"
            )
        };
        let all = format!("{set}  content:\n{}{}", item(3, "b == 2"), item(7, "1"));
        let answer = judged(&all, &program);
        assert_ne!(answer["result"], "confirmed", "{declaration}: {answer}");
    }
}

/// An invariant of a loop without a condition is more than we can check, but it is not wrong.
#[test]
fn a_loop_without_a_condition_is_not_rejected() {
    let program = "int x;\n\n\n\n\nint main(void) { \n    for (;;) { if (x > 2) break; x++; }\n}\n";
    let answer = invariant(program, "x <= 3");
    assert_eq!(answer["result"], "unknown", "{answer}");
}

/// Whatever a witness says, a wrong program is not confirmed to be right.
#[test]
fn no_invariant_makes_a_wrong_program_right() {
    let wrong = LOOP.replace("x == 4", "x == 3");
    for value in ["1/0", "1", "x <= 3", "*p", "(x = 4)", "0"] {
        let answer = invariant(&wrong, value);
        assert_ne!(answer["result"], "confirmed", "{value}: {answer}");
    }
    // Ghost variables that are none, and updates that end the run or write to the program.
    for (name, variable, value) in [
        ("g", "g", "1 / zero"),
        ("g", "x", "7"),
        ("x", "x", "7"),
        ("i", "i", "7"),
        ("g", "g", "f()"),
        ("g", "g", "(x = 7)"),
        ("g", "*p", "7"),
        ("g", "g", "1"),
    ] {
        let ghosts = entry("ghost_instrumentation", "2.1", REACH, "p.i", &wrong);
        let set = entry("invariant_set", "2.1", REACH, "p.i", &wrong);
        let location = "{file_name: \"somewhere/p.i\", line: 11, column: 5, function: main}";
        let text = format!(
            "{ghosts}  content:
    ghost_variables:
    - {{name: \"{name}\", type: \"int\", scope: global, initial: {{value: \"0\", format: c_expression}}}}
    ghost_updates:
    - location: {location}
      updates:
      - {{variable: \"{variable}\", value: \"{value}\", format: c_expression}}
{set}  content:
  - invariant: {{type: location_invariant, location: {location}, format: c_expression, value: \"1\"}}
"
        );
        let answer = judged(&text, &wrong);
        assert_ne!(
            answer["result"], "confirmed",
            "{name} {variable} {value}: {answer}"
        );
    }
}

/// A violation witness is confirmed by an execution that follows it, not by the bug alone.
#[test]
fn a_violation_witness_has_to_be_followed() {
    let wrong = LOOP.replace("x == 4", "x == 3");
    let sequence = |steps: &[String]| {
        let mut text = entry("violation_sequence", "2.2", REACH, "p.i", &wrong);
        text += if steps.is_empty() {
            "  content: []\n"
        } else {
            "  content:\n"
        };
        for step in steps {
            text += &format!("  - segment:\n{step}");
        }
        judged(&text, &wrong)
    };
    let target = waypoint("target", 0, "", 11, 17);
    let assume = |text: &str| {
        let value = format!("format: c_expression, value: \"{text}\"");
        waypoint("assumption", 0, &value, 9, 9)
    };
    let answer = sequence(&[assume("i == 2"), target.clone()]);
    assert_eq!(answer["result"], "confirmed", "{answer}");
    for steps in [
        vec![],
        vec![assume("i == 2")],
        vec![assume("i == 7"), target.clone()],
        vec![assume("1 / zero"), target.clone()],
        vec![assume("1 / zero == 0 || 1"), target.clone()],
        vec![assume("1 << 40"), target.clone()],
        vec![assume("nowhere == 1"), target.clone()],
        vec![waypoint("target", 0, "", 6, 5)],
    ] {
        let answer = sequence(&steps);
        assert_ne!(answer["result"], "confirmed", "{steps:?}: {answer}");
    }
}
