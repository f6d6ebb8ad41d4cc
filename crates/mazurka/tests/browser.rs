//! Pages in a real browser: steps, values, keys, themes; nothing from the network, no complaints.

mod common;

use common::browser::{Browser, key};
use common::{Folder, LOST_UPDATE};
use serde_json::{Value, json};

/// Writes a page about a program and opens it.
fn show(browser: &Browser, folder: &Folder, program: &str, args: &[&str]) {
    folder.write("a.c", program);
    let path = folder.path().join("out.html");
    let out = path.to_str().unwrap();
    folder.mazurka(&[&["check", "--html", out], args, &["a.c"]].concat());
    browser.open_file(&path);
}

/// The value of a variable after the step that is shown.
fn value(browser: &Browser, name: &str) -> Value {
    browser.eval(&format!(
        "[...document.querySelectorAll('#variables tbody tr')]
            .find(row => row.cells[0].firstChild.textContent === {name:?})?.cells[1].textContent"
    ))
}

fn selected(browser: &Browser) -> i64 {
    let rows = "[...document.querySelectorAll('[role=option]')]";
    let at = format!("{rows}.findIndex(row => row.ariaSelected === 'true')");
    browser.eval(&at).as_i64().unwrap()
}

#[test]
fn a_schedule_is_walked_with_keys_and_mouse() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = Folder::new();
    show(&browser, &folder, LOST_UPDATE, &["--engine", "explore"]);
    assert_eq!(browser.text("#verdict"), "UNSAFE");
    let rows = browser.eval("document.querySelectorAll('[role=option]').length");
    let last = rows.as_i64().unwrap() - 1;
    // It opens at the end, where it goes wrong.
    assert_eq!(selected(&browser), last);
    assert_eq!(value(&browser, "counter"), "1");
    assert!(browser.text(".src.now").contains("assert(counter == 2);"));

    browser.press(&[key::HOME]);
    assert_eq!(selected(&browser), 0);
    assert_eq!(value(&browser, "counter"), "0");
    assert!(
        browser
            .text("#now")
            .starts_with(&format!("Step 1 of {}", last + 1))
    );
    browser.press(&["j", key::DOWN, "k", key::UP, "k", "j"]);
    assert_eq!(selected(&browser), 1);
    assert!(
        browser
            .text(".src.now")
            .contains("pthread_create(&b, 0, worker, 0);")
    );
    browser.press(&[key::END]);
    assert_eq!(selected(&browser), last);

    // Both threads read 0 before either writes 1.
    let reads = "[...document.querySelectorAll('.note.reads')].map(note => note.textContent)";
    let reads = browser.eval(reads);
    let zero = |note: &&Value| **note == "reads counter = 0";
    assert_eq!(
        reads.as_array().unwrap().iter().filter(zero).count(),
        2,
        "{reads}"
    );
    // The heads of the columns stay above the rows that are scrolled.
    browser.eval("document.querySelector('#row-2 .box').scrollIntoView({ block: 'center' })");
    browser.click("#row-2 .box");
    assert_eq!(selected(&browser), 2);
    browser.click("[data-go=on]");
    assert_eq!(selected(&browser), 3);
    // A value in a history leads to the step that wrote it.
    browser.eval("document.querySelectorAll('#variables .chip.later')[0].click()");
    assert!(selected(&browser) > 3);
    browser.eval("document.querySelector('.src.ran').click()");
    assert_eq!(
        browser.eval("document.querySelectorAll('.src.now').length"),
        1
    );
    assert_eq!(browser.eval("document.activeElement.tagName"), "BUTTON");

    assert_eq!(browser.complaints(), Vec::<String>::new());
    let requests = browser.requests();
    let far = |url: &&String| !url.starts_with("file://") && !url.starts_with("data:");
    assert!(
        !requests.is_empty() && !requests.iter().any(|url| far(&url)),
        "{requests:?}"
    );
}

