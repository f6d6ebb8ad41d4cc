//! What was looked at where there is no answer, and the lines that were reached, for people and for other programs.

mod common;

use common::{ENDLESS, Folder};
use serde_json::{Value, json};

/// An input that no engine tries which runs the program: only a solver finds it.
const RARE: &str = r#"#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
int x;
static void helper(int n)
{
    x += n;
}
static void never(void)
{
    x = 100;
}
static void rare(void)
{
    x = 7;
}
void *worker(void *arg)
{
    unsigned n = __VERIFIER_nondet_uint();
    helper(1);
    if (n * n * n == 3723875u) {
        rare();
        helper(2);
    }
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    pthread_join(a, 0);
    assert(x < 50);
    return 0;
}
"#;

fn json(folder: &Folder, args: &[&str]) -> Value {
    let ran = folder.mazurka(&[&["check", "--format", "json"], args].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn lines_that_were_never_reached_are_named() {
    let folder = Folder::new();
    folder.write("a.c", RARE);
    let ran = folder
        .mazurka(&["check", "--engine", "explore", "a.c"])
        .exits(2);
    // `never` is called nowhere: it does not count.
    ran.prints(&[
        "  looked at: ",
        " states (explore)\n",
        "lines of a.c; never reached: 15\n",
        "  to go on: bound __VERIFIER_nondet_uint() ",
    ]);
    let answer = json(&folder, &["--engine", "explore", "a.c"]);
    let lines = &answer["covered"]["lines"];
    let file = &lines["files"][0];
    assert_eq!(file["missed"], json!([15]), "{file}");
    let reached = file["reached"].as_array().expect("lines");
    for line in [7, 19, 21, 30, 31, 32] {
        assert!(reached.contains(&line.into()), "{line}: {file}");
    }
    assert_eq!(lines["lines"], reached.len() + 1);
    assert_eq!(answer["covered"]["engines"][0]["engine"], "explore");
}

#[test]
fn engines_in_processes_of_their_own_tell_what_they_reached() {
    let folder = Folder::new();
    // There is an error, but no engine gets there.
    let far = "for (;;) { z++; if (x * y * z == 123456789123ul) __VERIFIER_error(); }";
    folder.write("a.c", &ENDLESS.replace("for (;;) z++;", far));
    let answer = json(&folder, &["--timeout", "1.5", "--property", "reach", "a.c"]);
    assert_eq!(answer["verdict"], "unknown");
    let file = &answer["covered"]["lines"]["files"][0];
    assert_eq!(file["missed"], json!([]), "{file}");
    assert!(file["reached"].as_array().is_some_and(|all| all.len() >= 5));
    let engines = answer["covered"]["engines"].as_array().expect("engines");
    let explore = engines.iter().find(|it| it["engine"] == "explore");
    let progress = explore.and_then(|it| it["progress"].as_str());
    assert!(
        progress.is_some_and(|it| it.ends_with(" states")),
        "{answer}"
    );
    // What engines counted that gave up by themselves.
    let tried = answer["tried"].as_array().expect("attempts");
    let counted = tried
        .iter()
        .any(|it| it["stats"]["states"].as_u64() > Some(1000));
    assert!(counted, "{tried:#?}");
}

#[test]
fn an_engine_that_runs_nothing_reaches_nothing() {
    let folder = Folder::new();
    folder.write("a.c", RARE);
    let answer = json(&folder, &["--engine", "bmc", "a.c"]);
    assert_eq!(
        (&answer["verdict"], &answer["covered"]["lines"]),
        (&"safe".into(), &Value::Null)
    );
}

#[test]
fn tracefiles_of_lcov() {
    let folder = Folder::new();
    folder.write("a.c", RARE);
    let check = [
        "check",
        "--engine",
        "explore",
        "--coverage",
        "c.info",
        "a.c",
    ];
    folder.mazurka(&check).exits(2);
    let text = folder.read("c.info");
    assert!(text.starts_with("TN:reach\nSF:a.c\nDA:"), "{text}");
    assert!(text.contains("\nDA:7,1\n") && text.contains("\nDA:15,0\n"));
    assert!(!text.contains("DA:11,"), "it can never be called: {text}");
    let count = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|it| it.parse::<usize>().ok()).expect(name)
    };
    let lines = text.lines().filter(|line| line.starts_with("DA:")).count();
    assert_eq!((count("LF:"), count("LH:")), (lines, lines - 1));
    assert!(text.ends_with("end_of_record\n"));
    // One test for each property.
    let both = [&check[..], &["--property", "reach,deadlock"]].concat();
    folder.mazurka(&both);
    let text = folder.read("c.info");
    let tests: Vec<&str> = text.lines().filter(|it| it.starts_with("TN:")).collect();
    assert_eq!(tests, ["TN:reach", "TN:deadlock"]);
    let kept = [&check[..], &["--cache", "kept"]].concat();
    folder.mazurka(&kept).exits(64).complains(&["--coverage"]);
}

#[test]
fn random_runs_have_coverage_too() {
    let folder = Folder::new();
    folder.write("a.c", RARE);
    let ran = folder.mazurka(&["simulate", "--runs", "20", "--coverage", "c.info", "a.c"]);
    ran.exits(2).prints(&["never reached: 15\n"]);
    assert!(folder.read("c.info").contains("DA:15,0"));
}

#[test]
fn pages_mark_the_lines() {
    let folder = Folder::new();
    folder.write("a.c", RARE);
    let check = ["check", "--engine", "explore", "--html", "p.html", "a.c"];
    folder.mazurka(&check).exits(2);
    let page = folder.read("p.html");
    let data = page.split("type=\"application/json\">").nth(1);
    let data = data.and_then(|it| it.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("an object");
    assert_eq!(data["lines"][0]["missed"], json!([15]));
    let details = data["details"].as_array().expect("details");
    let is_advice = |it: &Value| it.as_str().is_some_and(|it| it.starts_with("to go on: "));
    assert!(details.iter().any(is_advice), "{details:?}");
}

#[test]
fn advice_names_what_to_change() {
    let folder = Folder::new();
    let unknown = "extern int get(void);\nextern void reach_error(void);\nint main(void)\n{\n    unsigned n = get();\n    \
                   if (n * n * n == 3723875u + 2u * n) reach_error();\n}\n";
    folder.write("get.c", unknown);
    let ran = folder
        .mazurka(&["check", "--engine", "explore", "get.c"])
        .exits(2);
    ran.prints(&["  to go on: give `get` a body (mazurka stubs begins one)\n"]);
    let large = ENDLESS.replace("for (;;) z++;", "for (;;) { z++; buffer[z % 1000] = z; }");
    folder.write("large.c", &format!("unsigned long buffer[1000];\n{large}"));
    let check = [
        "check",
        "--engine",
        "explore",
        "--timeout",
        "0.5",
        "large.c",
    ];
    let ran = folder.mazurka(&check).exits(2);
    ran.prints(&[
        "  to go on: give `buffer` fewer than 1,000 elements, with a macro for their number\n",
    ]);
}
