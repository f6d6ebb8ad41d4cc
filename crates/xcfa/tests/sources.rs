//! Where bytes of preprocessed text were written.

use std::collections::BTreeMap;
use xcfa::SourceFile;

/// The place of the first occurrence of a word.
fn place_of(file: &SourceFile, word: &str) -> String {
    let at = file.text.find(word).unwrap();
    file.place(at as u32).to_string()
}

#[test]
fn without_markers_lines_are_counted() {
    let file = SourceFile::new("a.c", "int x;\n  int y;\n");
    assert_eq!(place_of(&file, "int x"), "a.c:1:1");
    assert_eq!(place_of(&file, "int y"), "a.c:2:3");
    assert_eq!(file.line_text(1), "  int y;");
}

#[test]
fn markers_say_which_file_and_line_follow() {
    let text = "# 1 \"a.c\"\n# 7 \"b.h\" 1\nint b;\n# 2 \"a.c\" 2\nint a;\nint last;\n";
    let file = SourceFile::new("a.i", text);
    assert_eq!(place_of(&file, "int b"), "b.h:7:1");
    assert_eq!(place_of(&file, "int a"), "a.c:2:1");
    assert_eq!(place_of(&file, "int last"), "a.c:3:1");
}

#[test]
fn headers_of_the_system_are_flagged_or_known_by_their_folder() {
    for (marker, is_system) in [
        ("# 1 \"x.h\" 1 3", true),
        ("# 1 \"/usr/include/x.h\"", true),
        ("#line 1 \"x.h\"", false),
        ("# 1 \"x.h\" 1", false),
    ] {
        let file = SourceFile::new("a.i", format!("{marker}\nint x;\n"));
        let at = file.text.find("int").unwrap();
        assert_eq!(file.is_system(at as u32), is_system, "{marker}");
    }
}

#[test]
fn only_texts_that_were_given_are_quoted() {
    let given = BTreeMap::from([("a.c".to_owned(), "int a;".to_owned())]);
    let file = SourceFile::new("a.i", "# 1 \"secret\"\nint a;\n").with_originals(given);
    assert_eq!(file.original("a.c"), Some("int a;"));
    assert_eq!(file.original("secret"), None);
}
