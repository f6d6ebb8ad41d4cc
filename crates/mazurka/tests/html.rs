//! Pages: what is in them, and that nothing of a program can break out of its place.

mod common;

use common::{Folder, LOST_UPDATE};
use serde_json::Value;

/// The data of a page that was written.
fn data(folder: &Folder, name: &str) -> Value {
    let page = folder.read(name);
    let data = page.split("type=\"application/json\">").nth(1).unwrap();
    let data = data.split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"))
}

fn checked(program: &str, args: &[&str], status: i32) -> Value {
    let folder = Folder::new();
    folder.write("a.c", program);
    let args = [&["check", "--html", "out.html"], args].concat();
    folder
        .mazurka(&[&args[..], &["a.c"]].concat())
        .exits(status);
    data(&folder, "out.html")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let found = value[name].as_array();
    found.unwrap_or_else(|| panic!("no `{name}` in {value:#}"))
}

/// The arrows of a kind: from which line to which.
fn arrows(page: &Value, kind: &str) -> Vec<(u64, u64)> {
    let rows = list(&page["schedule"], "rows");
    let line = |row: &Value| {
        rows[row.as_u64().unwrap() as usize]["line"]
            .as_u64()
            .unwrap()
    };
    let arrows = list(&page["schedule"], "arrows").iter();
    let arrows = arrows.filter(|arrow| arrow["kind"] == kind);
    arrows
        .map(|arrow| (line(&arrow["from"]), line(&arrow["to"])))
        .collect()
}

#[test]
fn a_failed_assertion_is_told_step_by_step() {
    let page = checked(LOST_UPDATE, &["--engine", "explore"], 1);
    assert_eq!(page["verdict"], "unsafe");
    assert_eq!(page["files"][0]["name"], "a.c");
    let text = &page["files"][0]["lines"][16];
    assert_eq!(
        (&text[0], &text[1]),
        (&17.into(), &"    assert(counter == 2);".into())
    );
    let rows = list(&page["schedule"], "rows");
    let last = rows.last().unwrap();
    assert_eq!((&last["line"], &last["fails"]), (&17.into(), &true.into()));
    assert_eq!(rows.iter().filter(|row| row["fails"] == true).count(), 1);
    let read = |row: &&Value| row["line"] == 6 && row["reads"][0]["new"] == "0";
    assert_eq!(rows.iter().filter(read).count(), 2, "{rows:#?}");
    let starts = arrows(&page, "start");
    assert!(starts.len() == 2 && starts.iter().all(|(_, to)| *to == 6));
    assert_eq!(arrows(&page, "join").len(), 2);
    // The last write is what the assertion reads.
    assert!(arrows(&page, "reads").contains(&(7, 17)), "{page:#}");
    assert!(!list(&page, "stats").is_empty());
}

#[test]
fn a_race_has_two_ends() {
    let page = checked(LOST_UPDATE, &["--property", "race"], 1);
    let races = arrows(&page, "race");
    assert_eq!(races.len(), 1);
    let rows = list(&page["schedule"], "rows").iter();
    let fails: Vec<&Value> = rows.filter(|row| row["fails"] == true).collect();
    assert_eq!(fails.len(), 2);
    assert_ne!(fails[0]["thread"], fails[1]["thread"]);
    // Both accesses, and why nothing orders them.
    assert_eq!(list(&page, "details").len(), 3);
    // `auto` says whom it asked.
    assert!(!list(&page["explanation"], "tried").is_empty());
}

const LOCKS: &str = r#"#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return 0;
}
"#;

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let page = checked(LOCKS, &["--property", "deadlock"], 1);
    let mut waits: Vec<_> = list(&page["schedule"], "blocked")
        .iter()
        .map(|b| {
            (
                b["thread"].as_u64(),
                b["line"].as_u64(),
                b["waits"].as_str(),
                b["on"].as_u64(),
            )
        })
        .collect();
    waits.sort();
    let main = (Some(0), Some(16), Some("for b"), Some(1));
    assert_eq!(waits, [main, (Some(1), Some(6), Some("for a"), Some(0))]);
}

const HANDOVER: &str = r#"#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int value;
void *giver(void *arg)
{
    pthread_mutex_lock(&m);
    value = 5;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, giver, 0);
    while (value == 0)
        pthread_cond_wait(&ready, &m);
    assert(value != 5);
    return 0;
}
"#;

