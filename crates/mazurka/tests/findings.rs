//! All findings of a program, what is known of them, and answers that are kept.

mod common;

use common::{ENDLESS, Folder, LOST_UPDATE};
use serde_json::Value;

/// The findings of a program: the text in front of each place, or the expression that fails, by number; and what is
/// said about others.
fn findings(folder: &Folder, args: &str, exit: i32) -> (Vec<String>, String) {
    let args: Vec<&str> = args.split(' ').collect();
    let check = ["check", "--format", "json", "--all-findings"];
    let ran = folder.mazurka(&[&check, &args[..]].concat()).exits(exit);
    let answer: Value = serde_json::from_str(&ran.stdout).expect("an answer");
    let list = answer["findings"]["list"].as_array().expect("findings");
    let shown = list.iter().map(|finding| {
        let failure = &finding["failure"];
        let what = ["name", "expression", "operation", "call"].map(|it| &failure[it]);
        let what = what.into_iter().find_map(Value::as_str);
        let what = what.map_or_else(
            || format!("line {}", failure["place"]["line"]),
            str::to_owned,
        );
        format!("{} {what}", finding["number"].as_str().expect("a number"))
    });
    let rest = answer["findings"]["rest"]["answer"]
        .as_str()
        .expect("an answer");
    (shown.collect(), rest.to_owned())
}

/// In the order of their texts: which one is found first is chance.
fn without_numbers(found: &[String]) -> Vec<&str> {
    let texts = found.iter().filter_map(|it| it.split_once(' '));
    let mut texts: Vec<&str> = texts.map(|(_, text)| text).collect();
    texts.sort_unstable();
    texts
}

/// A program of two threads that both run this.
fn two_threads(globals: &str, body: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n{globals}\nvoid *f(void *arg)\n{{\n{body}\n    return 0;\n}}\n\
         int main(void)\n{{\n    pthread_t a, b;\n    pthread_create(&a, 0, f, 0);\n    pthread_create(&b, 0, f, 0);\n    \
         pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}}\n"
    )
}

#[test]
fn all_races_of_a_program_with_twenty() {
    let folder = Folder::new();
    let names: Vec<String> = (0..20).map(|it| format!("x{it}")).collect();
    let body: Vec<String> = names
        .iter()
        .map(|name| format!("    {name} = 1;"))
        .collect();
    let globals = format!("int {};", names.join(", "));
    folder.write("many.c", &two_threads(&globals, &body.join("\n")));
    let (mut found, rest) = findings(&folder, "--property race many.c", 1);
    assert_eq!(rest, "none");
    let name = |shown: &mut String| shown.split(' ').next_back().map(str::to_owned);
    let mut found: Vec<String> = found.iter_mut().filter_map(name).collect();
    found.sort();
    let mut names = names;
    names.sort();
    assert_eq!(found, names);
}

#[test]
fn findings_have_causes() {
    let folder = Folder::new();
    // The lock protects `y`.
    let globals = "int x, y, z[2];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let body = "    x++;\n    pthread_mutex_lock(&m);\n    y++;\n    pthread_mutex_unlock(&m);\n    z[1] = 2;";
    folder.write("races.c", &two_threads(globals, body));
    let (found, rest) = findings(&folder, "--property race races.c", 1);
    assert_eq!(
        (found, rest.as_str()),
        (vec!["1 x".into(), "2 z[1]".to_owned()], "none")
    );
    // A failing assertion ends the run: what comes behind it is still found where it can be reached.
    let body = "    int before = x++;\n    assert(before == 0);\n    assert(before < 5);\n    assert(before != 0);";
    folder.write("asserts.c", &two_threads("int x;", body));
    let (found, rest) = findings(&folder, "asserts.c", 1);
    assert_eq!(without_numbers(&found), ["before != 0", "before == 0"]);
    assert_eq!(rest, "none");
}

#[test]
fn other_properties() {
    let folder = Folder::new();
    let body = "    int x = 2147483647, y = rand() % 2;\n    if (y) x = x + 1; else x = x * 2;";
    folder.write("overflow.c", &two_threads("", body));
    let (found, rest) = findings(&folder, "--property overflow overflow.c", 1);
    assert_eq!((found.len(), rest.as_str()), (2, "none"), "{found:?}");
    let body = "    int *p = malloc(4);\n    free(p);\n    if (rand() % 2)\n        *p = 1;\n    else\n        free(p);";
    folder.write("memory.c", &two_threads("", body));
    let (found, rest) = findings(&folder, "--property memsafety memory.c", 1);
    assert_eq!(without_numbers(&found), ["line 10", "line 12"]);
    assert_eq!(rest, "none");
    let body = "    pthread_mutex_lock(&m);\n    pthread_mutex_lock(&m);";
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    folder.write("stuck.c", &two_threads(globals, body));
    let (found, rest) = findings(&folder, "--property deadlock stuck.c", 1);
    assert_eq!((found.len(), rest.as_str()), (1, "not-searched"));
}

