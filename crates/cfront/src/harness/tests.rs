//! Drivers as text, and that the front end reads them.

use super::{Count, Harness, HarnessError, harness};
use crate::{LowerOptions, Text, compile};
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
    harness(&Text::new(vec![file], DataModel::Lp64), wanted).map_err(|error| match error {
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
    let text = text.expect("a driver");
    let parts = [
        "/* A driver. 2 threads: each makes 1 call of push, pop, in any order.\n",
        "there is one object of `struct stack`, which holds zeros at first",
        "struct mz_stack {\n    int item[2];\n    int count;\n    struct mz_",
        "unsigned char bytes[4];\n};\n",
        "static struct mz_stack mz_stack[1];\n",
        "\nint pop(struct stack *, int *);\nextern int __VERIFIER_nondet_mz_pop_p2(void);\n",
        "    int p2;\n    p2 = __VERIFIER_nondet_mz_push_p2();\n    push((void *)&mz_stack[0], p2);\n",
        "    pop((void *)&mz_stack[0], &p2);\n",
        "    case 0:\n        mz_push();\n        break;\n    default:\n        mz_pop();\n",
        "int main(void)\n{\n    mz_start();\n    pthread_t threads[2];\n",
    ];
    for part in parts {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
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
        compile(&Text::new(files, DataModel::Lp64), &LowerOptions::default())
            .expect("nothing is in the way");
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

#[test]
fn calls_are_kept_and_compared_with_a_specification() {
    let text = made(&Harness {
        specification: Some("spec.c".to_owned()),
        values: Some(2),
        ..wanted(&["push", "pop"])
    });
    let text = text.expect("a driver");
    let parts = [
        "#include \"spec.c\"\n",
        "    struct { int p2; int result; } push;\n    struct { int p2; int p2_before; int result; } pop;\n} mz_history[2];",
        "    call->pop.p2 = mz_below(2);\n    call->pop.p2_before = call->pop.p2;\n    mz_begin(call);\n",
        "    int result = spec_push(state, call->push.p2);\n    return result == call->push.result;\n",
        "    int p2 = call->pop.p2_before;\n    int result = spec_pop(state, &p2);\n",
        "mz_explained_2(taken | 1u << at, &state)",
        "pthread_create(&threads[at], 0, mz_thread, &mz_history[1 * at]);",
        "    assert(is_linearizable);\n",
    ];
    for part in parts {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}