#[test]
fn light_dark_help_and_labels() {
    let Some(browser) = Browser::open(800, 900) else {
        return;
    };
    let folder = Folder::new();
    show(&browser, &folder, LOST_UPDATE, &["--property", "race"]);
    let paper = || browser.eval("getComputedStyle(document.body).backgroundColor");
    let light = paper();
    browser.click("#theme");
    let dark = paper();
    assert_ne!(light, dark);
    browser.press(&["t"]);
    assert_eq!(paper(), light);
    browser.press(&["?"]);
    assert_eq!(browser.eval("document.getElementById('help').open"), true);
    // Keys belong to the help while it is open.
    let before = selected(&browser);
    browser.press(&["k", key::ESCAPE]);
    assert_eq!(browser.eval("document.getElementById('help').open"), false);
    assert_eq!(selected(&browser), before);
    browser.click("#legend input");
    let unnamed = "[...document.querySelectorAll('button, input')].filter(node => \
                   !node.textContent.trim() && !node.ariaLabel && !node.closest('label')).length";
    assert_eq!(browser.eval(unnamed), 0);
    // The page is no wider than the window; wide schedules scroll inside it.
    assert_eq!(
        browser.eval("document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn text_of_programs_is_never_run() {
    let Some(browser) = Browser::open(1000, 700) else {
        return;
    };
    let evil = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">";
    let program = LOST_UPDATE.replace("int main", &format!("// {evil}\nint main"));
    let program = program.replace(
        "return 0;\n}\nint",
        &format!("return 0; // {evil}\n}}\nint"),
    );
    let folder = Folder::new();
    show(&browser, &folder, &program, &[]);
    assert_eq!(browser.eval("document.title"), "unsafe: a.c");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    assert!(browser.text("#code").contains("</script><script>"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn proofs_and_unknown_are_shown() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = Folder::new();
    let fixed = LOST_UPDATE.replace("counter == 2", "counter <= 2");
    show(&browser, &folder, &fixed, &["--engine", "horn"]);
    assert_eq!(browser.text("#verdict"), "SAFE");
    assert!(browser.text(".inv").contains("main at line"));
    browser.eval("document.querySelectorAll('.inv')[1].focus()");
    assert!(
        browser
            .eval("document.querySelectorAll('.src.hint').length")
            .as_i64()
            > Some(0)
    );
    show(&browser, &folder, &fixed, &["--engine", "cegar"]);
    assert!(
        browser
            .eval("document.querySelectorAll('.tree .node').length")
            .as_i64()
            > Some(5)
    );
    // There is an error, but no engine gets there within a second.
    let far = "for (;;) { z++; if (x * y * z == 123456789123ul) __VERIFIER_error(); }";
    let program = common::ENDLESS.replace("for (;;) z++;", far);
    show(&browser, &folder, &program, &["--timeout", "1"]);
    assert_eq!(browser.text("#verdict"), "UNKNOWN");
    assert!(browser.text("#stage").contains("gave up because"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A thread that works by itself for a while, and races afterwards.
const ALONE: &str = r#"#include <pthread.h>
int shared;
void *worker(void *arg)
{
    int a = 1;
    int b = a + (int)(long)arg;
    int c = b * 2;
    int d = c - a;
    int e = d + b;
    int g = e ^ c;
    int h = g + d;
    shared = h;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)3);
    shared = 7;
    pthread_join(t, 0);
    return 0;
}
"#;

#[test]
fn steps_that_nobody_else_sees_are_folded() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = Folder::new();
    let args = ["--property", "race", "--engine", "explore", "--lbe", "off"];
    show(&browser, &folder, ALONE, &args);
    let shown = || browser.eval("document.querySelectorAll('[role=option]:not([hidden])').length");
    let all = shown();
    assert_eq!(browser.eval("document.querySelectorAll('.fold').length"), 1);
    browser.press(&["f"]);
    let few = shown();
    assert!(few.as_i64() < all.as_i64(), "{few} of {all}");
    assert!(
        browser
            .text(".fold:not([hidden])")
            .contains("steps that no other thread sees")
    );
    // Steps go past what is folded; a line that is clicked unfolds it.
    let hidden = "document.querySelector('[aria-selected=true]').hidden";
    browser.press(&[key::HOME]);
    for _ in 0..few.as_i64().unwrap() {
        browser.press(&["j"]);
        assert_eq!(browser.eval(hidden), false);
    }
    browser.eval("document.getElementById('line-7').click()");
    assert_eq!(shown(), all);
    browser.press(&["f"]);
    assert_eq!(
        browser.eval("document.getElementById('fold').checked"),
        false
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn search_and_switches_of_threads() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = Folder::new();
    show(&browser, &folder, LOST_UPDATE, &["--engine", "explore"]);
    browser.press(&[key::HOME, "/"]);
    assert_eq!(browser.eval("document.activeElement.id"), "find");
    // Letters that are keys elsewhere belong to the text.
    browser.press(&["s", "e", "e", "n", " ", "="]);
    assert_eq!(browser.text("#found"), "2 found");
    let line = "document.querySelector('[aria-selected=true] .no b').textContent";
    for found in ["1 of 2", "2 of 2", "1 of 2"] {
        browser.press(&["\u{e007}"]);
        assert_eq!(browser.text("#found"), found);
        assert_eq!(browser.eval(line), "line 6");
    }
    browser.press(&["q"]);
    assert_eq!(browser.text("#found"), "nothing");
    browser.press(&[key::ESCAPE]);
    assert_eq!(
        browser.eval("document.querySelectorAll('.match').length"),
        0
    );
    // From switch to switch, up to the end and back.
    browser.press(&[key::HOME]);
    let thread = "document.querySelector('[aria-selected=true] .box').style.gridColumn";
    let mut before = browser.eval(thread);
    let mut switches = 0;
    while browser.eval("position < positions - 1") == true {
        browser.press(&["s"]);
        let now = browser.eval(thread);
        let at_end = browser.eval("position === positions - 1");
        assert!(now != before || at_end == true);
        (before, switches) = (now, switches + 1);
    }
    assert!(switches >= 3, "{switches}");
    browser.press(&["S"]);
    assert_ne!(browser.eval("position === positions - 1"), true);
    browser.click("[data-go=switch]");
    assert_eq!(browser.eval("position === positions - 1"), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn lines_that_were_reached_are_marked() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = Folder::new();
    let rare = "if (x * x * x == 3723875u) {\n        y = 1;\n    }";
    let program = format!(
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint y;\n\
         int main(void)\n{{\n    unsigned x = __VERIFIER_nondet_uint();\n    {rare}\n    if (y > 1) reach_error();\n}}\n"
    );
    show(&browser, &folder, &program, &["--engine", "explore"]);
    assert_eq!(browser.text("#verdict"), "UNKNOWN");
    assert!(browser.text("#coverage").contains("never reached"));
    let lines = |class: &str| {
        let script =
            format!("[...document.querySelectorAll('.src.{class} .n')].map(it => +it.textContent)");
        browser.eval(&script)
    };
    assert_eq!(lines("missed"), json!([8]));
    assert!(lines("hit").as_array().unwrap().contains(&json!(7)));
    assert!(browser.text("#details").contains("to go on: "));
    // A verdict says more than coverage.
    show(&browser, &folder, LOST_UPDATE, &["--engine", "explore"]);
    assert_eq!(
        browser.eval("document.getElementById('coverage').hidden"),
        true
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Four threads that take turns with a lock, 40 times each.
const LONG: &str = r#"#include <assert.h>
#include <pthread.h>
int turn, rounds;
void *worker(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < 40; i++) {
        while (turn != me)
            ;
        rounds++;
        turn = (me + 1) % 4;
    }
    return 0;
}
int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(rounds != 160);
    return 0;
}
"#;

#[test]
fn hundreds_of_steps_stay_quick() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = Folder::new();
    show(
        &browser,
        &folder,
        LONG,
        &["--engine", "explore", "--timeout", "60"],
    );
    let rows = browser.eval("document.querySelectorAll('[role=option]').length");
    assert!(rows.as_i64() > Some(500), "{rows}");
    let walk = "(() => { const start = performance.now(); \
                for (let i = 0; i < 40; i++) dispatchEvent(new KeyboardEvent('keydown', {key: 'k'})); \
                document.body.offsetHeight; return (performance.now() - start) / 40; })()";
    let each = browser.eval(walk).as_f64().unwrap();
    assert!(each < 250.0, "{each} ms for a step of {rows}");
    assert_eq!(
        json!(selected(&browser)),
        json!(rows.as_i64().unwrap() - 41)
    );
    let visible = "(() => { const row = document.querySelector('[aria-selected=true]').getBoundingClientRect(), \
                   box = document.getElementById('stage').getBoundingClientRect(); \
                   return row.top >= box.top && row.bottom <= box.bottom; })()";
    assert_eq!(browser.eval(visible), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
