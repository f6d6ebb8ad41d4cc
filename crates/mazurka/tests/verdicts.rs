//! Verdicts as people and programs see them.

mod common;

use common::{ENDLESS, Folder, LOST_UPDATE};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn unsafe_with_a_schedule() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let ran = folder.mazurka(&["check", "lost.c"]).exits(1);
    assert!(ran.stdout.starts_with("UNSAFE  reach: "), "{ran:#?}");
    assert!(
        !ran.stdout.contains('\u{1b}'),
        "no colours outside a terminal: {ran:#?}"
    );
    let ran = ran.prints(&["main", "thread 1 (worker)", "thread 2 (worker)"]);
    // The failing line is marked, and shown as it was before the preprocessor.
    ran.prints(&["> lost.c:17  assert(counter == 2);", "counter: 0 → 1"]);
}

#[test]
fn safe_in_text_and_json() {
    let folder = Folder::new();
    folder.write("a.c", &LOST_UPDATE.replace("counter == 2", "counter >= 1"));
    let ran = folder.mazurka(&["check", "--stats", "a.c"]).exits(0);
    assert!(ran.stdout.starts_with("SAFE  reach: "), "{ran:#?}");
    ran.prints(&["statistics", "states"]);
    let ran = folder
        .mazurka(&["check", "--format", "json", "a.c"])
        .exits(0);
    let answer = json(&ran.stdout);
    assert_eq!(answer["verdict"], "safe");
    assert_eq!(answer["property"], "reach");
    assert_eq!(answer["engine"], "explore");
    assert_eq!(answer["reason"], Value::Null);
    assert_eq!(answer["trace"], Value::Null);
    assert!(answer["wall_s"].is_f64());
    assert!(
        answer["stats"]["states"]
            .as_u64()
            .is_some_and(|states| states > 10)
    );
    assert!(answer["assumptions"].is_array());
}

#[test]
fn a_json_trace_explains_itself() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let ran = folder
        .mazurka(&["check", "--format", "json", "lost.c"])
        .exits(1);
    let answer = json(&ran.stdout);
    assert_eq!(answer["verdict"], "unsafe");
    assert_eq!(answer["trace"]["violation"], "error-reached");
    assert_eq!(answer["trace"]["threads"].as_array().map(Vec::len), Some(3));
    let last = answer["trace"]["steps"]
        .as_array()
        .and_then(|steps| steps.last())
        .unwrap();
    assert_eq!(
        (&last["file"], &last["line"]),
        (&"lost.c".into(), &17.into())
    );
}

#[test]
fn limits_end_in_unknown() {
    let folder = Folder::new();
    folder.write("a.c", ENDLESS);
    let ran = folder
        .mazurka(&["check", "--engine", "explore", "--timeout", "0.5", "a.c"])
        .exits(2);
    ran.prints(&["UNKNOWN  reach: out of time"]);
    let ran = folder
        .mazurka(&[
            "check", "--engine", "explore", "--memory", "1", "--format", "json", "a.c",
        ])
        .exits(2);
    assert_eq!(json(&ran.stdout)["reason"], "out of memory");
}

#[test]
fn an_interrupt_ends_in_unknown() {
    let folder = Folder::new();
    folder.write("a.c", ENDLESS);
    let check = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .args(["check", "--engine", "explore", "--timeout", "100", "a.c"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // By then the handler is there; the program would run for much longer.
    std::thread::sleep(Duration::from_secs(1));
    let interrupt = Command::new("kill")
        .args(["-INT", &check.id().to_string()])
        .status();
    assert!(interrupt.is_ok_and(|status| status.success()));
    let output = check.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("UNKNOWN  reach: interrupted"), "{text}");
}

/// A property file may ask for parts of memory safety; what else is wrong is not its business.
#[test]
fn parts_of_memory_safety() {
    let folder = Folder::new();
    let head = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); ";
    folder.write("leaks.c", &format!("{head} return 0; }}\n"));
    folder.write("uses.c", &format!("{head} free(p); *p = 1; return 0; }}\n"));
    folder.write(
        "frees.c",
        &format!("{head} free(p); free(p); return 0; }}\n"),
    );
    folder.write(
        "uses_lost.c",
        &format!("{head} int *q = p; p = 0; q = 0; *p = 1; }}\n"),
    );
    let line = |part: &str| format!("CHECK( init(main()), LTL(G valid-{part}) )\n");
    for (parts, file, status) in [
        ("deref", "leaks.c", 0),
        ("free", "leaks.c", 0),
        ("memtrack", "leaks.c", 1),
        ("deref", "uses.c", 1),
        ("free", "uses.c", 0),
        ("memtrack", "uses.c", 0),
        ("deref", "frees.c", 0),
        ("free", "frees.c", 1),
        ("deref memtrack", "frees.c", 0),
        ("free deref", "uses.c", 1),
        ("free memtrack", "leaks.c", 1),
        ("free deref memtrack", "leaks.c", 1),
        ("memtrack", "uses_lost.c", 0),
    ] {
        let text: String = parts.split(' ').map(line).collect();
        folder.write("p.prp", &text);
        for engine in ["auto", "explore", "matching"] {
            let args = ["check", "--engine", engine, "--property", "p.prp", file];
            folder.mazurka(&args).exits(status);
        }
    }
    folder.write("p.prp", &line("memcleanup"));
    let args = ["check", "--property", "p.prp", "leaks.c"];
    let ran = folder.mazurka(&args).exits(65);
    ran.complains(&["`G valid-memcleanup`, which is not supported"]);
}

