//! Drivers as text, and that the front end reads them.

use super::{Count, Harness, HarnessError, harness};
use crate::{LowerOptions, compile};
use expect_test::expect;
use xcfa::{DataModel, SourceFile};

const STACK: &str = "struct stack { int item[2]; int count; struct { unsigned low : 4; } odd; };\n\
    void prepare(struct stack *s) { s->count = 0; }\n\
    int push(struct stack *s, int value) { if (s->count == 2) return 0; s->item[s->count++] = value; return 1; }\n\
    int pop(struct stack *s, int *value) { if (!s->count) return 0; *value = s->item[--s->count]; return 1; }\n\
    static void hidden(void) {}\n\
    void visit(struct stack *s, void (*each)(int)) { hidden(); each(s->count); }\n";

fn wanted(functions: &[&str]) -> Harness {
    Harness {
        functions: functions.iter().map(|&name| name.to_owned()).collect(),
        init: None,
        threads: Count::Exactly(2),
        calls: Count::Exactly(1),
        objects: 1,
        values: None,
        specification: None,
    }
}

fn made(wanted: &Harness) -> Result<String, String> {
    let file = SourceFile::new("stack.c", STACK);
    harness(vec![file], DataModel::Lp64, wanted).map_err(|error| match error {
        HarnessError::Parse(failure) => failure.error.what.clone(),
        HarnessError::Refused(why) => why,
    })
}

#[test]
fn threads_call_any_function_with_any_numbers() {
    let init = Some("prepare".to_owned());
    let text = made(&Harness {
        init,
        ..wanted(&["push", "pop"])
    });
    expect![[""]].assert_eq(&text.expect("a driver"));
}

#[test]
fn drivers_are_c_that_can_be_lowered() {
    let unbounded = Harness {
        threads: Count::Any,
        calls: Count::Any,
        objects: 2,
        values: Some(3),
        ..wanted(&["push", "pop"])
    };
    for wanted in [wanted(&["pop"]), unbounded] {
        let text = made(&wanted).expect("a driver");
        // The headers are the preprocessor's business.
        let start = "typedef unsigned long pthread_t; extern void assert(int);\n\
            extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
            extern int pthread_join(pthread_t, void **);\n";
        let lines = text.lines().filter(|line| !line.starts_with("#include"));
        let text = start.to_owned() + &lines.collect::<Vec<_>>().join("\n");
        let files = vec![
            SourceFile::new("stack.c", STACK),
            SourceFile::new("driver.c", text),
        ];
        compile(files, DataModel::Lp64, &LowerOptions::default()).expect("nothing is in the way");
    }
}

#[test]
fn what_cannot_be_called_is_refused() {
    for (function, why) in [
        ("missing", "no function `missing` is defined"),
        ("hidden", "`hidden` is static: no other file can call it"),
        ("visit", "parameter 2 of `visit` is a pointer to a function"),
    ] {
        assert_eq!(made(&wanted(&[function])), Err(why.to_owned()));
    }
    let compared = Harness {
        calls: Count::Any,
        specification: Some("spec.c".to_owned()),
        ..wanted(&["push"])
    };
    assert!(made(&compared).is_err_and(|why| why.contains("bounded")));
}
