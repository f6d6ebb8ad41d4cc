//! All errors of a text are told at once, each at its place, and nothing that only follows from them.

use cfront::parse_program;
use expect_test::{Expect, expect};
use xcfa::{DataModel, SourceFile};

fn check(text: &str, expected: &Expect) {
    let file = SourceFile::new("a.c", text);
    let failure = parse_program(vec![file], DataModel::Lp64).expect_err("it is wrong");
    let lines = failure.all().map(|error| {
        let place = failure.sources.place(error.span);
        format!("{}:{}: {}\n", place.line, place.column, error.what)
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn statements_that_are_no_c() {
    check(
        "int f(int x)\n{\n    x = 1 +;\n    if (x { return 3; }\n    x++;\n    return x\n}\n\
         int g(void) { return 1 }\nint main(void) { return 0; }\n",
        &expect![[r#"
            3:12: expected an expression, found `;`
            4:11: expected `)` after this expression, found `{`
            7:1: expected `;` after `return`, found `}`
            8:24: expected `;` after `return`, found `}`
        "#]],
    );
}

#[test]
fn a_type_that_is_missing_is_told_with_its_header_and_taken_for_one() {
    check(
        "typedef strange thing;\nthing what;\nuint32_t width;\n\
         int f(pthread_t t) { return 1 +; }\n\
         int main(void) { job x; x = 2; sem_t s; return 0; }\n",
        &expect![[r#"
            1:9: `strange` is not declared as a type
            3:1: `uint32_t` is not declared as a type; is `#include <stdint.h>` missing?
            4:7: `pthread_t` is not declared as a type; is `#include <pthread.h>` missing?
            4:32: expected an expression, found `;`
            5:18: `job` is not declared as a type
            5:32: `sem_t` is not declared as a type; is `#include <semaphore.h>` missing?
        "#]],
    );
}

#[test]
fn what_is_wrong_with_types() {
    check(
        "struct job { int n; };\nint balance;\n\
         int f(void) { int y = balanse; return y + missing; }\n\
         int main(void)\n{\n    struct job j = { 1 };\n    j.m = 1;\n    int *p = \"x\" * 3;\n    *p = 1;\n\
         \x20   PTHREAD_X = 3;\n    break;\n    return *balance;\n}\n",
        &expect![[r#"
            3:23: `balanse` is not declared; is `balance` meant?
            3:43: `missing` is not declared
            7:5: there is no member `m`
            8:14: this must be a number
            10:5: `PTHREAD_X` is not declared; is `#include <pthread.h>` missing?
            12:12: only a pointer can be dereferenced
        "#]],
    );
}

#[test]
fn files_are_all_read() {
    let files = ["int f(void) { return a; }", "int g(void) { return b; }"];
    let files = files.map(|text| SourceFile::new("x.c", text)).to_vec();
    let failure = parse_program(files, DataModel::Lp64).expect_err("it is wrong");
    assert_eq!(failure.all().count(), 2);
}

#[test]
fn no_text_stops_it_from_going_on() {
    for text in [
        "int main(void) {",
        "}}}} int x",
        "{{{{{ ; } int main(void) { ( ( ; } }",
        "typedef",
        "typedef struct { typedef } ; ; ( ) { x y z }",
        "int f( { } int g( } { ; int h(void) { return 0; }",
        "foo bar baz; foo bar(foo x, baz y) { foo foo; baz baz = foo; }",
    ] {
        let file = SourceFile::new("a.c", text);
        let failure = parse_program(vec![file], DataModel::Lp64).expect_err("it is wrong");
        assert!(failure.all().count() <= 25, "{text}");
    }
}
