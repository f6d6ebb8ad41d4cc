//! Whatever is wrong with the input: one clear message, the right exit status, no verdict.

mod common;

use common::Folder;

#[test]
fn bad_usage() {
    let folder = Folder::new();
    folder.write("a.c", "int main(void) { return 0; }\n");
    let usage = |args: &[&str]| folder.mazurka(args).exits(64);
    usage(&[]).complains(&["Usage: mazurka"]);
    usage(&["check"]).complains(&["name a C file", "mazurka.toml"]);
    usage(&["chekc", "a.c"]).complains(&["chekc", "'check'"]);
    usage(&["check", "--property", "speed", "a.c"]).complains(&["`speed` is not a property"]);
    usage(&["check", "--engine", "magic", "a.c"]).complains(&["magic", "explore"]);
    usage(&["check", "--timeout", "soon", "a.c"]).complains(&["soon", "seconds"]);
    usage(&["check", "--data-model", "16", "a.c"]).complains(&["ilp32, lp64"]);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    folder.write("notes.txt", "");
    folder.write("latin.i", "");
    std::fs::write(
        folder.path().join("latin.i"),
        b"int x;\nchar *s = \"\xe9\";\n",
    )
    .unwrap();
    std::fs::create_dir(folder.path().join("dir.c")).unwrap();
    let refused = |file: &str| folder.mazurka(&["check", file]).exits(65);
    refused("none.c").complains(&["error: cannot read none.c", "No such file"]);
    refused("notes.txt").complains(&["notes.txt", ".c", ".i"]);
    refused("latin.i").complains(&["latin.i", "UTF-8", "line 2"]);
    refused("dir.c").complains(&["dir.c", "directory"]);
}

#[test]
fn the_preprocessor_has_the_last_word() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include \"missing.h\"\nint main(void) { return 0; }\n",
    );
    let ran = folder.mazurka(&["check", "a.c"]).exits(65);
    ran.complains(&["error: cc -E refused a.c", "a.c:1:10", "missing.h"]);
    let ran = folder
        .mazurka(&["check", "--data-model", "ilp32", "a.c"])
        .exits(65);
    ran.complains(&["error: cc -E refused a.c", "a.c:1:10", "missing.h"]);
}

#[test]
fn a_syntax_error_is_shown_in_its_line() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <stdio.h>\n\nint main(void)\n{\n    return 0 0;\n}\n",
    );
    let ran = folder.mazurka(&["check", "a.c"]).exits(65);
    ran.complains(&["error: ", "--> a.c:5:14", "5 |     return 0 0;", "^"]);
    // Of preprocessed text, the lines that it was made from.
    folder.write("b.i", "# 40 \"orig.c\"\nint main(void) { return 0 0; }\n");
    let ran = folder.mazurka(&["check", "b.i"]).exits(65);
    ran.complains(&["--> orig.c:40:"]);
}

#[test]
fn macros_are_shown_as_they_were_written() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#define ZERO (0 0)\nint main(void)\n{\n    return ZERO;\n}\n",
    );
    let ran = folder.mazurka(&["check", "a.c"]).exits(65);
    ran.complains(&["--> a.c:4:", "4 |     return ZERO;"]);
}

#[test]
fn property_files() {
    let folder = Folder::new();
    folder.write("a.c", "int main(void) { return 0; }\n");
    folder.write("odd.prp", "CHECK( init(main()), LTL(G x) )\n");
    folder.write("empty.prp", "");
    let refused = |file: &str| {
        folder
            .mazurka(&["check", "--property", file, "a.c"])
            .exits(65)
    };
    refused("odd.prp").complains(&["odd.prp", "`G x`"]);
    refused("empty.prp").complains(&["empty.prp", "CHECK"]);
    refused("none.prp").complains(&["none.prp", "No such file"]);
}

#[test]
fn traces_that_are_none() {
    let folder = Folder::new();
    folder.write("a.json", "{}");
    folder
        .mazurka(&["replay", "a.json"])
        .exits(65)
        .complains(&["a.json is not a trace"]);
    folder
        .mazurka(&["replay", "b.json"])
        .exits(65)
        .complains(&["cannot read b.json"]);
}