/// Files about each of the findings.
#[test]
fn each_finding_has_its_trace_and_its_page() {
    let folder = Folder::new();
    folder.write("two.c", &two_threads("int x, y;", "    x = 1;\n    y = 1;"));
    let args =
        "check --property race --all-findings --trace t.json --html p.html --sarif s.sarif two.c";
    let ran = folder
        .mazurka(&args.split(' ').collect::<Vec<_>>())
        .exits(1);
    assert!(
        ran.stdout.starts_with("UNSAFE  race: 2 findings"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("that is all: every access"),
        "{}",
        ran.stdout
    );
    for (trace, page, name) in [("t.json", "p.html", "x"), ("t-2.json", "p-2.html", "y")] {
        let again = folder.mazurka(&["replay", trace]).exits(1);
        let race = format!("ata race on `{name}`");
        assert!(again.stdout.contains(&race), "{}", again.stdout);
        assert!(folder.read(page).contains(&race));
    }
    let log: Value = serde_json::from_str(&folder.read("s.sarif")).expect("SARIF");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn only_what_is_new_fails() {
    let folder = Folder::new();
    let old = two_threads("int x, y;", "    x = 1;");
    folder.write("a.c", &old);
    let check = |args: &str, exit: i32| {
        let args: Vec<&str> = args.split(' ').collect();
        let check = ["check", "--property", "race"];
        folder
            .mazurka(&[&check, &args[..], &["a.c"]].concat())
            .exits(exit)
            .stdout
    };
    check("--sarif old.sarif", 1);
    let json = check("--format json --all-findings", 1);
    folder.write("old.json", &json);
    // Lines that come before it change nothing.
    folder.write("a.c", &format!("/* new */\n\n{old}"));
    for baseline in ["old.sarif", "old.json"] {
        let known = check(&format!("--baseline {baseline} --junit j.xml"), 0);
        assert!(known.contains("1 finding, which is known"), "{known}");
        assert!(folder.read("j.xml").contains("failures=\"0\""));
    }
    folder.write("a.c", &old.replace("    x = 1;", "    x = 1;\n    y = 2;"));
    let new = check("--baseline old.sarif --sarif new.sarif", 1);
    assert!(new.contains("2 findings, 1 of them new"), "{new}");
    let log: Value = serde_json::from_str(&folder.read("new.sarif")).expect("SARIF");
    let states = log["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter();
    let mut states: Vec<&str> = states
        .filter_map(|it| it["baselineState"].as_str())
        .collect();
    states.sort_unstable();
    assert_eq!(states, ["new", "unchanged"]);
    folder.write("bad.json", "{}");
    check("--baseline bad.json", 65);
}

#[test]
fn answers_are_kept() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder.write("endless.c", ENDLESS);
    let check = |args: &str, exit: i32| {
        let args: Vec<&str> = args.split(' ').collect();
        let check = [
            "check", "--cache", "kept", "--engine", "explore", "--format", "json",
        ];
        let ran = folder.mazurka(&[&check, &args[..]].concat()).exits(exit);
        let answer: Value = serde_json::from_str(&ran.stdout).expect("an answer");
        answer
    };
    let first = check("lost.c", 1);
    assert_eq!(first["cached"], false);
    let second = check("lost.c", 1);
    assert_eq!(second["cached"], true);
    assert_eq!(
        (&first["trace"], &first["failure"]),
        (&second["trace"], &second["failure"])
    );
    // A comment at the end of a line changes nothing; another property, another text or another engine does.
    folder.write(
        "lost.c",
        &LOST_UPDATE.replace("int counter;", "int counter; // shared"),
    );
    assert_eq!(check("lost.c", 1)["cached"], true);
    assert_eq!(check("--property deadlock lost.c", 0)["cached"], false);
    assert_eq!(check("--property deadlock lost.c", 0)["cached"], true);
    assert_eq!(check("--engine bmc lost.c", 1)["cached"], false);
    assert_eq!(check("-DX lost.c", 1)["cached"], false);
    folder.write(
        "lost.c",
        &LOST_UPDATE.replace("counter == 2", "counter != 1"),
    );
    assert_eq!(check("lost.c", 1)["cached"], false);
    // *Unknown* is not kept, and nothing is left of it.
    check("--timeout 0.3 endless.c", 2);
    assert_eq!(check("--timeout 0.3 endless.c", 2)["cached"], false);
    let entries = std::fs::read_dir(folder.path().join("kept")).expect("the cache");
    let entries: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(entries.len(), 5, "{entries:?}");
    // Each entry is evidence; a damaged one is made anew.
    for entry in &entries {
        let args = ["verify-evidence", entry.to_str().expect("a path")];
        let known = folder.mazurka(&args).status;
        assert!(matches!(known, Some(0 | 1)), "{entry:?}: {known:?}");
        std::fs::write(entry.join("evidence.json"), "{}").expect("a file");
    }
    assert_eq!(check("lost.c", 1)["cached"], false);
    assert_eq!(check("lost.c", 1)["cached"], true);
}