#[test]
fn locks_and_signals_have_arrows() {
    let page = checked(HANDOVER, &["--engine", "explore"], 1);
    let locks = arrows(&page, "lock");
    assert!(
        locks.contains(&(20, 8)),
        "the wait gives the lock away: {locks:?}"
    );
    assert!(
        locks.contains(&(11, 20)),
        "the wait takes it again: {locks:?}"
    );
    let reads = arrows(&page, "reads");
    assert!(reads.contains(&(9, 19)), "{reads:?}");
    let signals = arrows(&page, "signal");
    assert_eq!(signals, [(10, 20)]);
}

#[test]
fn an_endless_execution_shows_its_loop() {
    let program = "int x; int main(void)\n{\n    x = 1;\n    while (x)\n        ;\n}\n";
    let page = checked(
        program,
        &["--property", "termination", "--engine", "explore"],
        1,
    );
    assert_eq!(page["headline"], "An execution never ends");
    let from = page["schedule"]["repeats_from"].as_u64().unwrap() as usize;
    let rows = list(&page["schedule"], "rows");
    assert!(from > 0 && rows[from]["line"] == 4, "{rows:#?}");
    assert!(rows.iter().all(|row| row["fails"] == false));
}

#[test]
fn proofs_show_what_they_rest_on() {
    let fixed = LOST_UPDATE.replace("counter == 2", "counter <= 2");
    let page = checked(&fixed, &["--engine", "cegar"], 0);
    assert_eq!(page["verdict"], "safe");
    let graph = &page["proof"]["graph"];
    assert_eq!(graph["all"], list(graph, "nodes").len(), "{graph:#}");
    let page = checked(&fixed, &["--engine", "horn"], 0);
    let invariants = list(&page["proof"], "invariants");
    let at_joins = |invariant: &&Value| invariant["lines"].as_array().unwrap().contains(&15.into());
    assert!(invariants.iter().any(|i| at_joins(&i)), "{invariants:#?}");
    assert_eq!(page["schedule"], Value::Null);
}

#[test]
fn unknown_has_its_reason() {
    let page = checked(
        common::ENDLESS,
        &["--engine", "explore", "--timeout", "0.3"],
        2,
    );
    assert_eq!(
        (&page["verdict"], &page["headline"]),
        (&"unknown".into(), &"Out of time".into())
    );
}

#[test]
fn a_trace_becomes_the_same_page() {
    let folder = Folder::new();
    folder.write("a.c", LOST_UPDATE);
    folder
        .mazurka(&["check", "--html", "a.html", "--trace", "t.json", "a.c"])
        .exits(1);
    folder
        .mazurka(&["replay", "--html", "b.html", "t.json"])
        .exits(1);
    assert_eq!(
        data(&folder, "a.html")["schedule"],
        data(&folder, "b.html")["schedule"]
    );
    folder
        .mazurka(&["replay", "--html", "missing/b.html", "t.json"])
        .exits(65);
}

#[test]
fn text_stays_text() {
    let evil = "</script><script>document.title='broken'</script><!--";
    let program = LOST_UPDATE.replace("int main", &format!("/* {evil} */\nint main"));
    let folder = Folder::new();
    folder.write("a.c", &program);
    folder
        .mazurka(&["check", "--html", "out.html", "a.c"])
        .exits(1);
    let page = folder.read("out.html");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("document.title='broken'</"));
    assert!(
        data(&folder, "out.html")["files"]
            .to_string()
            .contains("broken")
    );
}

#[test]
fn several_properties_have_a_page_each() {
    let folder = Folder::new();
    folder.write("a.c", LOST_UPDATE);
    let check = ["check", "--property", "reach,race,deadlock"];
    let files = ["--html", "out.html", "--trace", "out.json", "a.c"];
    folder.mazurka(&[&check[..], &files].concat()).exits(1);
    for (property, verdict) in [
        ("reach", "unsafe"),
        ("race", "unsafe"),
        ("deadlock", "safe"),
    ] {
        let page = data(&folder, &format!("out-{property}.html"));
        assert_eq!(page["verdict"], verdict, "{property}");
    }
    let exists = |name: &str| folder.path().join(name).exists();
    assert!(exists("out-race.json") && !exists("out-deadlock.json"));
    assert!(!exists("out.html") && !exists("out.json"));
    let folder = ["--evidence", "kept", "a.c"];
    let refused = [&check[..], &folder].concat();
    Folder::new().mazurka(&refused).exits(64);
}