#[test]
fn properties_by_name_and_by_file() {
    let folder = Folder::new();
    folder.write("lost.c", &LOST_UPDATE.replace("counter == 2", "1"));
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    folder
        .mazurka(&["check", "--property", "race", "lost.c"])
        .exits(1);
    let ran = folder
        .mazurka(&["check", "--property", "p.prp", "lost.c"])
        .exits(1);
    ran.prints(&["UNSAFE  race: ", "> lost.c:7", "seen + 1"]);
    folder
        .mazurka(&["check", "--property", "deadlock", "lost.c"])
        .exits(0);
}

#[test]
fn a_trace_is_replayed_until_the_program_changes() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder
        .mazurka(&["check", "--trace", "bug.json", "lost.c"])
        .exits(1);
    let again = folder.mazurka(&["replay", "bug.json"]).exits(1);
    again.prints(&["UNSAFE  reach: ", "> lost.c:17"]);
    // A program that has only moved is still the same.
    folder.write("moved/lost.c", LOST_UPDATE);
    std::fs::remove_file(folder.path().join("lost.c")).unwrap();
    folder
        .mazurka(&["replay", "bug.json"])
        .exits(65)
        .complains(&["cannot read lost.c"]);
    folder
        .mazurka(&["replay", "bug.json", "moved/lost.c"])
        .exits(1);
    folder.write("lost.c", &LOST_UPDATE.replace("+ 1", "+ 2"));
    folder
        .mazurka(&["replay", "bug.json"])
        .exits(65)
        .complains(&["has changed"]);
}

#[test]
fn simulation_finds_bugs_and_proves_nothing() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let found = folder
        .mazurka(&["simulate", "--seed", "7", "--runs", "500", "lost.c"])
        .exits(1);
    found.prints(&["UNSAFE  reach: ", "seed 7"]);
    folder.write("a.c", "int main(void) { return 0; }\n");
    folder
        .mazurka(&["simulate", "--runs", "5", "a.c"])
        .exits(2)
        .prints(&["UNKNOWN"]);
}

#[test]
fn macros_headers_and_several_files() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include \"shared.h\"\nint main(void) { assert(value() == N); return 0; }\n",
    );
    folder.write(
        "b.c",
        "#include \"shared.h\"\nint value(void) { return 3; }\n",
    );
    folder.write("inc/shared.h", "#include <assert.h>\nint value(void);\n");
    let check = |n| folder.mazurka(&["check", "-I", "inc", "-D", n, "a.c", "b.c"]);
    check("N=3").exits(0);
    check("N=4").exits(1);
}

#[test]
fn data_models_reach_the_preprocessor() {
    let folder = Folder::new();
    let text = "#include <limits.h>\n#include <pthread.h>\n#include <stddef.h>\n#include <stdint.h>\n\
                #include <stdio.h>\n#include <stdlib.h>\n\
                _Static_assert(sizeof(size_t) == WIDTH, \"size_t\");\n\
                _Static_assert(sizeof(uintptr_t) == WIDTH, \"uintptr_t\");\n\
                _Static_assert(sizeof(int64_t) == 8, \"int64_t\");\n\
                _Static_assert(__SIZEOF_POINTER__ == WIDTH, \"macro\");\n\
                _Static_assert(LONG_MAX > INT_MAX == (WIDTH == 8), \"LONG_MAX\");\n\
                int main(void) { return 0; }\n";
    folder.write("a.c", text);
    let check =
        |model, width| folder.mazurka(&["check", "--data-model", model, "-D", width, "a.c"]);
    check("ilp32", "WIDTH=4").exits(0);
    check("lp64", "WIDTH=8").exits(0);
    check("ilp32", "WIDTH=8").exits(65);
}

