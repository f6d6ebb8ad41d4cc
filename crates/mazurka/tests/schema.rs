//! What `--format json` prints is what `docs/answer.schema.json` says.

mod common;

use common::schema::Schema;
use common::{ENDLESS, Folder, LOST_UPDATE};
use serde_json::Value;

/// The answers of a command, each examined.
fn answers(folder: &Folder, args: &str, exit: i32) -> Vec<Value> {
    let args: Vec<&str> = args.split(' ').collect();
    let ran = folder.mazurka(&[&["check", "--format", "json"], &args[..]].concat());
    let ran = ran.exits(exit);
    let schema = Schema::of_answers();
    let lines = ran.stdout.lines();
    let answers: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("an object in a line"))
        .collect();
    assert!(!answers.is_empty(), "{args:?}");
    for answer in &answers {
        if let Err(what) = schema.check(answer) {
            panic!("{args:?}: {what}\n{answer:#}");
        }
    }
    answers
}

const DEADLOCK: &str = "#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }
void *g(void *x) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
    pthread_join(a, 0); pthread_join(b, 0); return 0; }
";

#[test]
fn every_kind_of_answer_is_described() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder.write("endless.c", ENDLESS);
    folder.write("stuck.c", DEADLOCK);
    folder.write("empty.c", "int main(void) { return 0; }\n");
    let main = |body: &str| {
        format!("#include <stdlib.h>\nvoid reach_error(void);\nint main(void) {{ {body} }}\n")
    };
    folder.write("overflow.c", &main("int x = 2147483647; return x + 1;"));
    folder.write("gone.c", &main("int *p = malloc(4); free(p); return *p;"));
    folder.write("null.c", &main("int *p = 0; return *p;"));
    folder.write(
        "far.c",
        &main("int a[2]; int i = 2; a[0] = a[1] = 0; return a[i];"),
    );
    folder.write("free.c", &main("int x; free(&x); return 0;"));
    folder.write("leak.c", &main("malloc(4); return 0;"));
    folder.write("round.c", &main("for (;;) ;"));
    folder.write("call.c", &main("reach_error(); return 0;"));
    for (args, kind) in [
        ("lost.c", "assertion"),
        ("call.c", "error-call"),
        ("--property race lost.c", "race"),
        ("--property deadlock stuck.c", "stuck"),
        ("--property overflow overflow.c", "overflow"),
        ("--property memsafety gone.c", "access"),
        ("--property memsafety null.c", "access"),
        ("--property memsafety far.c", "operation"),
        ("--property memsafety free.c", "free"),
        ("--property memsafety leak.c", "lost"),
        ("--property termination round.c", "endless"),
    ] {
        let answers = answers(&folder, args, 1);
        assert_eq!(answers[0]["failure"]["kind"], kind, "{args}");
        assert_eq!(answers[0]["schema_version"], 1);
    }
    answers(&folder, "empty.c", 0);
    assert!(answers(&folder, "--property all lost.c", 1).len() > 4);
    answers(&folder, "--engine explore --timeout 0.3 endless.c", 2);
    let found = &answers(&folder, "--property race --all-findings lost.c", 1)[0]["findings"];
    assert_eq!(found["rest"]["answer"], "none", "{found}");
}

#[test]
fn executions_of_weak_memory_are_described() {
    let folder = Folder::new();
    let text = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\natomic_int x, y; int a, b;\n\
        void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n\
        a = atomic_load_explicit(&y, memory_order_relaxed); return 0; }\n\
        void *g(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);\n\
        b = atomic_load_explicit(&x, memory_order_relaxed); return 0; }\n\
        int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0);\n\
        pthread_join(p, 0); pthread_join(q, 0); assert(a || b); return 0; }\n";
    folder.write("sb.c", text);
    answers(&folder, "--memory-model rc11 sb.c", 1);
    answers(&folder, "--memory-model rc11 --property robust sb.c", 1);
}

/// A refusal is an object too, for those who read the output.
#[test]
fn refusals_are_described() {
    let folder = Folder::new();
    folder.write(
        "bad.c",
        "int main(void)\n{\n    int x = 1 +;\n    return x;\n}\n",
    );
    let answers = answers(&folder, "bad.c", 65);
    assert_eq!(answers[0]["verdict"], "refused");
    assert_eq!(answers[0]["place"]["line"], 3);
    assert_eq!(answers[0]["place"]["column"], 16);
    let missing = folder
        .mazurka(&["check", "--format", "json", "missing.c"])
        .exits(65);
    let missing: Value = serde_json::from_str(&missing.stdout).expect("an object");
    Schema::of_answers()
        .check(&missing)
        .expect("it is described");
    let ran = folder
        .mazurka(&["check", "--format", "gcc", "bad.c"])
        .exits(65);
    assert!(
        ran.stdout.starts_with("bad.c:3:16: error: "),
        "{}",
        ran.stdout
    );
}

/// All errors are told, in every format.
#[test]
fn all_errors_are_described() {
    let folder = Folder::new();
    folder.write(
        "worse.c",
        "int main(void)\n{\n    int x = y;\n    return z;\n}\n",
    );
    let worse = answers(&folder, "worse.c", 65);
    let others = worse[0]["others"].as_array().expect("a list");
    assert_eq!(others.len(), 1);
    assert_eq!(others[0]["place"]["line"], 4);
    let lines = folder.mazurka(&["check", "--format", "gcc", "worse.c"]);
    let lines = lines.exits(65).stdout;
    assert!(lines.starts_with("worse.c:3:13: error: "), "{lines}");
    assert!(lines.contains("\nworse.c:4:12: error: "), "{lines}");
}

/// Columns and bytes are those of the file as it was written.
#[test]
fn places_have_columns_and_bytes() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let answers = answers(&folder, "--property race lost.c", 1);
    let accesses = answers[0]["failure"]["accesses"].as_array().expect("two");
    for access in accesses {
        let place = &access["place"];
        let byte = |name: &str| place[name].as_u64().expect("a number") as usize;
        let text = &LOST_UPDATE[byte("start_byte")..byte("end_byte")];
        assert!(text.contains("counter"), "{text}");
        let line = LOST_UPDATE.lines().nth(byte("line") - 1).expect("a line");
        assert_eq!(&line[byte("column") - 1..byte("end_column") - 1], text);
    }
}
