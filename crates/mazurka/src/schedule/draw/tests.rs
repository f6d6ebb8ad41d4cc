//! What a person sees, character by character.

use super::*;
use crate::schedule::Line;
use expect_test::{Expect, expect};

fn row(thread: usize, line: u32, text: &str, notes: &[&str]) -> Row {
    Row {
        thread,
        line: Line {
            place: format!("lost_update.c:{line}"),
            text: text.into(),
        },
        notes: notes.iter().map(|&note| note.into()).collect(),
        mark: Mark::None,
        repeats: false,
        matters: line.is_multiple_of(10),
        switches: false,
    }
}

fn lost_update() -> Vec<Row> {
    let mut rows = vec![
        row(
            0,
            14,
            "    pthread_create(&a, 0, worker, 0);",
            &["a: 0 → 1"],
        ),
        row(
            0,
            15,
            "    pthread_create(&b, 0, worker, 0);",
            &["b: 0 → 2"],
        ),
        row(1, 8, "    int seen = counter;", &[]),
        row(2, 8, "    int seen = counter;", &[]),
        row(2, 9, "\tcounter = seen\t+ 1;", &["counter: 0 → 1"]),
        row(
            1,
            9,
            "\tcounter = seen\t+ 1;",
            &["seen: 0 → 1", "counter: 1 → 1", "holds lock"],
        ),
        row(
            0,
            18,
            "    assert(counter == 2); // and much more text on this line",
            &[],
        ),
    ];
    rows[6].mark = Mark::Failing;
    rows
}

fn check(rows: &[Row], threads: usize, width: usize, expect: Expect) {
    let mut thread_names = vec!["main".to_owned()];
    thread_names.resize(threads, "worker".to_owned());
    let page = Page {
        rows,
        thread_names: &thread_names,
        blame: "the assertion fails",
        summary: "the assertion fails",
        width,
        steps: Steps::Relevant,
    };
    let text = anstream::adapter::strip_str(&page.draw()).to_string();
    let too_wide = text.lines().find(|line| line.chars().count() > width);
    assert_eq!(too_wide, None);
    // The first line keeps the indentation of the others.
    expect.assert_eq(&format!("{width} columns\n{text}"));
}

#[test]
fn one_column_for_each_thread() {
    check(
        &lost_update(),
        3,
        110,
        expect![[r#"
            110 columns
                                main                          thread 1 (worker)             thread 2 (worker)
              lost_update.c:14  pthread_create(&a, 0,
                                    worker, 0);
                                  a: 0 → 1
              lost_update.c:15  pthread_create(&b, 0,
                                    worker, 0);
                                  b: 0 → 2
              lost_update.c:8                                 int seen = counter;
              lost_update.c:8                                                               int seen = counter;
              lost_update.c:9                                                               counter = seen + 1;
                                                                                              counter: 0 → 1
              lost_update.c:9                                 counter = seen + 1;
                                                                seen: 0 → 1
                                                                counter: 1 → 1, holds lock
            > lost_update.c:18  assert(counter == 2); //
                                    and much more text on
                                    this line
                                ^ the assertion fails
        "#]],
    );
}

#[test]
fn a_narrow_page_puts_threads_below_each_other() {
    check(
        &lost_update(),
        3,
        60,
        expect![[r#"
            60 columns
            main
              lost_update.c:14  pthread_create(&a, 0, worker, 0);
                                  a: 0 → 1
              lost_update.c:15  pthread_create(&b, 0, worker, 0);
                                  b: 0 → 2
            thread 1 (worker)
              lost_update.c:8   int seen = counter;
            thread 2 (worker)
              lost_update.c:8   int seen = counter;
              lost_update.c:9   counter = seen + 1;
                                  counter: 0 → 1
            thread 1 (worker)
              lost_update.c:9   counter = seen + 1;
                                  seen: 0 → 1, counter: 1 → 1
                                  holds lock
            main
            > lost_update.c:18  assert(counter == 2); // and much more
                                    text on this line
                                ^ the assertion fails
        "#]],
    );
}

#[test]
fn an_endless_loop_is_announced() {
    let mut rows = vec![row(0, 3, "spin:", &[]), row(0, 4, "goto spin;", &[])];
    rows[1].repeats = true;
    check(
        &rows,
        1,
        80,
        expect![[r#"
            80 columns
                               main
              lost_update.c:3  spin:
                               from here on, for ever:
              lost_update.c:4  goto spin;
        "#]],
    );
}

#[test]
fn a_long_schedule_is_folded_and_cut_in_the_middle() {
    let lines = |count, steps| {
        let mut rows: Vec<_> = (0..count).map(|line| row(0, line, "x++;", &[])).collect();
        rows[0].switches = true;
        let page = Page {
            rows: &rows,
            thread_names: &["main".to_owned()],
            blame: "",
            summary: "",
            width: 80,
            steps,
        };
        let text = page.draw();
        let folded = text.matches("lines left out").count();
        // Without the heading and the end, which repeats what goes wrong.
        (text.lines().count() - folded - 3, folded)
    };
    assert_eq!(lines(1000, Steps::All), (1000, 0));
    assert_eq!(lines(1000, Steps::Switches), (1, 1));
    assert_eq!(lines(1000, Steps::Relevant), (100, 100));
    assert_eq!(lines(5000, Steps::Relevant), (MOST_ROWS, MOST_ROWS));
}