#[test]
fn automata_as_text_and_graph() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder
        .mazurka(&["cfa", "lost.c"])
        .exits(0)
        .prints(&["global counter", "start thread worker"]);
    folder
        .mazurka(&["cfa", "--raw", "lost.c"])
        .exits(0)
        .prints(&["proc worker"]);
    folder
        .mazurka(&["cfa", "--format", "dot", "lost.c"])
        .exits(0)
        .prints(&["digraph"]);
}

#[test]
fn help_for_newcomers() {
    let folder = Folder::new();
    folder.mazurka(&["--help"]).exits(0).prints(&[
        "Examples:",
        "mazurka check prog.c",
        "Exit status",
    ]);
    folder
        .mazurka(&["check", "--help"])
        .exits(0)
        .prints(&["deadlock", "--timeout", "--trace"]);
    folder
        .mazurka(&["--version"])
        .exits(0)
        .prints(&[env!("CARGO_PKG_VERSION")]);
    for shell in ["bash", "zsh", "fish"] {
        folder
            .mazurka(&["completions", shell])
            .exits(0)
            .prints(&["mazurka", "simulate"]);
    }
}

#[test]
fn graphs_of_abstractions_are_drawn() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    let draw = |name: &str| {
        folder
            .mazurka(&["check", "--engine", "cegar", "--arg", name, "lost.c"])
            .exits(1);
        folder.read(name)
    };
    let page = draw("out.html");
    assert!(page.contains("<svg>") && page.contains("class=\"node error\""));
    assert!(!page.contains("http"), "a page without a network");
    assert!(draw("out.dot").starts_with("digraph arg {"));
    folder
        .mazurka(&["check", "--engine", "cegar", "--arg", "out.png", "lost.c"])
        .exits(64)
        .complains(&["ends in .html or .dot"]);
    folder
        .mazurka(&["check", "--engine", "explore", "--arg", "out.dot", "lost.c"])
        .exits(64)
        .complains(&["--arg needs --engine cegar"]);
}

/// Behind an access through a pointer that came from outside a run goes on, whatever the engines
/// make of it.
#[test]
fn nothing_is_proved_through_a_foreign_pointer() {
    let folder = Folder::new();
    let getenv = "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n\
                  const char *home = getenv(\"HOME\");\n\
                  if (home == NULL || home[0] == 0) return 0;\nassert(0); }\n";
    let through_memory = "#include <assert.h>\nextern int *find(void);\n\
                  struct box { int *inside; } box;\nvoid keep(int *p) { box.inside = p; }\n\
                  int main(void) { keep(find()); if (*box.inside == 0) return 0; assert(0); }\n";
    let arguments = "#include <assert.h>\nint main(int argc, char **argv) {\n\
                  if (argc < 1 || argv[0][0] == 0) return 0;\nassert(0); }\n";
    let number = "#include <assert.h>\nextern unsigned long pages(void);\n\
                  int main(void) { int *p = (int *)pages(); if (!p) return 0; *p = 1; assert(0); }\n";
    let mixed = "#include <assert.h>\nextern unsigned long pages(void);\nint x;\n\
                  int main(void) { int *p = &x; if (pages()) p = (int *)pages();\n\
                  *p = 1; assert(x); }\n";
    let programs = [getenv, through_memory, arguments, number, mixed];
    let names = ["a.c", "b.c", "c.c", "d.c", "e.c"];
    for (name, text) in names.into_iter().zip(programs) {
        folder.write(name, text);
        for engine in [
            "auto", "bmc", "cegar", "horn", "fusion", "explore", "matching",
        ] {
            let arbitrary = ["--environment", "arbitrary"];
            let args = [
                ["check", "--timeout", "20", "--engine", engine, name].as_slice(),
                &arbitrary,
            ]
            .concat();
            let ran = folder.mazurka(&args);
            assert_ne!(ran.status, Some(0), "{engine} {name}: {ran:#?}");
        }
        let args = [
            "check",
            "--engine",
            "bmc",
            name,
            "--environment",
            "arbitrary",
        ];
        let ran = folder.mazurka(&args).exits(2);
        ran.prints(&["points to is not known"]);
        folder
            .mazurka(&[
                "check",
                "--property",
                "memsafety",
                name,
                "--environment",
                "arbitrary",
            ])
            .exits(2);
    }
}

