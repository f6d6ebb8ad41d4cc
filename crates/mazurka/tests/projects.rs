//! Programs of several files: separate translation units, lists of commands, other entries.

mod common;

use common::Folder;

/// A counter with a lock of its own in one file, and its users in another.
fn project() -> Folder {
    let folder = Folder::new();
    folder.write(
        "include/counter.h",
        "#ifndef COUNTER_H\n#define COUNTER_H\nvoid count(void);\nint counted(void);\n#endif\n",
    );
    folder.write(
        "src/counter.c",
        r#"#include "counter.h"
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hidden;
void count(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    hidden++;
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}
int counted(void) { return hidden; }
"#,
    );
    folder.write(
        "src/main.c",
        r#"#include "counter.h"
#include <assert.h>
#include <pthread.h>
static int hidden = 7; /* Not the one of the other file. */
static void *worker(void *arg) { count(); return arg; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counted() == 2 && hidden == 7);
    return 0;
}
"#,
    );
    folder
}

#[test]
fn several_translation_units() {
    let folder = project();
    let args = ["check", "-I", "include", "src/main.c", "src/counter.c"];
    folder.mazurka(&args).exits(1).prints(&["counter.c"]);
    let args = [
        "check",
        "-D",
        "LOCKED",
        "-I",
        "include",
        "src/main.c",
        "src/counter.c",
    ];
    folder.mazurka(&args).exits(0);
}

#[test]
fn a_list_of_commands_says_how_to_read_files() {
    let folder = project();
    let list = format!(
        r#"[
  {{"directory": "{0}/src", "file": "main.c", "command": "cc -I../include -O2 -c main.c -o main.o"}},
  {{"directory": "{0}/src", "file": "counter.c",
    "arguments": ["cc", "-DLOCKED", "-I", "../include", "-c", "counter.c"]}}
]"#,
        folder.path().display()
    );
    folder.write("compile_commands.json", &list);
    let args = ["check", "--compile-commands", "compile_commands.json"];
    folder.mazurka(&args).exits(0);
    // Evidence remembers how the files were read.
    let args = [
        "check",
        "--evidence",
        "out",
        "--compile-commands",
        "compile_commands.json",
    ];
    folder.mazurka(&args).exits(0);
    folder.mazurka(&["verify-evidence", "out"]).exits(0);
    let unlocked = list.replace("\"-DLOCKED\", ", "");
    folder.write("compile_commands.json", &unlocked);
    let args = ["check", "--compile-commands", "compile_commands.json"];
    folder.mazurka(&args).exits(1);
    folder.mazurka(&["verify-evidence", "out"]).exits(1);
    let args = [
        "check",
        "--compile-commands",
        "compile_commands.json",
        "other.c",
    ];
    folder.write("other.c", "int main(void) { return 0; }");
    folder
        .mazurka(&args)
        .exits(65)
        .complains(&["no command for other.c"]);
    folder.write("compile_commands.json", "{}");
    let args = ["check", "--compile-commands", "compile_commands.json"];
    folder
        .mazurka(&args)
        .exits(65)
        .complains(&["compile_commands.json"]);
}

#[test]
fn a_program_without_main() {
    let folder = Folder::new();
    folder.write(
        "part.c",
        r#"#include <assert.h>
struct pair { int low, high; };
void order(struct pair *p)
{
    if (p->low > p->high) { int t = p->low; p->low = p->high; p->high = t; }
    assert(p->low <= p->high);
}
void halve(int x) { assert(x / 2 * 2 == x); }
void any(int x) { assert(x >= 0); }
"#,
    );
    folder
        .mazurka(&["check", "part.c"])
        .exits(65)
        .complains(&["no function `main`"]);
    let ran = folder
        .mazurka(&["check", "--entry", "order", "part.c"])
        .exits(0);
    ran.prints(&["assuming: `p` of `order` points to an object"]);
    folder
        .mazurka(&["check", "--entry", "halve", "part.c"])
        .exits(1);
    // Arguments of functions other than main can be negative.
    folder
        .mazurka(&["check", "--entry", "any", "part.c"])
        .exits(1);
    folder
        .mazurka(&["check", "--entry", "none", "part.c"])
        .exits(65);
}