/// An unset pointer may be any address that the program compares it with.
#[test]
fn an_uninitialised_pointer_may_be_any_address_that_it_is_compared_with() {
    let folder = Folder::new();
    let local = "#include <assert.h>\nint g;\nint main(void) { int *p; if (p == &g) *p = 1;\n\
                 assert(g == 0); }\n";
    let heap = "#include <assert.h>\n#include <stdlib.h>\nint g;\nstruct box { int n; int *p; };\n\
                int main(void) { struct box *box = malloc(sizeof *box); box->n = 1;\n\
                if (box->p == &g) *box->p = 1; assert(g == 0); }\n";
    let function = "#include <assert.h>\nint g;\nvoid set(void) { g = 1; }\n\
                    int main(void) { void (*p)(void); if (p == set) p(); assert(g == 0); }\n";
    let input = "#include <assert.h>\nlong __VERIFIER_nondet_long(void);\nint g;\n\
                 int main(void) { int *p = (int *)__VERIFIER_nondet_long();\n\
                 if (p == &g) *p = 1; assert(g == 0); }\n";
    let names = ["local.c", "heap.c", "function.c", "input.c"];
    for (name, text) in names.into_iter().zip([local, heap, function, input]) {
        folder.write(name, text);
        for engine in [
            "auto", "bmc", "cegar", "horn", "fusion", "explore", "matching",
        ] {
            let args = ["check", "--timeout", "20", "--engine", engine, name];
            let ran = folder.mazurka(&args);
            assert_ne!(ran.status, Some(0), "{engine} {name}: {ran:#?}");
        }
    }
}

#[test]
fn what_writes_through_its_arguments_is_not_taken_for_harmless() {
    let folder = Folder::new();
    folder.write(
        "clock.c",
        "#include <assert.h>\n#include <time.h>\nint main(void) { struct timespec t = {0, 0};\n\
         clock_gettime(CLOCK_REALTIME, &t); assert(t.tv_sec == 0); }\n",
    );
    folder
        .mazurka(&["check", "--engine", "bmc", "clock.c"])
        .exits(1);
    folder.write(
        "search.c",
        "#include <search.h>\nint order(const void *a, const void *b) { return 0; }\n\
         int main(void) { void *root = 0; int a = 1; tsearch(&a, &root, order); return 0; }\n",
    );
    let ran = folder.mazurka(&["check", "search.c"]).exits(65);
    ran.complains(&["`tsearch`: calls functions of the program"]);
}

#[test]
fn characters_are_classified() {
    let folder = Folder::new();
    folder.write(
        "ctype.c",
        "#include <assert.h>\n#include <ctype.h>\nint main(void) {\n\
         assert(isspace(' ') && isspace('\\n') && !isspace('x') && isdigit('7') && !isdigit(-1));\n\
         assert(isalpha('q') && ispunct('!') && isxdigit('f') && !isxdigit('g') && isupper('Q'));\n\
         assert((isalnum)('1') && toupper('a') == 'A' && tolower('Z') == 'z' && tolower('1') == '1');\n\
         return 0; }\n",
    );
    folder.mazurka(&["check", "ctype.c"]).exits(0);
}

#[test]
fn an_invalid_access_says_what_it_missed() {
    let folder = Folder::new();
    folder.write(
        "heap.c",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(3 * sizeof *p);\n\
         p[3] = 1; free(p); return 0; }\n",
    );
    let ran = folder.mazurka(&["check", "--property", "memsafety", "heap.c"]);
    ran.exits(1)
        .prints(&["writes 4 bytes at offset 12 of the memory that `malloc` gives at heap.c:2, which has 12 bytes"]);
}

/// The storage unit of the last bit-field reaches beyond the end of the struct where a `long long`
/// is aligned to four bytes: writing it is no invalid access, which would end the run.
#[test]
fn a_bit_field_at_the_end_of_a_struct() {
    let folder = Folder::new();
    folder.write(
        "tail.c",
        "void reach_error(void);\nstruct tail { long long first[1]; long long last : 15; };\n\
         int main(void)\n{\n    int one = 1;\n    struct tail tail = { { 2 }, one };\n    \
         if (tail.last == 1) reach_error();\n    return 0;\n}\n",
    );
    folder.write(
        "packed.c",
        "void reach_error(void);\nstruct __attribute__((packed)) odd { unsigned bits : 17; } odd;\n\
         int main(void) { odd.bits = 1; reach_error(); return 0; }\n",
    );
    for model in ["ilp32", "lp64"] {
        folder
            .mazurka(&["check", "tail.c", "--data-model", model])
            .exits(1);
        folder
            .mazurka(&["check", "packed.c", "--data-model", model])
            .exits(65)
            .complains(&["a bit-field this wide"]);
    }
}

/// Bit-fields of different declared types share bytes; a copy of the struct has them all.
#[test]
fn a_copy_of_a_struct_has_all_bit_fields() {
    let folder = Folder::new();
    folder.write(
        "copy.c",
        "void reach_error(void);\nstruct mixed { short a : 12; long long b : 6; int c; };\n\
         int main(void)\n{\n    struct mixed one = { 0 };\n    one.b = 5;\n    \
         struct mixed two = one;\n    if (two.b != 5) reach_error();\n    \
         if ((long long)two.b << 40 != 5ll << 40) reach_error();\n    return 0;\n}\n",
    );
    for model in ["ilp32", "lp64"] {
        folder
            .mazurka(&["check", "copy.c", "--data-model", model])
            .exits(0);
    }
}

/// At a call of `exit` the variables of main are still there; the engines do not know which of them
/// are in scope.
#[test]
fn memory_that_a_variable_may_keep_at_exit() {
    let folder = Folder::new();
    let program = |end: &str| {
        format!(
            "void *malloc(unsigned long);\nvoid exit(int);\n\
             int main(void)\n{{\n    int *p = malloc(4);\n    *p = 3;\n    {end};\n}}\n"
        )
    };
    folder.write("call.c", &program("exit(0)"));
    folder.write("return.c", &program("return 0"));
    let ask = |file| folder.mazurka(&["check", "--property", "memsafety", file]);
    ask("call.c")
        .exits(2)
        .prints(&["cannot tell whether memory is lost"]);
    ask("return.c").exits(1).prints(&["memory is lost"]);
    // What is local to a thread is still there, and so is what a caller may be given.
    let kept = "void *malloc(unsigned long);\n_Thread_local int *own;\n\
                void *make(void) { return malloc(4); }\n\
                int main(void)\n{\n    own = malloc(4);\n    return 0;\n}\n";
    folder.write("kept.c", kept);
    ask("kept.c")
        .exits(2)
        .prints(&["cannot tell whether memory is lost"]);
    let made = [
        "check",
        "--property",
        "memsafety",
        "--entry",
        "make",
        "kept.c",
    ];
    let made = folder.mazurka(&made).exits(2);
    made.prints(&["cannot tell whether memory is lost"]);
}

/// On i386 a `long long` begins at any multiple of 4, and so do its bit-fields' storage units.
#[test]
fn a_wide_bit_field_with_narrow_alignment() {
    let folder = Folder::new();
    folder.write(
        "wide.c",
        "void reach_error(void);\nstruct mixed { int a : 26; int : 0; short b : 3; signed char c;\n    \
         unsigned long long d : 27; unsigned short e; };\n\
         int main(void)\n{\n    struct mixed one = { 1, 2, 3, 4, 5 };\n    \
         if (sizeof one != SIZE || __builtin_offsetof(struct mixed, e) != PLACE) reach_error();\n    \
         one.d = 0x7654321;\n    \
         if (one.c != 3 || one.d != 0x7654321 || one.e != 5) reach_error();\n    return 0;\n}\n",
    );
    let ask = |model: &str, size: &str, place: &str| {
        let defines = [format!("SIZE={size}"), format!("PLACE={place}")];
        let define = ["-D", &defines[0], "-D", &defines[1]];
        let words = ["check", "wide.c", "--data-model", model];
        folder.mazurka(&[&words[..], &define[..]].concat()).exits(0);
    };
    ask("ilp32", "12", "10");
    ask("lp64", "16", "12");
}
